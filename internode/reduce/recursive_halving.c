/* Recursive halving: reduce_scatter in log2 P exchanges, each of half of the blocks that are left.
 *
 * In each round a rank keeps the half of its blocks that its side of the exchange answers for and
 * gives the other half away, until its own block is left. Ranks beyond a power of two give their
 * input to a neighbour first, which sends them their block in the end. For an operator that
 * commutes the halves are runs of blocks, and the first peer is the farthest. For one that does
 * not, the first peer is the neighbour, so that operands are combined in order, and the halves are
 * every second block, every fourth, and so on. */
#include <assert.h>

#include "internode/algorithms.h"
#include "internode/parts/partial.h"
#include "internode/parts/path.h"
#include "internode/titles.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

struct halving {
    const struct strata_problem *problem;
    struct strata_builder *b;
    struct strata_fold fold;
    int member, partner;
};

/* The blocks of `span` neighbouring members. */
static struct strata_portion run_of(const struct strata_fold *fold, int member, int span)
{
    int first = strata_fold_first(fold, member & -span);
    int end = strata_fold_first(fold, (member & -span) + span);
    return strata_portion_range(fold->ranks, first, end - first);
}

/* The blocks of the members first, first + span, first + 2 span, ..: pairs, then single ones. */
static struct strata_portion comb_of(const struct strata_fold *fold, int first, int span)
{
    assert(span > 0);
    struct strata_portion part = {.nboxes = 0};
    int pairs = first < fold->extra ? (fold->extra - first + span - 1) / span : 0;
    int single = first + pairs * span; /* the first member of one rank */
    if (pairs > 0) {
        struct strata_box box = strata_box_range(fold->ranks, 2 * first, 1);
        box.ndims = 2;
        box.dim[0] = (struct strata_dim){.length = pairs, .stride = 2 * span};
        box.dim[1] = (struct strata_dim){.length = 2, .stride = 1};
        part.box[part.nboxes++] = box;
    }
    if (single < fold->members) {
        struct strata_box box = strata_box_range(fold->ranks, single + fold->extra, 1);
        box.dim[0].length = (fold->members - single + span - 1) / span;
        box.dim[0].stride = span;
        part.box[part.nboxes++] = box;
    }
    return part;
}

/* The blocks that a member keeps in the round whose peers are at this distance. */
static struct strata_portion kept_by(const struct halving *h, int member, int distance)
{
    return h->problem->commutative ? run_of(&h->fold, member, distance)
                                   : comb_of(&h->fold, member & (2 * distance - 1), 2 * distance);
}

/* Whether a rank receives into its output while it still needs its input. */
static bool output_early(const struct strata_problem *problem, const struct strata_fold *fold)
{
    return problem->commutative && fold->bits == 1;
}

/* The places of the partial results: both in work, the second at its beginning. Work holds only the
 * blocks that the first stage leaves. The last partial result of a rank without a partner is its
 * output, if the operator commutes. */
static struct strata_partial begin(const struct halving *h)
{
    const struct strata_problem *problem = h->problem;
    int ranks = h->fold.ranks;
    struct strata_portion held = strata_portion_range(ranks, 0, ranks);
    if (problem->commutative && h->partner < 0) {
        held = run_of(&h->fold, h->member, h->fold.members / 2);
    }
    struct strata_partial p =
        strata_partial_of(h->b, &h->fold, problem->rank, problem->commutative);
    int first = held.box[0].origin, count = held.box[0].dim[0].length;
    int work = ranks + count;
    if (problem->commutative && h->partner < 0 && p.stages < 3) {
        work = p.stages == 2 ? count : 0;
    }
    strata_build_blocks(h->b,
                        (struct strata_blocks){.count = ranks,
                                               .work = work,
                                               .work_first = first,
                                               .keeps_input = output_early(problem, &h->fold)});
    p.input = (struct strata_partial_location){STRATA_INPUT, ranks, 0};
    p.place[0] = (struct strata_partial_location){STRATA_WORK, work, ranks - first};
    p.place[1] = (struct strata_partial_location){STRATA_WORK, work, -first};
    return p;
}

static void halve(const struct halving *h, struct strata_partial *p, int distance, bool last)
{
    int other = h->member ^ distance;
    struct strata_portion kept = kept_by(h, h->member, distance);
    struct strata_portion sent = kept_by(h, other, distance);
    if (last && h->problem->commutative && h->partner < 0) {
        p->place[0] = (struct strata_partial_location){STRATA_OUTPUT, h->fold.ranks, 0};
    }
    strata_build_phase(h->b, "halves at distance %d", distance);
    strata_partial_exchange(p, strata_fold_rank(&h->fold, other), &sent, &kept);
}

static int my_block(const struct strata_problem *problem, struct strata_builder *b,
                    enum strata_store store)
{
    struct strata_box box = strata_box_item(problem->flat->ranks, problem->rank);
    return strata_build_set(b, strata_box_in(store, box));
}

static int all_blocks(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_box box = strata_box_all(problem->flat->ranks);
    return strata_build_set(b, strata_box_in(STRATA_INPUT, box));
}

