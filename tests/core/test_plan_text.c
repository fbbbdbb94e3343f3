/* Plans are printed, read back and printed again. The reader names mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/plan/builder.h"
#include "core/text/plan_text.h"
#include "tests/assert_cmp.h"

static char *print(const struct strata_plan *plan)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(strata_plan_print(plan, file), STRATA_OK);
    fclose(file);
    return text;
}

static struct strata_plan *parse(const char *text, const struct strata_topology *topology)
{
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message = {""};
    int error = strata_plan_parse(text, topology, &plan, &message);
    assert_string_equal(message.text, "");
    assert_int_equal(error, STRATA_OK);
    return plan;
}

static void assert_same_set(const struct strata_plan *a, int set_a, const struct strata_plan *b,
                            int set_b)
{
    assert_int_equal(set_a < 0, set_b < 0);
    if (set_a < 0) {
        return;
    }
    const struct strata_plan_set *sa = &a->sets[set_a], *sb = &b->sets[set_b];
    assert_int_equal(sa->nboxes, sb->nboxes);
    for (int32_t i = 0; i < sa->nboxes; i++) {
        const struct strata_box *box_a = &a->boxes[sa->first_box + i];
        const struct strata_box *box_b = &b->boxes[sb->first_box + i];
        assert_int_equal(box_a->space, box_b->space);
        assert_int_equal(box_a->origin, box_b->origin);
        assert_int_equal(box_a->limit, box_b->limit);
        assert_int_equal(box_a->ndims, box_b->ndims);
        assert_int_equal(box_a->down, box_b->down);
        assert_int_equal(box_a->store, box_b->store);
        assert_memory_equal(box_a->dim, box_b->dim,
                            (size_t)box_a->ndims * sizeof(struct strata_dim));
    }
}

static void assert_same_blocks(const struct strata_plan *a, const struct strata_plan *b)
{
    assert_int_equal(a->root, b->root);
    assert_int_equal(a->keeps_order, b->keeps_order);
    assert_int_equal(a->left_fold, b->left_fold);
    assert_int_equal(a->blocks.count, b->blocks.count);
    assert_int_equal(a->blocks.work, b->blocks.work);
    assert_int_equal(a->blocks.work_first, b->blocks.work_first);
    assert_int_equal(a->blocks.work_alike, b->blocks.work_alike);
    assert_int_equal(a->blocks.shared, b->blocks.shared);
    assert_int_equal(a->blocks.slot, b->blocks.slot);
    assert_int_equal(a->blocks.ring, b->blocks.ring);
    assert_int_equal(a->blocks.by_position, b->blocks.by_position);
    assert_int_equal(a->blocks.keeps_input, b->blocks.keeps_input);
    assert_int_equal(a->blocks.once, b->blocks.once);
    assert_memory_equal(&a->posting, &b->posting, sizeof a->posting);
}

/* The plans are equal, except for the numbers of sets and labels. */
static void assert_same_plan(const struct strata_plan *a, const struct strata_plan *b)
{
    assert_int_equal(a->collective, b->collective);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->rank, b->rank);
    ASSERT_CMP(a->limits.threshold, ==, b->limits.threshold);
    ASSERT_CMP(a->limits.slice, ==, b->limits.slice);
    ASSERT_CMP(a->limits.passes, ==, b->limits.passes);
    ASSERT_CMP(a->exchange.lanes, ==, b->exchange.lanes);
    ASSERT_CMP(a->exchange.staged, ==, b->exchange.staged);
    ASSERT_CMP(a->exchange.lane_items, ==, b->exchange.lane_items);
    ASSERT_CMP(a->exchange.lane_messages, ==, b->exchange.lane_messages);
    assert_same_blocks(a, b);
    assert_int_equal(a->nsteps, b->nsteps);
    for (int i = 0; i < a->nsteps; i++) {
        const struct strata_step *s = &a->steps[i], *t = &b->steps[i];
        ASSERT_CMP(s->op, ==, t->op);
        ASSERT_CMP(s->workshare, ==, t->workshare);
        ASSERT_CMP(s->direct, ==, t->direct);
        ASSERT_CMP(s->lane, ==, t->lane);
        ASSERT_CMP(s->peer, ==, t->peer);
        ASSERT_CMP(s->count, ==, t->count);
        ASSERT_CMP(s->set_step, ==, t->set_step);
        ASSERT_CMP(s->how, ==, t->how);
        assert_same_set(a, s->set, b, t->set);
        if (strata_step_has(s->op, STRATA_HAS_FROM)) {
            assert_same_set(a, s->from, b, t->from);
        }
        if (s->op == STRATA_STEP_PHASE) {
            assert_string_equal(a->labels + s->label, b->labels + t->label);
        }
    }
}

