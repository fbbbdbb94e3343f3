/* Circulant bcast and reduce: the vector in segments along skips that halve, n - 1 + ceil(log2 P)
 * rounds for n segments and any P, which is the least possible.
 *
 * The skips are those of the algorithm `circulant`: P halved again and again, rounded up. There are
 * q = ceil(log2 P) of them, and round i takes skip i mod q. In each round of a bcast a rank sends
 * one segment to the rank one skip further on, and receives one from the rank one skip back. q
 * rounds are a phase. In a phase the root sends q new segments, and each other rank receives q:
 * those that the root sent one phase before, but for one, its *base*, which is as new as in this
 * phase. So it has all of them after the last phase.
 *
 * A rank, counted from the root, is a sum of different skips, the largest first; its base is the
 * index of the smallest of them. The segment that comes in round k of a phase follows from the
 * bases of ranks further back, from one skip to the next longer skip: it is the greatest of these
 * that has not come yet. A rank sends in round k what the receiver's own schedule says. A rank
 * needs O(q^2) steps for the bases of a range, and O(q^4) for its schedule.
 *
 * A reduce is a bcast backwards: a rank has combined all segments that come to it with its own
 * before it sends the result. */
#include "internode/algorithms.h"
#include "internode/parts/gather.h"
#include "internode/parts/path.h"

enum { MOST_SKIPS = 33 }; /* and 2P behind them */

/* A graph of P ranks, with the skips[q] = P and skips[q + 1] = 2P behind the others. */
struct graph {
    int ranks, q;
    int64_t skips[MOST_SKIPS];
};

static struct graph graph_of(int ranks)
{
    struct graph g = {.ranks = ranks, .q = strata_log_rounds(ranks, 2)};
    for (int k = 0; k <= g.q; k++) {
        g.skips[k] = strata_circulant_skip(ranks, g.q - k);
    }
    g.skips[g.q + 1] = 2 * (int64_t)ranks;
    return g;
}

static int base_of(const struct graph *g, int rank)
{
    int k = g->q;
    for (int64_t left = rank; left > 0; left -= g->skips[k]) {
        do {
            k--;
        } while (g->skips[k] > left);
    }
    return k;
}

/* The greatest base of the ranks `from` .. `to` below skips[level] that is not in the mask `taken`;
 * -1: there is none. Rank 0 has the base `zero`. */
static int greatest(const struct graph *g, int64_t from, int64_t to, int level, int zero,
                    uint64_t taken)
{
    if (from > to) {
        return -1;
    }
    if (from == 0 && to == g->skips[level] - 1) {
        uint64_t all = (UINT64_C(1) << level) - 1, left = (all | UINT64_C(1) << zero) & ~taken;
        return left ? 63 - __builtin_clzll(left) : -1;
    }
    int64_t half = g->skips[level - 1];
    int64_t above = from > half ? from - half : 0, below = to < half ? to : half - 1;
    int upper = greatest(g, above, to - half, level - 1, level - 1, taken);
    int lower = greatest(g, from, below, level - 1, zero, taken);
    return upper > lower ? upper : lower;
}

/* The segments that come to a rank, which is not the root, in the first rounds of a phase: from 0
 * to q - 1 those that the root sends in this phase, -q to -1 those of the phase before. */
static void find_incoming(const struct graph *g, int rank, int rounds, int incoming[])
{
    int base = base_of(g, rank);
    uint64_t taken = UINT64_C(1) << base;
    for (int k = 0; k < rounds; k++) {
        int64_t nearest = (int64_t)rank + g->ranks - g->skips[k];
        int64_t farthest = (int64_t)rank + g->ranks - g->skips[k + 1];
        int found = greatest(g, farthest + 1, nearest, g->q + 1, g->q + 1, taken);
        if (found < 0) { /* the farthest rank counts only where the others have none left */
            found = greatest(g, farthest, nearest, g->q + 1, g->q + 1, taken);
        }
        taken |= found < 0 ? 0 : UINT64_C(1) << found; /* there always is one */
        incoming[k] = found == g->q ? base : found - g->q;
    }
}

/* A rank's part. In a reduce all rounds and messages go backwards, and segments have their numbers
 * from the end, so that later rounds have later segments there, too. */
struct part {
    struct strata_builder *b;
    struct graph graph;
    int root, rank; /* the rank is counted from the root */
    int segments;
    int before; /* rounds of the first phase in which there is nothing to send yet */
    int phases;
    bool reduces;
    int incoming[MOST_SKIPS], outgoing[MOST_SKIPS];
    enum strata_store result;
    int space; /* of the work store */
};

