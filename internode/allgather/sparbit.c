/* Sparbit: a binomial tree for each block, with distances that shrink while messages grow.
 *
 * In the tree of a block its owner is the root, and the place of a rank is its distance from the
 * owner. In the round of distance d every rank sends the blocks that it has, those of the ranks 0,
 * 2d, 4d, .. before it, to the rank d further on. Where P is not a power of two, the last of these
 * blocks would leave its tree in some rounds and is left out there: where d is the lowest bit set
 * in P, or a higher bit that is not set. The paper sends each block in a message of its own, all of
 * a round in parallel. */
#include "internode/algorithms.h"
#include "internode/parts/gather.h"

enum { APART = 1, TOGETHER };

/* A round: `count` blocks go `distance` ranks on. */
struct round {
    int distance, count;
};

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

/* The blocks of a round up to the block of rank `newest`, in one box. */
static struct strata_box stripe(int ranks, const struct round *round, int64_t newest)
{
    int64_t oldest = newest - 2 * (int64_t)round->distance * (round->count - 1);
    struct strata_box box = strata_gather_blocks(ranks, oldest, 1);
    box.dim[0].length = round->count;
    box.dim[0].stride = 2 * round->distance;
    return box;
}

/* Appends a receive or send for each block of the stripe. */
typedef void append_message(struct strata_builder *b, int64_t rank, struct strata_box blocks,
                            int shift);

static void one_by_one(const struct strata_problem *problem, struct strata_builder *b,
                       const struct round *round, append_message *append)
{
    bool sending = append == strata_gather_send;
    int64_t peer = (int64_t)problem->rank + (sending ? round->distance : -round->distance);
    int64_t newest = sending ? problem->rank : peer;
    strata_build_repeat(b, round->count);
    append(b, peer, strata_gather_blocks(problem->flat->ranks, newest, 1), -2 * round->distance);
    strata_build_end(b);
}

static void exchange(const struct strata_problem *problem, struct strata_builder *b,
                     const struct round *round)
{
    int ranks = problem->flat->ranks;
    int64_t me = problem->rank, distance = round->distance;
    strata_build_phase(b, "%d block%s %d on", round->count, round->count == 1 ? "" : "s",
                       round->distance);
    if (problem->parameter[0] == TOGETHER || round->count == 1) {
        strata_gather_recv(b, me - distance, stripe(ranks, round, me - distance), 0);
        strata_gather_send(b, me + distance, stripe(ranks, round, me), 0);
    } else {
        one_by_one(problem, b, round, strata_gather_recv);
        one_by_one(problem, b, round, strata_gather_send);
    }
    strata_build_wait(b, 0);
}

/* The round of distance 2^bit, in which ranks have `held` blocks. */
static struct round round_of(int ranks, int bit, int held)
{
    int distance = 1 << bit, lowest = ranks & -ranks;
    bool ignore = distance == lowest || (distance > lowest && !(ranks & distance));
    return (struct round){distance, held - ignore};
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, held = 1;
    strata_gather_begin(b, ranks, problem->rank);
    for (int bit = strata_log_rounds(ranks, 2) - 1; bit >= 0; bit--) {
        struct round round = round_of(ranks, bit, held);
        exchange(problem, b, &round);
        held += round.count;
    }
}

/* Blocks that are sent beside others: they lie apart. */
static int sent_together(int ranks)
{
    int held = 1, together = 0;
    for (int bit = strata_log_rounds(ranks, 2) - 1; bit >= 0; bit--) {
        int count = round_of(ranks, bit, held).count;
        together += count > 1 ? count : 0;
        held += count;
    }
    return together;
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, rounds_of_all = strata_log_rounds(ranks, 2);
    bool together = problem->parameter[0] == TOGETHER;
    double packed = together ? 2 * sent_together(ranks) : 0;
    return (struct strata_formula){rounds_of_all,    together ? rounds_of_all : ranks - 1,
                                   ranks - 1,        .copied = 1,
                                   .packed = packed, .pieces = packed};
}

static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    int ranks = problem->flat->ranks, held = 1, bit = strata_log_rounds(ranks, 2) - 1;
    for (; bit >= 0 && number > 0; bit--, number--) {
        held += round_of(ranks, bit, held).count;
    }
    if (bit >= 0) {
        struct round r = round_of(ranks, bit, held);
        round->first = r.distance;
        round->messages = problem->parameter[0] == TOGETHER ? 1 : r.count;
        round->blocks = r.count;
    }
    return bit >= 0;
}

const struct strata_algorithm strata_sparbit = {
    .name = "sparbit",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "parallel binomial trees whose distances halve while their messages double",
    .paper = "Loch, Koslovski, SBAC-PAD 2021, algorithm 1",
    .title = "Sparbit: a new logarithmic-cost and data locality-aware MPI Allgather algorithm",
    .restrictions = "none",
    .rounds_text = "ceil(log2 P)",
    .volume_text = "P-1 blocks",
    .scratch_text = "none, but messages of several blocks are packed",
    .parameters = {{.name = "blocks",
                    .least = APART,
                    .most = TOGETHER,
                    .choices = {APART, TOGETHER},
                    .meaning = "of a round: each a message of its own (as published), or all one",
                    .words = {"apart", "together"}}},
    .applicable = applicable,
    .formula = formula,
    .round = round_of_all,
    .build = build,
};