/* Also destroys the plan. */
static void assert_round_trip(struct strata_plan *plan)
{
    char *text = print(plan);
    struct strata_plan *again = parse(text, plan->topology);
    assert_same_plan(plan, again);
    char *text_again = print(again);
    assert_string_equal(text, text_again);
    free(text);
    free(text_again);
    strata_plan_destroy(again);
    strata_plan_destroy(plan);
}

/* Builds rank `rank`'s part of a Bruck exchange of this radix as a flat plan. */
static void build_bruck(struct strata_builder *b, const struct strata_topology *t, int rank,
                        int radix)
{
    int ranks = t->ranks;
    strata_builder_init(b, STRATA_ALLTOALLV, "bruck:radix=2", rank, t);
    strata_build_limits(b, (struct strata_limits){4096, 4096, 1});
    strata_build_exchange(b, (struct strata_exchange){.lanes = 1, .lane_items = ranks});
    strata_build_index(b, 0);
    int position = 0;
    for (int64_t weight = 1; weight < ranks; weight *= radix, position++) {
        for (int value = 1; value < radix && value * weight < ranks; value++) {
            int distance = (int)(value * weight);
            strata_build_phase(b, "digit %d is %d: distance %d", position, value, distance);
            int set = strata_build_set(b, strata_box_digit(ranks, radix, position, value));
            strata_build_recv(b, (rank - distance + ranks) % ranks, 0, set, STRATA_WHOLE);
            strata_build_send(b, (rank + distance) % ranks, 0, set, STRATA_WHOLE);
            strata_build_wait(b, 0);
        }
    }
    strata_build_copy_out(b, 0, 0, strata_build_set(b, strata_box_range(ranks, rank, ranks)));
}

static void test_bruck_plans(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 40; ranks++) {
        struct strata_topology *t = NULL;
        assert_int_equal(strata_topology_flat(ranks, &t), STRATA_OK);
        for (int radix = 2; radix <= 8; radix++) {
            struct strata_builder b;
            struct strata_plan *plan = NULL;
            build_bruck(&b, t, ranks / 2, radix);
            assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
            assert_round_trip(plan);
        }
        strata_topology_destroy(t);
    }
}

static int below(int n)
{
    return rand() % n;
}

static struct strata_box random_box(int32_t space)
{
    struct strata_box box = {.space = space,
                             .origin = below(space),
                             .limit = below(2) ? below(space + 1) : space,
                             .ndims = 1 + below(STRATA_BOX_DIMS),
                             .down = below(3) == 0};
    for (int d = 0; d < box.ndims; d++) {
        struct strata_dim *dim = &box.dim[d];
        dim->extent = below(2) ? 1 + below(9) : 0;
        dim->length = below(dim->extent ? dim->extent + 1 : 8);
        dim->start = below(dim->extent ? dim->extent : 6);
        dim->stride = 1 + below(3);
    }
    return box;
}

static int random_set(struct strata_builder *b, int space)
{
    struct strata_box boxes[3];
    int nboxes = 1 + below(3);
    for (int i = 0; i < nboxes; i++) {
        boxes[i] = random_box(space);
    }
    return strata_build_set_of(b, boxes, nboxes);
}

