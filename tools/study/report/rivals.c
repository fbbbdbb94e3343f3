/* Compares the best of some methods with the best of others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/rivals.h"

#include "tools/study/report/grid.h"
#include "tools/study/run/formula.h"
#include "tools/study/run/points.h"
#include "tools/study/table/memory.h"

static const double LEAST_GAIN = 0.95;

/* Whether two rows have the same values of the columns "a,b,c". */
static bool same(const struct study_table *table, int a, int b, const char *keys)
{
    while (*keys) {
        size_t end = strcspn(keys, ",");
        char *key = study_copy(keys, end);
        bool equal = strcmp(study_table_cell(table, a, key), study_table_cell(table, b, key)) == 0;
        free(key);
        if (!equal) {
            return false;
        }
        keys += end + (keys[end] == ',');
    }
    return true;
}

double study_rivals_least(const struct study_table *table, int row, const char *keys, const char *y,
                          const char *methods)
{
    double least = NAN;
    for (int other = 0; other < table->rows; other++) {
        double value = study_formula_number(table, other, y);
        if (value > 0 && study_list_has(methods, ';', study_table_cell(table, other, "method")) &&
            same(table, row, other, keys)) {
            least = fmin(least, value);
        }
    }
    return least;
}

int study_rivals_best(const struct study_grid *grid, int point, const char *methods)
{
    int best = -1;
    for (int line = 0; line < grid->lines; line++) {
        double value = study_grid_value(grid, point, line);
        if (value > 0 && study_list_has(methods, ';', grid->series[line]) &&
            (best < 0 || value < study_grid_value(grid, point, best))) {
            best = line;
        }
    }
    return best;
}

void study_judge_rivals(const struct study_claim *claim, const struct study_table *table,
                        struct study_finding *finding)
{
    struct study_grid grid;
    double most = 0, logarithms = 0;
    const char *where = "";
    study_grid_build(&grid, table, finding->study, &claim->axes);
    for (int i = 0; i < grid.points; i++) {
        int left = study_rivals_best(&grid, i, claim->left);
        int right = study_rivals_best(&grid, i, claim->right);
        if (left < 0 || right < 0) {
            continue;
        }
        double gain = study_grid_value(&grid, i, right) / study_grid_value(&grid, i, left);
        finding->points++;
        finding->agreeing += gain > 1;
        logarithms += log(gain);
        where = gain > most ? grid.x[i] : where;
        most = fmax(most, gain);
        if (gain <= 1) {
            study_finding_tell(finding, "%s %s: %.2f times as fast", claim->axes.x, grid.x[i],
                               gain);
        }
    }
    if (finding->points > 0) {
        snprintf(finding->ours, sizeof finding->ours,
                 "up to %.2f times (%s %s), %.2f in the geometric mean; at %d of %d points", most,
                 claim->axes.x, where, exp(logarithms / finding->points), finding->agreeing,
                 finding->points);
    }
    finding->agrees =
        finding->points > 0 && 100 * finding->agreeing >= STUDY_SHARE * finding->points;
    study_grid_fini(&grid);
}

/* How many times as long as the row's method the best of the others takes; NAN: none has a time. */
static double gain_of(const struct study_claim *claim, const struct study_table *table, int row)
{
    return study_rivals_least(table, row, "platform,collective,bytes,ranks", claim->axes.y,
                              claim->right) /
           study_formula_number(table, row, claim->axes.y);
}

void study_judge_gain(const struct study_claim *claim, const struct study_table *table,
                      struct study_finding *finding)
{
    double logarithms = 0, least = INFINITY;
    int worst = 0;
    for (int row = 0; row < table->rows; row++) {
        const bool ours = strcmp(study_table_cell(table, row, "method"), claim->left) == 0;
        const double gain = gain_of(claim, table, row);
        if (!ours || !study_table_matches(table, row, claim->axes.where) || !(gain > 0)) {
            continue;
        }
        finding->points++;
        finding->agreeing += gain >= LEAST_GAIN;
        logarithms += log(gain);
        worst = gain < least ? row : worst;
        least = fmin(least, gain);
        if (gain < LEAST_GAIN) {
            study_finding_tell(finding, "%s of %s B, %s ranks, %s: %.2f",
                               study_table_cell(table, row, "collective"),
                               study_table_cell(table, row, "bytes"),
                               study_table_cell(table, row, "ranks"),
                               study_table_cell(table, row, "platform"), gain);
        }
    }
    if (finding->points > 0) {
        const double mean = exp(logarithms / finding->points);
        finding->agrees =
            finding->agreeing == finding->points && mean >= strtod(claim->number, NULL);
        snprintf(finding->ours, sizeof finding->ours,
                 "%.2f in the geometric mean of %d cells, least %.2f (%s of %s B)", mean,
                 finding->points, least, study_table_cell(table, worst, "collective"),
                 study_table_cell(table, worst, "bytes"));
    }
}
