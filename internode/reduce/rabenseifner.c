/* Rabenseifner's algorithm: a reduction of long vectors as a reduce_scatter by halving, then an
 * allgather (allreduce) or a gather (reduce) by doubling.
 *
 * The vector is cut into 2^n segments, where 2^n is the largest power of two that is at most P. In
 * round i a rank keeps half of the segments that it has, by bit i of its number, and combines them
 * with the same half of the rank that differs in that bit. Afterwards it has one segment, combined
 * over all ranks, and the way back joins the halves again. The nearest peers come first, with the
 * longest messages, so operands are combined in order. Ranks beyond 2^n give their vector to a
 * neighbour first. */
#include "internode/algorithms.h"
#include "internode/parts/partial.h"
#include "internode/parts/path.h"
#include "internode/titles.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

struct vector {
    const struct strata_problem *problem;
    struct strata_builder *b;
    struct strata_fold fold;
    int member, partner;
};

/* The segments that a member has after the rounds of shorter distances. */
static struct strata_portion range_of(const struct strata_fold *fold, int member, int distance)
{
    int first = 0, count = fold->members;
    for (int shorter = 1; shorter < distance; shorter *= 2) {
        count /= 2;
        first += member & shorter ? count : 0;
    }
    return strata_portion_range(fold->members, first, count);
}

static bool has_output(const struct strata_problem *problem)
{
    return problem->collective == STRATA_ALLREDUCE || problem->rank == problem->root;
}

/* Whether a rank receives into its output while it still needs its input. */
static bool output_early(const struct strata_problem *problem, const struct strata_fold *fold)
{
    return fold->bits > 0 && (fold->bits == 1 || !problem->commutative);
}

/* The second place, or both, lie in work, which holds only the segments that the first stage
 * leaves. */
static struct strata_partial begin(const struct vector *v)
{
    const struct strata_problem *problem = v->problem;
    int count = v->fold.members;
    struct strata_portion held = range_of(&v->fold, v->member, v->partner < 0 ? 2 : 1);
    struct strata_partial p =
        strata_partial_of(v->b, &v->fold, problem->rank, problem->commutative);
    int first = held.box[0].origin, length = held.box[0].dim[0].length;
    int second = p.stages > 1 || !problem->commutative ? length : 0;
    int work = has_output(problem) ? second : second > 0 ? count + second : length;
    strata_build_blocks(v->b,
                        (struct strata_blocks){.count = count,
                                               .work = work,
                                               .work_first = first,
                                               .keeps_input = output_early(problem, &v->fold)});
    p.input = (struct strata_partial_location){STRATA_INPUT, count, 0};
    p.place[0] = (struct strata_partial_location){STRATA_WORK, work, -first};
    p.place[1] = (struct strata_partial_location){STRATA_WORK, work, count - first};
    if (has_output(problem)) {
        p.place[1] = p.place[0];
        p.place[0] = (struct strata_partial_location){STRATA_OUTPUT, count, 0};
    }
    return p;
}

static void halve(const struct vector *v, struct strata_partial *p)
{
    if (v->partner >= 0) {
        struct strata_portion all = range_of(&v->fold, v->member, 1);
        strata_build_phase(v->b, "with the partner's");
        strata_partial_exchange(p, v->partner, NULL, &all);
    }
    for (int distance = 1; distance < v->fold.members; distance *= 2) {
        int other = v->member ^ distance;
        struct strata_portion kept = range_of(&v->fold, v->member, 2 * distance);
        struct strata_portion sent = range_of(&v->fold, other, 2 * distance);
        strata_build_phase(v->b, "halves at distance %d", distance);
        strata_partial_exchange(p, strata_fold_rank(&v->fold, other), &sent, &kept);
    }
}

/* Joins the two halves of the round of this distance. */
static void join(const struct vector *v, struct strata_partial_location place, int distance,
                 bool receives, bool sends)
{
    int other = v->member ^ distance, peer = strata_fold_rank(&v->fold, other);
    struct strata_portion mine = range_of(&v->fold, v->member, 2 * distance);
    struct strata_portion theirs = range_of(&v->fold, other, 2 * distance);
    strata_build_phase(v->b, "join at distance %d", distance);
    if (receives) {
        int set = strata_partial_location_set(v->b, place, &theirs);
        strata_build_recv_blocks(v->b, peer, set, STRATA_AS_FITS);
    }
    if (sends) {
        int set = strata_partial_location_set(v->b, place, &mine);
        strata_build_send_blocks(v->b, peer, set, STRATA_AS_FITS);
    }
    strata_build_wait(v->b, 0);
}

static void allgather(const struct vector *v, struct strata_partial_location place)
{
    for (int distance = v->fold.members / 2; distance > 0; distance /= 2) {
        join(v, place, distance, true, true);
    }
    if (v->partner >= 0) {
        struct strata_portion all = range_of(&v->fold, v->member, 1);
        strata_build_phase(v->b, "the result");
        strata_build_send_blocks(v->b, v->partner, strata_partial_location_set(v->b, place, &all),
                                 STRATA_AS_FITS);
        strata_build_wait(v->b, 0);
    }
}

/* A member sends at the distance of the highest bit in which it differs from the root, no more. */
static void gather(const struct vector *v, struct strata_partial_location place)
{
    int differs = v->member ^ strata_fold_member(&v->fold, v->problem->root);
    for (int distance = v->fold.members / 2; distance > 0; distance /= 2) {
        if (differs < 2 * distance) {
            bool sends = differs >= distance;
            join(v, place, distance, !sends, sends);
            if (sends) {
                return;
            }
        }
    }
}

