/* Rows of a study from the output of a point. */
#ifndef STRATA_TOOLS_STUDY_RUN_ROWS_H
#define STRATA_TOOLS_STUDY_RUN_ROWS_H

#include "tools/study/study.h"

/* Appends the rows that one row of a point's output gives: one for each alternative in the
 * labels. */
void study_rows_take(struct study_table *table, const struct study_point *point,
                     const struct study_table *output, int row);

#endif
