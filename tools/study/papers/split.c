/* The study of the paper on a generalized MPI_Comm_split: rounds, bytes and memory of its
 * algorithms, counted on virtual ranks; times on simulated clusters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/formula.h"
#include "tools/study/run/points.h"
#include "tools/study/table/memory.h"

/* The methods. The items of all ranks meet at one rank or at all ranks in some methods, so only the
 * others reach the figures' larger numbers of ranks. */
static const struct method {
    const char *name;
    int most;      /* the largest number of ranks */
    bool integers; /* takes integer colours only */
    bool sorts;    /* can reorder without colours */
    int items;     /* of Cheng's sort, for figure 3; needs more ranks */
} methods[] = {{"allgather_group", 4096, false, true, 0},
               {"gather_scatter", 65536, false, true, 0},
               {"bitonic", 131072, false, true, 0},
               {"radix", 131072, true, true, 0},
               {"hash", 131072, false, false, 0},
               {"hash64", 131072, false, false, 0},
               {"cheng:items=128", 16384, false, true, 128},
               {"cheng:items=512", 16384, false, true, 512},
               {"cheng:items=2048", 16384, false, true, 2048},
               {NULL, 0, false, false, 0}};

/* The figures. Text 0 stands for integer colours, and groups -1 for no colours. */
static const struct figure {
    const char *name;
    int text, groups;
    bool keys;
} figures[] = {{"3", 0, -1, true},        {"4-few-5", 5, 16, false},   {"4-few-80", 80, 16, false},
               {"4-many-5", 5, 0, false}, {"4-many-80", 80, 0, false}, {"5-few", 5, 16, true},
               {"5-many", 5, 0, true},    {NULL, 0, 0, false}};

static const struct machine {
    const char *name;
    int per_node;
} dawn = {"dawn", 4}, sierra = {"sierra", 12};

/* Adds the counts of a split. With a machine it adds the time there, too, without contention, which
 * reaches the paper's numbers of ranks. */
static void add(struct study_points *points, const struct machine *machine,
                const struct figure *figure, const struct method *method, int ranks)
{
    char *labels = machine ? study_text("figure=far-%s;platform=%s", figure->name, machine->name)
                           : study_text("figure=%s", figure->name);
    char *where = machine ? study_text("far-%s-%s", figure->name, machine->name)
                          : study_text("%s", figure->name);
    char *name = study_text("%s-%s-%d", where, method->name, ranks);
    char *timed =
        machine ? study_text("--platform %s --ranks-per-node %d ", machine->name, machine->per_node)
                : NULL;
    char *groups = figure->groups < 0 ? study_text("none") : study_text("%d", figure->groups);
    char *colour = figure->text ? study_text("text:%d", figure->text) : study_text("int");
    struct study_kind kind = {.labels = labels, .weight = ranks / 100.0};
    study_add(points, &kind, name,
              "strata split %s--method %s --ranks %d --groups %s --colour %s --keys %s --csv",
              timed ? timed : "", method->name, ranks, groups, colour,
              figure->keys ? "random" : "none");
    free(colour);
    free(groups);
    free(timed);
    free(name);
    free(where);
    free(labels);
}

/* Adds one simulation of all methods and cases of a figure at one size, because a start takes
 * long. */
static void add_time(struct study_points *points, const char *figure, const struct machine *machine,
                     int ranks, const char *list, const char *cases)
{
    char *labels = study_text("figure=@case;platform=%s", machine->name);
    char *point = study_text("time-%s-%s-%d", figure, machine->name, ranks);
    struct study_kind kind = {.labels = labels, .weight = ranks * (double)ranks / 4000};
    study_add(points, &kind, point,
              "strata simulate split --platform %s --ranks %d --ranks-per-node %d --methods %s "
              "--cases %s --groups 16 --calls 1 --jobs 1 --csv",
              machine->name, ranks, machine->per_node, list, cases);
    free(point);
    free(labels);
}

/* The methods that sort. Cheng's has as many items as the paper tries, where more than one rank
 * sorts. */
static char *sorts_for(int ranks)
{
    char *list = study_text(
        "MPI_Comm_split,table,allgather_mpi,allgather_group,gather_scatter,bitonic,radix");
    for (int items = 128; items < ranks && items <= 8192; items *= 4) {
        char *longer = study_text("%s,cheng:items=%d", list, items);
        free(list);
        list = longer;
    }
    return list;
}

