/* The study of the paper on variants of Bruck's alltoall: its formulas, counted from plans; its
 * tables of times, on this machine; its introduction's words on networks, on a simulated
 * cluster. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/backends.h"
#include "tools/study/run/formula.h"
#include "tools/study/run/points.h"

/* The paper's variants, each with its row of the catalogue. */
static const struct variant {
    const char *method, *choice;
} variants[] = {{"index", "bruck_index:radix=2"},
                {"radix-4", "bruck_index:radix=4"},
                {"pack", "modified:mode=pack,radix=2"},
                {"datatype", "modified:mode=datatype,radix=2"},
                {"zero-copy", "modified:mode=zero_copy,radix=2"},
                {"linear", "pairwise:window=1"},
                {NULL, NULL}};

/* Adds the counts of one number of ranks, with blocks of 64 bytes. Each rank has a node of its own,
 * so every block except the rank's own is sent. */
static void add_counts(struct study_points *points, int ranks)
{
    for (const struct variant *v = variants; v->method; v++) {
        char name[64], labels[128];
        snprintf(name, sizeof name, "counts-%s-%d", v->method, ranks);
        snprintf(labels, sizeof labels, "figure=counts;method=%s;algorithm=@method", v->method);
        struct study_kind kind = {.labels = labels, .weight = 1};
        study_add(points, &kind, name,
                  "strata plan alltoall --algo %s --topo 'node:%d rank:%d' --bytes 64 --csv",
                  v->choice, ranks, ranks);
    }
}

/* Adds one time. The paper's size is the number of ints that a process sends to all others
 * together. */
static void add_time(struct study_points *points, const struct variant *v, int ranks, int elements)
{
    const char *pace = points->request->quick ? "--seconds 0.05 --batches 7" : "--batches 11";
    char name[64], labels[512];
    char *mpirun = study_mpirun(ranks);
    char *program = study_path_beside(points->request, "bench/strata_bench");
    snprintf(name, sizeof name, "times-%s-%d-%d", v->method, ranks, elements);
    snprintf(
        labels, sizeof labels,
        "figure=times;collective=alltoall;method=%s|mpi;algorithm=@label|;ranks=%d;elements=%d;"
        "seconds=@real_time*1e-6|@mpi_us*1e-6;seconds_low=@ours_least_us*1e-6|@mpi_least_us*1e-6;"
        "seconds_high=@ours_most_us*1e-6|@mpi_most_us*1e-6;in_turn=@1/ratio|1;"
        "in_turn_low=@1/ratio_high|1;in_turn_high=@1/ratio_low|1;not_ours=@not_ours",
        v->method, ranks, elements);
    struct study_kind kind = {.labels = labels, .weight = 30, .timed = true, .format = STUDY_JSON};
    study_add(points, &kind, name,
              "%s '%s' --collective alltoall --algorithm %s --bytes %d %s --benchmark_out=@JSON@ "
              "--benchmark_out_format=json",
              mpirun, program, v->choice, 4 * elements / ranks, pace);
    free(program);
    free(mpirun);
}

static void add_times(struct study_points *points)
{
    for (int ranks = 2; ranks <= 8; ranks *= 2) {
        for (int elements = 16; elements <= 1 << 20; elements *= 16) {
            for (const struct variant *v = variants; v->method; v++) {
                if (strcmp(v->method, "linear") != 0) {
                    add_time(points, v, ranks, elements);
                }
            }
        }
    }
}

/* Adds a simulated cluster with InfiniBand and 16 ranks on each node. */
static void add_cluster(struct study_points *points, int ranks, int bytes)
{
    for (const struct variant *v = variants; v->method; v++) {
        char name[64], labels[160];
        snprintf(name, sizeof name, "cluster-%s-%d-%d", v->method, ranks, bytes);
        snprintf(labels, sizeof labels,
                 "figure=cluster;platform=smoky;method=%s;algorithm=@method;rounds=", v->method);
        struct study_kind kind = {.labels = labels, .weight = 1 + ranks * ranks / 2000.0};
        study_add(
            points, &kind, name,
            "strata replay alltoall --platform smoky --ranks %d --ranks-per-node 16 --algo %s "
            "--bytes %d --csv",
            ranks, v->choice, bytes);
    }
}

static void add_points(struct study_points *points)
{
    static const int counted[] = {2, 3, 4, 5, 7, 8, 12, 13, 16, 31, 32, 64, 100, 128};
    bool quick = points->request->quick;
    char *mpirun = study_mpirun(2);
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        add_counts(points, counted[i]);
    }
    for (int bytes = 8; bytes <= 1 << 15; bytes *= quick ? 8 : 2) {
        add_cluster(points, 128, bytes);
    }
    for (int ranks = 32; ranks <= 256 && !quick; ranks *= 2) {
        for (int bytes = 8; bytes <= 1 << 15 && ranks != 128; bytes *= 8) {
            add_cluster(points, ranks, bytes);
        }
    }
    if (mpirun) {
        add_times(points);
    }
    free(mpirun);
}

