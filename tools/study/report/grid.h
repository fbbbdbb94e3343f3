/* The values of a table over two axes. */
#ifndef STRATA_TOOLS_STUDY_REPORT_GRID_H
#define STRATA_TOOLS_STUDY_REPORT_GRID_H

#include "tools/study/study.h"

/* A value and its bounds, which equal it where they are not known. NAN: no number. */
struct study_value {
    double value, low, high;
};
/* Reads the columns y, and "y_low" and "y_high" where the table has them. */
struct study_value study_grid_read(const struct study_table *table, int row, const char *y);

struct study_grid {
    char **x;      /* in order: rising numbers, or words in the table's order */
    double *place; /* the numbers of x, or 0, 1, 2, ... */
    bool numbers;
    int points;
    char **series; /* in the order of the study's names, then of the table */
    int lines;
    double *value; /* [points * lines], the median of repeated values; NAN: not measured */
    double *least, *greatest; /* of the repeated values, and of their bounds */
};

/* `printed` adds the paper's values, in series named STUDY_PRINTED and the series' own name. */
#define STUDY_PRINTED "paper: "
void study_grid_build_printed(struct study_grid *grid, const struct study_table *table,
                              const struct study *study, const struct study_axes *axes,
                              const struct study_printed *printed);
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
