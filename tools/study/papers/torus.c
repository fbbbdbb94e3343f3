/* The study of the paper on collectives over several links at once: its formulas on tori, counted
 * from plans; its table 2 and figure 10, on a simulated midplane of Blue Gene/L. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/papers/torus_judges.h"
#include "tools/study/run/points.h"
#include "tools/study/table/memory.h"

/* The paper's names of the algorithms that it compares, with the row of the catalogue for each
 * collective. */
static const struct variant {
    const char *collective, *method, *choice;
    bool on_torus, timed;
} variants[] = {{"bcast", "mst-old", "mst:parts=2", false, true},
                {"bcast", "mst-mesh", "mst_torus:ways=one,partition=paper", true, false},
                {"bcast", "mst-new", "mst_torus:ways=both,partition=paper", true, true},
                {"bcast", "mst-balanced", "mst_torus:ways=both,partition=balanced", true, true},
                {"bcast", "bucket-old", "long_vector:dims=1,conflict=paper", false, true},
                {"bcast", "bucket-new", "long_vector:conflict=paper", true, true},
                {"bcast", "bucket-balanced", "long_vector:conflict=balanced", true, true},
                {"scatter", "mst-old", "mst:parts=2", false, true},
                {"scatter", "mst-new", "mst_torus:ways=both,partition=paper", true, true},
                {"scatter", "mst-balanced", "mst_torus:ways=both,partition=balanced", true, true},
                {"allgather", "bucket-old", "ring", false, true},
                {"allgather", "bucket-new", "bucket:conflict=paper", true, true},
                {"allgather", "bucket-balanced", "bucket:conflict=balanced", true, true},
                {NULL, NULL, NULL, false, false}};

static int count_ranks(const char *torus)
{
    int ranks = 1;
    for (char *end = NULL; *torus; torus = *end ? end + 1 : end) {
        ranks *= (int)strtol(torus, &end, 10);
    }
    return ranks;
}

/* Adds counts. 2400 bytes divide into whole numbers by every divisor of the formulas. */
static void add_counts(struct study_points *points, const char *torus)
{
    int ranks = count_ranks(torus);
    for (const struct variant *v = variants; v->method; v++) {
        char name[96], labels[160];
        snprintf(name, sizeof name, "counts-%s-%s-%s", v->collective, v->method, torus);
        snprintf(labels, sizeof labels,
                 "figure=counts;method=%s;algorithm=@method;family=%.3s;torus=%s;seconds=",
                 v->method, v->method, torus);
        struct study_kind kind = {.labels = labels, .weight = 1};
        study_add(points, &kind, name,
                  "strata plan %s --algo %s --topo 'node:%d rank:%d' --bytes 2400 --csv%s%s",
                  v->collective, v->choice, ranks, ranks, v->on_torus ? " --torus " : "",
                  v->on_torus ? torus : "");
    }
}

/* Table 1: for each collective a tree, or two that follow each other, and buckets for long vectors,
 * NULL where there are none. */
static const struct bounded {
    const char *collective, *family, *bucket;
} bounded[] = {{"bcast", "tree", "long_vector"},
               {"reduce", "tree", NULL},
               {"scatter", "tree", NULL},
               {"gather", "tree", NULL},
               {"allgather", "two-trees", "bucket"},
               {"reduce_scatter", "two-trees", "bucket"},
               {"allreduce", "two-trees", "long_vector"},
               {NULL, NULL, NULL}};

