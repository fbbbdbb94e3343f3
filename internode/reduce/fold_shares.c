/* Reductions from left to right, for long vectors: a rank owns a share of the vector, gets each
 * rank's piece of it, combines them in the order of ranks, and hands out the results.
 *
 * The result of each share is ((x0 o x1) o x2) o ..., so results depend on the ranks' data alone.
 * The pieces lie side by side in work, and each is combined in place with all before it. So for
 * every k an owner ends with the combination of ranks 0 .. k, which is the part of the share that
 * rank k gets in a scan. MPI libraries combine in order on one rank; here all ranks share the work.
 */
#include "internode/algorithms.h"
#include "internode/parts/path.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

enum { NOTHING = 0 }; /* ranks whose operands count in a result */

/* The number of ranks whose operands count in any result. */
static int combined(const struct strata_problem *problem)
{
    return problem->flat->ranks - (problem->collective == STRATA_EXSCAN);
}

/* The number of ranks whose operands count in a rank's result. */
static int gets(const struct strata_problem *problem, int owner, int rank)
{
    bool shares = strata_collective_scatters(problem->collective);
    bool has = strata_output_of(problem->collective, rank, problem->root) != STRATA_NONE;
    switch (strata_collective_info[problem->collective].result) {
    case STRATA_UP_TO_ME:
        return rank + 1;
    case STRATA_BEFORE_ME:
        return rank;
    default:
        return has && (!shares || owner == rank) ? problem->flat->ranks : NOTHING;
    }
}

struct fold {
    const struct strata_problem *problem;
    struct strata_builder *b;
    int ranks, me;
};

/* A share of one of my sides. */
static int share(const struct fold *f, enum strata_store store, int owner)
{
    return strata_build_item(f->b, store, f->ranks, owner);
}

/* The rank's piece of my share. */
static int piece(const struct fold *f, int rank)
{
    return share(f, STRATA_WORK, rank);
}

static int rank_at(const struct fold *f, int distance)
{
    return (int)(((int64_t)f->me + distance) % f->ranks);
}

static void exchange(const struct fold *f)
{
    int last = combined(f->problem);
    strata_build_phase(f->b, "pieces of shares to their owners");
    if (f->me < last) {
        strata_build_copy(f->b, share(f, STRATA_INPUT, f->me), piece(f, f->me));
    }
    for (int d = 1; d < f->ranks; d++) {
        int from = rank_at(f, f->ranks - d);
        if (from < last) {
            strata_build_recv_blocks(f->b, from, piece(f, from), STRATA_AS_FITS);
        }
    }
    for (int d = 1; d < f->ranks && f->me < last; d++) {
        int to = rank_at(f, d);
        strata_build_send_blocks(f->b, to, share(f, STRATA_INPUT, to), STRATA_AS_FITS);
    }
    if (f->ranks > 1) {
        strata_build_wait(f->b, 0);
    }
}

static void fold(const struct fold *f)
{
    strata_build_phase(f->b, "from left to right");
    for (int rank = 1; rank < combined(f->problem); rank++) {
        strata_build_reduce(f->b, piece(f, rank - 1), piece(f, rank));
    }
}

static void deliver(const struct fold *f)
{
    int open = 0, mine = gets(f->problem, f->me, f->me);
    strata_build_phase(f->b, "results");
    for (int d = 1; d < f->ranks; d++) {
        int owner = rank_at(f, f->ranks - d);
        if (gets(f->problem, owner, f->me) != NOTHING) {
            strata_build_recv_blocks(f->b, owner, share(f, STRATA_OUTPUT, owner), STRATA_AS_FITS);
            open++;
        }
    }
    for (int d = 1; d < f->ranks; d++) {
        int to = rank_at(f, d), of = gets(f->problem, f->me, to);
        if (of != NOTHING) {
            strata_build_send_blocks(f->b, to, piece(f, of - 1), STRATA_AS_FITS);
            open++;
        }
    }
    if (mine != NOTHING) {
        strata_build_copy(f->b, piece(f, mine - 1), share(f, STRATA_OUTPUT, f->me));
    }
    if (open > 0) {
        strata_build_wait(f->b, 0);
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct fold f = {problem, b, problem->flat->ranks, problem->rank};
    strata_build_blocks(
        b, (struct strata_blocks){
               .count = f.ranks, .work = f.ranks, .work_first = f.me, .work_alike = true});
    exchange(&f);
    fold(&f);
    deliver(&f);
}

/* The formula of rank 0, which sends to all others in both rounds; in an exscan rank 1 copies the
 * pieces that come and the results that leave. */
static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, others = ranks - 1, last = combined(problem);
    bool scatters = strata_collective_scatters(problem->collective);
    bool reduce = problem->collective == STRATA_REDUCE;
    double share = scatters ? 1 : 1.0 / ranks;
    int results = scatters ? 0 : reduce ? others > 0 : others;
    return (struct strata_formula){.rounds = others > 0 ? 1 + !scatters : 0,
                                   .messages = others + results,
                                   .blocks = (others + results) * share,
                                   .reduced = last > 1 ? (last - 1) * share : 0,
                                   .copied = (last > 1 ? 2 : last + (last == ranks)) * share};
}

/* In a reduce the root receives all shares twice: as pieces of its own share, and as results. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    double others = problem->flat->ranks - 1, shares = problem->flat->ranks;
    bool reduce = problem->collective == STRATA_REDUCE;
    return strata_path_cost(f, reduce ? 2 * others : f.messages,
                            reduce ? 2 * others / shares : f.blocks, problem, machine);
}

/* Pieces to their owners, and results to all others. A reduce's root receives more than others. */
static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    double others = problem->flat->ranks - 1;
    bool scatters = strata_collective_scatters(problem->collective);
    round->first = round->step = 1;
    round->messages = others;
    round->blocks = scatters ? others : others / problem->flat->ranks;
    return problem->collective != STRATA_REDUCE && number < (scatters ? 1 : 2);
}

const struct strata_algorithm strata_fold_shares = {
    .name = "fold_shares",
    .collectives = 1u << STRATA_REDUCE | 1u << STRATA_ALLREDUCE | 1u << STRATA_REDUCE_SCATTER |
                   1u << STRATA_REDUCE_SCATTER_BLOCK | 1u << STRATA_SCAN | 1u << STRATA_EXSCAN,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .keeps_order = true,
    .left_fold = true,
    .summary = "each rank combines a share of all vectors from left to right",
    .paper = "none",
    .restrictions = "none",
    .rounds_text = "2, each of P-1 messages at once; reduce_scatter 1",
    .volume_text = "2(P-1)/P vectors; reduce 1 vector; reduce_scatter P-1 blocks",
    .scratch_text = "a vector; reduce_scatter P blocks",
    .applicable = applicable,
    .cost = cost,
    .formula = formula,
    .round = round_of_all,
    .build = build,
};
