/* The values of a table over two axes. */
#ifndef STRATA_TOOLS_STUDY_REPORT_GRID_H
#define STRATA_TOOLS_STUDY_REPORT_GRID_H

#include "tools/study/study.h"

struct study_grid {
    char **x;      /* in order: rising numbers, or words in the table's order */
    double *place; /* the numbers of x, or 0, 1, 2, ... */
    bool numbers;
    int points;
    char **series; /* in the order of the study's names, then of the table */
    int lines;
    double *value; /* [points * lines], the median of repeated values; NAN: not measured */
    double *least, *greatest; /* of the repeated values */
};

void study_grid_build(struct study_grid *grid, const struct study_table *table,
                      const struct study *study, const struct study_axes *axes);
/* Orders the words of x by the numbers in them: 2x8 before 2x16. */
void study_grid_order_words(struct study_grid *grid);
void study_grid_fini(struct study_grid *grid);
/* The index of a series; -1: none has this name. */
int study_grid_line(const struct study_grid *grid, const char *series);
double study_grid_value(const struct study_grid *grid, int point, int line);
/* The first row of the table at this place; -1: none is there. */
int study_grid_row(const struct study_table *table, const struct study_axes *axes, const char *x,
                   const char *series);

#endif