/* Boxes in any store of the plan, or none; by position where blocks belong to ranks. */
static int random_blocks(struct strata_builder *b, int least)
{
    static const enum strata_store stores[] = {STRATA_SHARED, STRATA_INPUT,    STRATA_OUTPUT,
                                               STRATA_WORK,   STRATA_INPUT_AT, STRATA_OUTPUT_AT};
    const struct strata_blocks *blocks = &b->plan->blocks;
    bool ranked = blocks->count == b->plan->topology->ranks;
    struct strata_box boxes[3];
    int nboxes = least + below(4 - least);
    for (int i = 0; i < nboxes; i++) {
        int before = blocks->shared ? 0 : 1;
        enum strata_store store = stores[before + below((ranked ? 6 : 4) - before)];
        store = blocks->slot > 0 && below(3) == 0 ? STRATA_SLOT : store;
        int space = store == STRATA_WORK     ? blocks->work
                    : store == STRATA_SHARED ? b->plan->topology->ranks
                    : store == STRATA_SLOT   ? strata_slot_store(b->plan)
                                             : blocks->count;
        store = space > 0 ? store : STRATA_OUTPUT;
        boxes[i] = strata_box_in(store, random_box(space > 0 ? space : blocks->count));
    }
    return strata_build_set_of(b, boxes, nboxes);
}

/* A step of a plan over blocks. */
static void add_block_step(struct strata_builder *b)
{
    int count = b->plan->blocks.count;
    enum strata_how how = (enum strata_how)below(3);
    struct strata_box some = strata_box_range(count, below(count), 1 + below(count));
    int from = strata_build_set(b, strata_box_in(STRATA_INPUT, some));
    int into = strata_build_set(b, strata_box_in(STRATA_OUTPUT, some));
    switch (below(5)) {
    case 0:
        strata_build_send_blocks(b, below(12), random_blocks(b, 0), how);
        return;
    case 1:
        strata_build_recv_blocks(b, below(12), random_blocks(b, 0), how);
        return;
    case 2:
        strata_build_copy(b, from, into);
        return;
    case 3:
        strata_build_fold(b, from, into);
        return;
    default:
        strata_build_reduce(b, from, into);
    }
}

static void add_random_repeat(struct strata_builder *b)
{
    if (b->open < STRATA_REPEAT_DEPTH && b->passes_open == 0 && below(2)) {
        strata_build_passes(b);
    } else if (b->open < STRATA_REPEAT_DEPTH) {
        strata_build_repeat(b, 1 + below(strata_plan_over_blocks(b->plan) ? 3 : 9));
    }
}

static const char *random_word(void)
{
    static const char *const words[] = {"plain", "a \"quote\" and # mark", "back\\slash", ""};
    return words[below(4)];
}

/* A send on a lane, sometimes as a workshare of the team. */
static void add_random_send(struct strata_builder *b, int lane)
{
    const struct strata_topology *t = b->plan->topology;
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_SEND_BLOCKS,
                                              .peer = below(t->ranks),
                                              .lane = lane,
                                              .set = random_set(b, t->nodes),
                                              .workshare = (uint8_t)below(2)});
}

static void add_random_wait(struct strata_builder *b)
{
    if (below(2)) {
        strata_build_wait(b, below(5));
    } else {
        strata_build_wait_direct(b, below(5));
    }
}