static void act(const struct vector *v)
{
    struct strata_partial p = begin(v);
    halve(v, &p);
    if (v->problem->collective == STRATA_ALLREDUCE) {
        allgather(v, p.place[0]);
    } else {
        gather(v, p.place[0]);
    }
}

static int whole(const struct vector *v, enum strata_store store)
{
    struct strata_box box = strata_box_all(v->fold.members);
    return strata_build_set(v->b, strata_box_in(store, box));
}

/* The root of a reduction acts. */
static struct strata_fold fold_of(const struct strata_problem *problem)
{
    return strata_fold_of(problem->flat->ranks, problem->root);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct vector v = {.problem = problem, .b = b, .fold = fold_of(problem)};
    v.member = strata_fold_member(&v.fold, problem->rank);
    v.partner = strata_fold_partner(&v.fold, problem->rank);
    bool alone = v.fold.ranks == 1;
    if (!alone && strata_fold_acts(&v.fold, problem->rank)) {
        act(&v);
        return;
    }
    strata_build_blocks(b, (struct strata_blocks){.count = v.fold.members,
                                                  .keeps_input = output_early(problem, &v.fold)});
    if (alone) {
        strata_build_copy(b, whole(&v, STRATA_INPUT), whole(&v, STRATA_OUTPUT));
    } else {
        bool gets = problem->collective == STRATA_ALLREDUCE;
        strata_partial_aside(b, v.partner, whole(&v, STRATA_INPUT),
                             gets ? whole(&v, STRATA_OUTPUT) : -1);
    }
}

/* For an operator that does not commute, a rank whose first peer is a lower one copies the segments
 * that it keeps: half, or all if it is the root and the peer its partner. */
static double most_copied(const struct strata_problem *problem, const struct strata_fold *fold)
{
    if (fold->ranks == 1) {
        return 1;
    }
    int partner = strata_fold_partner(fold, problem->root);
    return problem->commutative ? 0 : partner >= 0 && partner < problem->root ? 1 : 0.5;
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct strata_fold fold = fold_of(problem);
    bool folded = fold.extra > 0, all = problem->collective == STRATA_ALLREDUCE;
    double most = 1 - 1.0 / fold.members; /* part of a vector that leaves, and that comes */
    struct strata_formula f = {.copied = most_copied(problem, &fold)};
    f.rounds = 2 * fold.bits + folded * (all ? 2 : 1);
    f.reduced = most + folded;
    if (all) {
        f.messages = 2 * fold.bits + folded;
        f.blocks = 2 * most + folded;
    } else if (fold.bits > 0) {
        f.messages = fold.bits + 1;
        f.blocks = most + 0.5;
    }
    return f;
}

/* The number of rounds each way that stay inside the nodes: those to the nearest members. */
static int near_bits(const struct strata_topology *t, const struct strata_fold *fold)
{
    int members = t->run, bits = 0;
    if (fold->extra > 0) {
        members = fold->extra % members == 0 ? members / 2 : 1;
    }
    while (members >> (bits + 1) > 0) {
        bits++;
    }
    return bits;
}

/* The ranks that stand aside send their vectors before the others begin, and the root receives
 * longest. The nearest peers get the longest messages. Without ports cores move the bytes of all
 * messages. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    struct strata_fold fold = fold_of(problem);
    double aside = fold.extra > 0 ? problem->collective == STRATA_ALLREDUCE ? 2 : 1 : 0;
    double blocks = 2 * (1 - 1.0 / fold.members) + aside;
    int bits = machine->ports > 0 ? near_bits(problem->topology, &fold) : 0;
    double messages = bits > 0 ? 2 * bits + aside : 0;
    double near = bits > 0 ? 2 * (1 - 1.0 / (1 << bits)) + aside : 0;
    f.rounds -= messages;
    struct strata_cost total = strata_path_cost(f, f.rounds, blocks - near, problem, machine);
    struct strata_machine contended = strata_machine_contended(machine, problem->topology->largest);
    if (messages > 0) {
        struct strata_cost inside = {0};
        strata_cost_stage_node(&inside, 1, near * problem->block_bytes / messages, &contended);
        strata_cost_scale(&inside, messages);
        strata_cost_add(&total, &inside);
    }
    return total;
}

const struct strata_algorithm strata_rabenseifner = {
    .name = "rabenseifner",
    .collectives = 1u << STRATA_ALLREDUCE | 1u << STRATA_REDUCE,
    .level = STRATA_FLAT,
    .classic = true,
    .knows_nodes = true,
    .keeps_order = true,
    .summary = "halve to one segment each, then double back to the whole vector",
    .paper = "Rabenseifner, ICCS 2004; Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .title = "Optimization of Collective Reduction Operations; " STRATA_TITLE_THAKUR,
    .restrictions = "none",
    .rounds_text = "2n, where 2^n is the largest power of two up to P; if P is no power of two, 1 "
                   "more for reduce, 2 for allreduce",
    .volume_text =
        "allreduce 2 (1 - 2^-n) vectors, and 1 more if P is no power of two; reduce 3/2 - 2^-n",
    .scratch_text = "allreduce: half a vector; reduce: one and a half, the root half; a rank that "
                    "acts for two: half a vector more",
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
};
