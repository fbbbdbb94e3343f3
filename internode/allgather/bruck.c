/* Bruck: each round multiplies the blocks that a rank has by k.
 *
 * A rank that has the blocks of `held` ranks, its own and those after it, gets as many from each of
 * the ranks held, 2 held, .. (k-1) held further on, all posted together. In the last round it gets
 * no more than it misses. Each block arrives in its place in the output, so nothing is rotated in
 * the end: the range of a message wraps around instead. */
#include "internode/algorithms.h"
#include "internode/parts/gather.h"
#include "internode/titles.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks;
    int64_t me = problem->rank, radix = problem->parameter[0];
    strata_gather_begin(b, ranks, problem->rank);
    for (int64_t held = 1; held < ranks; held *= radix) {
        int64_t end = smaller(radix * held, ranks);
        strata_build_phase(b, "%lld blocks become %lld", (long long)held, (long long)end);
        for (int64_t from = held; from < end; from += held) {
            int count = (int)smaller(held, end - from);
            strata_gather_recv(b, me + from, strata_gather_blocks(ranks, me + from, count), 0);
        }
        for (int64_t to = held; to < end; to += held) {
            int count = (int)smaller(held, end - to);
            strata_gather_send(b, me - to, strata_gather_blocks(ranks, me, count), 0);
        }
        strata_build_wait(b, 0);
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, radix = problem->parameter[0];
    struct strata_formula f = {.blocks = ranks - 1, .copied = 1};
    for (int64_t held = 1; held < ranks; held *= radix) {
        f.rounds++;
        f.messages += (double)smaller(radix - 1, (ranks - 1) / held);
    }
    return f;
}

static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    int64_t held = 1, ranks = problem->flat->ranks, radix = problem->parameter[0];
    while (number-- > 0 && held < ranks) {
        held *= radix;
    }
    round->first = round->step = held;
    round->messages = (double)smaller(radix - 1, (ranks - 1) / held);
    round->blocks = (double)smaller(radix * held, ranks) - (double)held;
    if (smaller(held, ranks - held) > 1) {
        round->packed = round->blocks + (double)smaller(held, ranks - held);
        round->pieces = 2 * (round->messages + 1);
    }
    return held < ranks;
}

const struct strata_algorithm strata_bruck = {
    .name = "bruck",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .classic = true,
    .summary = "a rank's blocks grow k-fold in each of log_k rounds, nothing is rotated",
    .paper = "Bruck et al., IEEE TPDS 8(11), 1997",
    .title = STRATA_TITLE_BRUCK,
    .restrictions = "none",
    .rounds_text = "ceil(log_k P), each of min(k-1, ceil(P/held) - 1) messages, where a rank has "
                   "`held` blocks",
    .volume_text = "P-1 blocks",
    .scratch_text = "none, but messages whose range wraps around are packed",
    .parameters = {{.name = "radix",
                    .least = 2,
                    .most = 1024,
                    .choices = {2, 3, 4, 8, 16},
                    .meaning = "growth in a round; more: fewer rounds"}},
    .applicable = applicable,
    .formula = formula,
    .round = round_of_all,
    .build = build,
};