static void add_random_step(struct strata_builder *b, const struct strata_topology *t)
{
    int size = strata_topology_node_size(t, t->node_of[b->plan->rank]);
    enum strata_signal signal = (enum strata_signal)(1 + below(3));
    int op = below(STRATA_STEP_COUNT);
    if (strata_plan_over_blocks(b->plan) && (!(strata_step_kind[op].plans & STRATA_OF_BLOCKS) ||
                                             strata_step_has(op, STRATA_HAS_BLOCKS))) {
        add_block_step(b);
        return;
    }
    int lanes = b->plan->exchange.lanes, lane = lanes > 0 ? below(lanes) : 0;
    switch (op) {
    case STRATA_STEP_PHASE:
        strata_build_phase(b, "%s", random_word());
        return;
    case STRATA_STEP_REPEAT:
        add_random_repeat(b);
        return;
    case STRATA_STEP_END:
        if (b->open > 0) {
            strata_build_end(b);
        }
        return;
    case STRATA_STEP_DIRECT:
        strata_build_direct(b, random_set(b, t->ranks), below(7) - 3);
        return;
    case STRATA_STEP_COPY:
        if (b->plan->exchange.staged) {
            strata_build_copy_in(b, random_box(t->ranks));
        }
        return;
    case STRATA_STEP_SIGNAL:
        strata_build_signal(b, signal);
        return;
    case STRATA_STEP_AWAIT:
        strata_build_await(b, below(size + 1) - 1, signal);
        return;
    case STRATA_STEP_INDEX:
        strata_build_index(b, lane);
        return;
    case STRATA_STEP_RECV_BLOCKS:
        strata_build_recv(b, below(t->ranks), lane, random_set(b, t->nodes), STRATA_WHOLE);
        return;
    case STRATA_STEP_SEND_BLOCKS:
        add_random_send(b, lane);
        return;
    case STRATA_STEP_WAIT:
        add_random_wait(b);
        return;
    case STRATA_STEP_COPY_OUT:
        strata_build_copy_out(b, below(size), lane, random_set(b, t->ranks));
        return;
    case STRATA_STEP_NATIVE:
        strata_build_native(b);
        return;
    default:
        return;
    }
}

/* Plans that no algorithm makes, so that every field takes all kinds of values. */
static void test_random_plans(void **state)
{
    (void)state;
    static const char *const layouts[] = {"node:1", "node:4:cyclic", "node:5,1,2,4"};
    srand(7);
    for (int round = 0; round < 600; round++) {
        struct strata_topology *t = NULL;
        struct strata_diagnostic message;
        struct strata_builder b;
        struct strata_plan *plan = NULL;
        assert_int_equal(strata_topology_parse(layouts[below(3)], 12, &t, &message), STRATA_OK);
        strata_builder_init(&b, (enum strata_collective)below(STRATA_COLLECTIVE_COUNT),
                            "random:seed=7,x=-1", below(12), t);
        strata_build_limits(&b, below(2) ? (struct strata_limits){SIZE_MAX, SIZE_MAX, 1}
                                         : (struct strata_limits){100, 8, 13});
        strata_build_exchange(&b, (struct strata_exchange){.lanes = 1 + below(3),
                                                           .staged = below(2),
                                                           .lane_items = below(2) ? INT64_MAX : 5,
                                                           .lane_messages = below(9)});
        if (below(2)) {
            b.plan->root = below(12);
            b.plan->keeps_order = below(2);
            b.plan->left_fold = below(2);
            int slot = below(3), passes = b.plan->limits.passes;
            int count = slot > 0 ? slot * passes : below(2) ? t->ranks : 1 + below(14);
            bool ranked = strata_collective_info[b.plan->collective].ranked;
            bool shared = count == (ranked ? t->ranks : 1) && below(2);
            strata_build_blocks(&b,
                                (struct strata_blocks){.count = count,
                                                       .work = below(3) * below(9),
                                                       .work_alike = below(2),
                                                       .slot = slot,
                                                       .ring = slot > 0 && !shared && below(2),
                                                       .shared = shared,
                                                       .by_position = count == t->ranks && below(2),
                                                       .keeps_input = below(2),
                                                       .once = (slot > 0) != shared && below(2)});
        }
        for (int i = below(60); i > 0; i--) {
            add_random_step(&b, t);
        }
        while (b.open > 0) {
            strata_build_end(&b);
        }
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
        assert_round_trip(plan);
        strata_topology_destroy(t);
    }
}