/* The partner's block goes to it, and mine to the output if it is not there. */
static void deliver(const struct halving *h, const struct strata_partial *p)
{
    int ranks = h->fold.ranks, rank = h->problem->rank;
    if (h->partner >= 0) {
        struct strata_portion theirs = strata_portion_range(ranks, h->partner, 1);
        strata_build_phase(h->b, "to the partner");
        strata_build_send_blocks(h->b, h->partner,
                                 strata_partial_location_set(h->b, p->place[0], &theirs),
                                 STRATA_AS_FITS);
    }
    if (p->place[0].store != STRATA_OUTPUT) {
        struct strata_portion mine = strata_portion_range(ranks, rank, 1);
        strata_build_phase(h->b, "my block");
        strata_build_copy(h->b, strata_partial_location_set(h->b, p->place[0], &mine),
                          my_block(h->problem, h->b, STRATA_OUTPUT));
    }
    if (h->partner >= 0) {
        strata_build_wait(h->b, 0);
    }
}

static void act(const struct halving *h)
{
    struct strata_partial p = begin(h);
    bool commutative = h->problem->commutative;
    int members = h->fold.members;
    if (h->partner >= 0) {
        struct strata_portion all = strata_portion_range(h->fold.ranks, 0, h->fold.ranks);
        strata_build_phase(h->b, "with the partner's");
        strata_partial_exchange(&p, h->partner, NULL, &all);
    }
    for (int i = 1; i < members; i *= 2) {
        halve(h, &p, commutative ? members / 2 / i : i, i == members / 2);
    }
    deliver(h, &p);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, rank = problem->rank;
    struct halving h = {.problem = problem, .b = b, .fold = strata_fold_of(ranks, 0)};
    h.member = strata_fold_member(&h.fold, rank);
    h.partner = strata_fold_partner(&h.fold, rank);
    if (ranks > 1 && strata_fold_acts(&h.fold, rank)) {
        act(&h);
        return;
    }
    strata_build_blocks(
        b, (struct strata_blocks){.count = ranks, .keeps_input = output_early(problem, &h.fold)});
    int input = all_blocks(problem, b), mine = my_block(problem, b, STRATA_OUTPUT);
    if (ranks == 1) {
        strata_build_copy(b, input, mine);
    } else {
        strata_partial_aside(b, h.partner, input, mine);
    }
}

/* The blocks that member 0 combines, which keeps as many as any: all blocks with its partner's,
 * then those that it keeps in each round. */
static double most_reduced(const struct strata_fold *fold, bool commutative)
{
    double reduced = fold->extra > 0 ? fold->ranks : 0;
    for (int i = 1; i < fold->members; i *= 2) {
        int pairs = fold->extra < i ? fold->extra : i;
        reduced += i; /* blocks of the members; those of pairs count once more */
        reduced += commutative ? pairs : (fold->extra + 2 * i - 1) / (2 * i);
    }
    return reduced;
}

/* For an operator that does not commute, a rank without a partner whose first peer is a lower one
 * copies the blocks that it keeps. */
static double most_copied(const struct strata_fold *fold, bool commutative)
{
    if (fold->members == 1 || commutative) {
        return fold->members == 1 || fold->extra > 0;
    }
    int kept = fold->members / 2 + fold->extra / 2;
    return kept + 1;
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct strata_fold fold = strata_fold_of(problem->flat->ranks, 0);
    bool folded = fold.extra > 0;
    return (struct strata_formula){.rounds = fold.bits + 2 * folded,
                                   .messages = fold.bits + folded,
                                   .blocks = fold.ranks - !folded,
                                   .reduced = most_reduced(&fold, problem->commutative),
                                   .copied = most_copied(&fold, problem->commutative)};
}

/* The ranks that stand aside send all blocks before the others begin. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    bool aside = f.rounds > f.messages;
    return strata_path_cost(f, f.messages + aside, f.blocks + aside * (f.blocks - 1), problem,
                            machine);
}

/* Where pairs of ranks act as one, the first pairs meet at twice the distance. */
static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    struct strata_fold fold = strata_fold_of(problem->flat->ranks, 0);
    bool folded = fold.extra > 0, aside = folded && (number == 0 || number > fold.bits);
    int bit = number - folded;
    double part = (double)fold.ranks / fold.members;
    round->peers = STRATA_CROSSWISE;
    round->messages = 1;
    if (aside) {
        round->first = 1;
        round->blocks = number == 0 ? fold.ranks : 1;
    } else if (bit < fold.bits) {
        int64_t half = (int64_t)1 << (fold.bits - 1 - bit);
        round->first = (problem->commutative ? half : (int64_t)1 << bit) << folded;
        round->blocks = (double)half * part;
    }
    return number < fold.bits + 2 * folded;
}

const struct strata_algorithm strata_recursive_halving = {
    .name = "recursive_halving",
    .collectives = 1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .classic = true,
    .keeps_order = true,
    .summary = "give away half of what is left in each of log2 P rounds",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .title = STRATA_TITLE_THAKUR,
    .restrictions = "none",
    .rounds_text = "floor(log2 P), and 2 more if P is no power of two",
    .volume_text = "P-1 blocks, or P if P is no power of two",
    .scratch_text = "up to two vectors",
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
    .round = round_of_all,
};
