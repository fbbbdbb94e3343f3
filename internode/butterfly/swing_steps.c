#include "internode/butterfly/swing_steps.h"

#include "internode/parts/gather.h"

/* The ranks of the butterfly. */
static int even_part(int ranks)
{
    return ranks - ranks % 2;
}

static int add_list(struct strata_builder *b, const struct strata_box_list *list)
{
    return strata_build_set_of(b, list->box, list->count);
}

/* In step s the last rank of an odd number meets the ranks from even / 2^(s+1) on, up to the ranks
 * of the step before; in the last step it meets rank 0. */
static int group_begin(int even, int step)
{
    return step == strata_swing_steps(even) - 1 ? 0 : even >> (step + 1);
}

static bool meets_last(int ranks, int rank, int step)
{
    int even = even_part(ranks);
    return ranks % 2 && rank < even && rank >= group_begin(even, step) && rank < even >> step;
}

/* The step's blocks that `member` sends in a reduce-scatter, and receives in an allgather. */
static int member_set(struct strata_builder *b, int ranks, int member, int step)
{
    struct strata_swing_location place = {STRATA_OUTPUT, .space = ranks, .blocks = ranks};
    struct strata_box_list list = {0};
    struct strata_comb comb[2];
    strata_swing_sent(even_part(ranks), member, step, comb);
    for (int i = 0; i < 2; i++) {
        strata_swing_location_comb(&list, &place, even_part(ranks), comb[i]);
    }
    return add_list(b, &list);
}

static void swap_blocks(struct strata_builder *b, int ranks, int rank, int peer)
{
    strata_gather_recv(b, peer, strata_gather_blocks(ranks, peer, 1), 0);
    strata_gather_send(b, peer, strata_gather_blocks(ranks, rank, 1), 0);
}

static void gather_step(struct strata_builder *b, int ranks, int rank, int step)
{
    int even = even_part(ranks);
    if (rank < even) {
        int partner = strata_swing_partner(even, rank, step);
        strata_build_recv_blocks(b, partner, member_set(b, ranks, rank, step), STRATA_AS_FITS);
        strata_build_send_blocks(b, partner, member_set(b, ranks, partner, step), STRATA_AS_FITS);
    }
    for (int member = even >> step; rank == even && member-- > group_begin(even, step);) {
        swap_blocks(b, ranks, rank, member);
    }
    if (meets_last(ranks, rank, step)) {
        swap_blocks(b, ranks, rank, even);
    }
}

void strata_swing_allgather(struct strata_builder *b, int ranks, int rank)
{
    for (int step = strata_swing_steps(even_part(ranks)); step-- > 0;) {
        int64_t reach = strata_swing_reach(step);
        strata_build_phase(b, "distance %lld", (long long)(reach < 0 ? -reach : reach));
        gather_step(b, ranks, rank, step);
        strata_build_wait(b, 0);
    }
}

/* Work: the sums, the blocks that arrive to be added to them, and the block that the last rank
 * sends. */
struct strata_blocks strata_swing_work(int ranks, int rank)
{
    return (struct strata_blocks){
        .count = ranks, .work = ranks > 1 ? 2 * ranks + ranks % 2 : 0, .work_first = rank};
}

static struct strata_swing_location work_place(int ranks, int rank, int base)
{
    return (struct strata_swing_location){STRATA_WORK, strata_swing_work(ranks, rank).work, ranks,
                                          base, rank};
}

struct strata_swing_location strata_swing_sums(int ranks, int rank)
{
    return work_place(ranks, rank, 0);
}

static struct strata_swing_location input_place(int ranks)
{
    return (struct strata_swing_location){STRATA_INPUT, ranks, ranks, 0, 0};
}

/* The blocks of combs in a place. The last block of an odd number travels with its neighbour. */
static void add_combs(struct strata_box_list *list, struct strata_swing_location place,
                      const struct strata_comb *comb, int combs)
{
    int even = even_part(place.blocks);
    struct strata_box_list neighbour = {0};
    for (int i = 0; i < combs; i++) {
        strata_swing_location_comb(list, &place, even, comb[i]);
    }
    strata_swing_location_run(&neighbour, &place, even - 1, 1);
    if (even < place.blocks && strata_set_contains((struct strata_set){list->box, list->count, 0},
                                                   neighbour.box[0].origin)) {
        strata_swing_location_run(list, &place, even, 1);
    }
}

static int comb_set(struct strata_builder *b, struct strata_swing_location place,
                    const struct strata_comb *comb, int combs)
{
    struct strata_box_list list = {0};
    add_combs(&list, place, comb, combs);
    return add_list(b, &list);
}