/* The text as people see it. */
static const char example[] =
    "plan alltoallv example:radix=2 rank 3 of 13\n"
    "limits threshold 4096 slice 1024 passes 4\n"
    "exchange lanes 2 staged items 22 messages 4\n"
    "repeat passes   # 4\n"
    "  phase \"gather\"\n"
    "    copy from <input_at 0..12 of 13> set <slot 0..12 of 13> workshare   # 13 items: slot "
    "0-12\n"
    "    signal arrived\n"
    "    await member 1 arrived\n"
    "    await all done\n"
    "  phase \"exchange\"\n"
    "    index lane 1\n"
    "    recv_blocks rank 2 lane 1 set <0..2*2 + 1 of 5>   # 2 items: 1 3\n"
    "    send_blocks rank 4 lane 1 set <0..2*2 + 1 of 5> workshare   # 2 items: 1 3\n"
    "    wait 0\n"
    "    copy_out member 2 lane 0 set <0..6 from 11 of 13> <4..6%7*2 below 9 of 13> workshare"
    "   # 8 items: 11 12 0-4 8\n"
    "end\n"
    "phase \"large \\\"blocks\\\"\"\n"
    "  repeat 12\n"
    "    direct set <0 from 1 of 13> step 1   # first 1 item: 1\n"
    "    wait 4 direct\n"
    "  end\n"
    "  native\n";

static struct strata_topology *thirteen(void)
{
    struct strata_topology *t = NULL;
    struct strata_diagnostic message;
    assert_int_equal(strata_topology_parse("node:3,3,3,3,1:cyclic", 13, &t, &message), STRATA_OK);
    return t;
}

static void test_example(void **state)
{
    (void)state;
    struct strata_topology *t = thirteen();
    struct strata_plan *plan = parse(example, t);
    assert_int_equal(plan->limits.passes, 4);
    assert_int_equal(plan->nsteps, 19);
    char *text = print(plan);
    assert_string_equal(text, example);
    free(text);
    assert_round_trip(plan);
    strata_topology_destroy(t);
}

/* Layout, comments and blanks do not matter. */
static void test_free_form(void **state)
{
    (void)state;
    struct strata_topology *t = thirteen();
    struct strata_plan *plan =
        parse("# made by hand\n\n  plan alltoall x rank 0 of 13 # comment\r\n"
              "limits threshold 0 slice 0 passes 1\n\n"
              "exchange lanes 0 flat items 0 messages 0\n"
              "\trepeat   3#three times\n"
              "direct set<0..0+ 1..3 %5* 2 below 6 from 4 of 13>step -2\n"
              "end",
              t);
    assert_int_equal(plan->nsteps, 3);
    assert_int_equal(plan->boxes[0].dim[1].length, 3);
    assert_int_equal(plan->boxes[0].dim[1].extent, 5);
    assert_int_equal(plan->steps[1].set_step, -2);
    assert_round_trip(plan);
    strata_topology_destroy(t);
}

static void test_long_comments_are_cut(void **state)
{
    (void)state;
    struct strata_topology *t = NULL;
    struct strata_builder b;
    struct strata_plan *plan = NULL;
    assert_int_equal(strata_topology_flat(1000, &t), STRATA_OK);
    strata_builder_init(&b, STRATA_ALLTOALL, "long", 0, t);
    strata_build_direct(&b, strata_build_set(&b, strata_box_digit(1000, 2, 0, 1)), 0);
    assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
    char *text = print(plan);
    char *comment = strstr(text, "# 500 items: 1 3 5 7 ");
    assert_non_null(comment);
    assert_string_equal(comment + strlen(comment) - 5, " ...\n");
    ASSERT_CMP(strlen(comment), <, 100);
    free(text);
    strata_plan_destroy(plan);
    strata_topology_destroy(t);
}

#define HEAD                                                                                       \
    "plan alltoall x rank 0 of 13\n"                                                               \
    "limits threshold 8 slice 8 passes 1\n"                                                        \
    "exchange lanes 1 staged items 0 messages 0\n"