static void add_bounded(struct study_points *points, const char *torus, const struct bounded *b,
                        bool bucket, bool balanced)
{
    int ranks = count_ranks(torus);
    const char *rule = balanced ? "balanced" : "paper";
    char name[96], labels[160], choice[64];
    char *method = study_text("%s-%s", bucket ? "bucket" : "mst", balanced ? "balanced" : "new");
    snprintf(name, sizeof name, "table-1-%s-%s-%s", b->collective, method, torus);
    snprintf(labels, sizeof labels,
             "figure=table-1;method=%s;algorithm=@method;family=%s;torus=%s;seconds=", method,
             bucket ? "bucket" : b->family, torus);
    snprintf(choice, sizeof choice, "%s:%s=%s", bucket ? b->bucket : "mst_torus",
             bucket ? "conflict" : "partition", rule);
    struct study_kind kind = {.labels = labels, .weight = 1};
    study_add(points, &kind, name,
              "strata plan %s --algo %s --topo 'node:%d rank:%d' --bytes 2400 --csv --torus %s",
              b->collective, choice, ranks, ranks, torus);
    free(method);
}

static void add_bounds(struct study_points *points)
{
    static const char *const tori[] = {"4x4", "8x8", "4x4x4", "8x8x8"};
    for (size_t i = 0; i < sizeof tori / sizeof *tori; i++) {
        for (const struct bounded *b = bounded; b->collective; b++) {
            for (int kind = 0; kind < (b->bucket ? 4 : 2); kind++) {
                add_bounded(points, tori[i], b, kind >= 2, kind % 2 == 1);
            }
        }
    }
}

/* Adds one simulated call on 8x8x8. `total` is the paper's length: of the vector, or of all blocks
 * together. */
static void add_time(struct study_points *points, const struct variant *v, const char *figure,
                     int total, const char *settings)
{
    const int ranks = 512;
    bool blocks = strcmp(v->collective, "bcast") != 0;
    char name[96], labels[160];
    snprintf(name, sizeof name, "%s-%s-%s-%d", figure, v->collective, v->method, total);
    snprintf(labels, sizeof labels,
             "figure=%s;method=%s;algorithm=@method;torus=8x8x8;total=%d;rounds=", figure,
             v->method, total);
    struct study_kind kind = {.labels = labels, .weight = strstr(v->method, "old") ? 30 : 10};
    study_add(points, &kind, name,
              "strata replay %s --platform bluegene --algo %s --topo 'node:%d rank:%d' --bytes %d "
              "--csv%s%s",
              v->collective, v->choice, ranks, ranks, blocks ? total / ranks : total,
              v->on_torus ? " --torus 8x8x8" : "", settings);
}

/* Adds long vectors, for table 2, and short ones, for the left of figure 10. */
static void add_times(struct study_points *points)
{
    static const char without[] =
        " --smpirun '--cfg=smpi/os:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/or:0:0:0'";
    bool quick = points->request->quick;
    for (const struct variant *v = variants; v->method; v++) {
        bool tree = strncmp(v->method, "mst", 3) == 0, bcast = strcmp(v->collective, "bcast") == 0;
        for (int total = 1 << 20; v->timed && total <= 4 << 20 && (!tree || !bcast); total *= 2) {
            add_time(points, v, "table-2", total, "");
        }
        for (int total = 8; v->timed && tree && bcast && total <= 16384; total *= quick ? 4 : 2) {
            add_time(points, v, "10", total, "");
            add_time(points, v, "no-overhead", total, without);
        }
    }
}

/* Several ranks on a node. The first choice serves nodes of one rank, the second one the others. */
static const struct shared {
    const char *collective, *method, *alone, *several;
} shared[] = {
    {"bcast", "torus-nodes", "mst_torus:dims=3", "node_bcast:between=mst_torus,variant=3"},
    {"bcast", "line-nodes", "binomial", "node_bcast:between=binomial"},
    {"bcast", "line-ranks", "binomial", "binomial"},
    {"bcast", "auto", "auto", "auto"},
    {"allgather", "torus-nodes", "bucket:dims=2", "node_allgather:between=bucket,variant=2"},
    {"allgather", "line-nodes", "ring", "node_allgather:between=ring"},
    {"allgather", "line-ranks", "ring", "ring"},
    {"allgather", "auto", "auto", "auto"},
    {NULL, NULL, NULL, NULL}};

