/* The study of one number of cores, split differently into nodes, ranks and threads. It runs an
 * application or a collective with Strata's collectives and with MPI's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/splits.h"
#include "tools/study/run/backends.h"
#include "tools/study/run/points.h"

enum { MOST_CORES = 65536, MOST_REPEATS = 100 };

static void refuse(struct study_points *points, const char *why)
{
    points->wrong_use = true;
    points->refusal = why;
}

static void read_total(struct study_points *points, struct study_case *one)
{
    bool all = strcmp(study_value(points->request, "--total"), "all") == 0;
    one->total = !all                  ? study_number(points->request, "--total", 1, MOST_CORES)
                 : one->cores          ? (int)one->cores
                 : one->backend->begin ? 0
                                       : 64;
    if (all && !one->total) {
        refuse(points, "outside an allocation the number of cores is not known; --total says it");
    } else if (!one->total) {
        refuse(points, "--total must be a number of cores from 1 to 65536, or all");
    }
}

/* Whether the list "1,4" has the number; NULL has all. */
static bool is_listed(const char *list, int number)
{
    bool listed = !list;
    for (int one; list && (one = study_number_take(&list)) != 0;) {
        listed = listed || one == number;
    }
    return listed;
}

/* Whether all of the list are numbers; NULL has none. */
static bool is_list(const char *list)
{
    int one = 0;
    while (list && (one = study_number_take(&list)) > 0) {
    }
    return one == 0;
}

/* Adds the split in each mode. */
static void add_modes(struct study_points *points, struct study_case *one)
{
    const char *list = study_value(points->request, "--modes");
    for (list = list ? list : study_case_modes(one); *list;) {
        one->mode = study_mode_take(&list);
        if (one->threads > 1 || one->mode->alone) {
            study_case_add(points, one);
        }
    }
}

/* Adds every way to write total = nodes x ranks x threads. The quick form has threads only where
 * one rank has a whole node. */
static void add_splits(struct study_points *points, struct study_case *one)
{
    const char *nodes = study_value(points->request, "--nodes");
    for (one->nodes = 1; one->nodes <= one->total; one->nodes++) {
        int each = one->total / one->nodes;
        if (one->total % one->nodes || !is_listed(nodes, one->nodes)) {
            continue;
        }
        for (one->ranks = 1; one->ranks <= each; one->ranks++) {
            one->threads = each / one->ranks;
            if (each % one->ranks == 0 &&
                (!points->request->quick || one->threads == 1 || one->ranks == 1)) {
                add_modes(points, one);
            }
        }
    }
}

/* Says where there are too few cores: threads take turns, which the times then show; a simulated
 * node has no more. */
static void tell_crowd(const struct study_points *points, const struct study_case *one)
{
    if (one->cores && one->total > one->cores && points->count) {
        fprintf(stderr,
                "strata study: nodes: --total %d is more than the %ld cores here: ranks and "
                "threads take turns on them, so times compare splits, and say nothing of a node "
                "with %d cores\n",
                one->total, one->cores, one->total);
    }
    if (one->platform && one->total > one->node_cores && points->count) {
        fprintf(stderr,
                "strata study: nodes: splits with more than %d cores on a node are left out: a "
                "node of %s has no more\n",
                one->node_cores, one->platform);
    }
}

/* Repeats are taken in turn, so that what else the machine does hits all splits alike. Simulated
 * times repeat to the last digit. */
static void add_points(struct study_points *points)
{
    struct study_case one;
    if (!study_case_find(points, &one)) {
        return;
    }
    const char *modes = study_value(points->request, "--modes");
    int repeats = study_number(points->request, "--repeats", 1, MOST_REPEATS);
    read_total(points, &one);
    if (modes && !study_modes_are_of(study_case_modes(&one), modes)) {
        refuse(points, "--modes must list modes that the app has, each once: `strata study list` "
                       "names them");
    } else if (!is_list(study_value(points->request, "--nodes"))) {
        refuse(points, "--nodes must list numbers of nodes, such as 1,4");
    } else if (!repeats) {
        refuse(points, "--repeats must be a number from 1 to 100");
    }
    repeats = one.backend->begin ? repeats : 1;
    one.members = !modes || strstr(modes, "members");
    for (one.repeat = 1; !points->refusal && one.repeat <= repeats; one.repeat++) {
        add_splits(points, &one);
    }
    tell_crowd(points, &one);
}

