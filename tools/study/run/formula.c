/* Compares counts with the formulas of papers. Counts are exact, so a claim agrees only where all
 * rows do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/formula.h"

#include "tools/study/table/memory.h"

double study_formula_number(const struct study_table *table, int row, const char *column)
{
    const char *cell = study_table_cell(table, row, column);
    return *cell ? strtod(cell, NULL) : NAN;
}

double study_formula_logarithm(double base, double ranks)
{
    double power = 1, count = 0;
    while (power < ranks) {
        power *= base;
        count++;
    }
    return count;
}

static const struct study_formula_row *find(const struct study_formula_row *formulas,
                                            const char *text)
{
    while (formulas->text && strcmp(formulas->text, text) != 0) {
        formulas++;
    }
    return formulas->text ? formulas : NULL;
}

/* Allows half a unit: bytes of halved blocks are printed as whole numbers. */
static bool holds(double ours, double theirs, int sign)
{
    static const double slack = 0.5;
    return sign < 0   ? ours <= theirs + slack
           : sign > 0 ? ours >= theirs - slack
                      : fabs(ours - theirs) <= slack;
}

void study_formula_judge(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding, const struct study_formula_row *formulas)
{
    static const char *const words[] = {"at most", "equal to", "at least"};
    const struct study_formula_row *formula = find(formulas, claim->right);
    double least = INFINITY, most = -INFINITY;
    for (int row = 0; formula && row < table->rows; row++) {
        const char *method = study_table_cell(table, row, "method");
        double ours = study_formula_number(table, row, claim->axes.y);
        double theirs = formula->value(table, row);
        if ((claim->left && strcmp(method, claim->left) != 0) ||
            !study_table_matches(table, row, claim->axes.where) || isnan(ours) || isnan(theirs)) {
            continue;
        }
        bool right = holds(ours, theirs, claim->sign);
        finding->points++;
        finding->agreeing += right;
        least = fmin(least, ours / theirs);
        most = fmax(most, ours / theirs);
        if (!right) {
            study_finding_tell(finding, "%s %s: %s %.6g, the formula says %.6g", claim->axes.x,
                               study_table_cell(table, row, claim->axes.x), claim->axes.y, ours,
                               theirs);
        }
    }
    finding->agrees = finding->agreeing == finding->points;
    snprintf(finding->ours, sizeof finding->ours,
             "%s %s at %d of %d points; %.3g to %.3g times the formula", words[claim->sign + 1],
             claim->right, finding->agreeing, finding->points, least, most);
}