static void add_times(struct study_points *points)
{
    for (int ranks = 16; ranks <= (points->request->quick ? 256 : 4096); ranks *= 2) {
        char *sorts = sorts_for(ranks);
        add_time(points, "3", &dawn, ranks, sorts, "reorder");
        add_time(points, "3", &sierra, ranks, sorts, "reorder");
        add_time(points, "4-5", &dawn, ranks, "MPI_Comm_split,table,bitonic,hash,hash64",
                 "split-few-5,split-few-80,split-many-5,split-many-80,both-few-5,both-many-5");
        free(sorts);
    }
}

/* Adds the counts and times of a method in a figure; the paper has figure 3 of both machines. */
static void add_counts(struct study_points *points, const struct figure *figure,
                       const struct method *method, int most)
{
    for (int ranks = 16; ranks <= most && ranks <= method->most; ranks *= 4) {
        if (ranks > method->items) {
            add(points, NULL, figure, method, ranks);
            add(points, &dawn, figure, method, ranks);
            if (figure->groups < 0) {
                add(points, &sierra, figure, method, ranks);
            }
        }
    }
}

static void add_points(struct study_points *points)
{
    add_times(points);
    int most = points->request->quick ? 4096 : 131072;
    for (const struct figure *f = figures; f->name; f++) {
        for (const struct method *m = methods; m->name; m++) {
            bool fits = f->groups < 0 ? m->sorts : !(m->integers && f->text) && !m->items;
            if (fits) {
                add_counts(points, f, m, most);
            }
        }
    }
}

static double log_of(const struct study_table *table, int row)
{
    return log2(study_formula_number(table, row, "ranks"));
}

static double one(const struct study_table *table, int row)
{
    (void)table;
    (void)row;
    return 1;
}

static double ranks_of(const struct study_table *table, int row)
{
    return study_formula_number(table, row, "ranks");
}

static double log_squared(const struct study_table *table, int row)
{
    return log_of(table, row) * log_of(table, row);
}

/* The order of growth. In logarithms, value / f(N) may rise (sign -1, O) or fall (sign 1, Omega)
 * with a slope of at most a tenth, from the first number of ranks above 255 to the last. */
static void judge_growth(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    static const struct study_formula_row orders[] = {
        {"1", one}, {"log N", log_of}, {"log^2 N", log_squared}, {"N", ranks_of}, {NULL, NULL}};
    const struct study_formula_row *order = orders;
    double first[2] = {NAN, NAN}, last[2] = {NAN, NAN};
    while (order->text && strcmp(order->text, claim->right) != 0) {
        order++;
    }
    for (int row = 0; order->text && row < table->rows; row++) {
        double ranks = ranks_of(table, row);
        if (ranks >= 256 && study_table_matches(table, row, claim->axes.where) &&
            strcmp(study_table_cell(table, row, "method"), claim->left) == 0) {
            double at[] = {log(ranks), log(study_formula_number(table, row, claim->axes.y) /
                                           order->value(table, row))};
            memcpy(isnan(first[0]) || at[0] < first[0] ? first : at, at, sizeof at);
            memcpy(isnan(last[0]) || at[0] > last[0] ? last : at, at, sizeof at);
            finding->points++;
        }
    }
    double slope = (last[1] - first[1]) / (last[0] - first[0]);
    finding->points = last[0] > first[0] ? finding->points : 0;
    finding->agrees = claim->sign < 0 ? slope <= 0.1 : slope >= -0.1;
    snprintf(finding->ours, sizeof finding->ours,
             "%s / (%s) grows as N to the %.2f, over %d points from %.0f to %.0f ranks",
             claim->axes.y, claim->right, slope, finding->points, exp(first[0]), exp(last[0]));
}

/* Divides the value with colours of 80 bytes by the value with colours of 5 bytes (the rows of
 * `right`). A ratio below 1.3, or 1.1 for seconds, is a small effect. All effects must be small
 * (sign 0), or all must be large (sign 1). */
