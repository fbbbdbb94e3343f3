/* The study of the Sparbit paper: the best allgather over ranks and block sizes, on the paper's two
 * clusters under both mappings. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/study/papers/sparbit_judges.h"
#include "tools/study/run/backends.h"
#include "tools/study/run/points.h"
#include "tools/study/table/memory.h"

/* The paper's two clusters: their machines, and the processors of each machine. */
static const struct cluster {
    const char *platform;
    int machines, cores, most;
} yahoo = {"yahoo", 16, 8, 256}, cervino = {"cervino", 5, 32, 320};

/* Writes the topology that fills machine after machine. With more processes than cores, two share a
 * core. */
static void write_sequential(const struct cluster *cluster, int ranks, char *text, size_t size)
{
    int each = cluster->cores;
    while (each * cluster->machines < ranks) {
        each++;
    }
    int used = snprintf(text, size, ranks <= each ? "node:1" : "node:");
    for (int left = ranks; left > 0 && ranks > each; left -= each) {
        used += snprintf(text + used, size - (size_t)used, "%s%d", left < ranks ? "," : "",
                         left < each ? left : each);
    }
    snprintf(text + used, size - (size_t)used, " rank:%d", ranks);
}

static void write_topology(const struct cluster *cluster, const char *mapping, int ranks,
                           char *text, size_t size)
{
    if (strcmp(mapping, "sequential") == 0) {
        write_sequential(cluster, ranks, text, size);
    } else {
        int nodes = ranks < cluster->machines ? ranks : cluster->machines;
        snprintf(text, size, "node:%d:cyclic rank:%d", nodes, ranks);
    }
}

static void add_replay(struct study_points *points, const char *figure,
                       const struct cluster *cluster, const char *mapping, const int cell[2],
                       const char *method)
{
    int ranks = cell[0], bytes = cell[1];
    char name[96], labels[160], topology[200];
    write_topology(cluster, mapping, ranks, topology, sizeof topology);
    snprintf(name, sizeof name, "%s-%s-%s-%d-%d-%.*s", figure, cluster->platform, mapping, ranks,
             bytes, (int)strcspn(method, ":"), method);
    snprintf(labels, sizeof labels, "figure=%s;platform=%s;mapping=%s;how=replayed;method=%s",
             figure, cluster->platform, mapping, method);
    struct study_kind kind = {.labels = labels, .weight = 10 + ranks};
    study_add(points, &kind, name,
              "strata replay allgather --platform %s --topo '%s' --bytes %d --algo %s --csv",
              cluster->platform, topology, bytes, method);
}

/* Whether the cell is in the sample that --sample asks for. The draw has one seed, so that a larger
 * sample has the cells of a smaller one, and all maps have the same cells. */
static bool is_drawn(const struct study_points *points, const int cell[2])
{
    uint64_t mixed = ((uint64_t)cell[0] << 32 | (uint64_t)cell[1]) + UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return (mixed ^ mixed >> 31) % 100 <
           (uint64_t)study_number(points->request, "--sample", 1, 100);
}

static void add_cell(struct study_points *points, const char *figure, const struct cluster *cluster,
                     const char *mapping, const int cell[2])
{
    int ranks = cell[0];
    if (!is_drawn(points, cell)) {
        return;
    }
    add_replay(points, figure, cluster, mapping, cell, SPARBIT);
    add_replay(points, figure, cluster, mapping, cell, BRUCK);
    add_replay(points, figure, cluster, mapping, cell, RING);
    if (ranks % 2 == 0) {
        add_replay(points, figure, cluster, mapping, cell, NEIGHBOUR);
    }
    if ((ranks & (ranks - 1)) == 0) {
        add_replay(points, figure, cluster, mapping, cell, DOUBLING);
    }
}

/* Adds a map. The paper has 8, 16, .. and 5, 13, .. processes, and blocks of 1 B to 1 MiB. --quick
 * keeps some of both kinds of processes, up to 128, and every third or fifth power of two of the
 * sizes. */
