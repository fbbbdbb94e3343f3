/* Single copy inside a node: ranks say where their blocks lie, and each rank that needs a block
 * reads it there, in its local peer's own memory. Nothing is staged, and no message is sent.
 * The idea that another rank's memory is one of the stores of a plan is our own.
 *
 * In a reduction each rank combines one share of the vector, of all ranks, and exposes the result
 * to the ranks that need it. With two ranks, each rank that needs the result combines all of it: so
 * it reads once, where with shares it would read twice, the second time after a wait. A rank ends
 * its call when no rank reads its memory any more.
 *
 * The kernel copies between processes (process_vm_readv), which costs a call for each block. So
 * this is for long blocks; memory of strata_alloc is read without the kernel. The kernel lets the
 * readers of one rank's memory in one after another. So each rank begins with another one: with the
 * next, and in a reduction with itself, unless operands have to be combined in the order of
 * ranks. */
#include "core/cost/machine_cost.h"
#include "core/engine/long_copy.h"
#include "core/plan/formats.h"
#include "hier/registry.h"

enum { TABLE_ENTRY = 16 }; /* bytes that say where a block lies */

struct shape {
    const struct strata_problem *problem;
    struct strata_builder *b;
    int ranks, me, blocks;
};

/* Whether all ranks, or one, need all of a reduction's vector. */
static bool reduces_whole(enum strata_collective collective)
{
    return collective == STRATA_REDUCE || collective == STRATA_ALLREDUCE;
}

static bool shares(const struct strata_problem *problem)
{
    return reduces_whole(problem->collective) && problem->topology->ranks > 2;
}

/* Blocks that a vector is cut into, or that there are. */
static int blocks_among(const struct strata_problem *problem)
{
    bool whole = problem->collective == STRATA_BCAST ||
                 (reduces_whole(problem->collective) && !shares(problem));
    return whole ? 1 : problem->topology->ranks;
}

static bool moves_all_pairs(enum strata_collective collective)
{
    return strata_collective_transposes(collective) || collective == STRATA_ALLGATHER ||
           collective == STRATA_ALLGATHERV;
}

static const char *applicable(const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    size_t tables = shares(problem) ? 2 : 1;
    if (t->nodes > 1) {
        return "there are several nodes";
    }
    if (t->ranks == 1) {
        return "there is one rank";
    }
    if (!problem->capacity.single_copy) {
        return "ranks cannot read each other's memory here";
    }
    if (problem->bulky) {
        return "the operands are too long for slots";
    }
    return STRATA_SHARED_HEAD + STRATA_CACHE_LINE + STRATA_LEAST_ASKED +
                       tables * TABLE_ENTRY * (size_t)t->ranks >
                   problem->capacity.slot
               ? "a slot of the node's shared memory has no room to say where blocks lie"
               : NULL;
}

static int side(const struct shape *s, enum strata_store store, int block)
{
    return strata_build_item(s->b, store, s->blocks, block);
}

/* Block `block` that `rank` exposes in this store. */
static int exposed(const struct shape *s, enum strata_store store, int rank, int block)
{
    int member = s->problem->topology->local_of[rank];
    struct strata_box box = strata_box_item(s->ranks * s->blocks, member * s->blocks + block);
    return strata_build_set(s->b, strata_box_in(store, box));
}

static void await(const struct shape *s, int rank, enum strata_signal signal)
{
    strata_build_await(s->b, s->problem->topology->local_of[rank], signal);
}

/* My block `into` := that block of the rank. */
static void take(const struct shape *s, int rank, int block, int into)
{
    await(s, rank, STRATA_SIGNAL_ARRIVED);
    strata_build_copy(s->b, exposed(s, STRATA_PEER_INPUT, rank, block),
                      side(s, STRATA_OUTPUT, into));
}

static void keep_own(const struct shape *s)
{
    strata_build_copy(s->b, side(s, STRATA_INPUT, s->me), side(s, STRATA_OUTPUT, s->me));
}

