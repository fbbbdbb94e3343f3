/* The study of the SLOAVx paper: its figures 5 to 9, on simulated clusters shaped like the
 * paper's. */
#include <stdio.h>

#include "tools/study/run/points.h"
#include "tools/study/study.h"

/* The paper's algorithms as choices of Strata. SLOAV has base 2. SLOAVx has one leader a node, a
 * binomial tree in the node, and SLOAV between leaders. */
#define SLOAV   "sloav:radix=2"
#define SLOAVX  "leaders:leaders=1,radix=2,tree=2"
#define BASIC   "linear:window=4"
#define METHODS "auto," SLOAVX "," SLOAV "," BASIC ",mpich,mvapich2"

/* The platform, with the adapter that --adapter asks for. Returns text. */
static const char *platform_of(const struct study_points *points, const char *platform, char *text,
                               size_t size)
{
    const char *seconds = study_value(points->request, "--adapter");
    snprintf(text, size, *seconds ? "%s:adapter=%s" : "%s", platform, seconds);
    return text;
}

static void add_alltoallv(struct study_points *points, const char *figure, const char *platform,
                          const int shape[3], const char *methods)
{
    int ranks = shape[0], per_node = shape[1], bytes = shape[2];
    char name[64], labels[128], shared[512];
    snprintf(name, sizeof name, "%s-%s-%d-%d-%d", figure, platform, ranks, per_node, bytes);
    snprintf(labels, sizeof labels, "figure=%s;platform=%s;ranks_per_node=%d", figure, platform,
             per_node);
    struct study_kind kind = {.labels = labels, .weight = (double)ranks * ranks};
    study_add(
        points, &kind, name,
        "strata simulate alltoallv --platform %s --ranks %d --ranks-per-node %d "
        "--mapping sequential --bytes %d --pattern uniform --methods %s --calls 1 --jobs 1 --csv",
        platform_of(points, platform, shared, sizeof shared), ranks, per_node, bytes, methods);
}

/* Figure 5 (a): more and more processes, blocks of 1 to 8 bytes. Figure 5 (b): 128 processes,
 * blocks of up to 64 bytes. */
static void add_figure_5(struct study_points *points)
{
    bool quick = points->request->quick;
    for (int ranks = 32; ranks <= (quick ? 256 : 1024); ranks *= 2) {
        add_alltoallv(points, "5a", "jaguar", (int[]){ranks, 16, 8}, SLOAV "," BASIC);
    }
    for (int bytes = 1; bytes <= 64; bytes *= 2) {
        add_alltoallv(points, "5b", "jaguar", (int[]){128, 16, bytes}, SLOAV "," BASIC);
    }
}

/* Figure 6: 32 to 512 processes, 16 on each node, blocks of at most 16 bytes. The full form adds
 * other sizes, and more processes than the paper's 80 nodes held. */
static void add_figure_6(struct study_points *points)
{
    bool quick = points->request->quick;
    for (int ranks = 32; ranks <= (quick ? 256 : 1024); ranks *= 2) {
        add_alltoallv(points, "6", "smoky", (int[]){ranks, 16, 16}, METHODS);
    }
    for (int ranks = 32; !quick && ranks <= 512; ranks *= 2) {
        for (int bytes = 1; bytes <= 64; bytes *= 4) {
            add_alltoallv(points, "sizes", "smoky", (int[]){ranks, 16, bytes}, METHODS);
        }
    }
}

/* Figure 7: the same processes on fewer and fewer nodes, of which Smoky has 80. The paper does not
 * state the length of the blocks, so the study takes the shortest and the lengths of figure 6. */
static void add_figure_7(struct study_points *points)
{
    bool quick = points->request->quick;
    for (int ranks = 64; ranks <= (quick ? 256 : 512); ranks *= 2) {
        for (int per_node = 1; per_node <= 16; per_node *= 2) {
            if (ranks / per_node <= 80) {
                add_alltoallv(points, "7", "smoky", (int[]){ranks, per_node, 1}, SLOAVX);
                add_alltoallv(points, "7", "smoky", (int[]){ranks, per_node, 16}, SLOAVX);
            }
        }
    }
}

/* Figures 8 and 9: NAS IS, whose alltoall and alltoallv SLOAVx makes, as in the paper. "strata"
 * chooses by itself. BASIC is Open MPI's, as in the paper. Class S runs on 128 processes at
 * most. */