static const struct {
    const char *text, *complaint;
} mistakes[] = {
    {"", "line 1: expected `plan`, found the end of the line"},
    {"plan alltoallx x rank 0 of 13\n",
     "line 1: expected a collective (alltoall, alltoallv, alltoallw, allgather, allgatherv, bcast, "
     "gather, gatherv, scatter, scatterv, reduce, allreduce, reduce_scatter, reduce_scatter_block, "
     "scan, exscan, barrier), found `alltoallx`"},
    {"plan alltoall # name\n", "line 1: expected a plan's name, found the end of the line"},
    {"plan alltoall x rank 13 of 13\n", "line 1: expected a number from 0 to 12, found `13`"},
    {"plan alltoall x rank 0 of 12\n", "line 1: expected a number from 13 to 13, found `12`"},
    {"plan alltoall x rank 0 of 13\nlimits threshold -8 slice 8 passes 1\n",
     "line 2: expected a number of bytes, found `-8`"},
    {"plan alltoall x rank 0 of 13\nlimits threshold 8 slice 99999999999999999999 passes 1\n",
     "line 2: expected a number of bytes, found `99999999999999999999`"},
    {"plan alltoall x rank 0 of 13\nlimits threshold 8 slice 7 passes 1\n",
     "line 2: blocks up to the threshold do not fit in the passes"},
    {"plan alltoall x rank 0 of 13\nlimits threshold 8 slice 8 passes 1 now\n",
     "line 2: expected the end of the line, found `now`"},
    {"plan alltoall x rank 0 of 13\nlimits threshold 8 slice 8 passes 1\nexchange lanes 1 x",
     "line 3: expected how items come (flat, staged), found `x`"},
    {HEAD "\nsignals done\n", "line 5: expected a step (phase, repeat, end, direct, "
                              "signal, await, index, send_blocks, recv_blocks, "
                              "copy, reduce, fold, wait, copy_out, native), found "
                              "`signals`"},
    {HEAD "native\nsignal maybe\n",
     "line 5: expected a signal (arrived, released, done), found `maybe`"},
    {HEAD "await 1 done\n", "line 4: expected whom to await (member, all), found `1`"},
    {HEAD "await member 3 done\n", "line 4: the member is neither one of this rank's node nor all"},
    {HEAD "recv_blocks 2 lane 0 set <0 of 5>\n", "line 4: expected `rank`, found `2`"},
    {HEAD "recv_blocks rank 2 lane 0\n", "line 4: expected `set`, found the end of the line"},
    {HEAD "recv_blocks rank 2 lane 0 set <0 of 13>\n",
     "line 4: the set is not one of blocks of the plan's stores"},
    {HEAD "recv_blocks rank 2 lane 0 set <5 of>\n",
     "line 4: expected a number from 1 to 2147483647, found `>`"},
    {HEAD "recv_blocks rank 2 lane 0 set <5+5+5+5+5 of 5>\n", "line 4: expected `of`, found `+5`"},
    {HEAD "recv_blocks rank 2 lane 0 set <0..3%2 of 5>\n", "line 4: a box breaks its bounds"},
    {HEAD "recv_blocks rank 2 lane 0 set <3..1 of 5>\n",
     "line 4: expected a number from 2 to 2147483649, found `1`"},
    {HEAD "recv_blocks rank 2 lane 1 set <0 of 5>\n",
     "line 4: the lane is not one of the exchange's"},
    {HEAD "recv_blocks rank 2 lane 0 set <0 of 5> workshare data\n",
     "line 4: expected the end of the line, found `data`"},
    {HEAD "send_blocks rank 2 lane 0 set <0 of 5> lengths data\n",
     "line 4: expected the end of the line, found `data`"},
    {HEAD "wait 0 directly\n", "line 4: expected the end of the line, found `directly`"},
    {HEAD "phase \"open\n",
     "line 4: expected the closing `\"` of a label, found the end of the line"},
    {HEAD "phase open\n", "line 4: expected `\"`, found `open`"},
    {HEAD "repeat 0\n", "line 4: expected a number from 1 to 2147483647, found `0`"},
    {HEAD "repeat 2147483647\nrepeat 2147483647\nwait 0\nend\nend\n",
     "line 5: the plan has more than 2^28 steps and blocks, with its repeats"},
    {HEAD "repeat 2\nend\nend\n", "line 6: there is no repeat to close"},
    {HEAD "repeat 2\nnative\n", "line 6: a repeat was not closed"},
    {HEAD "blocks 0 root 0 work 0 first 0\n",
     "line 4: expected a number from 1 to 2147483647, found `0`"},
    {HEAD "blocks 4 root 13 work 0 first 0\n",
     "line 4: expected a number from 0 to 12, found `13`"},
    {HEAD "blocks 4 root 0 work 0 first 4\n",
     "line 4: a plan over blocks has one or more, and work begins at one"},
    {HEAD "blocks 4 root 0 work 2 first 0\nsend_blocks rank 1 set <work 0 of 4>\n",
     "line 5: the set is not one of blocks of the plan's stores"},
    {HEAD "blocks 4 root 0 work 2 first 0\ncopy from <input 0..1 of 4> set <work 0 of 2>\n",
     "line 5: the set to read is not one of blocks of the plan's stores, as many as are written"},
};

