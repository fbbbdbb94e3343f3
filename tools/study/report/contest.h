/* Which method takes least, at each place of a grid over two axes. */
#ifndef STRATA_TOOLS_STUDY_REPORT_CONTEST_H
#define STRATA_TOOLS_STUDY_REPORT_CONTEST_H

#include <stdio.h>

#include "tools/study/report/grid.h"

struct study_contest_cell {
    int point, line;    /* in the grid */
    const char *winner; /* of the column method, in the table's memory */
    double best, second;
    int methods; /* that were measured there */
};

struct study_contest {
    struct study_grid grid; /* its axes; the values mean nothing */
    struct study_contest_cell *cells;
    int count; /* cells with two methods or more */
};

/* `methods`: those that take part, "ring;sparbit"; NULL: all. */
void study_contest_build(struct study_contest *contest, const struct study_table *table,
                         const struct study *study, const struct study_axes *axes,
                         const char *methods);
void study_contest_fini(struct study_contest *contest);

/* How much less the winner takes than the second best, in percent. */
double study_contest_gain(const struct study_contest_cell *cell);

/* Where a method wins: the share of all cells and its gains, in percent. */
struct study_contest_share {
    int cells, won;
    double share, mean, median, most;
};
struct study_contest_share study_contest_count(const struct study_contest *contest,
                                               const char *method);

/* winners.c: a gnuplot script that paints each cell by its winner. */
void study_winners_write(FILE *file, const struct study *study, const struct study_picture *picture,
                         const struct study_table *table);

#endif
