/* Modified Bruck: Bruck's alltoall without the rotation at the end.
 *
 * The block that travels distance k is always number i - k of the output, whatever rank i it is on:
 * at its source a mirrored place, at its destination its own. So the first copy reverses and
 * rotates, and nothing is left to do after the last round. Rounds are Bruck's: every block whose
 * digit in base r is z moves z * r^x ranks on. The paper has radix 2; radix r is Bruck's
 * (internode/alltoall/bruck_index.c). Three modes:
 *   pack       the blocks that leave are packed, and those that arrive are unpacked into their
 *              places.
 *   datatype   a datatype describes the blocks that leave to the transport; Strata does not pack
 *              them. Blocks that arrive land in a buffer and are copied to their places.
 *   zero_copy  only a rank's own block is copied. A block leaves its source straight from the
 *              input. Then it alternates between work and output, so that it never arrives where
 *              another one leaves: with an even number of hops to go it lies in the output, with an
 *              odd number in work. Datatypes gather a message from three buffers and scatter it to
 *              two. The plan lists the blocks. */
#include "core/base/memory.h"
#include "core/cost/round_cost.h"
#include "internode/algorithms.h"
#include "internode/parts/digits.h"

enum mode { PACK = 1, DATATYPE, ZERO_COPY };

#define MOST_LISTED 65536

/* One value of one digit, and where its blocks are. */
struct hop {
    const struct strata_problem *problem;
    int64_t radix, weight, value;
};

static const char *applicable(const struct strata_problem *problem)
{
    return problem->parameter[0] == ZERO_COPY && problem->flat->ranks > MOST_LISTED
               ? "zero_copy lists its blocks, which is too much for more than 65536 ranks"
               : NULL;
}

/* A group of distances is one value of the digits above; groups are counted from 0. */
static int64_t last_group(const struct hop *h)
{
    return (h->problem->flat->ranks - 1 - h->value * h->weight) / (h->radix * h->weight);
}

static int64_t nearest_of(const struct hop *h, int64_t group)
{
    return (group * h->radix + h->value) * h->weight;
}

static int group_size(const struct hop *h, int64_t group)
{
    int64_t room = h->problem->flat->ranks - nearest_of(h, group);
    return (int)(room < h->weight ? room : h->weight);
}

/* The `count` farthest of a group, from the farthest on, whose blocks ascend in the output; in work
 * they lie as in the output of rank 0. */
static struct strata_box group_box(const struct hop *h, enum strata_store store, int64_t group,
                                   int count)
{
    int64_t ranks = h->problem->flat->ranks;
    int64_t farthest = nearest_of(h, group) + group_size(h, group) - 1;
    int first = strata_rank_at(h->problem, -farthest);
    if (store == STRATA_WORK) {
        first = (int)(ranks - farthest);
    }
    return strata_box_in(store, strata_box_range((int32_t)ranks, first, count));
}

/* All in the output: the last group, which may be cut short, and one box for the others. */
static int output_set(struct strata_builder *b, const struct hop *h)
{
    int64_t last = last_group(h);
    struct strata_box boxes[2] = {group_box(h, STRATA_OUTPUT, last, group_size(h, last))};
    if (last > 0) {
        boxes[1] = group_box(h, STRATA_OUTPUT, last - 1, 0); /* begins there */
        boxes[1].ndims = 2;
        boxes[1].dim[0].length = (int32_t)last;
        boxes[1].dim[0].stride = (int32_t)(h->radix * h->weight);
        boxes[1].dim[1] = (struct strata_dim){.length = (int32_t)h->weight, .stride = 1};
    }
    return strata_build_set_of(b, boxes, last > 0 ? 2 : 1);
}

static int nonzero_digits(int64_t number, int64_t radix)
{
    int digits = 0;
    for (; number > 0; number /= radix) {
        digits += number % radix != 0;
    }
    return digits;
}

static enum strata_store store_with(int hops_left)
{
    return hops_left % 2 ? STRATA_WORK : STRATA_OUTPUT;
}

/* Where the blocks lie before the hop or after it. For the nearest of each group, which has no
 * lower digit, the hop is the first. */