static void add_sort(struct study_points *points, const char *figure, const char *class, int most)
{
    for (int ranks = 16; ranks <= most; ranks *= 2) {
        char name[64], labels[128], shared[512];
        snprintf(name, sizeof name, "%s-%s-%d", figure, class, ranks);
        snprintf(labels, sizeof labels,
                 "figure=%s;platform=smoky;class=%s;ranks=%d;ranks_per_node=16", figure, class,
                 ranks);
        struct study_kind kind = {.labels = labels, .weight = 4.0 * ranks * ranks};
        study_add(points, &kind, name,
                  "strata simulate is_sort --class %s --platform %s --ranks %d "
                  "--ranks-per-node 16 --methods " SLOAVX
                  ",strata,ompi,mpich,mvapich2 --jobs 1 --csv",
                  class, platform_of(points, "smoky", shared, sizeof shared), ranks);
    }
}

static void add_points(struct study_points *points)
{
    add_figure_5(points);
    add_figure_6(points);
    add_figure_7(points);
    if (!points->request->quick) {
        add_sort(points, "8", "S", 128);
        add_sort(points, "9", "W", 512);
    }
}

#define TIME      "Latency of a call"
#define PROCESSES "Processes (16 on a node)"

/* Reductions of latency that the paper's text gives, as ratios. */
static const struct study_printed gain_5a[] = {{SLOAV, 1024, 1 / (1 - 0.623)}, {0}};
static const struct study_printed gain_5b[] = {{SLOAV, 1, 1 / (1 - 0.593)}, {0}};

static const struct study_picture pictures[] = {
    {.name = "5a",
     .title = "Figure 5 (a): SLOAV against the linear algorithm, more and more processes",
     .axes = {"figure=5a", "ranks", "method", "seconds"},
     .x_title = PROCESSES,
     .y_title = TIME,
     .caption = "Simulated Jaguar, blocks of 1 to 8 bytes, drawn at random. Lower is better. Both "
                "axes are logarithmic."},
    {.name = "5b",
     .title = "Figure 5 (b): SLOAV against the linear algorithm, larger and larger blocks",
     .axes = {"figure=5b", "bytes", "method", "seconds"},
     .x_title = "Largest block (bytes)",
     .y_title = TIME,
     .caption =
         "Simulated Jaguar, 128 processes, blocks drawn at random up to the size on the axis."},
    {.name = "5a-ratio",
     .title = "Figure 5 (a) as ratios: how many times faster than the linear algorithm",
     .drawing = STUDY_RATIO,
     .axes = {"figure=5a", "ranks", "method", "seconds"},
     .reference = BASIC,
     .x_title = PROCESSES,
     .y_title = "Latency of linear / latency",
     .printed = gain_5a,
     .caption = "The paper's value is that of its own machine."},
    {.name = "5b-ratio",
     .title = "Figure 5 (b) as ratios: how many times faster than the linear algorithm",
     .drawing = STUDY_RATIO,
     .axes = {"figure=5b", "bytes", "method", "seconds"},
     .reference = BASIC,
     .x_title = "Largest block (bytes)",
     .y_title = "Latency of linear / latency",
     .printed = gain_5b,
     .caption = "The paper's value is that of its own machine."},
    {.name = "6",
     .title = "Figure 6: SLOAVx against SLOAV and other alltoallv",
     .axes = {"figure=6", "ranks", "method", "seconds"},
     .x_title = PROCESSES,
     .y_title = TIME,
     .caption = "Simulated Smoky, 16 processes on a node, blocks of at most 16 bytes."},
    {.name = "6-ratio",
     .title = "Figure 6 as ratios: how many times faster than the linear algorithm",
     .drawing = STUDY_RATIO,
     .axes = {"figure=6", "ranks", "method", "seconds"},
     .reference = BASIC,
     .x_title = PROCESSES,
     .y_title = "Latency of linear / latency",
     .caption = "Above the dashed line at 1 a method is faster than the linear one."},
    {.name = "7",
     .title = "Figure 7: SLOAVx with more and more processes on a node, blocks of one byte",
     .axes = {"figure=7;bytes=1", "ranks_per_node", "ranks", "seconds"},
     .x_title = "Cores used on each node",
     .key_title = "Processes",
     .y_title = TIME,
     .caption =
         "Simulated Smoky. On each line the number of processes stays, so more of them on a "
         "node means fewer nodes, of which there are 80. The paper does not say how long its "
         "blocks are."},
    {.name = "7-16",
     .title = "Figure 7 with blocks of at most 16 bytes",
     .axes = {"figure=7;bytes=16", "ranks_per_node", "ranks", "seconds"},
     .x_title = "Cores used on each node",
     .key_title = "Processes",
     .y_title = TIME,
     .caption = "The same with the blocks of figure 6. One leader sends for its whole node: from "
                "some tens of kilobytes a call on, the bytes of its link decide, not messages."},
    {.name = "sizes",
     .title = "Beyond the paper: where SLOAVx beats the linear algorithm",
     .drawing = STUDY_HEAT,
     .axes = {"figure=sizes", "ranks", "bytes", "seconds"},
     .method = SLOAVX,
     .reference = BASIC,
     .x_title = PROCESSES,
     .y_title = "Largest block (bytes)",
     .caption =
         "Latency of the linear algorithm divided by that of SLOAVx, in the full form of the "
         "study only."},
    {.name = "8",
     .title = "Figure 8: NAS IS, class S",
     .axes = {"figure=8", "ranks", "method", "seconds"},
     .x_title = PROCESSES,
     .y_title = "Execution time",
     .caption =
         "Simulated Smoky, in the full form of the study only. SLOAVx makes the exchanges of "
         "counts and of keys; Strata's choice is taken for each by itself."},
    {.name = "8-throughput",
     .title = "Figure 8 as throughput",
     .axes = {"figure=8", "ranks", "method", "mops"},
     .x_title = PROCESSES,
     .y_title = "Million keys a second",
     .caption = "The same runs. Higher is better."},
    {.name = "9",
     .title = "Figure 9: NAS IS, class W",
     .axes = {"figure=9", "ranks", "method", "seconds"},
     .x_title = PROCESSES,
     .y_title = "Execution time",
     .caption =
         "Simulated Smoky, in the full form of the study only. SLOAVx makes the exchanges of "
         "counts and of keys; Strata's choice is taken for each by itself."},
    {.name = "9-throughput",
     .title = "Figure 9 as throughput",
     .axes = {"figure=9", "ranks", "method", "mops"},
     .x_title = PROCESSES,
     .y_title = "Million keys a second",
     .caption = "The same runs. Higher is better."},
    {0}};