enum { NONE = INT32_MIN };

/* The segments that a rank sends are those that its peers receive; the root receives none. */
static void find_schedule(struct part *p)
{
    const struct graph *g = &p->graph;
    if (p->rank > 0) {
        find_incoming(g, p->rank, g->q, p->incoming);
    }
    for (int k = 0; k < g->q; k++) {
        int theirs[MOST_SKIPS], to = (int)((p->rank + g->skips[k]) % g->ranks);
        p->incoming[k] = p->rank > 0 ? p->incoming[k] : NONE;
        p->outgoing[k] = NONE;
        if (to > 0) {
            find_incoming(g, to, k + 1, theirs);
            p->outgoing[k] = theirs[k];
        }
    }
}

/* The number of the segment that moves in this phase; NONE: none does. What would follow the last
 * segment is the last one. */
static int segment_of(const struct part *p, int moves, int phase)
{
    int last = p->segments - 1;
    if (moves == NONE || moves + phase * p->graph.q < p->before) {
        return NONE;
    }
    int number = moves + phase * p->graph.q - p->before;
    number = number < last ? number : last;
    return p->reduces ? last - number : number;
}

/* A step on a segment, which is one phase further on in each iteration of a repeat. */
static void step(const struct part *p, enum strata_op op, int peer, int set)
{
    strata_build_step(
        p->b, (struct strata_step){
                  .op = op, .workshare = 1, .peer = peer, .set = set, .set_step = p->graph.q});
}

static int result_of(const struct part *p, int segment)
{
    int space = p->result == STRATA_WORK ? p->space : p->segments;
    return strata_build_item(p->b, p->result, space, segment);
}

/* Behind a rank's own vector its work store has the segments that come. */
static int arriving(const struct part *p, int segment)
{
    int first = p->space - p->segments;
    return strata_build_item(p->b, STRATA_WORK, p->space, first + segment);
}

static int peer_of(const struct part *p, int64_t skip)
{
    int64_t ranks = p->graph.ranks;
    return (int)((p->rank + p->root + ranks + skip) % ranks);
}

static void build_bcast_round(const struct part *p, int k, int phase)
{
    int64_t skip = p->graph.skips[k];
    int in = segment_of(p, p->incoming[k], phase), out = segment_of(p, p->outgoing[k], phase);
    if (in != NONE) {
        step(p, STRATA_STEP_RECV_BLOCKS, peer_of(p, -skip), result_of(p, in));
    }
    if (out != NONE) {
        step(p, STRATA_STEP_SEND_BLOCKS, peer_of(p, skip), result_of(p, out));
    }
    if (in != NONE || out != NONE) {
        strata_build_wait(p->b, 0);
    }
}

static void build_reduce_round(const struct part *p, int k, int phase)
{
    int64_t skip = p->graph.skips[k];
    int in = segment_of(p, p->outgoing[k], phase), out = segment_of(p, p->incoming[k], phase);
    if (in != NONE) {
        step(p, STRATA_STEP_RECV_BLOCKS, peer_of(p, skip), arriving(p, in));
    }
    if (out != NONE) {
        step(p, STRATA_STEP_SEND_BLOCKS, peer_of(p, -skip), result_of(p, out));
    }
    if (in != NONE || out != NONE) {
        strata_build_wait(p->b, 0);
    }
    if (in != NONE) {
        strata_build_step(p->b, (struct strata_step){.op = STRATA_STEP_REDUCE,
                                                     .set = result_of(p, in),
                                                     .set_step = p->graph.q,
                                                     .from = arriving(p, in)});
    }
}

static void build_phase(const struct part *p, int phase)
{
    for (int k = 0; k < p->graph.q; k++) {
        if (p->reduces) {
            build_reduce_round(p, p->graph.q - 1 - k, phase);
        } else {
            build_bcast_round(p, k, phase);
        }
    }
}

/* Between the first two phases, in which some segments are not there yet, and the last one, in
 * which some would follow the last segment, all phases are alike. */
static void build_phases(const struct part *p)
{
    int last = p->phases - 1, alike = last - 2;
    for (int i = 0; i <= last; i++) {
        if (i == (p->reduces ? 1 : 2) && alike > 1) {
            strata_build_repeat(p->b, alike);
            build_phase(p, p->reduces ? last - i : i);
            strata_build_end(p->b);
            i += alike - 1;
        } else {
            build_phase(p, p->reduces ? last - i : i);
        }
    }
}