static int to_and_fro_set(struct strata_builder *b, const struct hop *h, bool leaving)
{
    int ranks = h->problem->flat->ranks, nboxes = 0;
    int64_t last = last_group(h);
    struct strata_box *boxes = strata_allocate(2 * (size_t)(last + 1), sizeof *boxes);
    if (!boxes) {
        return strata_build_no_memory(b);
    }
    for (int64_t group = last; group >= 0; group--) {
        int count = group_size(h, group) - leaving;
        if (count > 0) {
            int hops_left = nonzero_digits(group, h->radix) + leaving;
            boxes[nboxes++] = group_box(h, store_with(hops_left), group, count);
        }
        if (leaving) {
            int to = strata_rank_at(h->problem, nearest_of(h, group));
            boxes[nboxes++] = strata_box_in(STRATA_INPUT, strata_box_item(ranks, to));
        }
    }
    int set = strata_build_set_of(b, boxes, nboxes);
    strata_release(boxes);
    return set;
}

static bool next_value(struct hop *h)
{
    h->value++;
    return h->value < h->radix && h->value * h->weight < h->problem->flat->ranks;
}

static int receive_from(const struct hop *h)
{
    return strata_rank_at(h->problem, -h->value * h->weight);
}

static int send_to(const struct hop *h)
{
    return strata_rank_at(h->problem, h->value * h->weight);
}

typedef void exchange(struct strata_builder *b, struct hop h);

/* The blocks that leave are packed first, so arriving blocks may take their places. */
static void exchange_packed(struct strata_builder *b, struct hop h)
{
    for (struct hop v = h; next_value(&v);) {
        strata_build_send_blocks(b, send_to(&v), output_set(b, &v), STRATA_PACKED);
    }
    for (struct hop v = h; next_value(&v);) {
        strata_build_recv_blocks(b, receive_from(&v), output_set(b, &v), STRATA_AS_FITS);
    }
    strata_build_wait(b, 0);
}

/* The place in work where the blocks that arrive for this value wait; *used blocks are in use
 * before. */
static int waiting_set(struct strata_builder *b, const struct hop *h, int *used)
{
    int count = (int)strata_digit_count(h->problem->flat->ranks, h->radix, h->weight, h->value);
    struct strata_box box = strata_box_range(b->plan->blocks.work, *used, count);
    *used += count;
    return strata_build_set(b, strata_box_in(STRATA_WORK, box));
}

static void exchange_typed(struct strata_builder *b, struct hop h)
{
    int used = 0;
    for (struct hop v = h; next_value(&v);) {
        strata_build_recv_blocks(b, receive_from(&v), waiting_set(b, &v, &used), STRATA_AS_FITS);
    }
    for (struct hop v = h; next_value(&v);) {
        strata_build_send_blocks(b, send_to(&v), output_set(b, &v), STRATA_TYPED);
    }
    strata_build_wait(b, 0);
    used = 0;
    for (struct hop v = h; next_value(&v);) {
        int from = waiting_set(b, &v, &used);
        strata_build_copy(b, from, output_set(b, &v));
    }
}

static void exchange_to_and_fro(struct strata_builder *b, struct hop h)
{
    for (struct hop v = h; next_value(&v);) {
        strata_build_recv_blocks(b, receive_from(&v), to_and_fro_set(b, &v, false), STRATA_TYPED);
    }
    for (struct hop v = h; next_value(&v);) {
        strata_build_send_blocks(b, send_to(&v), to_and_fro_set(b, &v, true), STRATA_TYPED);
    }
    strata_build_wait(b, 0);
}

