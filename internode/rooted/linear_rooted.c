/* Gather and scatter by one message for each rank: the root exchanges with each rank directly.
 *
 * Each block travels once, straight to its place, so no rank forwards or copies it on the way. The
 * root posts `window` messages at a time and waits for them before it posts the next ones. The
 * paper measures trees by this algorithm. */
#include "internode/algorithms.h"
#include "internode/parts/path.h"
#include "internode/titles.h"

static bool gathers(const struct strata_problem *problem)
{
    return problem->collective == STRATA_GATHER || problem->collective == STRATA_GATHERV;
}

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static int block(const struct strata_problem *problem, struct strata_builder *b,
                 enum strata_store store, int rank)
{
    int ranks = problem->flat->ranks;
    return strata_build_item(b, store, ranks, rank);
}

static void copy_own(const struct strata_problem *problem, struct strata_builder *b)
{
    strata_build_phase(b, "my block");
    strata_build_copy(b, block(problem, b, STRATA_INPUT, problem->rank),
                      block(problem, b, STRATA_OUTPUT, problem->rank));
}

/* The root's part; in place its own block must not be copied after others were received. */
static void build_root(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, window = problem->parameter[0];
    bool gather = gathers(problem);
    if (gather) {
        copy_own(problem, b);
    }
    strata_build_phase(b, gather ? "from each rank" : "to each rank");
    for (int distance = 1; distance < ranks; distance++) {
        int peer = (int)(((int64_t)problem->root + distance) % ranks);
        if (gather) {
            int set = block(problem, b, STRATA_OUTPUT, peer);
            strata_build_recv_blocks(b, peer, set, STRATA_AS_FITS);
        } else {
            int set = block(problem, b, STRATA_INPUT, peer);
            strata_build_send_blocks(b, peer, set, STRATA_AS_FITS);
        }
        if (distance % window == 0 || distance == ranks - 1) {
            strata_build_wait(b, 0);
        }
    }
    if (!gather) {
        copy_own(problem, b);
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = problem->flat->ranks});
    if (problem->rank == problem->root) {
        build_root(problem, b);
        return;
    }
    if (gathers(problem)) {
        int set = block(problem, b, STRATA_INPUT, problem->rank);
        strata_build_send_blocks(b, problem->root, set, STRATA_AS_FITS);
    } else {
        int set = block(problem, b, STRATA_OUTPUT, problem->rank);
        strata_build_recv_blocks(b, problem->root, set, STRATA_AS_FITS);
    }
    strata_build_wait(b, 0);
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int others = problem->flat->ranks - 1, window = problem->parameter[0];
    int windows = others / window + (others % window != 0);
    int sent = gathers(problem) ? others > 0 : others;
    return (struct strata_formula){
        .rounds = windows, .messages = sent, .blocks = sent, .copied = 1};
}

/* The root receives in a gather as many bytes as it sends in a scatter. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    int others = problem->flat->ranks - 1;
    return strata_path_cost(formula(problem), others, others, problem, machine);
}

const struct strata_algorithm strata_linear_rooted = {
    .name = "linear_rooted",
    .collectives =
        1u << STRATA_GATHER | 1u << STRATA_GATHERV | 1u << STRATA_SCATTER | 1u << STRATA_SCATTERV,
    .level = STRATA_FLAT,
    .outward = true,
    .classic = true,
    .no_forwarding = true,
    .summary = "the root exchanges with each rank directly, a window at a time",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .title = STRATA_TITLE_THAKUR,
    .restrictions = "none",
    .rounds_text = "ceil((P-1)/window)",
    .volume_text = "each block once",
    .scratch_text = "none",
    .parameters = {{"window", 0, 1, 65536, {8, 64, 65536}, "messages under way at once", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
};
