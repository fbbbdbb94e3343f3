/* The study of claims of recent papers, with a few points for each: Bine trees, TuNA, alltoall by
 * several leaders, the defaults of MPI libraries, circulant graphs. */
#include <stdio.h>

#include "tools/study/papers/recent_judges.h"
#include "tools/study/report/rivals.h"
#include "tools/study/run/points.h"

#define RADICES "tuna:radix=2;tuna:radix=4;tuna:radix=16;tuna:radix=64"
#define SEGMENTS                                                                                   \
    "circulant_rooted:segments=4;circulant_rooted:segments=16;circulant_rooted:segments=64"
/* Between nodes each leader has its peers in turn, with four messages under way, as the paper's
 * pairwise exchange has one. */
#define LED(leaders) "leaders:leaders=" leaders ",between=pairwise,radix=4"
#define SEVERAL      LED("2") ";" LED("4") ";" LED("8")
#define ALL_LEADERS  LED("1") ";" SEVERAL ";" LED("16")

/* Bine trees and butterflies beside the usual ones, in which messages are as long. */
static const struct pair {
    const char *collective, *usual, *bine;
} pairs[] = {{"bcast", "binomial", "bine:version=latency"},
             {"gather", "binomial", "bine:version=bandwidth"},
             {"allreduce", "recursive_doubling", "bine:version=latency"}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Writes a topology of groups whose sizes are drawn, as a batch system gives a job what is free in
 * each group of a network: two to twelve of them. */
static void write_groups(int ranks, unsigned long long *state, char *text, size_t size)
{
    int groups = 2 + (int)study_draw(state, 11);
    size_t used = (size_t)snprintf(text, size, "node:");
    for (int left = ranks; groups > 0; groups--) {
        int most = 2 * left / groups, here = groups == 1 ? left : 1 + (int)study_draw(state, most);
        here = here > left - (groups - 1) ? left - (groups - 1) : here;
        used += (size_t)snprintf(text + used, size - used, "%d%s", here, groups > 1 ? "," : "");
        left -= here;
    }
    snprintf(text + used, size - used, " rank:%d", ranks);
}

/* Adds the bytes between groups. A node of the topology stands for a group of the network. */
static void add_bine(struct study_points *points, const char *groups, int number,
                     const char *topology, int ranks)
{
    for (int i = 0; i < 2 * PAIRS; i++) {
        const struct pair *p = &pairs[i / 2];
        const char *method = i % 2 ? "bine" : "usual";
        char name[96], labels[160];
        snprintf(name, sizeof name, "bine-%s-%s-%d-%d-%s", p->collective, groups, ranks, number,
                 method);
        snprintf(labels, sizeof labels,
                 "figure=bine;mapping=%s;method=%s;algorithm=@method;draw=%d-%d;seconds=", groups,
                 method, ranks, number);
        struct study_kind kind = {.labels = labels, .weight = 1};
        study_add(points, &kind, name,
                  "strata plan %s --algo %s --topo '%s' --bytes 1024 --no-check --csv",
                  p->collective, i % 2 ? p->bine : p->usual, topology);
    }
}

static void add_groups(struct study_points *points)
{
    unsigned long long state = 1;
    char topology[256];
    int draws = points->request->quick ? 6 : 20;
    for (int ranks = 64; ranks <= 1024; ranks *= 4) {
        for (int number = 1; number <= draws; number++) {
            write_groups(ranks, &state, topology, sizeof topology);
            add_bine(points, "drawn", number, topology, ranks);
        }
        snprintf(topology, sizeof topology, "node:%d rank:%d", ranks / 16, ranks);
        add_bine(points, "even", 0, topology, ranks);
    }
}

/* Adds simulated exchanges on `smoky`, 16 ranks on a node. */
static void add_exchange(struct study_points *points, const char *figure, const char *exchange,
                         int ranks, int bytes, const char *methods)
{
    char name[64], labels[96];
    snprintf(name, sizeof name, "%s-%d-%d", figure, ranks, bytes);
    snprintf(labels, sizeof labels, "figure=%s;platform=smoky", figure);
    struct study_kind kind = {.labels = labels, .weight = 0.3 * ranks};
    study_add(points, &kind, name,
              "strata simulate %s --platform smoky --ranks %d --ranks-per-node 16 --bytes %d "
              "--methods '%s' --calls 1 --jobs 1 --csv",
              exchange, ranks, bytes, methods);
}

static void add_exchanges(struct study_points *points)
{
    bool quick = points->request->quick;
    for (int bytes = 8; bytes <= 4096; bytes *= 8) {
        add_exchange(points, "leaders", "alltoall", quick ? 128 : 512, bytes,
                     ALL_LEADERS ";" STUDY_LIBRARIES);
    }
    for (int bytes = 8; bytes <= 512; bytes *= quick ? 8 : 4) {
        add_exchange(points, "tuna", "alltoallv --pattern uniform", quick ? 128 : 256, bytes,
                     RADICES ";" LED("16") ";" STUDY_LIBRARIES);
    }
}

/* Adds the choices of MPI libraries, on two clusters. */
static void add_defaults(struct study_points *points)
{
    static const char *const platforms[] = {"smoky", "fat_tree"};
    static const char *const collectives[] = {"allgather", "allreduce", "alltoall", "bcast",
                                              "reduce_scatter_block"};
    bool quick = points->request->quick;
    for (int i = 0; i < 10; i++) {
        char name[64], labels[96];
        snprintf(name, sizeof name, "defaults-%s-%s", platforms[i / 5], collectives[i % 5]);
        snprintf(labels, sizeof labels, "figure=defaults;platform=%s", platforms[i / 5]);
        struct study_kind kind = {.labels = labels, .weight = 60};
        study_add(points, &kind, name,
                  "strata simulate %s --platform %s --ranks 128 --ranks-per-node 16 --bytes %s "
                  "--methods '" STUDY_LIBRARIES "' --calls 1 --jobs 1 --csv",
                  collectives[i % 5], platforms[i / 5], quick ? "8,4096" : "8,64,512,4096,32768");
    }
}

/* Adds counts of rounds and bytes. A bcast has 16 segments. */
static void add_circulant(struct study_points *points)
{
    static const int all[] = {5, 8, 13, 37, 64, 127, 400, 1000};
    static const char *const collectives[][2] = {{"allgather", "circulant"},
                                                 {"reduce_scatter_block", "circulant"},
                                                 {"allreduce", "circulant"},
                                                 {"bcast", "circulant_rooted:segments=16"}};
    for (int i = 0; i < 4 * (int)(sizeof all / sizeof *all); i++) {
        const char *const *of = collectives[i % 4];
        int ranks = all[i / 4];
        char name[64], labels[96];
        snprintf(name, sizeof name, "circulant-%s-%d", of[0], ranks);
        snprintf(labels, sizeof labels,
                 "figure=circulant;method=circulant;algorithm=@method;seconds=");
        struct study_kind kind = {.labels = labels, .weight = 1};
        study_add(points, &kind, name,
                  "strata plan %s --algo %s --topo 'node:%d rank:%d' --bytes %d --no-check --csv",
                  of[0], of[1], ranks, ranks, 16 * ranks);
    }
}

/* Adds broadcasts on a number of nodes that is no power of two, with one rank each. */
static void add_bcasts(struct study_points *points)
{
    bool quick = points->request->quick;
    for (int bytes = 65536; bytes <= 4194304; bytes *= quick ? 8 : 2) {
        char name[64];
        snprintf(name, sizeof name, "bcast-%d", bytes);
        struct study_kind kind = {.labels = "figure=bcast;platform=smoky", .weight = 10};
        study_add(points, &kind, name,
                  "strata simulate bcast --platform smoky --ranks 61 --ranks-per-node 1 "
                  "--bytes %d --methods '" SEGMENTS ";" STUDY_LIBRARIES
                  "' --calls 1 --jobs 1 --csv",
                  bytes);
    }
}

static void add_points(struct study_points *points)
{
    add_groups(points);
    add_circulant(points);
    add_bcasts(points);
    add_exchanges(points);
    add_defaults(points);
}

#define DRAWN(collective)                                                                          \
    {                                                                                              \
        "figure=bine;mapping=drawn;collective=" collective, "draw", "method", "bytes_between"      \
    }
#define BINE_PICTURE(part)                                                                         \
    {                                                                                              \
        .name = "bine-" part, .title = "Bytes between groups: " part, .drawing = STUDY_DOTS,       \
        .axes = {"figure=bine;mapping=drawn;collective=" part, "ranks", "method",                  \
                 "bytes_between"},                                                                 \
        .x_title = "Ranks", .y_title = "Bytes between groups",                                     \
        .caption = "Counted from plans of all ranks, in groups whose sizes are drawn; bars reach " \
                   "from the least to the most of the draws. Lower is better."                     \
    }
#define OVER_BYTES(figure)                                                                         \
    {                                                                                              \
        "figure=" figure, "bytes", "method", "seconds"                                             \
    }
#define DEFAULTS(cluster)                                                                          \
    {                                                                                              \
        .name = "defaults-" cluster,                                                               \
        .title = "The fastest of four libraries' choices on " cluster, .drawing = STUDY_WINNERS,   \
        .axes = {"figure=defaults;platform=" cluster, "bytes", "collective", "seconds"},           \
        .method = "ompi", .x_title = "Bytes of a block, or of the vector",                         \
        .y_title = "Collective",                                                                   \
        .caption =                                                                                 \
            "128 ranks, 16 on a node. Each cell has the colour of the library whose choice "       \
            "takes least. Where that is Open MPI's the cell is grey, and the number is its "       \
            "gain over the second in percent."                                                     \
    }

static const struct study_picture pictures[] = {
    BINE_PICTURE("bcast"),
    BINE_PICTURE("gather"),
    BINE_PICTURE("allreduce"),
    {.name = "tuna",
     .title = "TuNA with several radices, and by two levels",
     .axes = OVER_BYTES("tuna"),
     .x_title = "Longest block (bytes)",
     .y_title = "Time of an alltoallv",
     .caption = "Simulated Smoky, 16 ranks on a node, lengths of blocks drawn at random."},
    {.name = "leaders",
     .title = "Alltoall by one and by several leaders of a node",
     .axes = OVER_BYTES("leaders"),
     .x_title = "Block (bytes)",
     .y_title = "Time of an alltoall",
     .caption = "Simulated Smoky, 16 ranks on a node. With 16 leaders each rank sends for itself, "
                "to one rank of each other node."},
    DEFAULTS("smoky"),
    DEFAULTS("fat_tree"),
    {.name = "circulant",
     .title = "Rounds on circulant graphs",
     .axes = {"figure=circulant", "ranks", "collective", "rounds"},
     .x_title = "Ranks",
     .y_title = "Rounds",
     .linear_y = true,
     .caption = "Counted from the plans of all ranks; a bcast has 16 segments."},
    {.name = "bcast",
     .title = "Broadcast on circulant graphs, in 4, 16 and 64 segments",
     .axes = OVER_BYTES("bcast"),
     .x_title = "Vector (bytes)",
     .y_title = "Time of a bcast",
     .caption = "Simulated Smoky, 61 nodes with one rank each."},
    {0}};

#define BINE          "De Sensi et al., SC 2025"
#define TUNA          "Fan et al., arXiv 2411.02581"
#define SCALING       "Kinkead et al., arXiv 2601.17606"
#define PICO          "Pasqualoni et al., ISC 2026"
#define CIRCULANT     "Traff, arXiv 2410.14234"
#define ROUND_OPTIMAL "Traff, arXiv 2407.18004"

#define FEWER(collective, note)                                                                    \
    {                                                                                              \
        "bine-" collective, BINE ", " collective,                                                  \
            "Bine trees send fewer bytes between groups: " collective,                             \
            "fewer throughout, by up to 33 %", study_judge_below, DRAWN(collective), "bine",       \
            "usual", 0, note                                                                       \
    }
#define COUNTED(source, collective, y, sentence, formula)                                          \
    {                                                                                              \
        "circulant", source ", " collective, sentence, formula, study_recent_formula,              \
            {"figure=circulant;collective=" collective, "ranks", "method", y}, "circulant",        \
            formula, 0, NULL                                                                       \
    }

#define ROOT                                                                                       \
    "The root is rank 0, at the edge of the first group, from which a binomial tree crosses few "  \
    "borders: most of its messages stay in rows of ranks that begin at multiples of a power of "   \
    "two. In even groups of 16 it sends one message into each group, and Bine more than two."

#define ALIGNED                                                                                    \
    "Where groups begin at multiples of a power of two, a usual butterfly leaves a group only in " \
    "its "                                                                                         \
    "last rounds."

static const struct study_claim claims[] = {
    FEWER("bcast", ROOT),
    FEWER("gather", ROOT),
    FEWER("allreduce", NULL),
    {"bine-allreduce",
     BINE ", groups of 16",
     "Bine trees send fewer bytes between groups: allreduce, even groups of 16",
     "fewer throughout",
     study_judge_below,
     {"figure=bine;mapping=even;collective=allreduce", "draw", "method", "bytes_between"},
     "bine",
     "usual",
     0,
     ALIGNED},
    {"bine-allreduce",
     BINE,
     "Bine trees save up to 33 % of the bytes between groups",
     "33 %",
     study_recent_most,
     {"figure=bine;mapping=drawn", "draw", "method", "bytes_between"},
     "bine",
     NULL,
     0,
     NULL},
    {"tuna", TUNA, "TuNA with the best radix is faster than the alltoallv of MPI libraries",
     "up to 42 times on Polaris, 138 on Fugaku", study_judge_rivals, OVER_BYTES("tuna"), RADICES,
     STUDY_LIBRARIES, 0, NULL},
    {"tuna", TUNA, "the best radix grows with the blocks", "rises", study_recent_radix,
     OVER_BYTES("tuna"), RADICES, NULL, 0, NULL},
    {"tuna", TUNA, "two levels are faster than one", "faster", study_judge_rivals,
     OVER_BYTES("tuna"), LED("16"), RADICES, 0, NULL},
    {"leaders", SCALING, "node-aware alltoalls are faster than those of MPI libraries on 32 nodes",
     "up to 3 times", study_judge_rivals, OVER_BYTES("leaders"), ALL_LEADERS, STUDY_LIBRARIES, 0,
     NULL},
    {"leaders",
     SCALING,
     "for short blocks several leaders of a node are faster than one, or than all ranks",
     "fastest for short blocks",
     study_judge_rivals,
     {"figure=leaders;bytes<=64", "bytes", "method", "seconds"},
     SEVERAL,
     LED("1") ";" LED("16"),
     0,
     NULL},
    {"leaders",
     SCALING,
     "for the longest blocks more ranks of a node send",
     "fastest for the longest blocks",
     study_judge_rivals,
     {"figure=leaders;bytes>=1024", "bytes", "method", "seconds"},
     LED("8") ";" LED("16"),
     LED("1") ";" LED("2") ";" LED("4"),
     0,
     NULL},
    {"defaults-smoky",
     PICO,
     "defaults of MPI libraries take up to 5 times as long as the best choice",
     "5 times",
     study_recent_defaults,
     {"figure=defaults", "bytes", "method", "seconds"},
     NULL,
     NULL,
     0,
     NULL},
    COUNTED(CIRCULANT, "allgather", "rounds", "an allgather takes ceil(log2 p) rounds for any p",
            "ceil(log2 p)"),
    COUNTED(CIRCULANT, "allgather", "rank_bytes", "an allgather sends p - 1 blocks",
            "(p-1) blocks"),
    COUNTED(CIRCULANT, "reduce_scatter_block", "rounds",
            "a reduce-scatter takes ceil(log2 p) rounds", "ceil(log2 p)"),
    COUNTED(CIRCULANT, "reduce_scatter_block", "rank_bytes", "a reduce-scatter sends p - 1 blocks",
            "(p-1) blocks"),
    COUNTED(CIRCULANT, "allreduce", "rounds", "an allreduce takes 2 ceil(log2 p) rounds",
            "2 ceil(log2 p)"),
    COUNTED(CIRCULANT, "allreduce", "rank_bytes", "an allreduce sends 2 (p-1)/p of the vector",
            "2 (p-1)/p of the vector"),
    COUNTED(ROUND_OPTIMAL, "bcast", "rounds",
            "a bcast of n = 16 segments takes n - 1 + ceil(log2 p) rounds", "n - 1 + ceil(log2 p)"),
    {"bcast", ROUND_OPTIMAL, "a bcast of long vectors is faster than those of MPI libraries",
     "faster than Open MPI's on 36 x 32 processes", study_judge_rivals, OVER_BYTES("bcast"),
     SEGMENTS, STUDY_LIBRARIES, 0, NULL},
    {0}};

static const struct study_name names[] = {{"usual", "usual"},
                                          {"bine", "Bine"},
                                          {"tuna:radix=2", "TuNA, radix 2"},
                                          {"tuna:radix=4", "TuNA, radix 4"},
                                          {"tuna:radix=16", "TuNA, radix 16"},
                                          {"tuna:radix=64", "TuNA, radix 64"},
                                          {LED("1"), "1 leader"},
                                          {LED("2"), "2 leaders"},
                                          {LED("4"), "4 leaders"},
                                          {LED("8"), "8 leaders"},
                                          {LED("16"), "all 16 ranks lead"},
                                          {"circulant_rooted:segments=4", "4 segments"},
                                          {"circulant_rooted:segments=16", "16 segments"},
                                          {"circulant_rooted:segments=64", "64 segments"},
                                          STUDY_LIBRARY_NAMES,
                                          {0}};

const struct study study_recent = {
    .name = "recent",
    .title = "Claims of recent papers",
    .paper = "De Sensi et al.: Bine Trees. SC 2025. Fan et al.: Configurable Non-uniform "
             "All-to-all Algorithms (TuNA), arXiv 2411.02581, 2024. Kinkead et al.: Scaling "
             "All-to-all Operations Across Emerging Many-Core Supercomputers, arXiv 2601.17606, "
             "2026. Pasqualoni et al.: PICO, ISC 2026. Traff: Optimal, Non-pipelined "
             "Reduce-scatter and Allreduce Algorithms, arXiv 2410.14234, and Optimal Broadcast "
             "Schedules in Logarithmic Time, arXiv 2407.18004, 2024",
    .shows = "A few points for each of six papers. Bytes of Bine trees between groups of a "
             "network, and rounds and bytes on circulant graphs, are counted from plans. TuNA, "
             "several leaders of a node and the defaults of MPI libraries are timed on simulated "
             "clusters.",
    .left_out =
        "The papers' machines, and times of Bine trees: a simulated job has whole groups of nodes, "
        "in which binomial trees are at their best. The two levels of TuNA and the leaders of "
        "alltoall exchange inside a node through shared memory, and not by messages. Libraries "
        "are those that SimGrid knows, of about 2015.",
    .columns = "point,figure,platform,collective,method,algorithm,mapping,draw,pattern,bytes,nodes,"
               "ranks,rounds,rank_bytes,messages_between,bytes_between,seconds",
    .evidence = "messages_between,bytes_between",
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .names = names,
};