static void judge_colour(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    double most = 0, least = INFINITY, little = strcmp(claim->axes.y, "seconds") ? 1.3 : 1.1;
    for (int row = 0; row < table->rows; row++) {
        char *where = study_text("%s;method=%s;ranks=%s", claim->axes.where, claim->left,
                                 study_table_cell(table, row, "ranks"));
        bool is_short = study_table_matches(table, row, claim->right) &&
                        strcmp(study_table_cell(table, row, "method"), claim->left) == 0;
        for (int other = 0; is_short && other < table->rows; other++) {
            if (study_table_matches(table, other, where)) {
                double ratio = study_formula_number(table, other, claim->axes.y) /
                               study_formula_number(table, row, claim->axes.y);
                finding->points++;
                most = fmax(most, ratio);
                least = fmin(least, ratio);
            }
        }
        free(where);
    }
    finding->agrees = claim->sign ? least > little : most < little;
    snprintf(finding->ours, sizeof finding->ours,
             "%.2f to %.2f times the %s of all ranks, at %d numbers of ranks", least, most,
             strcmp(claim->axes.y, "seconds") ? "bytes" : "time", finding->points);
}

#define COUNTED(figure, column)                                                                    \
    {                                                                                              \
        "figure=" figure, "ranks", "method", column                                                \
    }
#define PICTURE(name_, title_, figure, column, unit)                                               \
    {                                                                                              \
        .name = name_, .title = title_, .axes = COUNTED(figure, column), .x_title = "Processes",   \
        .y_title = unit, .caption = "Counted on virtual ranks: the largest of all ranks."          \
    }

#define TIMED(figure, platform) COUNTED(figure ";platform=" platform, "seconds")
#define FAR_PICTURE(name_, title_, figure, platform)                                               \
    {                                                                                              \
        .name = name_, .title = title_, .axes = TIMED("far-" figure, platform),                    \
        .x_title = "Processes", .y_title = "Latency of a call",                                    \
        .caption = "The time of messages and of local work without contention for links."          \
    }

#define TIME_PICTURE(name_, title_, figure, platform)                                              \
    {                                                                                              \
        .name = name_, .title = title_, .axes = TIMED(figure, platform), .x_title = "Processes",   \
        .y_title = "Latency of a call",                                                            \
        .caption = "Simulated time. MPI_Comm_split, with integer colours and without local work: " \
                   "SimGrid's sends all to one rank, which sends each a group; MPICH's sends all " \
                   "to all and agrees on a context."                                               \
    }

/* What the paper's text says of figure 3 on Dawn: bitonic sort is 100 times faster than sorting
 * everything on 64K processes, 4.4 times faster than Cheng's, and 5.5 to 3.0 times than radix. */
static const struct study_printed dawn_3[] = {{"allgather_group", 65536, 1 / 100.},
                                              {"cheng:items=128", 65536, 1 / 4.4},
                                              {"radix", 16, 1 / 5.5},
                                              {"radix", 65536, 1 / 3.},
                                              {0}};