/* Adds calls on nodes of 1, 2 and 4 ranks: 8x8x8 nodes of a bcast, 8x8 of an allgather. */
static void add_shared(struct study_points *points)
{
    for (const struct shared *s = shared; s->method; s++) {
        bool tree = strcmp(s->collective, "bcast") == 0;
        int nodes = tree ? 512 : 64;
        for (int ranks = 1; ranks <= 4; ranks *= 2) {
            char name[96], labels[160];
            snprintf(name, sizeof name, "nodes-%s-%s-%d", s->collective, s->method, ranks);
            snprintf(labels, sizeof labels,
                     "figure=nodes;method=%s;algorithm=@method;torus=%s;ranks_per_node=%d;rounds=",
                     s->method, tree ? "8x8x8" : "8x8", ranks);
            struct study_kind kind = {.labels = labels, .weight = tree ? 20 * ranks : 10};
            study_add(points, &kind, name,
                      "strata replay %s --platform dawn --algo %s --topo 'node:%d rank:%d' "
                      "--bytes 2048 --csv",
                      s->collective, ranks == 1 ? s->alone : s->several, nodes, nodes * ranks);
        }
    }
}

/* Adds table 3: the time to build the plan of rank 0, which in the paper each call finds anew. */
static void add_builds(struct study_points *points)
{
    for (const struct variant *v = variants; v->method; v++) {
        bool asked = v->timed && !(strcmp(v->collective, "bcast") == 0 && *v->method == 'b');
        char name[96], labels[160];
        snprintf(name, sizeof name, "table-3-%s-%s", v->collective, v->method);
        snprintf(labels, sizeof labels,
                 "figure=table-3;method=%s;algorithm=@method;rounds=", strchr(v->method, '-') + 1);
        struct study_kind kind = {.labels = labels, .weight = 1, .timed = true};
        if (asked) {
            study_add(points, &kind, name,
                      "strata plan %s --algo %s --topo 'node:512 rank:512' --bytes 2400 --rank 0 "
                      "--builds 1001%s",
                      v->collective, v->choice, v->on_torus ? " --torus 8x8x8" : "");
        }
    }
}

static void add_points(struct study_points *points)
{
    static const char *const few[] = {"9",     "64",    "4x4",   "5x5",    "8x8",
                                      "3x3x3", "4x4x4", "8x8x8", "16x8x8", NULL};
    static const char *const more[] = {"27",    "25",    "7x7",   "9x9",      "16x8",    "16x16",
                                       "25x25", "5x5x5", "6x6x6", "10x10x10", "3x3x3x3", NULL};
    for (int i = 0; few[i]; i++) {
        add_counts(points, few[i]);
    }
    add_bounds(points);
    add_times(points);
    add_shared(points);
    add_builds(points);
    for (int i = 0; more[i] && !points->request->quick; i++) {
        add_counts(points, more[i]);
    }
}

#define COUNTS(collective, column)                                                                 \
    {                                                                                              \
        "figure=counts;collective=" collective, "torus", "method", column                          \
    }
#define TABLE_1(where, column)                                                                     \
    {                                                                                              \
        "figure=table-1" where, "collective", "method", column                                     \
    }
#define TABLE_2(collective)                                                                        \
    {                                                                                              \
        "figure=table-2;collective=" collective, "total", "method", "seconds"                      \
    }
#define TIMES(part, people)                                                                        \
    {                                                                                              \
        .name = "table-2-" part, .title = "Table 2: " people " of long vectors on 512 nodes",      \
        .axes = TABLE_2(part), .x_title = "Data in all (bytes)", .y_title = "Time of a call",      \
        .caption = "Replayed on a simulated torus of 8x8x8. \"Old\" takes the nodes as a line, "   \
                   "\"new\" as a torus by the paper's rules, \"balanced\" by ours."                \
    }
