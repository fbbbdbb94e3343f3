/* The file that holds the results of a study. */
#ifndef STRATA_TOOLS_STUDY_RUN_STORE_H
#define STRATA_TOOLS_STUDY_RUN_STORE_H

#include "tools/study/study.h"

/* DIR/NAME.csv. Comments at its head say what was run where; each point's rows are followed by a
 * line "# done NAME SECONDS COMMAND", so what a killed run left half written is known and
 * dropped. */
struct study_store {
    char *path;
    struct study_table table;
    char *comments; /* all comment lines but the last kind, as read */
    char **done;    /* "NAME SECONDS COMMAND" */
    int dones;
};

/* Reads the file, if there is one. Rows of points that are not done are dropped. False: it is not a
 * file of this study; *why says it, for the caller to release. */
bool study_store_read(struct study_store *store, const struct study *study, const char *folder,
                      char **why);
void study_store_fini(struct study_store *store);

/* 1: the point is there; 0: it is not; -1: it is there with another command. */
int study_store_has(const struct study_store *store, const struct study_point *point);

/* Whether runs of different commits added to it, as their paragraphs of comments say. */
bool study_store_mixed(const struct study_store *store);

/* Writes the file anew, whole, with one more paragraph of comments. */
bool study_store_rewrite(struct study_store *store, const struct study_request *request);
/* Appends what a point gave, in one write: `output` is its CSV. Returns the number of rows; -1:
 * the file cannot be written. */
int study_store_append(struct study_store *store, const struct study_point *point,
                       const struct study_table *output, double seconds);

#endif
