/* The study of one number of cores, split differently into nodes, ranks and threads. It runs an
 * application or a collective with Strata's collectives and with MPI's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/backends.h"
#include "tools/study/run/points.h"

static bool read_total(struct study_points *points, int *total)
{
    char *end;
    long value = strtol(study_value(points->request, "--total"), &end, 10);
    *total = (int)value;
    if (*end || value < 1 || value > 65536) {
        points->wrong_use = true;
        points->refusal = "--total must be a number of cores from 1 to 65536";
    }
    return !points->refusal;
}

/* Adds every way to write total = nodes x ranks x threads. The quick form has threads only where
 * one rank has a whole node. */
static void add_points(struct study_points *points)
{
    struct study_backend_case one;
    int total;
    if (!read_total(points, &total) || !study_backend_find(points, &one)) {
        return;
    }
    for (int nodes = 1; nodes <= total; nodes++) {
        for (int ranks = 1; total % nodes == 0 && ranks <= total / nodes; ranks++) {
            int threads = total / nodes / ranks;
            bool whole = nodes * ranks * threads == total;
            if (whole && (!points->request->quick || threads == 1 || ranks == 1)) {
                one.nodes = nodes;
                one.ranks = ranks;
                one.threads = threads;
                study_backend_add(points, &one);
            }
        }
    }
}

static const struct study_option options[] = {
    {"--app", "NAME",
     "is_sort, fft, a collective such as alltoallv, or a program: './mine ARGUMENT'", "is_sort"},
    {"--backend", "NAME", "where it runs: emulated, hosts, smpi or slurm", "emulated"},
    {"--total", "N", "cores in all: nodes x ranks on each x threads of each", "8"},
    {"--class", "S|W|A|B|C|D", "of is_sort and fft", "S"},
    {"--bytes", "N", "of a block of the collective", "64"},
    {0}};

static const struct study_picture pictures[] = {
    {.name = "ranks",
     .title = "The same cores on fewer and fewer nodes",
     .axes = {"threads=1", "ranks_per_node", "method", "seconds"},
     .x_title = "Ranks on each node, one thread each",
     .y_title = "Time (us)",
     .scale = 1e6,
     .each = "run",
     .caption =
         "The number of cores stays: with more ranks on a node there are fewer nodes. Lower is "
         "better."},
    {.name = "shapes",
     .title = "Strata against MPI, for every split of a node",
     .drawing = STUDY_HEAT,
     .axes = {NULL, "ranks_per_node", "threads", "seconds"},
     .x_title = "Ranks on each node",
     .y_title = "Threads of each rank",
     .method = "strata",
     .reference = "mpi",
     .each = "run",
     .caption = "MPI's time divided by Strata's: above 1 Strata is faster. The number of nodes is "
                "the total "
                "divided by both."},
    {0}};

static const struct study_name names[] = {
    {"strata", "Strata"}, {"mpi", "MPI"}, {"fftw", "FFTW MPI"}, {0}};

const struct study study_nodes = {
    .name = "nodes",
    .title = "How many cores on a node: the same work on fewer, fuller nodes",
    .paper = "After section V-D of Xu et al.: SLOAVx, CCGrid 2013, for any application and any "
             "place to run",
    .shows =
        "A fixed number of cores is split into nodes, ranks on each node, and threads of each "
        "rank. "
        "The more ranks share a node, the fewer messages a node-aware collective sends between "
        "nodes. Applications and collectives run once with Strata's and once with MPI's own.",
    .columns =
        "point,run,backend,app,method,nodes,ranks_per_node,threads,seconds,exchange_seconds,mops,"
        "messages_between,bytes_between",
    .options = options,
    .points = add_points,
    .pictures = pictures,
    .names = names,
};