#define NODES(part, heading)                                                                       \
    {                                                                                              \
        .name = "nodes-" part, .title = heading,                                                   \
        .axes = {"figure=nodes;collective=" part, "ranks_per_node", "method", "seconds"},          \
        .x_title = "Ranks on a node", .y_title = "Time of a call",                                 \
        .caption = "Replayed on a torus of Blue Gene/P (dawn). One rank of a node is on the "      \
                   "torus, or on the line, and shares with the others through memory; or all "     \
                   "ranks lie on the line."                                                        \
    }

static const struct study_picture pictures[] = {
    {.name = "stages",
     .title = "Stages of minimum-spanning trees on tori",
     .drawing = STUDY_DOTS,
     .axes = {"figure=counts;collective=bcast;family=mst", "torus", "method", "rounds"},
     .x_title = "Torus",
     .y_title = "Stages",
     .linear_y = true,
     .caption = "Counted from the plans of all ranks, broadcast. Lower is better."},
    {.name = "steps",
     .title = "Steps of bucket allgathers on tori",
     .drawing = STUDY_DOTS,
     .axes = {"figure=counts;collective=allgather", "torus", "method", "rounds"},
     .x_title = "Torus",
     .y_title = "Steps",
     .caption = "Counted from the plans of all ranks."},
    {.name = "volume",
     .title = "Bytes of the longest message of each step, added up",
     .drawing = STUDY_DOTS,
     .axes = {"figure=counts;collective=allgather", "torus", "method", "longest_bytes"},
     .x_title = "Torus",
     .y_title = "Bytes",
     .caption =
         "Allgather of 2400-byte blocks: what the bandwidth term of the paper's cost counts."},
    {.name = "table-1-steps",
     .title = "Table 1: steps of seven collectives on 8x8x8",
     .drawing = STUDY_DOTS,
     .axes = TABLE_1(";torus=8x8x8", "rounds"),
     .x_title = "Collective",
     .y_title = "Steps",
     .caption = "Counted from the plans of all ranks. No collective can take less than 4 steps."},
    {.name = "table-1-bytes",
     .title = "Table 1: bytes of the longest message of each step, added up, on 8x8x8",
     .drawing = STUDY_DOTS,
     .axes = TABLE_1(";torus=8x8x8", "longest_bytes"),
     .x_title = "Collective",
     .y_title = "Bytes",
     .caption = "Vectors and blocks of 2400 bytes."},
    {.name = "table-1-combined",
     .title = "Table 1: bytes that the busiest rank combines, on 8x8x8",
     .drawing = STUDY_DOTS,
     .axes = TABLE_1(";torus=8x8x8;combined_bytes>=1", "combined_bytes"),
     .x_title = "Collective",
     .y_title = "Bytes",
     .caption = "Vectors and blocks of 2400 bytes."},
    {.name = "10",
     .title = "Figure 10, left: broadcast of short vectors on 512 nodes",
     .axes = {"figure=10", "total", "method", "seconds"},
     .x_title = "Vector (bytes)",
     .y_title = "Time of a call",
     .caption =
         "Replayed on a simulated torus of 8x8x8, 1.4 us of processor time for each message."},
    {.name = "no-overhead",
     .title = "The same with no processor time for messages",
     .axes = {"figure=no-overhead", "total", "method", "seconds"},
     .x_title = "Vector (bytes)",
     .y_title = "Time of a call",
     .caption = "Sending to several neighbours at once then costs as much as sending to one: the "
                "paper's model with tau = 0."},
    {.name = "table-3",
     .title = "Table 3: time to build a plan on 512 nodes",
     .drawing = STUDY_DOTS,
     .axes = {"figure=table-3", "collective", "method", "seconds"},
     .x_title = "Collective",
     .y_title = "Time to build the plan of rank 0",
     .caption = "Once for a communicator, on this machine. The paper's new algorithms find their "
                "indices in each call: 30 us, 520 us and 2300 us, and the old ones 0.52, 1.3 and "
                "2.8 us."},
    NODES("bcast", "Broadcast of 2 KiB on 8x8x8 nodes of several ranks"),
    NODES("allgather", "Allgather of 2 KiB blocks on 8x8 nodes of several ranks"),
    TIMES("bcast", "broadcast"),
    TIMES("scatter", "scatter"),
    TIMES("allgather", "allgather"),
    {0}};