#define FORMULA(name, expression)                                                                  \
    static double name(const struct study_table *table, int row)                                   \
    {                                                                                              \
        const double p = study_formula_number(table, row, "ranks");                                \
        return expression;                                                                         \
    }
enum { BLOCK = 64, RADIX = 4 };
FORMULA(rounds_two, study_formula_logarithm(2, p))
FORMULA(messages_radix, (RADIX - 1) * study_formula_logarithm(RADIX, p))
FORMULA(messages_linear, p - 1)
FORMULA(bytes_two, BLOCK *study_formula_logarithm(2, p) * ceil(p / 2))
FORMULA(bytes_radix, BLOCK *(RADIX - 1) * ceil(p / RADIX) * study_formula_logarithm(RADIX, p))
FORMULA(bytes_linear, BLOCK *(p - 1))
FORMULA(copies_index, BLOCK *(p + 2 * study_formula_logarithm(2, p) * ceil(p / 2) + 2 * p))
FORMULA(copies_modified, BLOCK *(p + 2 * study_formula_logarithm(2, p) * ceil(p / 2)))

static void judge_formula(const struct study_claim *claim, const struct study_table *table,
                          struct study_finding *finding)
{
    static const struct study_formula_row formulas[] = {
        {"ceil(log2 P)", rounds_two},
        {"(r-1) ceil(log_r P)", messages_radix},
        {"P - 1", messages_linear},
        {"ceil(log2 P) ceil(P/2) n", bytes_two},
        {"n (r-1) ceil(P/r) ceil(log_r P)", bytes_radix},
        {"(P - 1) n", bytes_linear},
        {"P + 2 ceil(log2 P) ceil(P/2) + 2P", copies_index},
        {"P + 2 ceil(log2 P) ceil(P/2)", copies_modified},
        {NULL, NULL}};
    study_formula_judge(claim, table, finding, formulas);
}

#define COUNTS(column)                                                                             \
    {                                                                                              \
        "figure=counts", "ranks", "method", column                                                 \
    }
#define TIMES(where)                                                                               \
    {                                                                                              \
        "figure=times" where, "ranks", "elements", "in_turn"                                       \
    }
#define CLUSTER(where)                                                                             \
    {                                                                                              \
        "figure=cluster;ranks=128" where, "bytes", "method", "seconds"                             \
    }
/* A row of tables XI to XIII: medians in milliseconds, for 2^4, 2^8, 2^12, 2^16 and 2^20 ints. */
#define ROW(method, a, b, c, d, e)                                                                 \
    {method, 16, (a)*1e-3}, {method, 256, (b)*1e-3}, {method, 4096, (c)*1e-3},                     \
        {method, 65536, (d)*1e-3},                                                                 \
    {                                                                                              \
        method, 1048576, (e)*1e-3                                                                  \
    }
static const struct study_printed table_2[] = {
    ROW("mpi", 0.002, 0.0024, 0.0071, 0.0188, 0.71365),
    ROW("index", 0.0033, 0.0044, 0.0156, 0.21775, 10.3298),
    ROW("radix-4", 0.0028, 0.0036, 0.0108, 0.1672, 4.3144),
    ROW("datatype", 0.0033, 0.0039, 0.0093, 0.03815, 1.2992),
    ROW("zero-copy", 0.0035, 0.0046, 0.0115, 0.05485, 2.68345),
    {0}};
static const struct study_printed table_4[] = {
    ROW("mpi", 0.0044, 0.0052, 0.0195, 0.0435, 1.61465),
    ROW("index", 0.0033, 0.0044, 0.0156, 0.21775, 10.3298),
    ROW("radix-4", 0.0056, 0.0057, 0.02265, 0.1968, 8.37325),
    ROW("datatype", 0.0063, 0.0069, 0.0169, 0.11215, 4.3932),
    ROW("zero-copy", 0.0083, 0.0075, 0.0164, 0.1213, 6.3566),
    {0}};
static const struct study_printed table_8[] = {
    ROW("mpi", 0.011, 0.0137, 0.02005, 0.1331, 3.37355),
    ROW("index", 0.0084, 0.0148, 0.0395, 0.46095, 25.8257),
    ROW("radix-4", 0.0134, 0.0158, 0.0443, 0.45775, 22.6371),
    ROW("datatype", 0.0148, 0.0158, 0.0464, 0.21365, 13.7419),
    ROW("zero-copy", 0.0167, 0.0226, 0.0434, 0.34175, 15.4588),
    {0}};

