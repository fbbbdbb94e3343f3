/* The judges of the study of recent papers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/papers/recent_judges.h"
#include "tools/study/report/grid.h"
#include "tools/study/report/rivals.h"
#include "tools/study/run/formula.h"
#include "tools/study/table/median.h"
#include "tools/study/table/memory.h"

static double ranks_of(const struct study_table *table, int row)
{
    return study_formula_number(table, row, "ranks");
}

static double log_rounds(const struct study_table *table, int row)
{
    return study_formula_logarithm(2, ranks_of(table, row));
}

static double segment_rounds(const struct study_table *table, int row)
{
    return 16 - 1 + log_rounds(table, row);
}

static double twice_log_rounds(const struct study_table *table, int row)
{
    return 2 * log_rounds(table, row);
}

static double others_bytes(const struct study_table *table, int row)
{
    return (ranks_of(table, row) - 1) * study_formula_number(table, row, "bytes");
}

static double twice_parts_bytes(const struct study_table *table, int row)
{
    return 2 * others_bytes(table, row) / ranks_of(table, row);
}

void study_recent_formula(const struct study_claim *claim, const struct study_table *table,
                          struct study_finding *finding)
{
    static const struct study_formula_row formulas[] = {
        {"ceil(log2 p)", log_rounds},
        {"2 ceil(log2 p)", twice_log_rounds},
        {"n - 1 + ceil(log2 p)", segment_rounds},
        {"(p-1) blocks", others_bytes},
        {"2 (p-1)/p of the vector", twice_parts_bytes},
        {NULL, NULL}};
    study_formula_judge(claim, table, finding, formulas);
}

void study_recent_most(const struct study_claim *claim, const struct study_table *table,
                       struct study_finding *finding)
{
    double most = -INFINITY;
    for (int row = 0; row < table->rows; row++) {
        if (strcmp(study_table_cell(table, row, "method"), claim->left) == 0 &&
            study_table_matches(table, row, claim->axes.where)) {
            double usual =
                study_rivals_least(table, row, "collective,mapping,draw", claim->axes.y, "usual");
            double saved = 100 * (1 - study_formula_number(table, row, claim->axes.y) / usual);
            finding->points += !isnan(saved);
            most = fmax(most, saved);
        }
    }
    finding->agrees = fabs(most - strtod(claim->number, NULL)) <= 5;
    finding->agreeing = finding->agrees ? finding->points : 0;
    snprintf(finding->ours, sizeof finding->ours, "at most %.1f %%, in %d draws of groups", most,
             finding->points);
}

void study_recent_radix(const struct study_claim *claim, const struct study_table *table,
                        struct study_finding *finding)
{
    struct study_grid grid;
    int first = -1, last = -1;
    size_t used = 0;
    study_grid_build(&grid, table, finding->study, &claim->axes);
    for (int i = 0; i < grid.points; i++) {
        int fastest = study_rivals_best(&grid, i, claim->left);
        if (fastest < 0) {
            continue;
        }
        finding->agreeing += fastest >= last;
        first = finding->points++ ? first : fastest;
        last = fastest;
        used +=
            (size_t)snprintf(finding->ours + used, sizeof finding->ours - used, "%sradix %s",
                             used ? ", " : "fastest are ", strchr(grid.series[fastest], '=') + 1);
        used = used < sizeof finding->ours ? used : sizeof finding->ours - 1;
    }
    finding->agrees = finding->agreeing == finding->points && last > first;
    study_grid_fini(&grid);
}

void study_recent_defaults(const struct study_claim *claim, const struct study_table *table,
                           struct study_finding *finding)
{
    double wanted = strtod(claim->number, NULL);
    double most = 0, *ratios = study_allocate((size_t)table->rows + 1, sizeof *ratios);
    int worst = 0;
    for (int row = 0; row < table->rows; row++) {
        double seconds = study_formula_number(table, row, claim->axes.y);
        if (seconds > 0 && study_table_matches(table, row, claim->axes.where)) {
            double ratio = seconds / study_rivals_least(table, row, "platform,collective,bytes",
                                                        claim->axes.y, STUDY_LIBRARIES);
            worst = ratio > most ? row : worst;
            most = fmax(most, ratio);
            finding->agreeing += ratio >= wanted;
            ratios[finding->points++] = ratio;
        }
    }
    double median = study_median(ratios, (size_t)finding->points);
    free(ratios);
    finding->agrees = most >= wanted;
    snprintf(
        finding->ours, sizeof finding->ours,
        "up to %.1f times (%s of %s B on %s, %s), %.2f in the median; %.0f or more in %d of %d",
        most, study_table_cell(table, worst, "collective"), study_table_cell(table, worst, "bytes"),
        study_table_cell(table, worst, "platform"),
        study_name_of(finding->study, study_table_cell(table, worst, "method")), median, wanted,
        finding->agreeing, finding->points);
}