static const struct study_picture pictures[] = {
    TIME_PICTURE("3-dawn", "Figure 3: reorder without split, Dawn", "reorder", "dawn"),
    {.name = "3-dawn-ratio",
     .title = "Figure 3 as ratios: how many times faster than bitonic sort, Dawn",
     .drawing = STUDY_RATIO,
     .axes = TIMED("reorder", "dawn"),
     .reference = "bitonic",
     .x_title = "Processes",
     .y_title = "Latency of bitonic sort / latency",
     .printed = dawn_3,
     .caption = "Simulated time, and what the paper's text says of its own machine."},
    TIME_PICTURE("3-sierra", "Figure 3: reorder without split, Sierra", "reorder", "sierra"),
    TIME_PICTURE("4-few-5-dawn", "Figure 4: 16 groups, colours of 5 characters", "split-few-5",
                 "dawn"),
    TIME_PICTURE("4-few-80-dawn", "Figure 4: 16 groups, colours of 80 characters", "split-few-80",
                 "dawn"),
    TIME_PICTURE("4-many-5-dawn", "Figure 4: all alone, colours of 5 characters", "split-many-5",
                 "dawn"),
    TIME_PICTURE("4-many-80-dawn", "Figure 4: all alone, colours of 80 characters", "split-many-80",
                 "dawn"),
    TIME_PICTURE("5-few-dawn", "Figure 5 (b): 16 groups, and reorder", "both-few-5", "dawn"),
    TIME_PICTURE("5-many-dawn", "Figure 5 (a): many groups, and reorder", "both-many-5", "dawn"),
    FAR_PICTURE("3-far-dawn", "Figure 3 to 65536 processes, Dawn", "3", "dawn"),
    FAR_PICTURE("3-far-sierra", "Figure 3 to 65536 processes, Sierra", "3", "sierra"),
    FAR_PICTURE("4-far-few-5", "Figure 4 to 65536 processes: 16 groups, 5 characters", "4-few-5",
                "dawn"),
    FAR_PICTURE("4-far-few-80", "Figure 4 to 65536 processes: 16 groups, 80 characters", "4-few-80",
                "dawn"),
    FAR_PICTURE("5-far-few", "Figure 5 (b) to 65536 processes", "5-few", "dawn"),
    FAR_PICTURE("5-far-many", "Figure 5 (a) to 65536 processes", "5-many", "dawn"),
    PICTURE("3", "Figure 3: reorder without split, messages in a row", "3", "rounds", "Rounds"),
    PICTURE("3-memory", "Figure 3: memory of a rank", "3", "memory", "Bytes"),
    PICTURE("3-bytes", "Figure 3: bytes that a rank sends", "3", "bytes", "Bytes"),
    PICTURE("4-few", "Figure 4: split into 16 groups by text of 5 bytes", "4-few-5", "rounds",
            "Rounds"),
    PICTURE("4-few-bytes", "Figure 4: split into 16 groups by text of 80 bytes", "4-few-80",
            "bytes", "Bytes that a rank sends"),
    PICTURE("4-many", "Figure 4: every process a group of its own", "4-many-5", "rounds", "Rounds"),
    PICTURE("5-few", "Figure 5 (b): split into 16 groups, and reorder", "5-few", "rounds",
            "Rounds"),
    PICTURE("5-many", "Figure 5 (a): many groups, and reorder", "5-many", "rounds", "Rounds"),
    {0}};

/* Reasons why simulated times differ from the paper's. */
#define RADIX                                                                                      \
    "Ours cuts parts, the highest digit first, and parts of one rank no more. A variant that "     \
    "cuts "                                                                                        \
    "the whole chain by each digit takes 2.35, 2.05 and 1.87 times as long as bitonic sort on "    \
    "16, "                                                                                         \
    "64 and 256 ranks, and 1.46 times on 65536 without contention."
#define SHORT                                                                                      \
    "16 groups of up to 256 processes leave little to sort; from 512 on it is as the paper says. " \
    "With two groups of 32 processes bitonic sort takes 173.7 us and hash64 176.6."
#define FEW                                                                                        \
    "16 groups are not few of 16 or 32 processes; from 64 on it is as the paper says. With two "   \
    "groups of 32 processes bitonic sort takes 173.7 us and hashing 212.5."
#define WIDE                                                                                       \
    "75 bytes more take 0.18 us on a link of 425 MB/s, and two copies as long as that, where a "   \
    "message takes 3 us."
#define AT_64                                                                                      \
    "At 16 and 32 processes it is as the paper says. The lines cross before 64, because a "        \
    "comparison is assumed to take 80 ns. With free comparisons sorting everything takes 187.7 "   \
    "us on 64 processes, and bitonic sort 218.5."
#define CONTENTION                                                                                 \
    "The ranks of a node send side by side. Where they share an adapter that takes a message "     \
    "each "                                                                                        \
    "microsecond, the methods lie within a third of each other."

#define NOT_TIME                                                                                   \
    "The paper compares times on a Blue Gene/P. Here rounds are compared, messages of a rank in "  \
    "a "                                                                                           \
    "row, whatever their length."