#define TABLE(number, processes, table)                                                            \
    {                                                                                              \
        .name = "times-" processes, .title = "Table " number ": " processes " processes",          \
        .axes = {"figure=times;ranks=" processes, "elements", "method", "seconds"},                \
        .x_title = "Ints that a process sends in all", .y_title = "Median time of a call",         \
        .printed = table,                                                                          \
        .caption = "On this machine, all ranks share its cores. MPI's own alltoall ran in turn "   \
                   "with each variant; its line is the median of those. Bars reach from the "      \
                   "least to the greatest batch. Stars are the paper's, of its laptop."            \
    }
#define COUNTED(name_, title_, column, unit)                                                       \
    {                                                                                              \
        .name = name_, .title = title_, .axes = COUNTS(column), .x_title = "Processes",            \
        .y_title = unit, .caption = "Of one rank, counted from its plan; blocks of 64 bytes."      \
    }

static const struct study_picture pictures[] = {
    COUNTED("messages", "Messages of a rank", "rank_messages", "Messages"),
    COUNTED("sent", "Bytes that a rank sends", "rank_bytes", "Bytes"),
    COUNTED("copied", "Bytes that a rank copies", "rank_copied", "Bytes"),
    TABLE("XI", "2", table_2),
    TABLE("XII", "4", table_4),
    TABLE("XIII", "8", table_8),
    {.name = "winners",
     .title = "Tables XI to XIII: who is fastest",
     .drawing = STUDY_WINNERS,
     .axes = TIMES(""),
     .method = "mpi",
     .x_title = "Processes",
     .y_title = "Ints that a process sends in all",
     .caption = "Grey where MPI's own alltoall is fastest, darker the more, with its gain over the "
                "best variant in percent. Each variant is measured in turn with MPI's own, and "
                "counts by the ratio of neighbouring batches; where intervals of 95 % overlap "
                "nobody wins."},
    {.name = "cluster",
     .title = "128 processes on a simulated cluster",
     .axes = CLUSTER(""),
     .x_title = "Block (bytes)",
     .y_title = "Time of a call",
     .caption = "Smoky, InfiniBand, 16 processes on a node; replayed from plans. \"Linear\" sends "
                "one message for each pair."},
    {.name = "weak-8",
     .title = "More and more processes on that cluster, blocks of 8 B",
     .axes = {"figure=cluster;bytes=8", "ranks", "method", "seconds"},
     .x_title = "Processes",
     .y_title = "Time of a call",
     .caption = "Weak scaling: blocks between two processes keep their length. The quick form has "
                "128 processes alone."},
    {.name = "weak-4096",
     .title = "More and more processes on that cluster, blocks of 4 KiB",
     .axes = {"figure=cluster;bytes=4096", "ranks", "method", "seconds"},
     .x_title = "Processes",
     .y_title = "Time of a call",
     .caption = "Weak scaling: blocks between two processes keep their length. The quick form has "
                "128 processes alone."},
    {0}};

#define OWN_TABLES                                                                                 \
    "The paper's own table XII has this for Index alone (0.0033 against 0.0044 ms at 2^4, 1.3 "    \
    "times): Radix r, Datatype and Zero copy are slower than the baseline in it at nearly all "    \
    "sizes. The row of Index in its tables XI and XII is the same row."

