/* The file with the results of a study. */
#ifndef STRATA_TOOLS_STUDY_RUN_STORE_H
#define STRATA_TOOLS_STUDY_RUN_STORE_H

#include "tools/study/study.h"

/* The file DIR/NAME.csv. Comments at its head describe each run. A line "# done NAME SECONDS
 * COMMAND" follows each point's rows, so that half-written rows of a killed run are known and
 * dropped. */
struct study_store {
    char *path;
    struct study_table table;
    char *comments; /* all comment lines except "# done" lines, as read */
    char **done;    /* "NAME SECONDS COMMAND" of each finished point */
    int dones;
};

/* Reads the file where it exists, and drops rows of unfinished points. Returns false where it is no
 * file of this study; *why is then a sentence for the caller to release. */
bool study_store_read(struct study_store *store, const struct study *study, const char *folder,
                      char **why);
void study_store_fini(struct study_store *store);

/* Returns 1: the store has the point; 0: not; -1: it has the point with another command. */
int study_store_has(const struct study_store *store, const struct study_point *point);

/* Whether runs of different commits wrote to the file, by its comments. */
bool study_store_mixed(const struct study_store *store);

/* Writes the whole file anew, with one more paragraph of comments. */
bool study_store_rewrite(struct study_store *store, const struct study_request *request);
/* Appends the rows of a point in one write; `output` is the table of its output. Returns the number
 * of rows; -1: the file cannot be written. */
int study_store_append(struct study_store *store, const struct study_point *point,
                       const struct study_table *output, double seconds);

#endif
