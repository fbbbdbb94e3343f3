/* The study that compares the cost model with simulated time, for every algorithm, and what the
 * model chooses with the best that it could have chosen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/formula.h"
#include "tools/study/run/points.h"
#include "tools/study/study.h"
#include "tools/study/table/memory.h"

static const char *const collectives[] = {"alltoallv", "alltoall", "allgather",
                                          "allreduce", "bcast",    "reduce_scatter"};
enum {
    COLLECTIVES = sizeof collectives / sizeof *collectives,
    PER_NODE = 4,
    WORST = 10,
    MOST_NODES = 1024
};

static void add_points(struct study_points *points)
{
    const char *platform = study_value(points->request, "--platform");
    const int few = study_number(points->request, "--nodes", 2, MOST_NODES);
    if (!few) {
        points->wrong_use = true;
        points->refusal = "--nodes must be a number from 2 to 1024";
        return;
    }
    for (int nodes = few; nodes <= (points->request->quick ? few : 4 * few); nodes *= 4) {
        for (int c = 0; c < COLLECTIVES; c++) {
            char name[64], labels[512];
            snprintf(name, sizeof name, "%s-%d", collectives[c], nodes);
            snprintf(labels, sizeof labels, "platform=%s;ranks_per_node=%d", platform, PER_NODE);
            struct study_kind kind = {.labels = labels, .weight = nodes};
            study_add(points, &kind, name,
                      "strata simulate %s --platform %s --ranks %d --ranks-per-node %d --bytes "
                      "8,256,4096,32768 --methods every --calls 1 --verify no --jobs 1 --csv",
                      collectives[c], platform, nodes * PER_NODE, PER_NODE);
        }
    }
}

static double number(const struct study_table *table, int row, const char *column)
{
    return study_formula_number(table, row, column);
}

static bool is_auto(const struct study_table *table, int row)
{
    return strcmp(study_table_cell(table, row, "method"), "auto") == 0;
}

/* A row that is judged, and its figure: an error or a regret, as a part. */
struct judged {
    int row;
    double figure;
};

static int by_figure(const void *a, const void *b)
{
    double first = ((const struct judged *)a)->figure, second = ((const struct judged *)b)->figure;
    return (first < second) - (first > second);
}

/* |predicted / simulated - 1|; negative where there is no estimate. Each algorithm counts once. */
static double error_of(const struct study_table *table, int row)
{
    double seconds = number(table, row, "seconds"), predicted = number(table, row, "predicted");
    return is_auto(table, row) || !(predicted > 0) ? -1 : fabs(predicted / seconds - 1);
}

/* How much longer the choice takes, MPI's own included, than the best of our algorithms; negative
 * in rows of other methods. */
static double regret_of(const struct study_table *table, int row)
{
    static const char *const keys[] = {"platform", "collective", "bytes", "nodes", "ranks"};
    double seconds = number(table, row, "seconds"), best = seconds;
    if (!is_auto(table, row)) {
        return -1;
    }
    for (int other = 0; other < table->rows; other++) {
        bool same = strcmp(study_table_cell(table, other, "ran"), "native") != 0;
        for (size_t i = 0; same && i < sizeof keys / sizeof *keys; i++) {
            same = strcmp(study_table_cell(table, row, keys[i]),
                          study_table_cell(table, other, keys[i])) == 0;
        }
        best = same ? fmin(best, number(table, other, "seconds")) : best;
    }
    return seconds / best - 1;
}

/* Names the worst rows. */
static void tell(struct study_finding *finding, const struct study_table *table,
                 const struct judged *judged, int count)
{
    for (int i = 0; i < count && i < WORST; i++) {
        int row = judged[i].row;
        study_finding_tell(
            finding, "%s of %s B, %s ranks on %s nodes, %s: %.1f %%",
            study_table_cell(table, row, "collective"), study_table_cell(table, row, "bytes"),
            study_table_cell(table, row, "ranks"), study_table_cell(table, row, "nodes"),
            study_table_cell(table, row, "ran"), 100 * judged[i].figure);
    }
}

