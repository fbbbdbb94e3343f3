/* The fastest method at each place of a grid over two axes. */
#ifndef STRATA_TOOLS_STUDY_REPORT_CONTEST_H
#define STRATA_TOOLS_STUDY_REPORT_CONTEST_H

#include <stdio.h>

#include "tools/study/report/grid.h"

enum { STUDY_NEAR = 16 };

struct study_contest_cell {
    int point, line;    /* its place in the grid */
    const char *winner; /* a value of the column method, in the table's memory */
    double best, second;
    bool even; /* the winner's bounds overlap another method's: measurements do not tell who wins */
    int methods;                  /* the number of methods measured there */
    const char *near[STUDY_NEAR]; /* the first of those others, behind which NULL stands */
};

struct study_contest {
    struct study_grid grid; /* only its axes count, not its values */
    struct study_contest_cell *cells;
    int count; /* the number of cells with two methods or more */
};

/* `methods` names the methods that take part, "ring;sparbit"; NULL: all. */
void study_contest_build(struct study_contest *contest, const struct study_table *table,
                         const struct study *study, const struct study_axes *axes,
                         const char *methods);
void study_contest_fini(struct study_contest *contest);

/* How much less time the winner takes than the second best, in percent. */
double study_contest_gain(const struct study_contest_cell *cell);

/* A method's share of the cells in which measurements tell whether it wins, and its gains there, in
 * percent. In a cell where two others are even and faster it loses. */
struct study_contest_share {
    int cells, won, even;
    double share, least, mean, median, most;
};
struct study_contest_share study_contest_count(const struct study_contest *contest,
                                               const char *method);

/* Judges the share of claim->left by the claim's number. */
void study_contest_judge(const struct study_contest *contest, const struct study_claim *claim,
                         struct study_finding *finding);

/* winners.c: writes a gnuplot script that paints each cell in its winner's colour. */
void study_winners_write(FILE *file, const struct study *study, const struct study_picture *picture,
                         const struct study_table *table);

#endif
