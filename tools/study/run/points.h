/* Points as the runner sees them, and the file that holds their results. */
#ifndef STRATA_TOOLS_STUDY_RUN_POINTS_H
#define STRATA_TOOLS_STUDY_RUN_POINTS_H

#include "tools/study/run/study.h"

/* Those that take least come first, otherwise in the order of the study: most of a study is there early. */
void study_points_order(struct study_points *points);
void study_points_fini(struct study_points *points);

/* The words as one would type them. */
char *study_words_join(char *const *words);

/* DIR/NAME.csv. Comments at its head say what was run where; each point's rows are followed by a line
 * "# done NAME SECONDS COMMAND", so what a killed run left half written is known and dropped. */
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
/* Appends what a point gave, in one write: `output` is its CSV. Returns the number of rows; -1: the file cannot
 * be written. */
int study_store_append(struct study_store *store, const struct study_point *point,
                       const struct study_table *output, double seconds);

/* Appends what one row of a point's output gives: a row for each alternative in its labels. */
void study_rows_take(struct study_table *table, const struct study_point *point,
                     const struct study_table *output, int row);

/* Does the command end with exit code 0? */
bool study_command_works(const char *const *words);
/* Runs a command and returns the first line that it prints; "" when it fails. */
char *study_first_line(const char *const *words);

/* Comment lines about this machine, this program and this moment. */
char *study_machine_describe(const struct study_request *request);

#endif
