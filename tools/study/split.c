/* The study of the paper on a generalized MPI_Comm_split: rounds, bytes and memory of its algorithms,
 * counted on virtual ranks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/formula.h"

/* Items of all ranks meet at one of them, or at all, so the figures' larger counts are for the others. */
static const struct method {
    const char *name;
    int most;      /* ranks */
    bool integers; /* colours of text are beyond it */
    bool sorts;    /* reorders without colours */
} methods[] = {{"allgather_group", 2048, false, true},
               {"gather_scatter", 16384, false, true},
               {"bitonic", 131072, false, true},
               {"radix", 131072, true, true},
               {"hash", 131072, false, false},
               {"hash64", 131072, false, false},
               {NULL, 0, false, false}};

/* One figure: text 0 is an integer colour, groups -1 no split. */
static const struct figure {
    const char *name;
    int text, groups;
    bool keys;
} figures[] = {{"3", 0, -1, true},        {"4-few-5", 5, 16, false},   {"4-few-80", 80, 16, false},
               {"4-many-5", 5, 0, false}, {"4-many-80", 80, 0, false}, {"5-few", 5, 16, true},
               {"5-many", 5, 0, true},    {NULL, 0, 0, false}};

static void add(struct study_points *points, const struct figure *figure,
                const struct method *method, int ranks)
{
    char name[96], labels[96], groups[16], colour[32];
    snprintf(groups, sizeof groups, figure->groups < 0 ? "none" : "%d", figure->groups);
    snprintf(colour, sizeof colour, figure->text ? "text:%d" : "int", figure->text);
    snprintf(name, sizeof name, "%s-%s-%d", figure->name, method->name, ranks);
    snprintf(labels, sizeof labels, "figure=%s", figure->name);
    struct study_kind kind = {.labels = labels, .weight = ranks / 100.0};
    study_add(points, &kind, name,
              "strata split --method %s --ranks %d --groups %s --colour %s --keys %s --csv",
              method->name, ranks, groups, colour, figure->keys ? "random" : "none");
}

static void add_points(struct study_points *points)
{
    int most = points->request->quick ? 4096 : 131072;
    for (const struct figure *f = figures; f->name; f++) {
        for (const struct method *m = methods; m->name; m++) {
            bool fits = f->groups < 0 ? m->sorts : !(m->integers && f->text);
            for (int ranks = 16; fits && ranks <= most && ranks <= m->most; ranks *= 4) {
                add(points, f, m, ranks);
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

/* The order of growth: value / f(N) has no slope of more than a tenth, up for O (sign -1), down for Omega
 * (sign 1), between the logarithms from 256 ranks on. */
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

/* With colours of 80 bytes in place of 5 a rank sends so many times the bytes, at most: less than 1.3 is
 * little (sign 0), more than that an effect (sign 1). */
static void judge_colour(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    double most = 0, least = INFINITY;
    for (int row = 0; row < table->rows; row++) {
        char *where = study_text("figure=4-few-80;method=%s;ranks=%s", claim->left,
                                 study_table_cell(table, row, "ranks"));
        bool is_short = study_table_matches(table, row, "figure=4-few-5") &&
                        strcmp(study_table_cell(table, row, "method"), claim->left) == 0;
        for (int other = 0; is_short && other < table->rows; other++) {
            if (study_table_matches(table, other, where)) {
                double ratio = study_formula_number(table, other, "bytes_all") /
                               study_formula_number(table, row, "bytes_all");
                finding->points++;
                most = fmax(most, ratio);
                least = fmin(least, ratio);
            }
        }
        free(where);
    }
    finding->agrees = claim->sign ? least > 1.3 : most < 1.3;
    snprintf(finding->ours, sizeof finding->ours,
             "%.2f to %.2f times the bytes of all ranks, at %d numbers of ranks", least, most,
             finding->points);
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

static const struct study_picture pictures[] = {
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

#define NOT_TIME                                                                                   \
    "The paper compares times on a Blue Gene/P. Here rounds are compared, messages of a rank in "  \
    "a "                                                                                           \
    "row, whatever their length."

static const struct study_claim claims[] = {
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
     judge_colour, COUNTED("4-few-80", "bytes"), "bitonic", NULL, 1, NULL},
    {"4-few-bytes", "Section 4, figure 4",
     "longer colours cost Hash nothing, as it sends integers for them", "not affected",
     judge_colour, COUNTED("4-few-80", "bytes"), "hash", NULL, 0, NULL},
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
        "virtual ranks and counts messages in a row, bytes and memory of a rank.",
    .left_out =
        "Times: those of figures 3 to 5 are Blue Gene/P's and an InfiniBand cluster's. "
        "AllgatherMPI, for virtual ranks have no MPI, and Cheng's sort with sizes of its own.",
    .columns = "point,figure,method,ranks,groups,colour,keys,rounds,messages,messages_all,bytes,"
               "bytes_all,memory",
    .evidence = "messages,bytes",
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .names = names,
};
