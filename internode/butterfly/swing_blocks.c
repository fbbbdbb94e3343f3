#include "internode/butterfly/swing_blocks.h"

#include <assert.h>

int strata_swing_steps(int ranks)
{
    int steps = 0;
    while ((int64_t)1 << steps < ranks) {
        steps++;
    }
    return steps;
}

int64_t strata_swing_reach(int step)
{
    int64_t power = (int64_t)1 << (step + 1);
    return (1 - (step % 2 ? power : -power)) / 3;
}

static int64_t modulo(int64_t value, int64_t of)
{
    int64_t rest = value % of;
    return rest < 0 ? rest + of : rest;
}

int strata_swing_partner(int ranks, int rank, int step)
{
    int64_t reach = strata_swing_reach(step);
    return (int)modulo(rank % 2 ? rank - reach : rank + reach, ranks);
}

/* The displacements that the steps reach are the numbers with `steps` digits of base -2; even ones
 * are the negatives of such numbers. There are 2^steps of them in a row; returns the least. */
static int64_t least_displacement(int steps, int odd)
{
    int64_t digits =
        odd ? steps / 2 : (steps + 1) / 2; /* whose weights are negative, or positive */
    int64_t sum = (((int64_t)1 << (2 * digits)) - 1) / 3;
    return odd ? -2 * sum : -sum;
}

/* The numbers from low to high that are `residue` modulo stride. */
static struct strata_comb between(int64_t low, int64_t high, int64_t residue, int64_t stride)
{
    int64_t first = low + modulo(residue - low, stride);
    return (struct strata_comb){first, first > high ? 0 : (high - first) / stride + 1, stride};
}

/* Displacements of one parity that are sent in a step: those that the steps from here on can make,
 * and those after it cannot. Even ones are 2^(s+1), odd ones rho(s), modulo 2^(s+2). */
static struct strata_comb displaced(int ranks, int step, int odd)
{
    int steps = strata_swing_steps(ranks);
    int64_t all = (int64_t)1 << steps, stride = (int64_t)4 << step;
    int64_t residue = odd ? strata_swing_reach(step) : stride / 2;
    int64_t low = least_displacement(steps, odd);
    if (step == steps - 1) {
        return (struct strata_comb){residue, odd, stride};
    }
    if (ranks % stride == 0) {
        return (struct strata_comb){residue, ranks / stride, stride};
    }
    if (2 * ranks % stride != 0) { /* each is made in one way */
        return between(low, low + all - 1, residue, stride);
    }
    /* Later steps reach the displacements `later`, in a row of the ring that `stride` generates;
     * the result is the rest of the ring. */
    struct strata_comb later =
        between(low, low + all - 1, odd ? strata_swing_reach(step + 1) : 0, stride);
    return (struct strata_comb){later.first + all, 2 * ranks / stride - later.count, stride};
}

/* The blocks with these displacements at a rank, upwards. */
static struct strata_comb at_rank(int ranks, int rank, struct strata_comb d)
{
    int64_t last = d.first + (d.count > 0 ? d.count - 1 : 0) * d.stride;
    int64_t first = rank % 2 ? rank - last : rank + d.first;
    return (struct strata_comb){modulo(first, ranks), d.count, d.stride};
}

void strata_swing_sent(int ranks, int rank, int step, struct strata_comb sent[2])
{
    for (int odd = 0; odd < 2; odd++) {
        sent[odd] = at_rank(ranks, rank, displaced(ranks, step, odd));
    }
}

/* Displacements d that later steps reach as d and as 1 - d: one of the two is then beyond the ends
 * of the row of numbers, a whole turn away. */
void strata_swing_left(int ranks, int rank, struct strata_comb left[4])
{
    int64_t all = (int64_t)1 << strata_swing_steps(ranks);
    for (int odd = 0; odd < 2; odd++) {
        int64_t low = least_displacement(strata_swing_steps(ranks), odd), high = low + all - 1;
        int64_t beyond = ranks % 4 ? ranks : all;
        int64_t residue = odd ? 3 : 0;
        left[2 * odd] = at_rank(ranks, rank, between(low, high + 1 - beyond, residue, 4));
        left[2 * odd + 1] = at_rank(ranks, rank, between(low + 1 + beyond, high, residue, 4));
    }
}

int64_t strata_swing_left_count(int ranks)
{
    return ranks % 4 ? ((int64_t)1 << strata_swing_steps(ranks)) - ranks : 0;
}

/* The rank's own block is sent with displacement rho(s). Where a turn is an odd multiple of
 * 2^(s+1), later steps can reach this displacement, a turn away, unless it lies beyond their ends.
 */
int strata_swing_returns(int ranks)
{
    int steps = strata_swing_steps(ranks), step = 0;
    while (step < steps - 1 && !(ranks >> (step + 1) & 1)) {
        step++;
    }
    int64_t low = least_displacement(steps, 1), high = low + ((int64_t)1 << steps) - 1;
    int64_t reach = strata_swing_reach(step);
    return steps - (reach + ranks <= high || reach - ranks >= low);
}

/* `count` numbers of the store from `first` on. */
static void add(struct strata_box_list *list, const struct strata_swing_location *place,
                int64_t first, int64_t count, int64_t stride)
{
    assert(list->count < (int)(sizeof list->box / sizeof *list->box));
    list->box[list->count++] = (struct strata_box){
        .space = place->space,
        .origin = (int32_t)first,
        .limit = place->space,
        .ndims = 1,
        .store = (int16_t)place->store,
        .dim = {{.length = (int32_t)count, .stride = count > 1 ? (int32_t)stride : 1}}};
}

/* A box for each run that does not pass the end, nor the block that lies first. */
void strata_swing_location_comb(struct strata_box_list *list,
                                const struct strata_swing_location *place, int ranks,
                                struct strata_comb comb)
{
    while (comb.count > 0) {
        int64_t end = comb.first < place->first && place->first < ranks ? place->first : ranks;
        int64_t fits = (end - comb.first + comb.stride - 1) / comb.stride;
        int64_t count = fits < comb.count ? fits : comb.count;
        int64_t number = place->base + modulo(comb.first - place->first, place->blocks);
        add(list, place, number, count, comb.stride);
        comb.first = modulo(comb.first + count * comb.stride, ranks);
        comb.count -= count;
    }
}

void strata_swing_location_run(struct strata_box_list *list,
                               const struct strata_swing_location *place, int first, int count)
{
    strata_swing_location_comb(list, place, place->blocks, (struct strata_comb){first, count, 1});
}