/* Why points differ from the paper, as runs with other links, copies and adapters show. */
#define FASTER_LINKS "With links a thousand times as fast "
#define PASSED_ON                                                                                  \
    "SLOAV passes blocks on: 283 kB between nodes with 128 processes, 6.7 MB with "                \
    "512. " FASTER_LINKS "the gain rises, from 4.2 times with 32 to 13.1 with 256."
#define LONGER FASTER_LINKS "it takes 17.8 us with 1 byte and 18.6 us with 8."
#define LEADER                                                                                     \
    "The link of the leader carries the bytes of its node. " FASTER_LINKS                          \
    "the time of 256 processes falls, from 24.4 to 20.4 us."
#define SHARED                                                                                     \
    "Where the processes of a node share an adapter that takes a message each microsecond, it is " \
    "51.0 % on average."
#define COPIES                                                                                     \
    "Strata's copies take time here, and those inside MPI's collectives take none. With free "     \
    "copies SLOAVx takes "
#define COPIES_S COPIES "0.97 ms with 32 processes, and BASIC 1.09 ms."
#define COPIES_W COPIES "9.7 ms with 64 processes, BASIC 10.6 ms and MVAPICH2 10.3 ms."

#define OVER_RANKS(figure)                                                                         \
    {                                                                                              \
        "figure=" figure, "ranks", "method", "seconds"                                             \
    }

#define GAIN_GROWS "the gain over BASIC grows with the processes"
/* It grows to 256 processes, and no further: the quick form does not see this. */
static const struct study_need needs[] = {{GAIN_GROWS, "figure=5a;ranks>=512"}, {0}};