/* Work holds the blocks that arrive for one digit, or all blocks with more than one hop to go. */
static int work_blocks(int ranks, int radix, int mode)
{
    int64_t most = 0;
    for (int64_t weight = 1; mode == DATATYPE && weight < ranks; weight *= radix) {
        int64_t arrive = ranks - strata_digit_count(ranks, radix, weight, 0);
        most = arrive > most ? arrive : most;
    }
    return mode == ZERO_COPY && radix < ranks ? ranks : (int)most;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    static exchange *const run[] = {
        [PACK] = exchange_packed, [DATATYPE] = exchange_typed, [ZERO_COPY] = exchange_to_and_fro};
    int ranks = problem->flat->ranks, me = problem->rank;
    int mode = problem->parameter[0], radix = problem->parameter[1], position = 0;
    int first = mode == ZERO_COPY ? 1 : ranks;
    strata_build_blocks(b, (struct strata_blocks){.count = ranks,
                                                  .work = work_blocks(ranks, radix, mode),
                                                  .keeps_input = true});
    strata_build_phase(b, mode == ZERO_COPY ? "my block" : "reverse and rotate");
    int from = strata_build_set(b, strata_box_in(STRATA_INPUT, strata_box_range(ranks, me, first)));
    strata_build_copy(
        b, from,
        strata_build_set(b, strata_box_in(STRATA_OUTPUT, strata_box_down(ranks, me, first))));
    for (int64_t weight = 1; weight < ranks; weight *= radix) {
        strata_build_phase(b, "digit %d: %lld rank%s on", position++, (long long)weight,
                           weight == 1 ? "" : "s");
        run[mode](b, (struct hop){problem, radix, weight, 0});
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, mode = problem->parameter[0];
    struct strata_formula formula = strata_digit_formula(ranks, problem->parameter[1]);
    formula.copied = mode == ZERO_COPY ? 1 : mode == PACK ? ranks : ranks + formula.blocks;
    return formula;
}

/* Packing and unpacking, by us or by MPI. A group is copied at once; but the block that leaves on
 * its first hop lies apart, in zero_copy. */
static void cost_handling(struct strata_cost *total, const struct strata_problem *problem,
                          const struct strata_digit_stage *s, const struct strata_machine *machine)
{
    double bytes = problem->block_bytes, sent = s->blocks, pieces = s->groups;
    if (problem->parameter[0] == ZERO_COPY) {
        sent = s->blocks - s->lone;
        pieces = s->blocks > s->groups ? 2 * s->groups : s->split_groups;
    }
    strata_cost_copy(total, (sent + s->split_blocks) * bytes, pieces + s->split_groups, machine);
}

/* On some ranks a group goes over the end of the output; no rank has two such groups that would
 * otherwise lie side by side, so it is one of `whole` blocks at most. */
static void cost_cut(struct strata_cost *total, const struct strata_problem *problem, double whole,
                     const struct strata_machine *machine)
{
    if (whole > 1) {
        strata_cost_copy(total, whole * problem->block_bytes, 3, machine);
    }
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    int ranks = problem->flat->ranks, radix = problem->parameter[1];
    double bytes = problem->block_bytes, whole = 0;
    int first = problem->parameter[0] == ZERO_COPY ? 1 : ranks;
    struct strata_cost total = {0};
    strata_cost_copy(&total, first * bytes, first, machine);
    for (int64_t weight = 1; weight < ranks; weight *= radix) {
        struct strata_digit_stage s = strata_digit_stage(ranks, radix, weight);
        struct strata_flat_round round = strata_onward(weight, weight, s.messages, s.blocks);
        strata_cost_round(&total, problem->topology, &round, bytes, machine);
        cost_handling(&total, problem, &s, machine);
        whole = s.whole > whole ? s.whole : whole;
    }
    cost_cut(&total, problem, whole, machine);
    return total;
}

const struct strata_algorithm strata_modified = {
    .name = "modified",
    .collectives = 1u << STRATA_ALLTOALL,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "Bruck's log-round exchange without the rotation at the end; by datatypes, uncopied",
    .paper = "Traeff, Rougier, Hunold, ICS 2014",
    .title = "Implementing a Classic: Zero-copy All-to-all Communication with MPI Datatypes",
    .restrictions = "blocks of equal length; zero_copy: 65536 ranks",
    .rounds_text = "ceil(log_r P), each of min(r-1, floor((P-1)/r^x)) messages",
    .volume_text = "each block once for each non-zero digit of its distance; copies: pack: all "
                   "blocks once; datatype: all blocks, and all that arrive; zero_copy: one block",
    .scratch_text = "pack: the messages of one digit; datatype: what arrives for one digit; "
                    "zero_copy: P blocks",
    .parameters =
        {{"mode",
          0,
          PACK,
          ZERO_COPY,
          {PACK, DATATYPE, ZERO_COPY},
          "how blocks that do not lie side by side travel",
          {"pack", "datatype", "zero_copy"}},
         {"radix", 0, 2, 65536, {2, 3, 4, 8, 16}, "base of the digits; more: fewer hops", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
};