/* Judges the figures of all rows by their mean or median, 95 % of them, and the worst. */
static void judge(const struct study_table *table, struct study_finding *finding,
                  double (*figure)(const struct study_table *table, int row), bool median,
                  const double limits[3])
{
    struct judged *judged = calloc((size_t)table->rows + 1, sizeof *judged);
    double sum = 0;
    int count = 0, others = 0;
    for (int row = 0; judged && row < table->rows; row++) {
        double value = figure(table, row);
        if (value >= 0) {
            judged[count++] = (struct judged){row, value};
            sum += value;
            finding->agreeing += value <= limits[1];
        } else {
            others += median && !is_auto(table, row);
        }
    }
    finding->points = count;
    if (count > 0) {
        qsort(judged, (size_t)count, sizeof *judged, by_figure);
        double middle = median ? judged[count / 2].figure : sum / count;
        double most = judged[count / 20].figure, worst = judged[0].figure;
        finding->agrees = middle <= limits[0] && most <= limits[1] && worst <= limits[2];
        snprintf(finding->ours, sizeof finding->ours,
                 "%s %.1f %%, 95 %% within %.1f %%, worst %.1f %%", median ? "median" : "mean",
                 100 * middle, 100 * most, 100 * worst);
        if (others > 0) {
            const size_t used = strlen(finding->ours);
            snprintf(finding->ours + used, sizeof finding->ours - used,
                     "; %d rows without an estimate, which MPI's own served", others);
        }
        tell(finding, table, judged, count);
    }
    free(judged);
}

static void judge_errors(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    (void)claim;
    judge(table, finding, error_of, true, (const double[]){0.1, 0.3, 1});
}

static void judge_regret(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    (void)claim;
    judge(table, finding, regret_of, false, (const double[]){0.02, 0.05, 0.15});
}

static const struct study_picture pictures[] = {
    {.name = "time",
     .title = "Simulated time of every algorithm",
     .axes = {"ranks_per_node=4;nodes=8", "bytes", "method", "seconds"},
     .each = "collective",
     .x_title = "Bytes of the vector, or of a block",
     .y_title = "Simulated time",
     .caption = "8 nodes with 4 ranks each."},
    {.name = "estimate",
     .title = "Estimated time of every algorithm",
     .axes = {"ranks_per_node=4;nodes=8", "bytes", "method", "predicted"},
     .each = "collective",
     .x_title = "Bytes of the vector, or of a block",
     .y_title = "Estimated time",
     .caption = "8 nodes with 4 ranks each."},
    {0}};

#define ESTIMATES "Estimates are near simulated times, for every algorithm and size"
#define CHOICES   "The choice is near the best of Strata's own algorithms"
#define NEED(sentence)                                                                             \
    {sentence, "collective=alltoallv"}, {sentence, "collective=alltoall"},                         \
        {sentence, "collective=allgather"}, {sentence, "collective=allreduce"},                    \
        {sentence, "collective=bcast"},                                                            \
    {                                                                                              \
        sentence, "collective=reduce_scatter"                                                      \
    }
static const struct study_need needs[] = {NEED(ESTIMATES), NEED(CHOICES), {0}};

static const struct study_claim claims[] = {{"estimate",
                                             "What the project asks of its cost model",
                                             ESTIMATES,
                                             "median 10 %, 95 % within 30 %, none above 100 %",
                                             judge_errors,
                                             {"ranks_per_node=4", "bytes", "method", "predicted"},
                                             "auto",
                                             NULL,
                                             0,
                                             NULL},
                                            {"time",
                                             "What the project asks of its choices",
                                             CHOICES,
                                             "mean 2 %, 95 % within 5 %, none above 15 %",
                                             judge_regret,
                                             {"ranks_per_node=4", "bytes", "method", "seconds"},
                                             "auto",
                                             NULL,
                                             0,
                                             NULL},
                                            {0}};

static const struct study_option options[] = {
    {"--platform", "NAME", "a name of `strata list platforms`, or with NAME:adapter", "smoky"},
    {"--nodes", "N", "nodes of 4 ranks; the full form also takes four times as many", "8"},
    {0}};

const struct study study_model = {
    .name = "model",
    .title = "The cost model beside simulated time, and the regret of its choices",
    .paper = "None: what this project asks of itself",
    .shows = "Strata estimates what each algorithm costs, and takes the cheapest. Here every "
             "algorithm runs on a simulated cluster, with the parameters that cost least by the "
             "estimate. The study compares estimate and time, and the time of the choice with the "
             "least time. Each claim names its ten worst cells.",
    .columns = "point,platform,collective,method,bytes,nodes,ranks,ranks_per_node,seconds,ran,"
               "predicted",
    .options = options,
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .needs = needs,
};