/* Copies the blocks that step 0 did not meet to the sums, so that all of them are there. */
static void copy_left(struct strata_builder *b, int ranks, int rank)
{
    struct strata_comb left[4];
    if (strata_swing_left_count(even_part(ranks)) > 0) {
        strata_swing_left(even_part(ranks), rank, left);
        strata_build_copy(b, comb_set(b, input_place(ranks), left, 4),
                          comb_set(b, strata_swing_sums(ranks, rank), left, 4));
    }
}

/* Step 0 sends the inputs, and the arriving blocks become the sums. */
static void reduce_step(struct strata_builder *b, int ranks, int rank, int step)
{
    int even = even_part(ranks), partner = strata_swing_partner(even, rank, step);
    struct strata_swing_location sums = strata_swing_sums(ranks, rank), input = input_place(ranks);
    struct strata_swing_location arriving = step == 0 ? sums : work_place(ranks, rank, ranks);
    struct strata_comb out[2], in[2];
    strata_swing_sent(even, rank, step, out);
    strata_swing_sent(even, partner, step, in);
    int arrived = comb_set(b, arriving, in, 2);
    int last = meets_last(ranks, rank, step)
                   ? strata_build_item(b, STRATA_WORK, sums.space, 2 * ranks)
                   : -1;
    strata_build_recv_blocks(b, partner, arrived, STRATA_AS_FITS);
    if (last >= 0) {
        strata_build_recv_blocks(b, even, last, STRATA_AS_FITS);
    }
    strata_build_send_blocks(b, partner, comb_set(b, step == 0 ? input : sums, out, 2),
                             STRATA_AS_FITS);
    strata_build_wait(b, 0);
    if (step == 0) {
        strata_build_reduce(b, comb_set(b, input, in, 2), arrived);
        copy_left(b, ranks, rank);
    } else {
        strata_build_reduce(b, arrived, comb_set(b, sums, in, 2));
    }
    if (last >= 0) {
        strata_build_reduce(b, last, strata_build_item(b, STRATA_WORK, sums.space, 0));
    }
}

/* The last rank of an odd number: a block to each of this step's. */
static void hand_out(struct strata_builder *b, int ranks, int step)
{
    int even = even_part(ranks);
    for (int rank = even >> step; rank-- > group_begin(even, step);) {
        strata_build_send_blocks(b, rank, strata_build_item(b, STRATA_INPUT, ranks, rank),
                                 STRATA_AS_FITS);
    }
    strata_build_wait(b, 0);
}

/* The last block of an odd number is summed up at the neighbour of its rank. */
static void deliver_last(struct strata_builder *b, int ranks, int rank)
{
    int even = even_part(ranks);
    struct strata_swing_location sums = strata_swing_sums(ranks, rank);
    struct strata_box_list last = {0};
    strata_swing_location_run(&last, &sums, even, 1);
    if (rank == even - 1) {
        strata_build_send_blocks(b, even, add_list(b, &last), STRATA_AS_FITS);
        strata_build_wait(b, 0);
    } else if (rank == even) {
        int sum = add_list(b, &last);
        strata_build_recv_blocks(b, even - 1, sum, STRATA_AS_FITS);
        strata_build_wait(b, 0);
        strata_build_reduce(b, strata_build_item(b, STRATA_INPUT, ranks, rank), sum);
    }
}

void strata_swing_sum(struct strata_builder *b, int ranks, int rank)
{
    int even = even_part(ranks), steps = strata_swing_steps(even);
    for (int step = 0; step < steps; step++) {
        int64_t reach = strata_swing_reach(step);
        strata_build_phase(b, "reduce, distance %lld", (long long)(reach < 0 ? -reach : reach));
        if (rank < even) {
            reduce_step(b, ranks, rank, step);
        } else {
            hand_out(b, ranks, step);
        }
    }
    if (ranks % 2) {
        strata_build_phase(b, "the last block");
        deliver_last(b, ranks, rank);
    }
}

void strata_swing_reduce_scatter(struct strata_builder *b, int ranks, int rank)
{
    int sum = strata_build_item(b, STRATA_INPUT, ranks, rank);
    if (ranks > 1) {
        strata_swing_sum(b, ranks, rank);
        sum = strata_build_item(b, STRATA_WORK, strata_swing_sums(ranks, rank).space, 0);
    }
    strata_build_phase(b, "my block");
    strata_build_copy(b, sum, strata_build_item(b, STRATA_OUTPUT, ranks, rank));
}

void strata_swing_allreduce(struct strata_builder *b, int ranks, int rank)
{
    strata_swing_reduce_scatter(b, ranks, rank);
    strata_swing_allgather(b, ranks, rank);
}