/* One from each, beginning with the next rank, so that not all read the same one's memory. */
static void take_from_all(const struct shape *s)
{
    bool transposes = strata_collective_transposes(s->problem->collective);
    for (int distance = 1; distance < s->ranks; distance++) {
        int rank = (s->me + distance) % s->ranks;
        take(s, rank, transposes ? s->me : rank, rank);
    }
}

static void move_blocks(const struct shape *s)
{
    enum strata_collective collective = s->problem->collective;
    int root = s->problem->root;
    bool gathers = strata_collective_info[collective].root == 'o';
    if (moves_all_pairs(collective) || (gathers && s->me == root)) {
        keep_own(s);
        take_from_all(s);
    } else if (!gathers && s->me != root) {
        take(s, root, collective == STRATA_BCAST ? 0 : s->me,
             collective == STRATA_BCAST ? 0 : s->me);
    } else if (!gathers && collective != STRATA_BCAST) {
        keep_own(s);
    }
}

/* Block `block` of all ranks' vectors, from left to right or beginning with mine. From left to
 * right, of the first two ranks either begins with its own, which lies here. */
static void combine(const struct shape *s, int block, int into)
{
    bool folds = strata_algorithm_folds(&strata_single_copy, s->problem);
    for (int at = 0; at < s->ranks; at++) {
        int in_order = at < 2 && s->me == 1 ? 1 - at : at;
        int rank = folds ? in_order : (s->me + at) % s->ranks;
        int from = rank == s->me ? side(s, STRATA_INPUT, block)
                                 : exposed(s, STRATA_PEER_INPUT, rank, block);
        if (rank != s->me) {
            await(s, rank, STRATA_SIGNAL_ARRIVED);
        }
        if (at == 0) {
            strata_build_copy(s->b, from, into);
        } else if (folds && rank == 0) {
            strata_build_reduce(s->b, from, into);
        } else {
            strata_build_fold(s->b, from, into);
        }
    }
}

static void collect_shares(const struct shape *s, int mine)
{
    strata_build_phase(s->b, "collect");
    strata_build_copy(s->b, mine, side(s, STRATA_OUTPUT, s->me));
    for (int distance = 1; distance < s->ranks; distance++) {
        int rank = (s->me + distance) % s->ranks;
        await(s, rank, STRATA_SIGNAL_RELEASED);
        strata_build_copy(s->b, exposed(s, STRATA_PEER_WORK, rank, rank),
                          side(s, STRATA_OUTPUT, rank));
    }
}

static bool has_result(const struct strata_problem *problem)
{
    return problem->collective != STRATA_REDUCE || problem->rank == problem->root;
}

static void reduce_by_shares(const struct shape *s)
{
    struct strata_box work = strata_box_in(STRATA_WORK, strata_box_item(1, 0));
    int into = strata_build_set(s->b, work);
    combine(s, s->me, into);
    strata_build_signal(s->b, STRATA_SIGNAL_RELEASED);
    if (has_result(s->problem)) {
        collect_shares(s, into);
    }
}

static void reduce(const struct shape *s)
{
    int block = strata_collective_scatters(s->problem->collective) ? s->me : 0;
    strata_build_phase(s->b, "combine");
    if (shares(s->problem)) {
        reduce_by_shares(s);
    } else if (has_result(s->problem)) {
        combine(s, block, side(s, STRATA_OUTPUT, block));
    }
}

static struct strata_blocks blocks_of(const struct shape *s)
{
    enum strata_collective collective = s->problem->collective;
    bool own_share = shares(s->problem);
    return (struct strata_blocks){
        .count = s->blocks,
        .work = own_share,
        .work_first = own_share ? s->me : 0,
        .exposes = STRATA_EXPOSES_INPUT | (own_share ? STRATA_EXPOSES_WORK : 0),
        .keeps_input = strata_collective_transposes(collective) ||
                       (strata_collective_reduces(collective) && !own_share),
    };
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->topology->ranks;
    struct shape s = {problem, b, ranks, problem->rank, blocks_among(problem)};
    strata_build_blocks(b, blocks_of(&s));
    strata_build_phase(b, "lend");
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    strata_build_phase(b, "take");
    if (strata_collective_reduces(problem->collective)) {
        reduce(&s);
    } else {
        move_blocks(&s);
    }
}

