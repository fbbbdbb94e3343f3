#include "internode/butterfly/bine_halves.h"

static int modulo_power(int64_t value, int power)
{
    return (int)(value & (power - 1));
}

int strata_bine_rank_at(int ranks, int position)
{
    int rank = 0;
    for (int step = strata_swing_steps(ranks), bit = 1; step-- > 0; bit *= 2) {
        rank = position & bit ? modulo_power(strata_swing_reach(step) - rank, ranks) : rank;
    }
    return rank;
}

/* Steps after this one reach the displacements 0 and, as 3 * rho(s) = 1 - (-2)^(s+1), a third,
 * modulo a power of two. */
int strata_bine_position(int ranks, int rank)
{
    int position = 0;
    for (int step = 0, bit = ranks / 2; bit > 0; step++, bit /= 2) {
        int64_t power = (int64_t)4 << step;
        bool later =
            bit == 1 ? rank == 0 : rank % power == 0 || (3 * (int64_t)rank - 1) % power == 0;
        if (!later) {
            position += bit;
            rank = modulo_power(strata_swing_reach(step) - rank, ranks);
        }
    }
    return position;
}

/* The first block of the `width` ones that the rank's position is among. */
static int row_of(int ranks, int rank, int width)
{
    return strata_bine_position(ranks, rank) & ~(width - 1);
}

/* Work begins with the half that the rank keeps first: the sums. Behind it, `ranks` blocks from the
 * beginning, are the blocks that arrive to be added to them. */
struct strata_blocks strata_bine_halves_work(int ranks, int rank)
{
    return (struct strata_blocks){.count = ranks,
                                  .work = ranks + ranks / 2,
                                  .work_first = row_of(ranks, rank, (ranks + 1) / 2)};
}

static struct strata_swing_location work_place(int ranks, int rank, int base)
{
    struct strata_blocks blocks = strata_bine_halves_work(ranks, rank);
    return (struct strata_swing_location){STRATA_WORK, blocks.work, ranks, base, blocks.work_first};
}

struct strata_swing_location strata_bine_halves_sums(int ranks, int rank)
{
    return work_place(ranks, rank, 0);
}

static int row_set(struct strata_builder *b, struct strata_swing_location place, int first,
                   int count)
{
    struct strata_box_list list = {0};
    strata_swing_location_run(&list, &place, first, count);
    return strata_build_set_of(b, list.box, list.count);
}

void strata_bine_halves_reduce(struct strata_builder *b, int ranks, int rank)
{
    struct strata_swing_location input = {STRATA_INPUT, ranks, ranks, 0, 0};
    struct strata_swing_location sums = work_place(ranks, rank, 0),
                                 beside = work_place(ranks, rank, ranks);
    for (int step = 0, width = ranks / 2; width > 0; step++, width /= 2) {
        int partner = strata_swing_partner(ranks, rank, step), kept = row_of(ranks, rank, width);
        int arrived = row_set(b, step == 0 ? sums : beside, kept, width);
        strata_build_phase(b, "reduce, %d block%s", width, width == 1 ? "" : "s");
        strata_build_recv_blocks(b, partner, arrived, STRATA_AS_FITS);
        strata_build_send_blocks(
            b, partner, row_set(b, step == 0 ? input : sums, kept ^ width, width), STRATA_AS_FITS);
        strata_build_wait(b, 0);
        if (step == 0) {
            strata_build_reduce(b, row_set(b, input, kept, width), arrived);
        } else {
            strata_build_reduce(b, arrived, row_set(b, sums, kept, width));
        }
    }
}

void strata_bine_halves_gather(struct strata_builder *b, int ranks, int rank)
{
    struct strata_swing_location output = {STRATA_OUTPUT, ranks, ranks, 0, 0};
    for (int step = strata_swing_steps(ranks), width = 1; step-- > 0; width *= 2) {
        int partner = strata_swing_partner(ranks, rank, step), mine = row_of(ranks, rank, width);
        strata_build_phase(b, "gather, %d block%s", width, width == 1 ? "" : "s");
        strata_build_recv_blocks(b, partner, row_set(b, output, mine ^ width, width),
                                 STRATA_AS_FITS);
        strata_build_send_blocks(b, partner, row_set(b, output, mine, width), STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}
