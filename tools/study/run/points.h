/* The points of a study, as studies add them and as the runner sees them. */
#ifndef STRATA_TOOLS_STUDY_RUN_POINTS_H
#define STRATA_TOOLS_STUDY_RUN_POINTS_H

#include "tools/study/study.h"

/* Adds a point. The command is split at spaces, and '...' keeps a word together. A first word
 * "strata" stands for this command itself. "@JSON@" at the end of a word stands for a file that the
 * program writes.
 *
 * Labels become columns. "method=@exchange" takes a column of the output under another name, and
 * "seconds=@real_time*1e-6" in another unit. "method=ours|mpi;seconds=@a|@b" makes two rows of
 * one. */
void study_add(struct study_points *points, const struct study_kind *kind, const char *name,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The user's value of one of the study's options, or its preset. */
const char *study_value(const struct study_request *request, const char *option);
/* The same as a whole number; 0: it is none, or not from `least` to `most`. */
int study_number(const struct study_request *request, const char *option, int least, int most);
/* Takes the next number from a list, "1,4", and moves *list behind it. 0: the list is at its end;
 * -1: what stands there is no number above 0, and the list ends. */
int study_number_take(const char **list);
/* Whether the word is in the list, "a,b" or "a;b" by its mark; any word is in NULL. */
bool study_list_has(const char *list, char mark, const char *word);

/* Draws a number below a bound. It follows from the seed *state alone, and so do the next ones. */
unsigned study_draw(unsigned long long *state, int below);

/* Orders the points by their time, the shortest first, so that most of a study is there early.
 * Equal ones keep the study's order. */
void study_points_order(struct study_points *points);
void study_points_fini(struct study_points *points);

/* The words as a user would type them. */
char *study_words_join(char *const *words);

#endif