/* Adds the cost of reading the blocks of `peers` local peers, `bytes` bytes each, where `readers`
 * ranks read in the memory of each at the same time. */
static void cost_take(struct strata_cost *total, double peers, double bytes, double readers,
                      const struct strata_machine *machine)
{
    strata_cost_signal(total, peers, machine);
    strata_cost_fetch_in_turn(total, peers * bytes, peers, readers, machine);
}

/* The machine for reads of the buffers that local peers expose. */
static struct strata_machine exposed_on(const struct strata_problem *problem,
                                        const struct strata_machine *machine)
{
    return problem->mapped ? strata_machine_mapped(machine) : *machine;
}

/* A long allreduce finds neither operand in the cache. Of a mapped one nothing else is faster. */
static struct strata_machine combined_on(const struct strata_problem *problem,
                                         const struct strata_machine *machine)
{
    struct strata_machine past = *machine;
    if (problem->collective == STRATA_ALLREDUCE && !shares(problem) && !problem->mapped &&
        problem->block_bytes > (double)STRATA_LONG_COPY) {
        past.beta_mapped = past.copy;
        past.reduce_near = past.reduce;
    }
    return past;
}

static void cost_reduce(struct strata_cost *total, const struct strata_problem *problem,
                        const struct strata_machine *described)
{
    const struct strata_machine on = combined_on(problem, described), *machine = &on;
    double peers = problem->topology->ranks - 1, bytes = problem->block_bytes;
    double share = shares(problem) ? bytes / (peers + 1) : bytes;
    struct strata_machine exposed = exposed_on(problem, machine);
    strata_cost_signal(total, peers, machine);
    strata_cost_reduce_fetched(total, peers * share, peers, &exposed);
    if (shares(problem)) { /* shares lie in Strata's own memory */
        cost_take(total, peers, share, 1, machine);
    }
    strata_cost_fetch_own(total, share, machine);
}

/* The cost of the busiest rank: the root of a gather, or a rank that reads what the root has, which
 * copies its own block meanwhile. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    enum strata_collective collective = problem->collective;
    double peers = problem->topology->ranks - 1, bytes = problem->block_bytes;
    bool one = strata_collective_info[collective].root == 'i';
    struct strata_machine exposed = exposed_on(problem, machine);
    struct strata_cost total = {0};
    if (strata_collective_reduces(collective)) {
        cost_reduce(&total, problem, machine);
    } else {
        cost_take(&total, one ? 1 : peers, bytes, one ? peers : 1, &exposed);
        strata_cost_fetch_own(&total, one ? 0 : bytes, machine);
    }
    if (strata_collective_transposes(collective)) { /* as leaders need not */
        strata_cost_turn(&total, machine);
    }
    strata_cost_sweep(&total, peers, machine);
    return total;
}

const struct strata_algorithm strata_single_copy = {
    .name = "single_copy",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV | 1u << STRATA_ALLTOALLW |
                   1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV | 1u << STRATA_BCAST |
                   1u << STRATA_GATHER | 1u << STRATA_GATHERV | 1u << STRATA_SCATTER |
                   1u << STRATA_SCATTERV | 1u << STRATA_REDUCE | 1u << STRATA_ALLREDUCE |
                   1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .left_fold = true,
    .begins_apart = true,
    .summary = "blocks are taken out of the memory of the ranks that have them",
    .paper = "Chakraborty et al., kernel-assisted collectives, CLUSTER 2017",
    .title = "Contention-Aware Kernel-Assisted MPI Collectives for Multi-/Many-Core Systems",
    .restrictions = "one node of several ranks, which may read each other's memory; operands "
                    "without gaps, of at most 64 bytes",
    .rounds_text = "none",
    .volume_text = "no message; each byte is copied once; allreduce of more than two ranks: copied "
                   "once and combined once",
    .scratch_text = "a table of places in each slot; reductions: a share",
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
