/* Judges claims. Two methods must keep their order at 80 % of the points or more, and a trend must
 * keep its sign. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/command.h"
#include "tools/command/words.h"
#include "tools/study/report/grid.h"
#include "tools/study/report/report.h"
#include "tools/study/table/fields.h"
#include "tools/study/table/memory.h"

static const double flat_slope = 0.1;

/* "; messages_between 2310 against 12000, ...": the counts at a point where the order differs. */
static char *evidence_at(const struct study_claim *claim, const struct study_table *table,
                         const char *columns, const char *x)
{
    char *text = study_copy("", 0);
    int left = study_grid_row(table, &claim->axes, x, claim->left);
    int right = study_grid_row(table, &claim->axes, x, claim->right);
    char **names = NULL;
    int count = columns ? study_fields_split(columns, &names) : 0;
    for (int i = 0; i < count; i++) {
        const char *a = study_table_cell(table, left, names[i]);
        const char *b = study_table_cell(table, right, names[i]);
        if (*a && *b) {
            char *longer = study_text("%s; %s %s against %s", text, names[i], a, b);
            free(text);
            text = longer;
        }
    }
    study_fields_release(names, count);
    return text;
}

/* The value with its unit: "12.3 us", "2.4 times". */
static const char *value_text(const struct study_claim *claim, double value, char *text,
                              size_t size)
{
    if (claim->judge == study_judge_trend && claim->right) {
        snprintf(text, size, "%.3g times", value);
    } else if (strcmp(claim->axes.y, "seconds") == 0) {
        tool_seconds(value, text, size);
    } else {
        snprintf(text, size, "%.4g", value);
    }
    return text;
}

static void tell_point(const struct study_claim *claim, const struct study_table *table,
                       const char *x, const double value[2], struct study_finding *finding)
{
    const struct study *study = finding->study;
    char *evidence = evidence_at(claim, table, study->evidence, x);
    char left[32], right[32];
    study_finding_tell(
        finding, "%s %s: %s %s, %s %s%s", claim->axes.x, x, study_name_of(study, claim->left),
        value_text(claim, value[0], left, sizeof left), study_name_of(study, claim->right),
        value_text(claim, value[1], right, sizeof right), evidence);
    free(evidence);
}

/* How much less the left method takes, in percent, as papers say it. */
struct reduction {
    double sum, most;
    const char *where;
};

static void tell_reduction(const struct study_claim *claim, const struct reduction *reduction,
                           struct study_finding *finding)
{
    char even[48] = "";
    if (finding->even) {
        snprintf(even, sizeof even, "; %d more not told apart", finding->even);
    }
    if (finding->points > 0) {
        snprintf(finding->ours, sizeof finding->ours,
                 "%.1f %% on average, at most %.1f %% (%s %s); at %d of %d points%s",
                 reduction->sum / finding->points, reduction->most, claim->axes.x, reduction->where,
                 finding->agreeing, finding->points, even);
    }
    finding->agrees =
        finding->points > 0 && 100 * finding->agreeing >= STUDY_SHARE * finding->points;
}

/* Whether the spreads of two places overlap; those of exact values do not. */
static bool overlap(const struct study_grid *grid, int one, int other)
{
    bool exact =
        grid->least[one] == grid->greatest[one] && grid->least[other] == grid->greatest[other];
    return !exact && grid->least[one] <= grid->greatest[other] &&
           grid->least[other] <= grid->greatest[one];
}

void study_judge_below(const struct study_claim *claim, const struct study_table *table,
                       struct study_finding *finding)
{
    struct study_grid grid;
    struct reduction reduction = {.most = -INFINITY};
    study_grid_build(&grid, table, finding->study, &claim->axes);
    int left = study_grid_line(&grid, claim->left), right = study_grid_line(&grid, claim->right);
    for (int i = 0; i < grid.points; i++) {
        double value[] = {study_grid_value(&grid, i, left), study_grid_value(&grid, i, right)};
        if (isnan(value[0]) || isnan(value[1])) {
            continue;
        }
        double percent = 100 * (1 - value[0] / value[1]);
        if (overlap(&grid, i * grid.lines + left, i * grid.lines + right)) {
            finding->even++;
            continue;
        }
        finding->points++;
        finding->agreeing += value[0] < value[1];
        reduction.sum += percent;
        if (percent > reduction.most) {
            reduction.most = percent;
            reduction.where = grid.x[i];
        }
        if (value[0] >= value[1]) {
            tell_point(claim, table, grid.x[i], value, finding);
        }
    }
    tell_reduction(claim, &reduction, finding);
    study_grid_fini(&grid);
}

/* A least-squares line through (log x, log y), or through (index, log y) where x are words. */
struct slope {
    double n, x, y, xx, xy;
};

static void slope_add(struct slope *slope, double x, double y)
{
    slope->n++;
    slope->x += x;
    slope->y += y;
    slope->xx += x * x;
    slope->xy += x * y;
}

static double slope_value(const struct slope *s)
{
    double below = s->n * s->xx - s->x * s->x;
    return below > 0 ? (s->n * s->xy - s->x * s->y) / below : 0;
}

/* The value whose trend counts: the left one, or the right one divided by the left; NAN: not
 * measured. */
static double trend_value(const struct study_grid *grid, int point, const struct study_claim *claim)
{
    double left = study_grid_value(grid, point, study_grid_line(grid, claim->left));
    return claim->right ? study_grid_value(grid, point, study_grid_line(grid, claim->right)) / left
                        : left;
}

static void tell_trend(const struct study_claim *claim, const double ends[2], double slope,
                       struct study_finding *finding)
{
    int sign = fabs(slope) < flat_slope ? 0 : slope > 0 ? 1 : -1;
    char first[32], last[32];
    static const char *const words[] = {"falls", "stays", "rises"};
    finding->agrees = finding->points >= 2 && sign == claim->sign;
    finding->agreeing = finding->agrees ? finding->points : 0;
    snprintf(finding->ours, sizeof finding->ours,
             "%s: from %s to %s over %d points (slope %.2f of the logarithms)", words[sign + 1],
             value_text(claim, ends[0], first, sizeof first),
             value_text(claim, ends[1], last, sizeof last), finding->points, slope);
}

void study_judge_trend(const struct study_claim *claim, const struct study_table *table,
                       struct study_finding *finding)
{
    struct study_grid grid;
    struct slope slope = {0};
    double ends[] = {NAN, NAN};
    study_grid_build(&grid, table, finding->study, &claim->axes);
    for (int i = 0; i < grid.points; i++) {
        double value = trend_value(&grid, i, claim);
        if (value > 0) {
            bool logarithm = grid.numbers && grid.place[0] > 0;
            slope_add(&slope, logarithm ? log(grid.place[i]) : grid.place[i], log(value));
            ends[0] = isnan(ends[0]) ? value : ends[0];
            ends[1] = value;
            finding->points++;
            char text[32];
            study_finding_tell(finding, "%s %s: %s", claim->axes.x, grid.x[i],
                               value_text(claim, value, text, sizeof text));
        }
    }
    finding->points = finding->points < 2 ? 0 : finding->points;
    tell_trend(claim, ends, slope_value(&slope), finding);
    study_grid_fini(&grid);
}