static const struct study_claim claims[] = {
    {"messages", "Section II-A", "it takes log2 P rounds", "log2 P", judge_formula,
     COUNTS("rounds"), "index", "ceil(log2 P)", 0, NULL},
    {"messages", "Section II-C", "it takes log2 P rounds", "log2 P", judge_formula,
     COUNTS("rounds"), "datatype", "ceil(log2 P)", 0, NULL},
    {"messages", "Section II-D", "it takes as many rounds as Datatype", "log2 P", judge_formula,
     COUNTS("rounds"), "zero-copy", "ceil(log2 P)", 0, NULL},
    {"messages", "Section II-B", "each of log_r n digits takes r - 1 rounds at most",
     "at most (r-1) log_r n", judge_formula, COUNTS("rank_messages"), "radix-4",
     "(r-1) ceil(log_r P)", -1, NULL},
    {"messages", "Section I", "a plain exchange takes P steps where Bruck's takes log2 P",
     "P (less the own block)", judge_formula, COUNTS("rank_messages"), "linear", "P - 1", 0, NULL},
    {"sent", "Section II-A", "a process sends log2 P times half of its data", "[log2 P][P/2] n",
     judge_formula, COUNTS("rank_bytes"), "index", "ceil(log2 P) ceil(P/2) n", -1, NULL},
    {"sent", "Section II-C", "a process sends log2 P times half of its data", "[log2 P][P/2] n",
     judge_formula, COUNTS("rank_bytes"), "datatype", "ceil(log2 P) ceil(P/2) n", -1, NULL},
    {"sent", "Section II-B", "with base r a process sends b (r-1) n/r log_r n bytes",
     "b (r-1) n/r log_r n", judge_formula, COUNTS("rank_bytes"), "radix-4",
     "n (r-1) ceil(P/r) ceil(log_r P)", -1, NULL},
    {"sent", "Section I", "fewer rounds are paid for with more data sent", "more than (P - 1) n",
     judge_formula, COUNTS("rank_bytes"), "index", "(P - 1) n", 1, NULL},
    {"copied", "Section II-A",
     "a process copies for both rotations and packs each block twice in a round",
     "P + 2[log2 P][P/2] + 2P", judge_formula, COUNTS("rank_copied"), "index",
     "P + 2 ceil(log2 P) ceil(P/2) + 2P", -1, NULL},
    {"copied", "Section II-C",
     "a process copies for one rotation and packs each block twice in a round",
     "P + 2[log2 P][P/2]", judge_formula, COUNTS("rank_copied"), "datatype",
     "P + 2 ceil(log2 P) ceil(P/2)", -1, NULL},
    {"copied", "Section II-D", "Zero copy is there to save copies", "fewer copies",
     study_judge_below, COUNTS("rank_copied"), "zero-copy", "datatype", 0, NULL},
    {"winners", "Section V, tables XI and XIII", "elsewhere MPI's own is nearly always fastest",
     "almost every", study_judge_share, TIMES(";ranks<=2"), "mpi", NULL, 0, NULL},
    {"winners", "Section V, table XIII", "elsewhere MPI's own is nearly always fastest",
     "almost every", study_judge_share, TIMES(";ranks=8"), "mpi", NULL, 0, NULL},
    {"winners", "Section V, table XII, up to 2^16",
     "with 4 processes all variants beat MPI's own, but for the largest size",
     "0 % of the cells for the baseline", study_judge_share, TIMES(";ranks=4;elements<=65536"),
     "mpi", NULL, 0, OWN_TABLES},
    {"winners",
     "Section V, table XIII",
     "with 8 processes and the largest size MPI's own is several times faster than Datatype",
     "4.8 (4.1 by its table)",
     study_judge_below,
     {"figure=times;ranks=8;elements=1048576", "elements", "method", "in_turn"},
     "mpi",
     "datatype",
     0,
     NULL},
    {"winners", "Section V, table XIII",
     "with 8 processes and the largest size Datatype is the fastest variant", "100 % of one cell",
     study_judge_share, TIMES(";ranks=8;elements=1048576"), "datatype",
     "index;radix-4;datatype;zero-copy", 0,
     "The cause is not known. That our variants pack in runs, and the paper's block by block, "
     "saves "
     "nothing with blocks of 512 KiB."},
    {"cluster", "Section I, blocks of at most 64 bytes",
     "for short messages fewer steps are faster", "faster", study_judge_below,
     CLUSTER(";bytes<=64"), "index", "linear", 0, NULL},
    {"cluster", "Section I, blocks of 32 KiB",
     "for long messages bandwidth decides, not the number of steps", "slower, for it sends more",
     study_judge_below, CLUSTER(";bytes>=32768"), "linear", "index", 0, NULL},
    {0}};

static const struct study_name names[] = {{"index", "Index"},
                                          {"radix-4", "Radix r = 4"},
                                          {"datatype", "Datatype"},
                                          {"zero-copy", "Zero copy"},
                                          {"mpi", "Baseline (MPI's own)"},
                                          {"pack", "Modified, packed"},
                                          {"linear", "Linear"},
                                          {0}};

const struct study study_alltoall = {
    .name = "alltoall",
    .title = "Variants of Bruck's alltoall",
    .paper = "Oliviero, Peretto, Veneruso: MPI All-to-All optimization. University of Salerno",
    .shows =
        "Bruck's alltoall sends a block over several ranks and needs a logarithmic number of "
        "messages, for which it sends and copies more. The paper compares it in base 2 (Index) and "
        "base 4 (Radix r), by datatypes, and without copies, with MPI's own on a laptop. This "
        "study "
        "counts rounds, bytes and copies in our plans, repeats the paper's tables on this machine, "
        "and adds a simulated cluster, for which such algorithms are made.",
    .left_out =
        "The tables of mean times (I, III, V, VII, IX): the paper itself judges by medians.",
    .columns =
        "point,figure,collective,method,algorithm,elements,bytes,nodes,ranks,rounds,"
        "rank_messages,rank_bytes,rank_copied,seconds,seconds_low,seconds_high,in_turn,in_turn_low,"
        "in_turn_high,messages_between,bytes_between,not_ours",
    .evidence = "rounds,bytes_between,not_ours",
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .names = names,
};
