#include "internode/butterfly/swing_whole.h"

#include "internode/butterfly/swing_blocks.h"

/* Of the first 2 * extra ranks each even one leaves its vector to the odd one after it; the others
 * are numbered 0 .. power-1. */
struct fold {
    int power, extra;
};

static struct fold fold_of(int ranks)
{
    struct fold f = {1, 0};
    while (f.power <= ranks / 2) {
        f.power *= 2;
    }
    f.extra = ranks - f.power;
    return f;
}

static int folded_rank(struct fold f, int number)
{
    return number < f.extra ? 2 * number + 1 : number + f.extra;
}

static int item_in(struct strata_builder *b, enum strata_store store)
{
    return strata_build_item(b, store, 1, 0);
}

static void exchange_whole(struct strata_builder *b, int peer, int output, int work)
{
    strata_build_recv_blocks(b, peer, work, STRATA_AS_FITS);
    strata_build_send_blocks(b, peer, output, STRATA_AS_FITS);
    strata_build_wait(b, 0);
    strata_build_reduce(b, work, output);
}

/* A rank that leaves its vector to the next one. */
static void stay_out(struct strata_builder *b, int rank, int input, int output)
{
    strata_build_phase(b, "the neighbour does it");
    strata_build_send_blocks(b, rank + 1, input, STRATA_AS_FITS);
    strata_build_wait(b, 0);
    strata_build_recv_blocks(b, rank + 1, output, STRATA_AS_FITS);
    strata_build_wait(b, 0);
}

void strata_swing_whole(struct strata_builder *b, int ranks, int rank, bool down)
{
    struct fold f = fold_of(ranks);
    int steps = strata_swing_steps(f.power), output = item_in(b, STRATA_OUTPUT);
    int number = rank < 2 * f.extra ? rank / 2 : rank - f.extra;
    int input = item_in(b, STRATA_INPUT), work = item_in(b, STRATA_WORK);
    if (rank < 2 * f.extra && rank % 2 == 0) {
        stay_out(b, rank, input, output);
        return;
    }
    strata_build_copy(b, input, output);
    if (rank < 2 * f.extra) {
        strata_build_phase(b, "a neighbour's vector");
        strata_build_recv_blocks(b, rank - 1, work, STRATA_AS_FITS);
        strata_build_wait(b, 0);
        strata_build_reduce(b, work, output);
    }
    for (int i = 0; i < steps; i++) {
        int step = down ? steps - 1 - i : i;
        strata_build_phase(b, "step %d", step);
        exchange_whole(b, folded_rank(f, strata_swing_partner(f.power, number, step)), output,
                       work);
    }
    if (rank < 2 * f.extra) {
        strata_build_phase(b, "the sum for a neighbour");
        strata_build_send_blocks(b, rank - 1, output, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

struct strata_formula strata_swing_whole_formula(int ranks)
{
    struct fold f = fold_of(ranks);
    int steps = strata_swing_steps(f.power), extra = f.extra > 0;
    return (struct strata_formula){.rounds = steps + 2 * extra,
                                   .messages = steps + extra,
                                   .blocks = steps + extra,
                                   .reduced = steps + extra,
                                   .copied = 1};
}

bool strata_swing_whole_round(int ranks, bool down, int number, struct strata_flat_round *round)
{
    struct fold f = fold_of(ranks);
    int steps = strata_swing_steps(f.power), folded = f.extra > 0, step = number - folded;
    bool aside = folded && (number == 0 || number > steps);
    if (number >= steps + 2 * folded) {
        return false;
    }
    round->peers = STRATA_SWINGING;
    round->first = aside ? 1 : strata_swing_reach(down ? steps - 1 - step : step) * (1 + folded);
    round->messages = round->blocks = 1;
    return true;
}