static void add_map(struct study_points *points, const struct cluster *cluster, const char *mapping)
{
    static const int few[] = {5, 8, 16, 29, 61, 64, 93, 96, 125, 128};
    bool quick = points->request->quick;
    int step = cluster == &yahoo ? 1 : 2, factor = !quick ? 2 : step == 1 ? 8 : 32;
    int first = quick && step == 1 ? 2 : 1;
    int count = quick ? (int)(sizeof few / sizeof *few) / step : cluster->most / 4;
    for (int i = 0; i < count; i++) {
        int ranks = quick ? few[step * i + step - 1] : i % 2 ? 4 * (i + 1) : 5 + 4 * i;
        for (int bytes = first; bytes <= 1 << 20; bytes *= factor) {
            add_cell(points, "5", cluster, mapping, (int[]){ranks, bytes});
        }
    }
}

/* Adds the same algorithms, executed byte for byte, where the run is not too large. */
static void add_executed(struct study_points *points, const char *mapping, int bytes)
{
    char name[64], labels[128];
    int ranks = 64;
    snprintf(name, sizeof name, "executed-%s-%d-%d", mapping, ranks, bytes);
    snprintf(labels, sizeof labels,
             "figure=executed;platform=yahoo;mapping=%s;ranks=%d;how=executed", mapping, ranks);
    struct study_kind kind = {.labels = labels, .weight = 400};
    study_add(points, &kind, name,
              "strata simulate allgather --platform yahoo --ranks %d --ranks-per-node %d "
              "--mapping %s --bytes %d --methods " SPARBIT ";" BRUCK ";" RING ";" NEIGHBOUR
              ";" DOUBLING " --calls 1 --csv",
              ranks, strcmp(mapping, "cyclic") == 0 ? 4 : 8, mapping, bytes);
}

/* Adds one algorithm on hosts, timed in turn with MPI's own. */
static void add_timed(struct study_points *points, const struct study_case *hosts, int bytes,
                      const char *method)
{
    const char *mapping = hosts->cyclic ? "cyclic" : "sequential";
    char *begin = hosts->backend->begin(hosts);
    char *program = study_path_beside(points->request, "bench/strata_bench");
    char *name = study_text("hosts-%s-%d-%d-%.*s", mapping, hosts->nodes * hosts->ranks, bytes,
                            (int)strcspn(method, ":"), method);
    char *labels = study_text(
        "figure=hosts;platform=;mapping=%s;method=%s;how=timed;bytes=%d;nodes=%d;ranks=%d;"
        "seconds=@real_time*1e-6;seconds_low=@ours_least_us*1e-6;seconds_high=@ours_most_us*1e-6;"
        "in_turn=@1/ratio;in_turn_low=@1/ratio_high;in_turn_high=@1/ratio_low",
        mapping, method, bytes, hosts->nodes, hosts->nodes * hosts->ranks);
    struct study_kind kind = {.labels = labels, .weight = 30, .timed = true, .format = STUDY_JSON};
    study_add(points, &kind, name,
              "%s '%s' --collective allgather --algorithm %s --bytes %d --seconds 0.05 "
              "--batches 11 --benchmark_out=@JSON@ --benchmark_out_format=json",
              begin, program, method, bytes);
    free(labels);
    free(name);
    free(program);
    free(begin);
}

/* Adds all algorithms and sizes for one number of ranks on each host and one mapping. */
static void add_shape(struct study_points *points, const struct study_case *hosts)
{
    static const char *const methods[] = {SPARBIT, BRUCK, RING, NEIGHBOUR, DOUBLING};
    static const int sizes[] = {8, 64, 512, 4096, 16384, 65536};
    for (int i = 0; i < 6; i += points->request->quick ? 2 : 1) {
        for (int j = 0; j < 5; j++) {
            add_timed(points, hosts, sizes[i], methods[j]);
        }
    }
}

/* Adds four hosts on this machine, with two and four ranks on each, under both mappings. */
static void add_hosts(struct study_points *points)
{
    struct study_case hosts = {.backend = study_backend_find("hosts"), .nodes = 4, .threads = 1};
    for (hosts.ranks = 2; hosts.ranks <= 4; hosts.ranks += 2) {
        hosts.cyclic = false;
        add_shape(points, &hosts);
        hosts.cyclic = true;
        add_shape(points, &hosts);
    }
}