static const struct study_claim claims[] = {
    {"3-dawn", "Figure 3, Dawn",
     "Sorting everything at each process is the best at small scale, to 64 processes",
     "best at small scale", study_judge_below, TIMED("reorder;ranks<=64", "dawn"),
     "allgather_group", "bitonic", 0, AT_64},
    {"3-dawn", "Figure 3, Dawn",
     "Bitonic sort is faster than sorting everything at each process at large scale, here from 128 "
     "processes on",
     "100 times at 64K", study_judge_below, TIMED("reorder;ranks>=128", "dawn"), "bitonic",
     "allgather_group", 0, NULL},
    {"3-dawn", "Figure 3, Dawn",
     "Bitonic sort is faster than Cheng's, here with 128 items and from 256 processes on",
     "4.4 times at 64K", study_judge_below, TIMED("reorder;ranks>=256", "dawn"), "bitonic",
     "cheng:items=128", 0, NULL},
    {"3-dawn", "Figure 3, Dawn",
     "Bitonic sort gains on sorting everything at each process as there are more of them", "rises",
     study_judge_trend, TIMED("reorder", "dawn"), "bitonic", "allgather_group", 1, NULL},
    {"3-dawn", "Figure 3, Dawn", "Bitonic sort is faster than Radix at all scales",
     "5.5 times at 16, 3.0 times at 64K", study_judge_below, TIMED("reorder", "dawn"), "bitonic",
     "radix", 0, RADIX},
    {"3-dawn", "Figure 3, Dawn", "Radix gains on bitonic sort as there are more processes",
     "from 5.5 to 3.0 times slower", study_judge_trend, TIMED("reorder", "dawn"), "radix",
     "bitonic", 1, NULL},
    {"3-sierra", "Figure 3, Sierra",
     "Sorting everything at each process is the best at small scale, to 64 processes",
     "best at small scale", study_judge_below, TIMED("reorder;ranks<=64", "sierra"),
     "allgather_group", "bitonic", 0, NULL},
    {"3-sierra", "Figure 3, Sierra",
     "Bitonic sort is faster than sorting everything at each process at large scale, here from 128 "
     "processes on",
     "fast", study_judge_below, TIMED("reorder;ranks>=128", "sierra"), "bitonic", "allgather_group",
     0, NULL},
    {"3-sierra", "Figure 3, Sierra",
     "Bitonic sort is faster than Cheng's, here with 128 items and from 256 processes on", "fast",
     study_judge_below, TIMED("reorder;ranks>=256", "sierra"), "bitonic", "cheng:items=128", 0,
     NULL},
    {"3-sierra", "Figure 3, Sierra",
     "The methods converge at many processes, here from 256 on: bitonic sort gains nothing more",
     "converge", study_judge_trend, TIMED("reorder;ranks>=256", "sierra"), "bitonic",
     "allgather_group", 0, CONTENTION},
    {"4-few-5-dawn", "Figure 4",
     "With few groups and colours of 5 characters hashing is faster than bitonic sort",
     "1.7 to 2.1 times at 64K", study_judge_below, TIMED("split-few-5", "dawn"), "hash", "bitonic",
     0, NULL},
    {"4-few-80-dawn", "Figure 4",
     "With few groups and colours of 80 characters hashing is faster than bitonic sort",
     "1.7 to 2.1 times at 64K", study_judge_below, TIMED("split-few-80", "dawn"), "hash", "bitonic",
     0, NULL},
    {"4-many-5-dawn", "Figure 4",
     "With as many groups as processes and colours of 5 characters hashing is no slower than "
     "bitonic sort",
     "on par", study_judge_below, TIMED("split-many-5", "dawn"), "hash", "bitonic", 0, NULL},
    {"4-many-80-dawn", "Figure 4",
     "With as many groups as processes and colours of 80 characters hashing is no slower than "
     "bitonic sort",
     "on par", study_judge_below, TIMED("split-many-80", "dawn"), "hash", "bitonic", 0, NULL},
    {"4-few-80-dawn", "Figure 4", "Long colours slow bitonic sort down",
     "by a quarter at 64K (1.7 and 2.1)", judge_colour, TIMED("split-few-80", "dawn"), "bitonic",
     "figure=split-few-5;platform=dawn", 1, WIDE},
    {"4-many-80-dawn", "Figure 4", "Long colours matter little to hashing", "little", judge_colour,
     TIMED("split-many-80", "dawn"), "hash", "figure=split-many-5;platform=dawn", 0, NULL},
    {"5-many-dawn", "Figure 5 (a)",
     "Many groups and reordering are as without reordering: hashing is no slower", "on par",
     study_judge_below, TIMED("both-many-5", "dawn"), "hash", "bitonic", 0, NULL},
    {"5-few-dawn", "Figure 5 (b)",
     "With few groups and reordering bitonic sort is faster than hashing", "more time",
     study_judge_below, TIMED("both-few-5", "dawn"), "bitonic", "hash", 0, FEW},
    {"5-few-dawn", "Figure 5 (b)",
     "With few groups and reordering bitonic sort is faster than hashing down to 64", "more time",
     study_judge_below, TIMED("both-few-5", "dawn"), "bitonic", "hash64", 0, SHORT},
    {"3-far-dawn", "Figure 3, Dawn, without contention",
     "Bitonic sort is faster than sorting everything at each process, here on 4096 processes",
     "100 times at 64K", study_judge_below, TIMED("far-3;ranks=4096", "dawn"), "bitonic",
     "allgather_group", 0, NULL},
    {"3-far-dawn", "Figure 3, Dawn, without contention",
     "Bitonic sort is faster than sorting everything at one process, at 64K", "100 times at 64K",
     study_judge_below, TIMED("far-3;ranks=65536", "dawn"), "bitonic", "gather_scatter", 0, NULL},
    {"3-far-dawn", "Figure 3, Dawn, without contention",
     "Bitonic sort is faster than Cheng's, here with 128 items on 16384 processes",
     "4.4 times at 64K", study_judge_below, TIMED("far-3;ranks=16384", "dawn"), "bitonic",
     "cheng:items=128", 0, NULL},
    {"3-far-dawn", "Figure 3, Dawn, without contention", "Bitonic sort is faster than Radix at 64K",
     "3.0 times at 64K", study_judge_below, TIMED("far-3;ranks=65536", "dawn"), "bitonic", "radix",
     0, RADIX},
    {"3-far-sierra", "Figure 3, Sierra, without contention",
     "Bitonic sort is faster than sorting everything at one process, at 64K", "fast",
     study_judge_below, TIMED("far-3;ranks=65536", "sierra"), "bitonic", "gather_scatter", 0, NULL},
    {"4-far-few-5", "Figure 4, without contention",
     "With few groups and colours of 5 characters hashing is faster than bitonic sort at 64K",
     "1.7 times", study_judge_below, TIMED("far-4-few-5;ranks=65536", "dawn"), "hash", "bitonic", 0,
     NULL},
    {"4-far-few-80", "Figure 4, without contention",
     "With few groups and colours of 80 characters hashing is faster than bitonic sort at 64K",
     "2.1 times", study_judge_below, TIMED("far-4-few-80;ranks=65536", "dawn"), "hash", "bitonic",
     0, NULL},
    {"4-far-few-80", "Figure 4, without contention", "Long colours slow bitonic sort down at 64K",
     "by a quarter (1.7 and 2.1)", judge_colour, TIMED("far-4-few-80;ranks=65536", "dawn"),
     "bitonic", "figure=far-4-few-5;platform=dawn;ranks=65536", 1, WIDE},
    {"5-far-few", "Figure 5 (b), without contention",
     "With few groups and reordering bitonic sort is faster than hashing at 64K", "more time",
     study_judge_below, TIMED("far-5-few;ranks=65536", "dawn"), "bitonic", "hash", 0, NULL},
    {"5-far-many", "Figure 5 (a), without contention",
     "With many groups and reordering hashing is no slower at 64K", "on par", study_judge_below,
     TIMED("far-5-many;ranks=65536", "dawn"), "hash", "bitonic", 0, NULL},
    {"3-memory", "Section 3.1", "the table takes O(N) memory of each process", "O(N)", judge_growth,
     COUNTED("3", "memory"), "allgather_group", "N", -1, NULL},
    {"3-memory", "Section 3.1", "memory keeps both serial sorts from scaling", "no less than N",
     judge_growth, COUNTED("3", "memory"), "allgather_group", "N", 1, NULL},
    {"3-memory", "Section 3.2", "the root of GatherScatter needs O(N) memory", "O(N)", judge_growth,
     COUNTED("3", "memory"), "gather_scatter", "N", -1, NULL},
    {"3-memory", "Section 3.2", "Bitonic needs O(log N) memory", "O(log N)", judge_growth,
     COUNTED("3", "memory"), "bitonic", "log N", -1, NULL},
    {"3-memory", "Section 3.2", "Radix needs O(1) memory", "O(1)", judge_growth,
     COUNTED("3", "memory"), "radix", "1", -1, NULL},
    {"3", "Section 3.2", "Bitonic takes O(log^2 N) rounds", "O(log^2 N)", judge_growth,
     COUNTED("3", "rounds"), "bitonic", "log^2 N", -1, NULL},
    {"3", "Section 3.2", "Radix takes O(log N) rounds", "O(log N)", judge_growth,
     COUNTED("3", "rounds"), "radix", "log N", -1, NULL},
    {"3", "Section 4, figure 3", "Bitonic is faster than Radix at every scale",
     "3.0 to 5.5 times faster", study_judge_below, COUNTED("3", "rounds"), "bitonic", "radix", 0,
     NOT_TIME},
    {"3-bytes", "Section 4, figure 3", "Bitonic is faster than Radix at every scale",
     "3.0 to 5.5 times faster", study_judge_below, COUNTED("3", "bytes"), "bitonic", "radix", 0,
     NULL},
    {"3-bytes", "Section 4, figure 3",
     "on very many processes Bitonic is far faster than the serial sorts", "100 times at 64K",
     study_judge_below, COUNTED("3", "bytes"), "bitonic", "allgather_group", 0, NULL},
    {"4-few", "Section 4, figure 4", "for few groups hashing is faster than Bitonic",
     "1.7 to 2.1 times", study_judge_below, COUNTED("4-few-5", "rounds"), "hash", "bitonic", 0,
     NOT_TIME},
    {"4-few", "Section 3.3", "for few groups hashing takes no less than log N rounds",
     "Omega(log N)", judge_growth, COUNTED("4-few-5", "rounds"), "hash", "log N", 1, NULL},
    {"4-few", "Section 3.3", "hashing needs O(1) memory where nothing is reordered", "O(1)",
     judge_growth, COUNTED("4-few-5", "memory"), "hash", "1", -1, NULL},
    {"4-few-bytes", "Section 4, figure 4", "longer colours cost Bitonic more", "more bytes",
     judge_colour, COUNTED("4-few-80", "bytes_all"), "bitonic", "figure=4-few-5", 1, NULL},
    {"4-few-bytes", "Section 4, figure 4",
     "longer colours cost Hash nothing, as it sends integers for them", "not affected",
     judge_colour, COUNTED("4-few-80", "bytes_all"), "hash", "figure=4-few-5", 0, NULL},
    {"4-many", "Section 3.3", "for groups of one process hashing takes no less than log^2 N rounds",
     "Omega(log^2 N)", judge_growth, COUNTED("4-many-5", "rounds"), "hash", "log^2 N", 1, NULL},
    {"5-few", "Section 4, figure 5 (b)",
     "for few groups, reordered, hashing is slower than Bitonic", "more time", study_judge_below,
     COUNTED("5-few", "rounds"), "bitonic", "hash", 0, NOT_TIME},
    {0}};

