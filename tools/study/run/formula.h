/* Comparison of counts with the formulas of papers. */
#ifndef STRATA_TOOLS_STUDY_RUN_FORMULA_H
#define STRATA_TOOLS_STUDY_RUN_FORMULA_H

#include "tools/study/study.h"

/* A formula over the columns of a row; NAN where it does not apply. */
typedef double study_formula(const struct study_table *table, int row);

/* A formula as text and as a function. */
struct study_formula_row {
    const char *text;
    study_formula *value;
};

double study_formula_number(const struct study_table *table, int row, const char *column);
/* The logarithm, rounded up: the digits of this base that number so many ranks. */
double study_formula_logarithm(double base, double ranks);

/* Compares the column axes.y with the formula that claim->right names, in all rows of the method
 * claim->left, or of all methods (NULL). The column must equal it (sign 0), be at most it (sign -1)
 * or at least it (sign 1). */
void study_formula_judge(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding, const struct study_formula_row *formulas);

#endif