/* Adds the map of hosts where they can be made. The simulated maps do without them. */
static void try_hosts(struct study_points *points)
{
    const char *map = study_value(points->request, "--map");
    const bool named = strcmp(map, "hosts") == 0;
    if (!named && strcmp(map, "all") != 0) {
        return;
    }
    const char *lacks = study_backend_find("hosts")->lacks();
    char *program = study_path_beside(points->request, "bench/strata_bench");
    if (!lacks && access(program, X_OK) != 0) {
        lacks = "bench/strata_bench, which times it, was not built here";
    }
    free(program);
    if (!lacks) {
        add_hosts(points);
    } else if (named) {
        points->refusal = lacks;
    } else {
        fprintf(stderr, "strata study: sparbit: the map of hosts is left out: %s\n", lacks);
    }
}

/* Whether the user asks for this map: "yahoo-cyclic". */
static bool is_asked(const struct study_points *points, const char *platform, const char *mapping)
{
    const char *map = study_value(points->request, "--map");
    const size_t length = strlen(platform);
    return strcmp(map, "all") == 0 || (strncmp(map, platform, length) == 0 && map[length] == '-' &&
                                       strcmp(map + length + 1, mapping) == 0);
}

static void add_points(struct study_points *points)
{
    static const char *const mappings[] = {"sequential", "cyclic"};
    if (!study_number(points->request, "--sample", 1, 100)) {
        points->wrong_use = true;
        points->refusal = "--sample must be a number from 1 to 100";
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (is_asked(points, "yahoo", mappings[i])) {
            add_map(points, &yahoo, mappings[i]);
            for (int bytes = 16; bytes <= 1 << 14; bytes *= 16) {
                add_executed(points, mappings[i], bytes);
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        if (is_asked(points, "cervino", mappings[i])) {
            add_map(points, &cervino, mappings[i]);
        }
    }
    try_hosts(points);
}

#define MAP(platform, mapping)                                                                     \
    {                                                                                              \
        "figure=5;platform=" platform ";mapping=" mapping, "ranks", "bytes", "seconds"             \
    }
#define WINNERS(part, platform, mapping_, people)                                                  \
    {                                                                                              \
        .name = platform "-" mapping_,                                                             \
        .title = "Figure 5 (" part "): the best allgather on " people ", " mapping_ " mapping",    \
        .drawing = STUDY_WINNERS, .axes = MAP(platform, mapping_), .method = SPARBIT,              \
        .x_title = "Processes", .y_title = "Block (bytes)",                                        \
        .caption = "Each cell has the colour of the algorithm that takes least. Where that is "    \
                   "Sparbit the cell is grey, darker the more it gains over the second best, "     \
                   "and the number is that gain in percent. A white cell was not run. Replayed "   \
                   "on the simulated cluster."                                                     \
    }

#define HOSTS(mapping, y)                                                                          \
    {                                                                                              \
        "figure=hosts;mapping=" mapping, "ranks", "bytes", y                                       \
    }
#define TIMED_WINNERS(mapping_)                                                                    \
    {                                                                                              \
        .name = "hosts-" mapping_,                                                                 \
        .title = "The best allgather on four hosts of this machine, " mapping_ " mapping",         \
        .drawing = STUDY_WINNERS, .axes = HOSTS(mapping_, "in_turn"), .method = SPARBIT,           \
        .x_title = "Processes", .y_title = "Block (bytes)",                                        \
        .caption = "As figure 5, timed on hosts in namespaces, which share the cores of this "     \
                   "machine. Each algorithm is measured in turn with MPI's own, and counts by "    \
                   "the ratio of neighbouring batches; where intervals of 95 % overlap nobody "    \
                   "wins."                                                                         \
    }

/* The map of figure 5 (a) among some of the methods. */
#define STRIPPED(name_, people, method_, methods)                                                  \
    {                                                                                              \
        .name = name_, .title = people, .drawing = STUDY_WINNERS,                                  \
        .axes = MAP("yahoo", "sequential"), .method = method_, .reference = methods,               \
        .x_title = "Processes", .y_title = "Block (bytes)",                                        \
        .caption = "The same cells. Grey ones are the first method's in the title's order, or "    \
                   "recursive doubling's, with its gain in percent."                               \
    }
#define WITH_SPARBIT(list) SPARBIT ";" list

static const struct study_picture pictures[] = {
    WINNERS("a", "yahoo", "sequential", "Yahoo"),
    WINNERS("b", "yahoo", "cyclic", "Yahoo"),
    WINNERS("c", "cervino", "sequential", "Cervino"),
    WINNERS("d", "cervino", "cyclic", "Cervino"),
    STRIPPED("5-linear", "Figure 5 (a) without Bruck and recursive doubling", SPARBIT,
             WITH_SPARBIT(LINEAR)),
    STRIPPED("5-logarithmic", "Figure 5 (a) without ring and neighbor exchange", SPARBIT,
             WITH_SPARBIT(LOGARITHMIC)),
    STRIPPED("1", "Figure 1: the best of the four without Sparbit", DOUBLING,
             LOGARITHMIC ";" LINEAR),
    STRIPPED("1-logarithmic", "Section I: recursive doubling or Bruck", DOUBLING, LOGARITHMIC),
    STRIPPED("1-linear", "Section I: neighbor exchange or ring", NEIGHBOUR, LINEAR),
    TIMED_WINNERS("sequential"),
    TIMED_WINNERS("cyclic"),
    {.name = "sizes",
     .title = "64 processes: larger and larger blocks",
     .axes = {"figure=5;platform=yahoo;mapping=sequential;ranks=64", "bytes", "method", "seconds"},
     .x_title = "Block (bytes)",
     .y_title = "Time of a call",
     .caption = "A column of figure 5 (a) in times: simulated Yahoo, sequential mapping."},
    {.name = "executed",
     .title = "Replayed and executed",
     .axes = {"platform=yahoo;mapping=sequential;ranks=64;method=" SPARBIT, "bytes", "how",
              "seconds"},
     .x_title = "Block (bytes)",
     .y_title = "Time of a call",
     .caption =
         "Sparbit on 64 processes of simulated Yahoo, sequential mapping. The maps above are "
         "replayed from plans, so that no memory is needed for the largest blocks; here the "
         "library was executed on the same cluster as well."},
    {0}};

#define PART(more)                                                                                 \
    {                                                                                              \
        "figure=5;platform=yahoo;mapping=sequential;" more, "ranks", "bytes", "seconds"            \
    }

#define OVERBOOKED                                                                                 \
    "Half of the paper's cells have more processes than the machines have cores; there, and only " \
    "there, its map has Sparbit best for long blocks, which it explains by preempted processes. "  \
    "The simulator gives every process a processor of its own, so long blocks belong to ring and " \
    "neighbor exchange at any number of processes, as they do in the paper up to 128."

#define CROSSING                                                                                   \
    "Sparbit sends more between machines than those that stay near: with 64 processes and 1 KiB "  \
    "1.25 MB against 0.52 MB of neighbor exchange. The order stays when messages cost no "         \
    "processor time (1433 against 942 us), so it is the links that decide."

#define ONE_MACHINE                                                                                \
    "Four hosts of one machine have no cables and share its cores. The tests are few, with at "    \
    "most 16 processes and 64 KiB; a batch of calls stands for a run of the paper."

static const struct study_claim claims[] = {
    {"yahoo-sequential", "Figure 5 (a), section V",
     "on Yahoo Sparbit is fastest in nearly half of the tests", "46.43 % (624 of 1344)",
     study_judge_share, MAP("yahoo", "sequential"), SPARBIT, NULL, 0, OVERBOOKED},
    {"yahoo-sequential", "Section V, 128 processes at most",
     "Sparbit is best between the blocks that are good for logarithmic algorithms and those for "
     "linear ones",
     "between them", study_sparbit_verge, PART("ranks<=128"), SPARBIT, NULL, 0, NULL},
    {"yahoo-sequential", "Section V, where Bruck and Recursive Doubling are best",
     "without Bruck and Recursive Doubling nearly all their tests go to Sparbit",
     "95.48 % of the area of Bruck and Recursive Doubling", study_sparbit_area,
     MAP("yahoo", "sequential"), SPARBIT, LOGARITHMIC, 0, CROSSING},
    {"yahoo-sequential", "Section V, blocks of 1 KiB at most",
     "for small blocks Sparbit nearly always beats Ring and Neighbor Exchange", "97.44 %",
     study_judge_share, PART("bytes<=1024"), SPARBIT, WITH_SPARBIT(LINEAR), 0, CROSSING},
    {"yahoo-sequential", "Section V, blocks above 1 KiB",
     "for large blocks Sparbit nearly always beats Bruck and Recursive Doubling", "97.16 %",
     study_judge_share, PART("bytes>=2048"), SPARBIT, WITH_SPARBIT(LOGARITHMIC), 0, NULL},
    {"yahoo-sequential", "Section V, where Ring and Neighbor Exchange are best",
     "without Ring and Neighbor Exchange all their tests go to Sparbit",
     "100 % of the area of Ring and Neighbor Exchange", study_sparbit_area,
     MAP("yahoo", "sequential"), SPARBIT, LINEAR, 0, NULL},
    {"yahoo-sequential", "Section I, figure 1",
     "where it can run, Recursive Doubling is mostly faster than Bruck", "generally",
     study_judge_share, MAP("yahoo", "sequential"), DOUBLING, LOGARITHMIC, 0, NULL},
    {"yahoo-sequential", "Section I, figure 1",
     "where it can run, Neighbor Exchange is mostly faster than Ring", "generally",
     study_judge_share, MAP("yahoo", "sequential"), NEIGHBOUR, LINEAR, 0, NULL},
    {"yahoo-cyclic", "Figure 5 (b), section V",
     "with the cyclic mapping on Yahoo Sparbit is fastest in a fifth of the tests", "19.12 %",
     study_judge_share, MAP("yahoo", "cyclic"), SPARBIT, NULL, 0, NULL},
    {"yahoo-cyclic", "Figure 5 (a) and (b)",
     "with the cyclic mapping Sparbit is fastest in fewer tests", "from 46.43 % to 19.12 %",
     study_sparbit_drop, MAP("yahoo", "cyclic"), "yahoo", NULL, 0, NULL},
    {"yahoo-cyclic", "Table II, averages on Yahoo",
     "Sparbit gains more with the sequential mapping than with the cyclic one",
     "34.70, 26.16, 84.16 against 14.89, 15.77, 31.07", study_sparbit_gains, MAP("yahoo", "cyclic"),
     "yahoo", NULL, 0, NULL},
    {"cervino-sequential", "Figure 5 (c), section V",
     "on Cervino Sparbit is fastest in two fifths of the tests", "39.64 %", study_judge_share,
     MAP("cervino", "sequential"), SPARBIT, NULL, 0, NULL},
    {"cervino-cyclic", "Figure 5 (d), section V",
     "with the cyclic mapping on Cervino Sparbit is fastest in a third of the tests", "30.83 %",
     study_judge_share, MAP("cervino", "cyclic"), SPARBIT, NULL, 0, NULL},
    {"cervino-cyclic", "Figure 5 (c) and (d)",
     "with the cyclic mapping Sparbit is fastest in fewer tests", "from 39.64 % to 30.83 %",
     study_sparbit_drop, MAP("cervino", "cyclic"), "cervino", NULL, 0, NULL},
    {"cervino-cyclic", "Table II, averages on Cervino",
     "Sparbit gains more with the sequential mapping than with the cyclic one",
     "30.23, 29.00, 77.78 against 9.60, 8.71, 44.12", study_sparbit_gains, MAP("cervino", "cyclic"),
     "cervino", NULL, 0, NULL},
    {"cervino-cyclic", "Figure 5, section V",
     "more tiers of switches mean more to lose for Sparbit with the cyclic mapping",
     "27.31 points of percent on Yahoo against 8.81 on Cervino", study_sparbit_topology,
     MAP("cervino", "cyclic"), "yahoo", "cervino", 0, NULL},
    {"hosts-sequential", "Figure 5 (a), section V, on hosts",
     "timed, Sparbit is fastest in nearly half of the tests", "46.43 % (624 of 1344)",
     study_sparbit_timed, HOSTS("sequential", "in_turn"), SPARBIT, NULL, 0, ONE_MACHINE},
    {"hosts-cyclic", "Figure 5 (b), section V, on hosts",
     "timed with the cyclic mapping, Sparbit is fastest in a fifth of the tests", "19.12 %",
     study_sparbit_timed, HOSTS("cyclic", "in_turn"), SPARBIT, NULL, 0, ONE_MACHINE},
    {"hosts-sequential", "Table I, sequential, on hosts",
     "Sparbit has the least, the average and the greatest time best in a third of the tests",
     "36.61 % (492 of 1344)", study_sparbit_sets, HOSTS("sequential", "seconds"), "sequential",
     NULL, 0, ONE_MACHINE},
    {"hosts-cyclic", "Table I, cyclic, on hosts",
     "with the cyclic mapping it has all three best in a sixth of the tests",
     "16.29 % (219 of 1344)", study_sparbit_sets, HOSTS("cyclic", "seconds"), "cyclic", NULL, 0,
     ONE_MACHINE},
    {"hosts-sequential", "Table I, section V, on hosts",
     "where Sparbit has the best greatest time, its average is nearly always best, too",
     "98.64 % (506 of 513)", study_sparbit_sets, HOSTS("sequential", "seconds"), "sequential",
     "greatest", 0, ONE_MACHINE},
    {"hosts-cyclic", "Table II, Yahoo, on hosts",
     "by least, average and greatest times Sparbit gains more with the sequential mapping",
     "36.18, 34.70, 35.48 against 13.35, 14.89, 16.07", study_sparbit_times,
     HOSTS("cyclic", "seconds"), SPARBIT, NULL, 0, ONE_MACHINE},
    {0}};

static const struct study_name names[] = {{BRUCK, "Bruck"},
                                          {DOUBLING, "Recursive doubling"},
                                          {RING, "Ring"},
                                          {SPARBIT, "Sparbit"},
                                          {NEIGHBOUR, "Neighbor exchange"},
                                          {"executed", "executed"},
                                          {"replayed", "replayed"},
                                          {"timed", "timed"},
                                          {0}};

static const struct study_option options[] = {
    {"--map", "NAME",
     "one map: yahoo-sequential, yahoo-cyclic, cervino-sequential, cervino-cyclic, or hosts, which "
     "is timed",
     "all"},
    {"--sample", "PERCENT", "of the cells of each map, drawn at random with one seed", "100"},
    {0}};

const struct study study_sparbit = {
    .name = "sparbit",
    .title = "Sparbit: an allgather whose heavy messages stay near",
    .paper = "Loch, Koslovski: Sparbit: a new logarithmic-cost and data locality-aware MPI "
             "Allgather algorithm. SBAC-PAD 2021",
    .shows =
        "Every process has a block that all others need. Bruck and recursive doubling take few "
        "rounds, but their long messages go far; ring and neighbor exchange stay near, but "
        "take as many rounds as there are processes. Sparbit takes few rounds and sends its "
        "long messages to near ranks. This study asks which of the five is best for each "
        "number of processes and block size, on simulated clusters shaped like the paper's "
        "two, with ranks placed machine after machine and dealt in turn. Where hosts in namespaces "
        "can be made, it asks the same of real calls on four of them.",
    .left_out =
        "The minima and maxima over 50 runs (table I, parts of table II) on the simulated "
        "clusters, "
        "where a call takes the same time each time. More processes than cores share a machine's "
        "network here, but "
        "not its processors. Messages inside a machine do not slow each other down in SimGrid, "
        "which "
        "flatters Sparbit, whose blocks are messages of their own, most where all processes are on "
        "one "
        "machine.",
    .columns = "point,figure,platform,mapping,method,how,bytes,nodes,ranks,seconds,"
               "messages_between,bytes_between,seconds_low,seconds_high,in_turn,in_turn_low,"
               "in_turn_high,not_ours",
    .options = options,
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .names = names,
};
