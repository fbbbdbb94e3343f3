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
enum { COLLECTIVES = sizeof collectives / sizeof *collectives, WORST = 10, MOST_RANKS = 65536 };

/* The shape of a cluster: its ranks, how many of them on each node, and where neighbours lie. */
struct shape {
    int ranks, per_node;
    const char *mapping;
};

static void add_shape(struct study_points *points, const struct shape *shape)
{
    const char *platform = study_value(points->request, "--platform");
    for (int c = 0; c < COLLECTIVES; c++) {
        char name[96], labels[512];
        if (!study_list_has(study_value(points->request, "--collective"), ',', collectives[c])) {
            continue;
        }
        snprintf(name, sizeof name, "%s-%dx%d-%s", collectives[c], shape->ranks / shape->per_node,
                 shape->per_node, shape->mapping);
        snprintf(labels, sizeof labels,
                 "platform=%s;ranks_per_node=%d;mapping=%s;run=%s, %d nodes x %d ranks, %s",
                 platform, shape->per_node, shape->mapping, collectives[c],
                 shape->ranks / shape->per_node, shape->per_node, shape->mapping);
        struct study_kind kind = {.labels = labels, .weight = shape->ranks};
        study_add(points, &kind, name,
                  "strata simulate %s --platform %s --ranks %d --ranks-per-node %d --mapping %s "
                  "--bytes %s --methods every --calls 1 --verify no --jobs 1 --csv",
                  collectives[c], platform, shape->ranks, shape->per_node, shape->mapping,
                  study_value(points->request, "--bytes"));
    }
}

static const char *const mappings[] = {"sequential", "cyclic"};

static bool is_wanted(const struct study_request *request, const char *mapping)
{
    const char *value = study_value(request, "--mapping");
    return strcmp(value, mapping) == 0 || strcmp(value, "both") == 0;
}

/* What is wrong with the options' shapes; NULL: nothing. */
static const char *wrong_shapes(const struct study_request *request)
{
    const int ranks = study_number(request, "--ranks", 2, MOST_RANKS / 4);
    const char *list = study_value(request, "--ranks-per-node");
    int each = *list ? 1 : -1;
    while (ranks && each > 0 && ranks % each == 0) {
        each = study_number_take(&list);
    }
    return !ranks     ? "--ranks must be a number from 2 to 16384"
           : each < 0 ? "--ranks-per-node must list numbers from 1 to 65536"
           : each > 0 ? "--ranks must be a multiple of each of --ranks-per-node"
           : !is_wanted(request, mappings[0]) && !is_wanted(request, mappings[1])
               ? "--mapping must be sequential, cyclic or both"
               : NULL;
}

/* All shapes of the options, and in the full form those of four times as many ranks. */
static void add_points(struct study_points *points)
{
    const struct study_request *request = points->request;
    points->refusal = wrong_shapes(request);
    const int few = points->refusal ? 0 : study_number(request, "--ranks", 2, MOST_RANKS / 4);
    const int most = request->quick ? few : 4 * few;
    struct shape shape = {.ranks = few};
    for (; few && shape.ranks <= most; shape.ranks *= 4) {
        const char *list = study_value(request, "--ranks-per-node");
        while ((shape.per_node = study_number_take(&list)) > 0) {
            for (int m = 0; m < 2; m++) {
                shape.mapping = mappings[m];
                if (is_wanted(request, shape.mapping)) {
                    add_shape(points, &shape);
                }
            }
        }
    }
    if (few && !points->count) {
        points->refusal = "--collective must list names of alltoallv, alltoall, allgather, "
                          "allreduce, bcast, reduce_scatter";
    }
    points->wrong_use = points->refusal != NULL;
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
    static const char *const keys[] = {"run", "bytes", "platform"};
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
        study_finding_tell(finding, "%s: %s B, %s: %.1f %%", study_table_cell(table, row, "run"),
                           study_table_cell(table, row, "bytes"),
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
     .axes = {NULL, "bytes", "method", "seconds"},
     .each = "run",
     .x_title = "Bytes of the vector, or of a block",
     .y_title = "Simulated time",
     .caption = "Each algorithm has the parameters that cost least by the estimate."},
    {.name = "estimate",
     .title = "Estimated time of every algorithm",
     .axes = {NULL, "bytes", "method", "predicted"},
     .each = "run",
     .x_title = "Bytes of the vector, or of a block",
     .y_title = "Estimated time",
     .caption = "Each algorithm has the parameters that cost least by the estimate."},
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
                                             {NULL, "bytes", "method", "predicted"},
                                             "auto",
                                             NULL,
                                             0,
                                             NULL},
                                            {"time",
                                             "What the project asks of its choices",
                                             CHOICES,
                                             "mean 2 %, 95 % within 5 %, none above 15 %",
                                             judge_regret,
                                             {NULL, "bytes", "method", "seconds"},
                                             "auto",
                                             NULL,
                                             0,
                                             NULL},
                                            {0}};

static const struct study_option options[] = {
    {"--platform", "NAME", "a name of `strata list platforms`, or with NAME:adapter", "smoky"},
    {"--collective", "NAME,...", "of the six; all unless given", NULL},
    {"--ranks", "N", "ranks; the full form also takes four times as many", "32"},
    {"--ranks-per-node", "N,N,...", "of them on each node", "4"},
    {"--mapping", "M", "of ranks to nodes: sequential, cyclic or both", "sequential"},
    {"--bytes", "N,N,...", "of a block or vector", "8,256,4096,32768"},
    {0}};

const struct study study_model = {
    .name = "model",
    .title = "The cost model beside simulated time, and the regret of its choices",
    .paper = "None: what this project asks of itself",
    .shows = "Strata estimates what each algorithm costs, and takes the cheapest. Here every "
             "algorithm runs on a simulated cluster, with the parameters that cost least by the "
             "estimate. The study compares estimate and time, and the time of the choice with the "
             "least time. Each claim names its ten worst cells.",
    .columns = "point,platform,collective,method,bytes,nodes,ranks,ranks_per_node,mapping,run,"
               "seconds,ran,predicted",
    .options = options,
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .needs = needs,
};
