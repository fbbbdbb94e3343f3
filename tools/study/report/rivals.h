/* Methods that stand together for one side: the best of several libraries, or of several values of
 * a parameter. */
#ifndef STRATA_TOOLS_STUDY_REPORT_RIVALS_H
#define STRATA_TOOLS_STUDY_REPORT_RIVALS_H

#include "tools/study/report/grid.h"

/* The MPI libraries whose choices SimGrid knows, as methods of `strata simulate`, and their names
 * for people. */
#define STUDY_LIBRARIES "ompi;mpich;mvapich2;impi"
#define STUDY_LIBRARY_NAMES                                                                        \
    {"ompi", "Open MPI"}, {"mpich", "MPICH"}, {"mvapich2", "MVAPICH2"},                            \
    {                                                                                              \
        "impi", "Intel MPI"                                                                        \
    }

/* The least value above 0 of column y in the rows with this row's values of the columns `keys`
 * ("platform,bytes"), of the methods "a;b;c"; NAN: there is none. */
double study_rivals_least(const struct study_table *table, int row, const char *keys, const char *y,
                          const char *methods);

/* The series of the grid with the least value above 0 at a point, of the methods "a;b;c"; -1: none
 * has one. */
int study_rivals_best(const struct study_grid *grid, int point, const char *methods);

/* At 80 % of the values of x or more the best of the methods `left` must lie below the best of
 * `right`, "a;b;c" each. */
study_judge study_judge_rivals;

/* The least value of y of the methods `right`, "a;b;c", divided by that of the method `left`, must
 * be the figure that `number` begins with in the geometric mean of all cells, and nowhere below
 * 0.95. A cell is a platform, collective, length and number of ranks. */
study_judge study_judge_gain;

#endif