static const struct study_claim claims[] = {
    {"5a", "Figure 5 (a), section V-B", "SLOAV takes less time than BASIC",
     "40.5 % on average, 62.3 % at 1024 processes", study_judge_below, OVER_RANKS("5a"), SLOAV,
     BASIC, 0, NULL},
    {"5a", "Figure 5 (a), section V-B", GAIN_GROWS, "rises", study_judge_trend, OVER_RANKS("5a"),
     SLOAV, BASIC, 1, PASSED_ON},
    {"5b",
     "Figure 5 (b), section V-B",
     "SLOAV takes less time than BASIC at all sizes, least of all at 1 byte",
     "51.4 % on average, 59.3 % at 1 byte",
     study_judge_below,
     {"figure=5b", "bytes", "method", "seconds"},
     SLOAV,
     BASIC,
     0,
     NULL},
    {"5b",
     "Figure 5 (b), section V-B",
     "up to 8 bytes the size makes no difference to SLOAV",
     "constant",
     study_judge_trend,
     {"figure=5b;bytes<=8", "bytes", "method", "seconds"},
     SLOAV,
     NULL,
     0,
     LONGER},
    {"5b",
     "Figure 5 (b), section V-B",
     "beyond 8 bytes SLOAV takes longer with the size",
     "rises",
     study_judge_trend,
     {"figure=5b;bytes>=8", "bytes", "method", "seconds"},
     SLOAV,
     NULL,
     1,
     NULL},
    {"6", "Figure 6 (a), section V-C", "SLOAVx takes less time than SLOAV", "83.1 % on average",
     study_judge_below, OVER_RANKS("6"), SLOAVX, SLOAV, 0, SHARED},
    {"6", "Figure 6 (b), section V-C", "SLOAVx takes less time than BASIC", "99.3 % on average",
     study_judge_below, OVER_RANKS("6"), SLOAVX, BASIC, 0, NULL},
    {"6", "Figure 6 (b), section V-C", "SLOAVx takes less time than MVAPICH2", "97.4 % on average",
     study_judge_below, OVER_RANKS("6"), SLOAVX, "mvapich2", 0, NULL},
    {"7",
     "Figure 7, section V-D, 64 processes",
     "SLOAVx gets faster with more cores of a node in use",
     "falls",
     study_judge_trend,
     {"figure=7;bytes=1;ranks=64", "ranks_per_node", "method", "seconds"},
     SLOAVX,
     NULL,
     -1,
     LEADER},
    {"7",
     "Figure 7, section V-D, 128 processes",
     "SLOAVx gets faster with more cores of a node in use",
     "falls",
     study_judge_trend,
     {"figure=7;bytes=1;ranks=128", "ranks_per_node", "method", "seconds"},
     SLOAVX,
     NULL,
     -1,
     LEADER},
    {"7",
     "Figure 7, section V-D, 256 processes",
     "SLOAVx gets faster with more cores of a node in use",
     "falls",
     study_judge_trend,
     {"figure=7;bytes=1;ranks=256", "ranks_per_node", "method", "seconds"},
     SLOAVX,
     NULL,
     -1,
     LEADER},
    {"8", "Figure 8, section V-E", "NAS IS of class S is faster with SLOAVx than with BASIC",
     "79.4 % at 128 processes", study_judge_below, OVER_RANKS("8"), SLOAVX, "ompi", 0, COPIES_S},
    {"8", "Figure 8, section V-E", "NAS IS of class S is faster with SLOAVx than with MVAPICH2",
     "60.7 % at 128 processes", study_judge_below, OVER_RANKS("8"), SLOAVX, "mvapich2", 0, NULL},
    {"9", "Figure 9, section V-E",
     "NAS IS of class W is faster with SLOAVx than with BASIC, most at 512 processes",
     "476.4 % more throughput, which is 82.7 % less time", study_judge_below, OVER_RANKS("9"),
     SLOAVX, "ompi", 0, COPIES_W},
    {"9", "Figure 9, section V-E",
     "NAS IS of class W is faster with SLOAVx than with MVAPICH2, most at 512 processes",
     "187.3 % more throughput, which is 65.2 % less time", study_judge_below, OVER_RANKS("9"),
     SLOAVX, "mvapich2", 0, COPIES_W},
    {0}};

static const struct study_name names[] = {{SLOAVX, "SLOAVx (one leader)"},
                                          {SLOAV, "SLOAV"},
                                          {BASIC, "BASIC (linear)"},
                                          {"mvapich2", "MVAPICH2"},
                                          {"mpich", "MPICH"},
                                          {"auto", "Strata (auto)"},
                                          {"ompi", "BASIC (Open MPI)"},
                                          {"impi", "Intel MPI"},
                                          {"strata", "Strata (its choice)"},
                                          {"mpi", "MPI"},
                                          {0}};

static const struct study_option options[] = {
    {"--adapter", "S", "between two messages of a node, whose ranks share an adapter, s", ""}, {0}};

const struct study study_sloavx = {
    .name = "sloavx",
    .title = "SLOAVx: alltoallv in a logarithmic number of messages, between node leaders",
    .paper =
        "Xu, Venkata, Graham, Wang, Liu, Yu: SLOAVx: Scalable LOgarithmic AlltoallV Algorithm for "
        "Hierarchical Multicore Systems. CCGrid 2013",
    .shows =
        "Every process sends a small block to every other one. The linear algorithm sends as many "
        "messages as there are processes; SLOAV sends a logarithmic number; SLOAVx first "
        "gathers in each node's shared memory, and only one leader for each node takes part in "
        "SLOAV. "
        "This study runs the library's own SLOAV and SLOAVx, and the algorithms of MPI libraries, "
        "on "
        "simulated clusters shaped like the paper's two, and holds the figures against what the "
        "paper says about its own.",
    .left_out =
        "The paper's BASIC posts all messages at once, which takes the simulator minutes from 128 "
        "processes on; here the linear algorithm has four under way (in NAS IS: Open MPI's own). "
        "Cray's "
        "own MPI (figure 5), which cannot be had; figures are read from the paper's text, "
        "for its plots give no numbers.",
    .columns =
        "point,figure,platform,method,pattern,bytes,nodes,ranks,ranks_per_node,mapping,class,"
        "seconds,mops,messages_between,bytes_between",
    .evidence = "messages_between,bytes_between",
    .options = options,
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .needs = needs,
    .names = names,
};