#define TAU                                                                                        \
    "Further messages cost less here than on the paper's machine: tau is 0.49 for 8 to 512 bytes " \
    "(bench/neighbours), and 0.98 there. With messages of 3.5 us one after another the new tree "  \
    "loses up to 512 bytes and wins from 1 KB on, as in the paper. The paper's tree also finds "   \
    "its indices in each call, 30 us (its table 3); a plan is built once and kept."
#define BUILDS                                                                                     \
    "Building a plan also looks through all its messages for the most that are under way "         \
    "together: 96 % of the time of the ring, which has 511 rounds."
#define ROUNDING                                                                                   \
    "Integer division makes parts of different sizes; the paper's rule for them needs a stage or " \
    "two more on small boxes, as the paper grants for meshes. Our "                                \
    "balanced "                                                                                    \
    "rule comes nearer, the picture shows it."

#define REVERSED                                                                                   \
    "A rank sends as soon as it can, so a long message of a gather may stand in an early step, "   \
    "where a scatter has it in a late one."
#define APART                                                                                      \
    "Integer parts. Ranks also begin the bucket in different steps: added up apart, scatter and "  \
    "bucket move 1.08 to 1.21 times the formula."
#define PACKING                                                                                    \
    "Blocks that go together do not lie side by side and are packed, at 1 GB/s in this "           \
    "description. With copies at no cost the new one is faster as the paper has it: 4 MB take "    \
    "21.0 ms against 25.5 in allgather, 27.5 against 38.1 in broadcast. Our balanced rule for "    \
    "conflicts is faster than both, copies included."

