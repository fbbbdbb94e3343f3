/* The times of splits of the same cores, with their spread. */
#ifndef STRATA_TOOLS_STUDY_REPORT_SPLITS_H
#define STRATA_TOOLS_STUDY_REPORT_SPLITS_H

#include "tools/study/study.h"

/* A mean of logarithms: the value, and the bounds of its interval of 95 %. With one number the
 * interval is that number. */
struct study_mean {
    double value, low, high;
    int count;
};

struct study_split {
    const char *method; /* in the table's memory */
    int nodes, ranks, threads;
    double *seconds; /* [repeats of the run]; NAN where a repeat is missing */
    struct study_mean time;
    double exchange, messages; /* means; NAN: not known */
};

/* All splits of a run by all methods. */
struct study_splits {
    struct study_split *splits;
    int count, repeats;
};

void study_splits_build(struct study_splits *all, const struct study_table *table, const char *run);
void study_splits_fini(struct study_splits *all);

/* The split with the least time, of those for which `fits` holds; NULL: none. */
typedef bool study_split_fits(const struct study_split *split, const struct study_split *than);
const struct study_split *study_splits_least(const struct study_splits *all, study_split_fits *fits,
                                             const struct study_split *than);
/* The time of a split divided by that of another one, repeat by repeat. */
struct study_mean study_splits_ratio(const struct study_splits *all,
                                     const struct study_split *split,
                                     const struct study_split *other);

/* Answers for each run which split is best, and why (struct study). */
void study_splits_answer(const struct study *study, const struct study_table *table,
                         struct study_answer *answer);

#endif
