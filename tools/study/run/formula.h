/* Counts held against the formulas of papers. */
#ifndef STRATA_TOOLS_STUDY_RUN_FORMULA_H
#define STRATA_TOOLS_STUDY_RUN_FORMULA_H

#include "tools/study/study.h"

/* A formula of a row's columns; NAN where it says nothing about the row. */
typedef double study_formula(const struct study_table *table, int row);

/* How the formula is written, and what it is. */
struct study_formula_row {
    const char *text;
    study_formula *value;
};

double study_formula_number(const struct study_table *table, int row, const char *column);
/* Rounded up: how many digits of this base tell so many ranks apart. */
double study_formula_logarithm(double base, double ranks);

/* Rows of the claim's method (`left`) whose column axes.y is held against the formula that
 * claim->right names: equal (sign 0), at most (sign -1) or at least (sign 1) it, at all rows. */
void study_formula_judge(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding, const struct study_formula_row *formulas);

#endif