static void test_mistakes_are_named(void **state)
{
    (void)state;
    struct strata_topology *t = thirteen();
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct strata_plan *plan = NULL;
        struct strata_diagnostic message = {""};
        int error = strata_plan_parse(mistakes[i].text, t, &plan, &message);
        assert_string_equal(message.text, mistakes[i].complaint);
        assert_int_equal(error, STRATA_ERR_SYNTAX);
        assert_null(plan);
        assert_int_equal(strata_plan_parse(mistakes[i].text, t, &plan, NULL), STRATA_ERR_SYNTAX);
    }
    strata_topology_destroy(t);
}

/* A text cut short, or with one letter changed, is read or refused, and does nothing else. */
static void test_damaged_texts(void **state)
{
    (void)state;
    struct strata_topology *t = thirteen();
    char text[sizeof example];
    static const char letters[] = "0 9-\"<>\n#%*+.az\\\x80";
    int refused = 0, read = 0;
    for (size_t i = 0; i < sizeof example - 1; i++) {
        for (size_t k = 0; k < sizeof letters; k++) { /* the last is the end of the text */
            struct strata_plan *plan = NULL;
            struct strata_diagnostic message;
            memcpy(text, example, sizeof example);
            text[i] = letters[k];
            if (strata_plan_parse(text, t, &plan, &message) == STRATA_OK) {
                assert_round_trip(plan);
                read++;
            } else {
                assert_memory_equal(message.text, "line ", 5);
                refused++;
            }
        }
    }
    ASSERT_CMP(refused, >, 1000);
    ASSERT_CMP(read, >, 1000);
    strata_topology_destroy(t);
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    struct strata_topology *t = thirteen();
    struct strata_plan *plan = NULL;
    int error = STRATA_ERR_MEMORY, k = 0;
    while (error != STRATA_OK && k < 100) {
        struct strata_diagnostic message = {""};
        strata_memory_fail_after(++k);
        error = strata_plan_parse(example, t, &plan, &message);
        strata_memory_fail_after(-1);
        if (error != STRATA_OK) {
            assert_int_equal(error, STRATA_ERR_MEMORY);
            assert_null(plan);
            assert_non_null(strstr(message.text, "out of memory"));
        }
    }
    assert_int_equal(error, STRATA_OK);
    ASSERT_CMP(k, >, 6);
    strata_plan_destroy(plan);
    strata_topology_destroy(t);
}

static void test_a_full_file_is_noticed(void **state)
{
    (void)state;
    struct strata_topology *t = thirteen();
    struct strata_plan *plan = parse(example, t);
    char room[40];
    FILE *file = fmemopen(room, sizeof room, "w");
    assert_non_null(file);
    setvbuf(file, NULL, _IONBF, 0);
    assert_int_equal(strata_plan_print(plan, file), STRATA_ERR_MEMORY);
    fclose(file);
    strata_plan_destroy(plan);
    strata_topology_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bruck_plans),
        cmocka_unit_test(test_random_plans),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_free_form),
        cmocka_unit_test(test_long_comments_are_cut),
        cmocka_unit_test(test_mistakes_are_named),
        cmocka_unit_test(test_damaged_texts),
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_a_full_file_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