static const struct study_name names[] = {{"allgather_group", "AllgatherGroup"},
                                          {"gather_scatter", "GatherScatter"},
                                          {"bitonic", "Bitonic"},
                                          {"radix", "Radix"},
                                          {"hash", "Hash"},
                                          {"hash64", "Hash64"},
                                          {"cheng:items=128", "Cheng128"},
                                          {"cheng:items=512", "Cheng512"},
                                          {"cheng:items=2048", "Cheng2048"},
                                          {"cheng:items=8192", "Cheng8192"},
                                          {"allgather_mpi", "AllgatherMPI"},
                                          {"MPI_Comm_split", "MPI_Comm_split (SimGrid)"},
                                          {"table", "MPI_Comm_split (as MPICH)"},
                                          {0}};

const struct study study_split = {
    .name = "split",
    .title = "Splitting communicators by any colour, in logarithmic time",
    .paper = "Moody, Ahn, de Supinski: Exascale Algorithms for Generalized MPI_Comm_split. EuroMPI "
             "2011",
    .shows =
        "MPI_Comm_split gathers all colours and keys at every process and sorts them there. The "
        "paper keeps a group as a chain, of which each process knows its neighbours only, and "
        "splits it by sorting in parallel or by hashing. This study runs these algorithms on "
        "virtual ranks and counts messages in a row, bytes and memory of a rank; and it times them "
        "in simulated time, on the paper's two machines as far as they are known.",
    .left_out =
        "The paper goes to 65536 processes; simulated times go to 4096. Beyond, times have no "
        "contention for links, and those of sorting everything at each process end at 4096. "
        "Cheng's sort serves figure 3 with 128, 512 and 2048 items; AllgatherMPI is timed in "
        "simulated time alone, for virtual ranks have no MPI.",
    .columns =
        "point,figure,platform,method,ranks,groups,colour,keys,rounds,messages,messages_all,bytes,"
        "bytes_all,memory,seconds",
    .evidence = "messages,bytes",
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .names = names,
};
