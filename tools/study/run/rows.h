/* The rows that the output of a point gives. */
#ifndef STRATA_TOOLS_STUDY_RUN_ROWS_H
#define STRATA_TOOLS_STUDY_RUN_ROWS_H

#include "tools/study/study.h"

/* Appends what one row of a point's output gives: a row for each alternative in its labels. */
void study_rows_take(struct study_table *table, const struct study_point *point,
                     const struct study_table *output, int row);

#endif
