/* The study that compares Strata's own choices with the choices of MPI libraries, on simulated
 * clusters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/rivals.h"
#include "tools/study/run/points.h"

#define METHODS "auto,ompi,mpich,mvapich2,impi"

/* The collectives and their sizes: vectors of up to 1 MiB, and blocks for which all ranks of the
 * simulation have memory. */
struct collective {
    const char *name;
    int sizes[8]; /* ended by 0 */
};
static const struct collective collectives[] = {
    {"barrier", {8}},
    {"bcast", {8, 64, 1024, 4096, 16384, 65536, 262144, 1048576}},
    {"allreduce", {8, 64, 1024, 4096, 16384, 65536, 262144, 1048576}},
    {"reduce_scatter_block", {8, 32, 64, 256, 1024}},
    {"reduce_scatter", {8, 32, 64, 256, 1024}},
    {"allgather", {8, 32, 64, 256, 1024}}};

static const struct platform {
    const char *name;
    int per_node;
} platforms[] = {{"smoky", 16}, {"fat_tree", 64}};

enum { COLLECTIVES = sizeof collectives / sizeof *collectives, RANKS = 512 };

/* Lists all sizes of a collective, or three random ones, in the table's order. Returns their
 * number. */
static int pick(const struct collective *c, bool quick, unsigned long long *state, char *list,
                size_t size)
{
    int count = 0, left, picked = 0;
    while (count < 8 && c->sizes[count]) {
        count++;
    }
    left = quick && count > 3 ? 3 : count;
    list[0] = '\0';
    for (int i = 0; i < count && left > 0; i++) {
        if ((int)study_draw(state, count - i) < left) {
            size_t used = strlen(list);
            snprintf(list + used, size - used, "%s%d", used ? "," : "", c->sizes[i]);
            left--;
            picked++;
        }
    }
    return picked;
}

static bool read_seed(struct study_points *points, unsigned long long *state)
{
    char *end;
    const char *text = study_value(points->request, "--seed");
    *state = strtoull(text, &end, 10);
    if (*end || end == text) {
        points->wrong_use = true;
        points->refusal = "--seed must be a number";
    }
    return !points->refusal;
}

/* Adds a point for each collective and cluster, with all sizes: the start of a simulation takes
 * longer than a call. */
static void add_points(struct study_points *points)
{
    unsigned long long state;
    bool quick = points->request->quick;
    if (!read_seed(points, &state)) {
        return;
    }
    for (size_t p = 0; p < sizeof platforms / sizeof *platforms; p++) {
        for (int c = 0; c < COLLECTIVES; c++) {
            char name[64], labels[64], sizes[96];
            int count = pick(&collectives[c], quick, &state, sizes, sizeof sizes);
            snprintf(name, sizeof name, "%s-%s", platforms[p].name, collectives[c].name);
            snprintf(labels, sizeof labels, "platform=%s", platforms[p].name);
            struct study_kind kind = {.labels = labels, .weight = 2.0 + count};
            study_add(points, &kind, name,
                      "strata simulate %s --platform %s --ranks %d --ranks-per-node %d --bytes %s "
                      "--methods %s --calls 1 --jobs 1 --csv",
                      collectives[c].name, platforms[p].name, RANKS, platforms[p].per_node, sizes,
                      METHODS);
        }
    }
}

#define CELLS(platform)                                                                            \
    {                                                                                              \
        "platform=" platform, "bytes", "collective", "seconds"                                     \
    }
#define PICTURE(platform)                                                                          \
    {                                                                                              \
        .name = platform, .title = "Who is fastest on " platform ", 512 ranks",                    \
        .drawing = STUDY_WINNERS, .axes = CELLS(platform), .method = "auto",                       \
        .x_title = "Bytes of the vector, or of a block", .y_title = "Collective",                  \
        .caption = "Each cell has the colour of what takes least. Where that is Strata the cell "  \
                   "is grey, darker the more it gains over the best library, and the number is "   \
                   "that gain in percent."                                                         \
    }
#define CLAIM(platform)                                                                            \
    {                                                                                              \
        platform, "What the project asks of " platform,                                            \
            "What Strata chooses is faster than the best of four libraries' choices",              \
            "1.5 in the geometric mean, no cell below 0.95", study_judge_gain, CELLS(platform),    \
            "auto", STUDY_LIBRARIES, 0, NULL                                                       \
    }

static const struct study_picture pictures[] = {PICTURE("smoky"), PICTURE("fat_tree"), {0}};
static const struct study_claim claims[] = {CLAIM("smoky"), CLAIM("fat_tree"), {0}};

static const struct study_option options[] = {
    {"--seed", "N", "of the sizes that the quick form draws", "1"}, {0}};

static const struct study_name names[] = {{"auto", "Strata"}, STUDY_LIBRARY_NAMES, {0}};

const struct study study_libraries = {
    .name = "libraries",
    .title = "What Strata chooses on simulated clusters, beside MPI libraries",
    .paper = "None: what this project asks of itself",
    .shows = "Strata chooses a plan for each call by its expected cost. Here it does so on two "
             "simulated clusters, beside what four MPI libraries choose there as SimGrid knows "
             "them. The quick form draws three sizes of each collective.",
    .columns = "point,platform,collective,method,bytes,nodes,ranks,seconds,messages_between,"
               "bytes_between",
    .options = options,
    .points = add_points,
    .pictures = pictures,
    .claims = claims,
    .names = names,
};