static const struct study_option options[] = {
    {"--app", "NAME",
     "is_sort, fft, a collective such as alltoallv, or a program: './mine ARGUMENT'", "is_sort"},
    {"--backend", "NAME", "where it runs: emulated, hosts, smpi or slurm", "emulated"},
    {"--platform", "NAME", "the simulated cluster, a name of `strata list platforms` or a file",
     "smoky"},
    {"--total", "N", "cores in all: nodes x ranks on each x threads of each; all that there are",
     "all"},
    {"--nodes", "N,N,...", "numbers of nodes, of those that divide --total; all unless given",
     NULL},
    {"--modes", "MODE,...",
     "what threads do: they share a rank's work (ranks), or each calls collectives as a rank does "
     "(members), or begins a part of its rank's exchange (parts: is_sort); all that the app has "
     "unless given",
     NULL},
    {"--repeats", "N", "runs of each case, all cases in turn; simulated ones once", "5"},
    {"--time-pattern", "REGEX",
     "a program's own time: the group of the last match in its output, as in 'Time: ([0-9.]+)'",
     NULL},
    {"--time-json", "KEY",
     "a program's own time: a key, or OUTER.INNER, of the JSON that it prints, or writes to @JSON@",
     NULL},
    {"--time-unit", "s|ms|us", "of that time", "s"},
    {"--class", "S|W|A|B|C|D", "of is_sort and fft", "S"},
    {"--bytes", "N",
     "of a block of the collective between two threads; ranks merge those of theirs", "64"},
    {0}};

static const struct study_picture pictures[] = {
    {.name = "times",
     .title = "The time of every split",
     .drawing = STUDY_DOTS,
     .axes = {NULL, "split", "method", "seconds"},
     .x_title = "Nodes x ranks of a node x threads of a rank",
     .y_title = "Time",
     .each = "run",
     .caption = "Marks are medians of the repeats, bars reach from the least to the greatest. "
                "Lower is better."},
    {.name = "best",
     .title = "The best time of every split of a node",
     .drawing = STUDY_LEAST,
     .axes = {NULL, "ranks_per_node", "threads", "seconds"},
     .x_title = "Ranks on each node",
     .y_title = "Threads of each rank",
     .each = "run",
     .caption = "The median of the fastest method, and its name: strata and mpi are ranks whose "
                "threads share their work. The number of nodes is the total divided by both."},
    {.name = "ranks",
     .title = "The same cores on fewer and fewer nodes",
     .axes = {"threads=1", "ranks_per_node", "method", "seconds"},
     .x_title = "Ranks on each node, one thread each",
     .y_title = "Time",
     .each = "run",
     .caption =
         "After figure 7 of the paper. The number of cores stays: with more ranks on a node there "
         "are fewer nodes. Lower is better."},
    {.name = "shapes",
     .title = "Strata against MPI, for every split of a node",
     .drawing = STUDY_HEAT,
     .axes = {"mode=ranks", "ranks_per_node", "threads", "seconds"},
     .x_title = "Ranks on each node",
     .y_title = "Threads of each rank",
     .method = "strata",
     .reference = "mpi",
     .each = "run",
     .caption = "MPI's time divided by Strata's, where threads share a rank's work: above 1 "
                "Strata is faster. The number of nodes is the total divided by both."},
    {0}};

static const struct study_name names[] = {{"strata", "Strata"},
                                          {"members", "Strata, threads as members"},
                                          {"parts", "Strata, threads with parts"},
                                          {"mpi", "MPI"},
                                          {0}};

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
    .answer = study_splits_answer,
    .columns =
        "point,run,backend,app,mode,method,split,nodes,ranks_per_node,threads,cores,repeat,seconds,"
        "exchange_seconds,mops,messages_between,bytes_between",
    .options = options,
    .points = add_points,
    .pictures = pictures,
    .names = names,
};
