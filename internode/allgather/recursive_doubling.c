/* Recursive doubling: in round i each rank exchanges all it has with the rank whose number differs
 * in bit i.
 *
 * In an allgather a rank has one run of blocks, twice as long after each round, always in its
 * place. In an allreduce it has the combination of such a run of ranks, so operands stay in the
 * order of ranks. Where P is no power of two, the ranks beyond give their vector to a neighbour
 * first and get the result from that neighbour. */
#include "internode/algorithms.h"
#include "internode/parts/gather.h"
#include "internode/parts/partial.h"
#include "internode/parts/path.h"
#include "internode/titles.h"

static const char *applicable(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks;
    bool power = (ranks & (ranks - 1)) == 0;
    return power || problem->collective == STRATA_ALLREDUCE ? NULL : "ranks are not a power of two";
}

static void gather(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    strata_gather_begin(b, ranks, me);
    for (int distance = 1; distance < ranks; distance *= 2) {
        int peer = me ^ distance, mine = me & -distance, theirs = peer & -distance;
        strata_gather_recv(b, peer, strata_gather_blocks(ranks, theirs, distance), 0);
        strata_gather_send(b, peer, strata_gather_blocks(ranks, mine, distance), 0);
        strata_build_wait(b, 0);
    }
}

static void exchange_all(const struct strata_problem *problem, const struct strata_fold *fold,
                         struct strata_builder *b)
{
    struct strata_portion vector = strata_portion_range(1, 0, 1);
    struct strata_partial p = strata_partial_of(b, fold, problem->rank, problem->commutative);
    int partner = strata_fold_partner(fold, problem->rank);
    int member = strata_fold_member(fold, problem->rank);
    p.input = (struct strata_partial_location){STRATA_INPUT, 1, 0};
    p.place[0] = (struct strata_partial_location){STRATA_OUTPUT, 1, 0};
    p.place[1] = (struct strata_partial_location){STRATA_WORK, 1, 0};
    if (partner >= 0) {
        strata_build_phase(b, "with the partner's");
        strata_partial_exchange(&p, partner, NULL, &vector);
    }
    for (int distance = 1; distance < fold->members; distance *= 2) {
        strata_build_phase(b, "exchange at distance %d", distance);
        int peer = strata_fold_rank(fold, member ^ distance);
        strata_partial_exchange(&p, peer, &vector, &vector);
    }
    if (partner >= 0) {
        strata_build_phase(b, "the result");
        int result = strata_partial_location_set(b, p.place[0], &vector);
        strata_build_send_blocks(b, partner, result, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

/* Whether a rank receives into its output while it still needs its input. */
static bool output_early(const struct strata_problem *problem, const struct strata_fold *fold)
{
    return fold->bits > 0 && (fold->bits == 1 || !problem->commutative);
}

static void allreduce(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_fold fold = strata_fold_of(problem->flat->ranks, 0);
    bool acts = strata_fold_acts(&fold, problem->rank), alone = fold.ranks == 1;
    strata_build_blocks(b, (struct strata_blocks){.count = 1,
                                                  .work = acts && !alone,
                                                  .keeps_input = output_early(problem, &fold)});
    int input = strata_build_item(b, STRATA_INPUT, 1, 0);
    int output = strata_build_item(b, STRATA_OUTPUT, 1, 0);
    if (alone) {
        strata_build_copy(b, input, output);
    } else if (acts) {
        exchange_all(problem, &fold, b);
    } else {
        strata_partial_aside(b, strata_fold_partner(&fold, problem->rank), input, output);
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    (problem->collective == STRATA_ALLREDUCE ? allreduce : gather)(problem, b);
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct strata_fold fold = strata_fold_of(problem->flat->ranks, 0);
    bool folded = fold.extra > 0;
    if (problem->collective != STRATA_ALLREDUCE) {
        return (struct strata_formula){
            .rounds = fold.bits, .messages = fold.bits, .blocks = fold.ranks - 1, .copied = 1};
    }
    return (struct strata_formula){.rounds = fold.bits + 2 * folded,
                                   .messages = fold.bits + folded,
                                   .blocks = fold.bits + folded,
                                   .reduced = fold.bits + folded,
                                   .copied = fold.ranks == 1 || !problem->commutative};
}

/* The ranks that stand aside send their vectors before the others begin. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    bool aside = f.rounds > f.messages;
    return strata_path_cost(f, f.messages + aside, f.blocks + aside, problem, machine);
}

/* Where pairs of ranks act as one, the first pairs meet at twice the distance. Their vectors go to
 * the one that acts before the other rounds, and come back after them. */
static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    struct strata_fold fold = strata_fold_of(problem->flat->ranks, 0);
    bool folded = fold.extra > 0, aside = folded && (number == 0 || number > fold.bits);
    int bit = number - folded;
    if (number >= fold.bits + 2 * folded) {
        return false;
    }
    round->peers = STRATA_CROSSWISE;
    round->first = aside ? 1 : (int64_t)1 << (bit + folded);
    round->messages = 1;
    round->blocks = problem->collective == STRATA_ALLREDUCE ? 1 : (double)round->first;
    return true;
}

const struct strata_algorithm strata_recursive_doubling = {
    .name = "recursive_doubling",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV | 1u << STRATA_ALLREDUCE,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .classic = true,
    .keeps_order = true,
    .summary = "exchange all one has at distances 1, 2, 4, ..",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .title = STRATA_TITLE_THAKUR,
    .restrictions = "allgather: a power of two of ranks",
    .rounds_text = "allgather log2 P; allreduce floor(log2 P), and 2 more if P is no power of two",
    .volume_text =
        "allgather P-1 blocks; allreduce floor(log2 P) vectors, and 1 more if P is no power of two",
    .scratch_text = "allreduce: a vector",
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
    .round = round_of_all,
};
