/* The study that compares Strata's choices for alltoall and alltoallv with the node-aware exchanges
 * that other libraries and papers have, on simulated clusters. */
#include <stdio.h>

#include "tools/study/report/rivals.h"
#include "tools/study/run/points.h"

/* Each is a schedule of Strata's, with the parameters that cost least where none are given:
 * a leader of each node, which exchanges with one node after another, as HAN's alltoallv does in
 * Open MPI 5; four leaders of each node, as MPI Advance has; short blocks in log rounds and long
 * ones from rank to rank, as UCC's hybrid alltoallv; and TuNA on one level and on two. */
#define RING    "leaders:leaders=1,between=pairwise,radix=2"
#define LEADERS "leaders:leaders=4,between=pairwise"
#define HYBRID  "two_phase"
#define FLAT    "tuna"
#define LEVELS  "leaders:leaders=1,between=two_phase"

#define OPPONENTS RING ";" LEADERS ";" HYBRID ";" FLAT ";" LEVELS

/* The quick form has the first shape, the full one all. */
static const struct shape {
    int ranks, per_node;
} shapes[] = {{64, 8}, {128, 16}, {512, 16}};

enum { SHAPES = sizeof shapes / sizeof *shapes, KINDS = 8 };

static void add_points(struct study_points *points)
{
    static const char *const collectives[] = {"alltoallv", "alltoall"};
    static const char *const platforms[] = {"smoky", "smoky:adapter", "fat_tree", "dragonfly"};
    const char *seed = study_value(points->request, "--seed");
    for (int shape = 0; shape < (points->request->quick ? 1 : SHAPES); shape++) {
        const int ranks = shapes[shape].ranks;
        for (int i = 0; i < KINDS; i++) {
            const char *collective = collectives[i / 4], *platform = platforms[i % 4];
            const bool drawn = i / 4 == 0; /* blocks of alltoallv differ */
            char name[64], labels[96];
            snprintf(name, sizeof name, "%s-%s-%d", platform, collective, ranks);
            snprintf(labels, sizeof labels, "platform=%s;run=%s, %d ranks", platform, platform,
                     ranks);
            struct study_kind kind = {.labels = labels, .weight = ranks};
            study_add(points, &kind, name,
                      "strata simulate %s --platform %s --ranks %d --ranks-per-node %d --bytes "
                      "8,64,512 --pattern %s --seed %s --methods 'auto;" OPPONENTS
                      ";" STUDY_LIBRARIES "' --calls 1 --jobs 1 --verify no --csv",
                      collective, platform, ranks, shapes[shape].per_node,
                      drawn ? "uniform" : "fixed", seed);
        }
    }
}

static const struct study_picture pictures[] = {
    {.name = "times",
     .title = "Exchanges between nodes",
     .axes = {"collective=alltoallv", "bytes", "method", "seconds"},
     .x_title = "Bytes of the longest block",
     .y_title = "Simulated time of an alltoallv",
     .each = "run",
     .caption = "Lower is better."},
    {0}};

#define CLAIM(place, sentence, rivals)                                                             \
    {                                                                                              \
        "times", place, sentence, "1 in the geometric mean, no cell below 0.95", study_judge_gain, \
            {NULL, "bytes", "method", "seconds"}, "auto", rivals, 0, NULL                          \
    }
static const struct study_claim claims[] = {
    CLAIM("Beside node-aware exchanges",
          "What Strata chooses is as fast as the best of these exchanges", OPPONENTS),
    CLAIM("Beside MPI libraries",
          "What Strata chooses is as fast as the best of four libraries' choices", STUDY_LIBRARIES),
    {0}};

static const struct study_option options[] = {
    {"--seed", "N", "of the lengths of alltoallv's blocks", "1"}, {0}};

static const struct study_name names[] = {{"auto", "Strata"},
                                          {RING, "ring of leaders (HAN)"},
                                          {LEADERS, "four leaders (MPI Advance)"},
                                          {HYBRID, "two-phase Bruck (UCC's hybrid)"},
                                          {FLAT, "TuNA"},
                                          {LEVELS, "TuNA, two levels"},
                                          STUDY_LIBRARY_NAMES,
                                          {0}};

const struct study study_opponents = {
    .name = "opponents",
    .title = "What Strata chooses for alltoallv, beside other node-aware exchanges",
    .paper = "None: what this project asks of itself",
    .shows = "HAN in Open MPI, UCC, MPI Advance and TuNA know nodes, too, or exchange short blocks "
             "in rounds. Strata has their schedules as algorithms, so they run here with its own "
             "engine, beside what it chooses and beside what four MPI libraries choose as SimGrid "
             "knows them.",
    .left_out = "The libraries' own code and its costs: a schedule is what is compared.",
    .columns = "point,platform,collective,method,bytes,nodes,ranks,run,seconds,messages_between,"
               "bytes_between",
    .options = options,
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .names = names,
};
