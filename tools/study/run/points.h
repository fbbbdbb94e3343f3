/* Points of a study, as it adds them and as the runner sees them. */
#ifndef STRATA_TOOLS_STUDY_RUN_POINTS_H
#define STRATA_TOOLS_STUDY_RUN_POINTS_H

#include "tools/study/study.h"

/* Adds a point. The command is split at spaces; '...' keeps one word together. Its first word
 * "strata" stands for this command itself, and "@JSON@" at the end of a word for a file that the
 * program writes. Labels become columns. "method=@exchange" takes what the output has under
 * another name, "seconds=@real_time*1e-6" in another unit, and "method=ours|mpi;seconds=@a|@b"
 * makes two rows of one. */
void study_add(struct study_points *points, const struct study_kind *kind, const char *name,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* What the user gave for an option of the study, or its preset. */
const char *study_value(const struct study_request *request, const char *option);

/* Those that take least come first, otherwise in the order of the study: most of a study is
 * there early. */
void study_points_order(struct study_points *points);
void study_points_fini(struct study_points *points);

/* The words as one would type them. */
char *study_words_join(char *const *words);

#endif