/* Whether one begins where the other ends; `around`: from the end of all blocks to their beginning,
 * too. */
static bool follows(const struct strata_box *one, const struct strata_box *other, bool around)
{
    int end = one->origin + (one->dim[0].length - 1) * one->dim[0].stride + 1;
    return other->origin == end || (around && end == one->space && other->origin == 0);
}

/* The blocks that a member sends in a step, if they are several pieces: a comb's blocks lie apart,
 * but where a box ends the next one may begin. */
static void add_packed(struct strata_formula *formula, int even, int member, int step)
{
    struct strata_swing_location place = {STRATA_OUTPUT, .space = even, .blocks = even};
    struct strata_box_list list = {0};
    struct strata_comb comb[2];
    strata_swing_sent(even, member, step, comb);
    strata_swing_location_comb(&list, &place, even, comb[0]);
    strata_swing_location_comb(&list, &place, even, comb[1]);
    int64_t blocks = comb[0].count + comb[1].count, pieces = blocks;
    for (int i = 1; i < list.count; i++) {
        pieces -= follows(&list.box[i - 1], &list.box[i], blocks == 2);
    }
    formula->packed += pieces > 1 ? (double)blocks : 0;
    formula->pieces += pieces > 1 ? (double)pieces : 0;
}

/* The packed blocks of rank 0: those that it sends to its partners, and those that it receives from
 * them. */
static struct strata_formula packed(int ranks)
{
    int even = even_part(ranks);
    struct strata_formula formula = {0};
    for (int step = 0; even > 0 && step < strata_swing_steps(even); step++) {
        add_packed(&formula, even, 0, step);
        add_packed(&formula, even, strata_swing_partner(even, 0, step), step);
    }
    return formula;
}

/* The last rank of an odd number has a message for, and from, each of the others. */
struct strata_formula strata_swing_allgather_formula(int ranks)
{
    struct strata_formula formula = packed(ranks);
    formula.rounds = strata_swing_steps(even_part(ranks));
    formula.messages = ranks % 2 ? ranks - 1 : formula.rounds;
    formula.blocks = ranks - 1;
    return formula;
}

/* Where ranks are odd the rank before the last combines most: it has both last blocks. */
struct strata_formula strata_swing_sum_formula(int ranks)
{
    int even = even_part(ranks), steps = strata_swing_steps(even), odd = ranks > 1 && ranks % 2;
    double left = even > 0 ? (double)strata_swing_left_count(even) : 0;
    struct strata_formula formula = packed(ranks);
    formula.rounds = steps + odd;
    formula.messages = odd ? ranks - 1 : steps;
    formula.blocks = ranks - 1;
    formula.reduced = ranks - 1 + (odd ? strata_swing_returns(even) : 0);
    formula.copied = left > 0 ? left + odd : 0;
    return formula;
}

double strata_swing_copied(int ranks, int rank)
{
    int even = even_part(ranks);
    struct strata_box_list list = {0};
    struct strata_comb left[4];
    if (rank < even) {
        strata_swing_left(even, rank, left);
        add_combs(&list, input_place(ranks), left, 4);
    }
    return (double)strata_set_count((struct strata_set){list.box, list.count, 0});
}

struct strata_formula strata_swing_reduce_scatter_formula(int ranks)
{
    struct strata_formula formula = strata_swing_sum_formula(ranks);
    formula.copied += 1;
    return formula;
}

struct strata_formula strata_swing_allreduce_formula(int ranks)
{
    struct strata_formula first = strata_swing_reduce_scatter_formula(ranks);
    struct strata_formula second = strata_swing_allgather_formula(ranks);
    return (struct strata_formula){.rounds = first.rounds + second.rounds,
                                   .messages = first.messages + second.messages,
                                   .blocks = (first.blocks + second.blocks) / ranks,
                                   .reduced = first.reduced / ranks,
                                   .copied = first.copied / ranks,
                                   .packed = (first.packed + second.packed) / ranks,
                                   .pieces = first.pieces + second.pieces};
}

bool strata_swing_round(int ranks, bool sums, bool gathers, int number,
                        struct strata_flat_round *round)
{
    int steps = strata_swing_steps(even_part(ranks)), all = steps * (sums + gathers);
    int step = sums && number < steps ? number : all - 1 - number;
    int64_t others = ((int64_t)1 << (steps - 1 - (step < steps ? step : 0)));
    if (number >= all || ranks < 2) {
        return false;
    }
    round->peers = STRATA_SWINGING;
    round->first = strata_swing_reach(step);
    round->messages = 1;
    round->blocks = step > 0 ? (double)others : (double)(ranks - others);
    return true;
}