/* Each rank combines in a copy of its input. */
static void place_results(struct part *p)
{
    int segments = p->segments, own = p->rank > 0 && p->graph.ranks > 1 ? segments : 0;
    p->space = own + segments;
    p->result = own ? STRATA_WORK : STRATA_OUTPUT;
    strata_build_blocks(p->b, (struct strata_blocks){.count = segments, .work = p->space});
    struct strata_box input = strata_box_in(STRATA_INPUT, strata_box_range(segments, 0, segments));
    struct strata_box result = strata_box_range(own ? p->space : segments, 0, segments);
    strata_build_copy(p->b, strata_build_set(p->b, input),
                      strata_build_set(p->b, strata_box_in(p->result, result)));
}

static int rounds(const struct strata_problem *problem)
{
    int q = strata_log_rounds(problem->flat->ranks, 2);
    return q > 0 ? problem->parameter[0] - 1 + q : 0;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, segments = problem->parameter[0], all = rounds(problem);
    struct part p = {.b = b,
                     .graph = graph_of(ranks),
                     .root = problem->root,
                     .rank = (problem->rank - problem->root + ranks) % ranks,
                     .segments = segments,
                     .result = STRATA_OUTPUT,
                     .reduces = problem->collective == STRATA_REDUCE};
    if (p.reduces) {
        place_results(&p);
    } else {
        strata_build_blocks(b, (struct strata_blocks){.count = segments});
    }
    if (all > 0) {
        int q = p.graph.q;
        p.phases = (all + q - 1) / q;
        p.before = p.phases * q - all;
        find_schedule(&p);
        build_phases(&p);
    }
}

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    bool reduces = problem->collective == STRATA_REDUCE;
    double segments = problem->parameter[0], all = rounds(problem);
    struct strata_formula f = {.rounds = all, .copied = reduces};
    if (all > 0) {
        f.messages = reduces ? segments : all;
        f.blocks = f.messages / segments;
        f.reduced = reduces ? all / segments : 0;
    }
    return f;
}

/* MPI takes short messages at once, and then all those of a rank are on their way together. So a
 * segment that the root sends is as late as those that it sends in the other rounds of a phase, and
 * so at each rank that passes it on. On 8 and on 32 simulated nodes segments of 1 to 32 KiB took so
 * much longer than the rounds alone, within a quarter. */
static double ahead(double q)
{
    return q * (q + 1) / 2;
}

/* The root sends or receives in each round. Another rank does both, and waits until both of its
 * peers are ready. Where cores move the bytes themselves, it does one after the other. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    struct strata_machine waiting = *machine;
    int ranks = problem->flat->ranks, turns = ranks > 2 && machine->ports == 0 ? 2 : 1;
    double segments = problem->parameter[0], messages = turns * f.rounds;
    if (ranks > 2) {
        waiting.rendezvous *= 2;
        f.ahead = ahead(strata_log_rounds(ranks, 2)) / segments;
    }
    return strata_path_cost(f, messages, messages / segments, problem, &waiting);
}

/* Rounds of one skip are alike. */
static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    struct graph g = graph_of(problem->flat->ranks);
    if (number >= g.q) {
        return false;
    }
    *round = strata_onward(g.skips[number], 0, 1, 1.0 / problem->parameter[0]);
    round->times = (double)rounds(problem) / g.q;
    return true;
}

const struct strata_algorithm strata_circulant_rooted = {
    .name = "circulant_rooted",
    .collectives = 1u << STRATA_BCAST | 1u << STRATA_REDUCE,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "segments along skips that halve, rounded up: the fewest rounds for any P",
    .paper = "Traff, SPAA 2022; arXiv 2407.18004, 2024",
    .title = "Optimal Broadcast Schedules in Logarithmic Time",
    .restrictions = "reduce: the operator must commute",
    .rounds_text = "S - 1 + ceil(log2 P) for S segments",
    .volume_text = "the root of a bcast sends (S - 1 + ceil(log2 P)) / S vectors, others up to 1; "
                   "in a reduce each rank sends 1",
    .scratch_text = "reduce: two vectors",
    .parameters =
        {{"segments", 0, 2, 65536, {4, 16, 64, 256}, "parts the vector is cut into", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .round = round_of_all,
    .build = build,
    .formula = formula,
};