static const struct study_claim claims[] = {
    {"stages", "Section 4.1.1", "a tree on a line of p nodes takes ceil(log2 p) stages",
     "ceil(log2 p)", study_torus_formula, COUNTS("bcast", "rounds"), "mst-old", "ceil(log2 p)", 0,
     NULL},
    {"stages", "Section 4.1.2", "on a mesh of N axes a tree takes ceil(log_(N+1) p) stages",
     "ceil(log_(N+1) p)", study_torus_formula, COUNTS("bcast", "rounds"), "mst-mesh",
     "ceil(log_(N+1) p)", 0, ROUNDING},
    {"stages", "Section 4.1.3",
     "on a torus of N axes a tree takes ceil(log_(2N+1) p) stages, the fewest possible",
     "ceil(log_(2N+1) p)", study_torus_formula, COUNTS("bcast", "rounds"), "mst-new",
     "ceil(log_(2N+1) p)", 0, ROUNDING},
    {"stages", "Section 2", "a node sends to 2N neighbours at once, or receives from as many", "2N",
     study_torus_formula, COUNTS("bcast", "at_once"), "mst-new", "2N", -1, NULL},
    {"steps", "Section 4.2.1", "a bucket on a line takes p - 1 steps", "p - 1", study_torus_formula,
     COUNTS("allgather", "rounds"), "bucket-old", "p - 1", 0, NULL},
    {"steps", "Section 4.2.2",
     "a bucket on a torus takes d - N steps, in which data come round all axes", "d - N",
     study_torus_formula, COUNTS("allgather", "rounds"), "bucket-new", "d - N", 0, NULL},
    {"steps", "Section 4.2.3", "scatter and bucket on a line: together ceil(log2 p) + p - 1 steps",
     "ceil(log2 p) + p - 1", study_torus_formula, COUNTS("bcast", "rounds"), "bucket-old",
     "ceil(log2 p) + p - 1", -1, NULL},
    {"steps", "Section 4.2.3",
     "scatter and bucket on a torus: together ceil(log_(2N+1) p) + d - N steps",
     "ceil(log_(2N+1) p) + d - N", study_torus_formula, COUNTS("bcast", "rounds"), "bucket-new",
     "ceil(log_(2N+1) p) + d - N", -1, ROUNDING},
    {"volume", "Section 4.2.1", "a bucket on a line moves (p-1)/p n bytes over a link", "(p-1)/p n",
     study_torus_formula, COUNTS("allgather", "longest_bytes"), "bucket-old", "(p-1)/p n", 0, NULL},
    {"volume", "Section 4.2.2", "a bucket on a torus moves (D-1)/D n bytes over a link",
     "(D-1)/D n", study_torus_formula, COUNTS("allgather", "longest_bytes"), "bucket-new",
     "(D-1)/D n", 0,
     "With the shortest axis last, as here, less than the paper's figure where axes differ."},
    {"volume", "Section 4.2.2",
     "a bucket on a torus moves more than (p-1)/p n/N bytes over a link, twice the least possible "
     "or more",
     "at least (p-1)/p n/N", study_torus_formula, COUNTS("allgather", "longest_bytes"),
     "bucket-new", "(p-1)/p n/N", 1, NULL},
    {"volume", "Section 6", "no allgather reaches the least possible bytes over a link",
     "more than (p-1)/p n/(2N)", study_torus_formula, COUNTS("allgather", "longest_bytes"),
     "bucket-balanced", "(p-1)/p n/(2N)", 1, NULL},
    {"table-2-scatter", "Section 4.1.5",
     "a scatter on a torus moves (p-1)/p n/(2N) bytes over a link, the least possible",
     "(p-1)/p n/(2N)", study_torus_formula, COUNTS("scatter", "longest_bytes"), "mst-new",
     "(p-1)/p n/(2N)", 0, ROUNDING},
    {"table-1-steps", "Table 1, sections 4.1.4 and 4.1.5, latency",
     "a tree of a broadcast, reduce, scatter or gather takes the fewest possible steps",
     "ceil(log_(2N+1) p)", study_torus_formula, TABLE_1(";family=tree", "rounds"), "mst-new",
     "ceil(log_(2N+1) p)", 0, ROUNDING},
    {"table-1-steps", "Section 4.2.4, an allgather, reduce-scatter or allreduce of two trees",
     "one tree after another takes twice the steps", "2 ceil(log_(2N+1) p)", study_torus_formula,
     TABLE_1(";family=two-trees", "rounds"), "mst-new", "2 ceil(log_(2N+1) p)", 0, ROUNDING},
    {"table-1-steps", "Section 4.2.4, reduce-scatter", "a bucket reduce-scatter takes d - N steps",
     "d - N", study_torus_formula, TABLE_1(";collective=reduce_scatter", "rounds"), "bucket-new",
     "d - N", 0, NULL},
    {"table-1-steps", "Section 4.2.4, allreduce",
     "a bucket reduce-scatter and a bucket allgather make an allreduce of 2 (d - N) steps",
     "2 (d - N)", study_torus_formula, TABLE_1(";collective=allreduce", "rounds"), "bucket-new",
     "2 (d - N)", 0, NULL},
    {"table-1-steps", "Table 1, latency", "no collective takes fewer steps",
     "at least ceil(log_(2N+1) p)", study_torus_formula, TABLE_1("", "rounds"), NULL,
     "ceil(log_(2N+1) p)", 1, NULL},
    {"table-1-bytes", "Section 4.1.4, broadcast", "a tree moves the whole vector in each stage",
     "ceil(log_(2N+1) p) n", study_torus_formula, TABLE_1(";collective=bcast", "longest_bytes"),
     "mst-new", "ceil(log_(2N+1) p) n", 0, ROUNDING},
    {"table-1-bytes", "Section 4.1.4, reduce", "a reduce is a broadcast in reverse",
     "ceil(log_(2N+1) p) n", study_torus_formula, TABLE_1(";collective=reduce", "longest_bytes"),
     "mst-new", "ceil(log_(2N+1) p) n", 0, ROUNDING},
    {"table-1-bytes", "Table 1, section 4.1.5, gather",
     "a gather is a scatter in reverse and moves the least possible bytes over a link",
     "(p-1)/p n/(2N)", study_torus_formula, TABLE_1(";collective=gather", "longest_bytes"),
     "mst-new", "(p-1)/p n/(2N)", 0, REVERSED},
    {"table-1-bytes", "Section 4.2.3, broadcast",
     "a scatter and a bucket move (p-1)/p n/(2N) + (D-1)/D n bytes over a link",
     "(p-1)/p n/(2N) + (D-1)/D n", study_torus_formula,
     TABLE_1(";collective=bcast", "longest_bytes"), "bucket-new", "(p-1)/p n/(2N) + (D-1)/D n", 0,
     APART},
    {"table-1-bytes", "Section 4.2.4, reduce-scatter",
     "a bucket reduce-scatter moves as many bytes over a link as the allgather", "(D-1)/D n",
     study_torus_formula, TABLE_1(";collective=reduce_scatter", "longest_bytes"), "bucket-new",
     "(D-1)/D n", 0, NULL},
    {"table-1-bytes", "Section 4.2.4, allreduce",
     "an allreduce of two buckets moves twice the bytes of one", "2 (D-1)/D n", study_torus_formula,
     TABLE_1(";collective=allreduce", "longest_bytes"), "bucket-new", "2 (D-1)/D n", 0, NULL},
    {"table-1-bytes", "Table 1, bandwidth", "no collective moves fewer bytes over a link",
     "at least n/(2N), (p-1)/p n/(2N), 2 (p-1)/p n/(2N)", study_torus_formula,
     TABLE_1("", "longest_bytes"), NULL, "the bound of table 1, bandwidth", 1, NULL},
    {"table-1-combined", "Table 1, section 4.2.4, reduce-scatter",
     "a bucket reduce-scatter combines the least possible bytes at each node", "(p-1)/p n",
     study_torus_formula, TABLE_1(";collective=reduce_scatter", "combined_bytes"), "bucket-new",
     "(p-1)/p n", 0, NULL},
    {"table-1-combined", "Table 1, section 4.2.4, allreduce",
     "an allreduce of two buckets combines the least possible bytes at each node", "(p-1)/p n",
     study_torus_formula, TABLE_1(";collective=allreduce", "combined_bytes"), "bucket-new",
     "(p-1)/p n", 0, NULL},
    {"table-1-combined", "Table 1, computation", "no reduction combines fewer bytes at a node",
     "at least (p-1)/p n", study_torus_formula, TABLE_1("", "combined_bytes"), NULL,
     "the bound of table 1, computation", 1, NULL},
    {"10",
     "Figure 10, section 5.2.1",
     "with fewer stages the new tree takes half the time around 2 KB",
     "50 % around 2 KB",
     study_judge_below,
     {"figure=10;total>=2048", "total", "method", "seconds"},
     "mst-new",
     "mst-old",
     0,
     NULL},
    {"10",
     "Figure 10, section 5.2.1, below 1 KB",
     "for short vectors the new tree loses to the old, simpler one by its own overhead",
     "the original one is faster below 1 KB",
     study_judge_below,
     {"figure=10;total<=1023", "total", "method", "seconds"},
     "mst-old",
     "mst-new",
     0,
     TAU},
    {"no-overhead",
     "Section 5.1.1, the model with tau = 0",
     "with tau = 0 further messages at once cost nothing",
     "log2 7 = 2.8 times fewer stages",
     study_judge_below,
     {"figure=no-overhead", "total", "method", "seconds"},
     "mst-new",
     "mst-old",
     0,
     NULL},
    {"table-2-bcast", "Table 2, broadcast of 1, 2 and 4 MB",
     "the new broadcast of long vectors is faster than the old one",
     "36, 42, 49 ms against 39, 47, 58: 11.4 % on average", study_judge_below, TABLE_2("bcast"),
     "bucket-new", "bucket-old", 0, PACKING},
    {"table-2-scatter", "Table 2, scatter of 1, 2 and 4 MB",
     "the new scatter is clearly faster for long vectors",
     "3.2, 5.6, 10 ms against 3.7, 7.1, 14: 21.1 % on average", study_judge_below,
     TABLE_2("scatter"), "mst-new", "mst-old", 0, NULL},
    {"table-2-allgather", "Table 2, allgather of 1, 2 and 4 MB",
     "the new allgather is a little faster for long vectors",
     "33, 36, 39 ms against 35, 39, 45: 8.9 % on average", study_judge_below, TABLE_2("allgather"),
     "bucket-new", "bucket-old", 0, PACKING},
    {"table-3",
     "Table 3, broadcast, scatter, allgather",
     "the new algorithms need more time to find their indices than the old ones",
     "58, 400 and 821 times",
     study_judge_below,
     {"figure=table-3", "collective", "method", "seconds"},
     "old",
     "new",
     0,
     BUILDS},
    {"table-2-bcast",
     "Section 5.2.4",
     "N = 3 times faster cannot be reached",
     "less than 3",
     study_torus_limit,
     {"figure=table-2", "total", "method", "seconds"},
     "bucket-new",
     "bucket-old",
     0,
     NULL},
    {0}};

static const struct study_name names[] = {{"mst-old", "MST old"},
                                          {"mst-new", "MST new"},
                                          {"mst-balanced", "MST balanced"},
                                          {"mst-mesh", "MST, one way"},
                                          {"bucket-old", "Bucket old"},
                                          {"bucket-new", "Bucket new"},
                                          {"bucket-balanced", "Bucket balanced"},
                                          {"torus-nodes", "Torus of nodes"},
                                          {"line-nodes", "Line of nodes"},
                                          {"line-ranks", "Line of ranks"},
                                          {"auto", "Strata's choice"},
                                          {"old", "Old"},
                                          {"new", "New"},
                                          {"balanced", "Balanced"},
                                          {0}};

const struct study study_torus = {
    .name = "torus",
    .title = "Collectives that use several links of a torus at once",
    .paper = "Chan, van de Geijn, Gropp, Thakur: Collective Communication on Architectures that "
             "Support Simultaneous Communication over Multiple Links. PPoPP 2006",
    .shows =
        "A node of a torus with N axes has 2N neighbours and can send to all of them at once. "
        "The paper divides a torus into 2N+1 parts where others halve a line, and sends blocks "
        "round the rings of all axes at once. This study counts stages and bytes from our plans "
        "for many tori, for all seven collectives of the paper's table 1 also what nodes combine, "
        "and times the paper's table 2 and figure 10 on a simulated midplane of "
        "Blue Gene/L. The paper leaves nodes of several ranks to later work; two pictures have "
        "them.",
    .left_out =
        "IBM's own MPI (a factor of eight in allgather, which the paper takes for a fault), and "
        "figures 8 and 9, which measure the machine; bench/neighbours does that. Table 1 has no "
        "long reduce: no algorithm here "
        "reduces and scatters buckets and then gathers. Processor time for each of several "
        "messages stands for the paper's tau.",
    .columns = "point,figure,collective,method,algorithm,family,torus,total,bytes,nodes,ranks,"
               "ranks_per_node,rounds,messages,at_once,longest_bytes,combined_bytes,seconds,"
               "seconds_low,seconds_high,messages_between,bytes_between",
    .evidence = "messages_between,bytes_between",
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .names = names,
};
