/* Plans over blocks, each made for one purpose: sides that disagree, stores by position, inputs
 * kept in place, windows, empty datatypes, long blocks, a node whose messages fail. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/engine/engine_sizes.h"
#include "core/plan/builder.h"
#include "hier/registry.h"
#include "sim/virtual/virtual_run.h"
#include "tests/assert_cmp.h"

enum { RANKS = 4, BYTES = 4096 };

/* One call on virtual ranks; `build` writes each rank's steps. */
struct scene {
    enum strata_collective collective;
    struct strata_blocks blocks;
    void (*build)(struct strata_builder *b, int rank, int ranks);
    int ranks;
    struct strata_virtual_options options;
    const int *colours; /* the ranks' nodes; NULL: each rank has its own */
    bool shared;
};

struct stage {
    struct strata_topology *topology;
    struct strata_plan *plan[RANKS];
    struct strata_virtual_call call[RANKS];
    unsigned char input[RANKS][BYTES], output[RANKS][BYTES];
    struct strata_diagnostic message;
};

static struct strata_box in(enum strata_store store, int space, int first, int count)
{
    return strata_box_in(store, strata_box_range(space, first, count));
}

static int set_of(struct strata_builder *b, enum strata_store store, int space, int first,
                  int count)
{
    return strata_build_set(b, in(store, space, first, count));
}

static void set_up(struct stage *s, const struct scene *scene)
{
    static const int own[RANKS] = {0, 1, 2, 3};
    memset(s, 0, sizeof *s);
    assert_int_equal(strata_topology_from_colours(
                         scene->ranks, scene->colours ? scene->colours : own, NULL, &s->topology),
                     STRATA_OK);
    for (int rank = 0; rank < scene->ranks; rank++) {
        struct strata_builder b;
        strata_builder_init(&b, scene->collective, "scene", rank, s->topology);
        strata_build_blocks(&b, scene->blocks);
        scene->build(&b, rank, scene->ranks);
        assert_int_equal(strata_builder_finish(&b, &s->plan[rank]), STRATA_OK);
        s->call[rank].plan = s->plan[rank];
        for (int i = 0; i < BYTES; i++) {
            s->input[rank][i] = (unsigned char)(31 * i + 7 * rank);
            s->output[rank][i] = 0xEE;
        }
    }
}

static int play(struct stage *s, const struct scene *scene)
{
    struct strata_virtual *world;
    assert_int_equal(strata_virtual_create(s->topology, 256, 1024, &scene->options, &world),
                     STRATA_OK);
    int status = strata_virtual_run(world, s->call, 1, &s->message);
    strata_virtual_destroy(world);
    return status;
}

static void tear_down(struct stage *s, const struct scene *scene)
{
    for (int rank = 0; rank < scene->ranks; rank++) {
        strata_plan_destroy(s->plan[rank]);
    }
    strata_topology_destroy(s->topology);
}

/* A type of every second byte. */
static struct strata_piece first_byte = {0, 1};
static size_t nothing_before = 0;
static const struct strata_type every_second = {1, 2, 1, &first_byte, &nothing_before, false};

static struct strata_layout side(unsigned char *base, const struct strata_type *type, size_t count)
{
    return (struct strata_layout){.base = base, .type = type, .count = count};
}

/* Swaps a packed block with the other rank. */
static void build_swap(struct strata_builder *b, int rank, int ranks)
{
    int other = 1 - rank;
    strata_build_recv_blocks(b, other, set_of(b, STRATA_OUTPUT, ranks, other, 1), STRATA_AS_FITS);
    strata_build_send_blocks(b, other, set_of(b, STRATA_INPUT, ranks, other, 1), STRATA_PACKED);
    strata_build_wait(b, 0);
}

/* A rank sends more than it receives, as a wrong alltoall may. The other rank finds the mistake,
 * and no data are packed into too little room. */
static void more_is_sent_than_received(void **state)
{
    (void)state;
    struct scene scene = {STRATA_ALLTOALL, {.count = 2}, build_swap, .ranks = 2};
    struct stage s;
    for (int varying = 0; varying < 2; varying++) {
        const int counts[] = {40, 40};
        set_up(&s, &scene);
        for (int rank = 0; rank < 2; rank++) {
            size_t sent = rank == 0 ? 90 : 4;
            s.call[rank].input = side(s.input[rank], &every_second, sent);
            s.call[rank].output = s.call[rank].work = side(s.output[rank], &strata_byte_type, 4);
            s.call[rank].output.counts = varying ? counts : NULL;
            s.call[rank].output.displs = varying ? counts : NULL;
        }
        assert_int_equal(play(&s, &scene), STRATA_ERR_TRUNCATE);
        assert_int_equal(s.call[0].status, varying ? STRATA_ERR_TRUNCATE : STRATA_OK);
        assert_int_equal(s.call[1].status, STRATA_ERR_TRUNCATE);
        tear_down(&s, &scene);
    }
}

/* Sends rank 0's output to all by position: a range of positions is no range of ranks. */
static void build_by_position(struct strata_builder *b, int rank, int ranks)
{
    int all = set_of(b, STRATA_OUTPUT_AT, ranks, 0, ranks);
    for (int other = 1; rank == 0 && other < ranks; other++) {
        strata_build_send_blocks(b, other, all, STRATA_AS_FITS);
    }
    if (rank > 0) {
        strata_build_recv_blocks(b, 0, all, STRATA_AS_FITS);
    }
    strata_build_wait(b, 0);
}

static void positions_are_packed(void **state)
{
    (void)state;
    static const int colours[RANKS] = {0, 1, 0, 1};
    struct scene scene = {.collective = STRATA_ALLGATHER,
                          .blocks = {.count = RANKS},
                          .build = build_by_position,
                          .ranks = RANKS,
                          .colours = colours};
    struct stage s;
    set_up(&s, &scene);
    for (int rank = 0; rank < RANKS; rank++) {
        s.call[rank].input = side(s.input[rank], &strata_byte_type, 100);
        s.call[rank].output = s.call[rank].work = side(s.output[rank], &strata_byte_type, 100);
    }
    memcpy(s.output[0], s.input[0], RANKS * 100);
    assert_int_equal(play(&s, &scene), STRATA_OK);
    for (int rank = 1; rank < RANKS; rank++) {
        assert_memory_equal(s.output[rank], s.input[0], RANKS * 100);
        assert_int_equal(s.output[rank][RANKS * 100], 0xEE);
    }
    tear_down(&s, &scene);
}

/* Sends each rank's own block after its place in the output was written. */
static void build_late_input(struct strata_builder *b, int rank, int ranks)
{
    int mine = set_of(b, STRATA_INPUT, ranks, rank, 1);
    strata_build_copy(b, mine, set_of(b, STRATA_OUTPUT, ranks, rank, 1));
    for (int other = 0; other < ranks; other++) {
        if (other != rank) {
            strata_build_recv_blocks(b, other, set_of(b, STRATA_OUTPUT, ranks, other, 1), 0);
        }
    }
    for (int other = 0; other < ranks; other++) {
        if (other != rank) {
            strata_build_send_blocks(b, other, mine, STRATA_AS_FITS);
        }
    }
    strata_build_wait(b, 0);
}

/* In place with an input that is one block of the output: only this block is saved. */
static void one_block_is_kept(void **state)
{
    (void)state;
    struct scene scene = {.collective = STRATA_ALLGATHER,
                          .blocks = {.count = 3, .keeps_input = true},
                          .build = build_late_input,
                          .ranks = 3};
    struct stage s;
    set_up(&s, &scene);
    unsigned char *exact[3]; /* not a byte more than the output has */
    for (int rank = 0; rank < 3; rank++) {
        exact[rank] = malloc(30);
        assert_non_null(exact[rank]);
        memset(exact[rank], 0xEE, 30);
        memcpy(exact[rank] + 10 * rank, s.input[rank], 10);
        s.call[rank].in_place = true;
        s.call[rank].output = s.call[rank].work = side(exact[rank], &strata_byte_type, 10);
        s.call[rank].input = side(exact[rank] + 10 * rank, &strata_byte_type, 10);
    }
    assert_int_equal(play(&s, &scene), STRATA_OK);
    for (int rank = 0; rank < 3; rank++) {
        for (int block = 0; block < 3; block++) {
            assert_memory_equal(exact[rank] + 10 * block, s.input[block], 10);
        }
        assert_int_equal(s.call[rank].count.copied, 20); /* saved, and to the output */
        free(exact[rank]);
    }
    tear_down(&s, &scene);
}

enum { ROUNDS = 5, WINDOW_BLOCKS = 2 * ROUNDS };

/* Sends two separate blocks in each of several rounds, with two messages left open. */
static void build_window(struct strata_builder *b, int rank, int ranks)
{
    struct strata_box from[] = {in(STRATA_INPUT, WINDOW_BLOCKS, 0, 1),
                                in(STRATA_INPUT, WINDOW_BLOCKS, ROUNDS, 1)};
    struct strata_box into[] = {in(STRATA_OUTPUT, WINDOW_BLOCKS, 0, 1),
                                in(STRATA_OUTPUT, WINDOW_BLOCKS, ROUNDS, 1)};
    struct strata_step step = {.op = STRATA_STEP_RECV_BLOCKS, .peer = (rank + ranks - 1) % ranks};
    step.set = strata_build_set_of(b, into, 2);
    step.set_step = 1;
    step.workshare = 1;
    strata_build_repeat(b, ROUNDS);
    strata_build_step(b, step);
    step.op = STRATA_STEP_SEND_BLOCKS;
    step.peer = (rank + 1) % ranks;
    step.set = strata_build_set_of(b, from, 2);
    strata_build_step(b, step);
    strata_build_wait(b, 2);
    strata_build_end(b);
    strata_build_wait(b, 0);
}

/* A vector of fewer elements than segments, and of more. */
static void windows_keep_what_is_open(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 3, 10, 999};
    struct scene scene = {.collective = STRATA_ALLREDUCE,
                          .blocks = {.count = WINDOW_BLOCKS},
                          .build = build_window,
                          .ranks = 3};
    struct stage s;
    for (unsigned seed = 0; seed < 48; seed++) {
        size_t count = lengths[seed % 4];
        scene.options = (struct strata_virtual_options){
            .seed = seed, .rendezvous = seed / 4 % 2, .schedule = (int)(seed / 8 % 3)};
        set_up(&s, &scene);
        for (int rank = 0; rank < 3; rank++) {
            struct strata_layout all = side(s.input[rank], &every_second, count);
            all.segments = WINDOW_BLOCKS;
            all.unit = 1;
            s.call[rank].input = s.call[rank].output = s.call[rank].work = all;
            s.call[rank].output.base = s.output[rank];
        }
        assert_int_equal(play(&s, &scene), STRATA_OK);
        for (int rank = 0; rank < 3; rank++) {
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(s.output[rank][2 * i], s.input[(rank + 2) % 3][2 * i]);
                assert_int_equal(s.output[rank][2 * i + 1], 0xEE);
            }
        }
        tear_down(&s, &scene);
    }
}

/* A rank's call with elements without bytes, of any number. Returns false where the plan is not
 * over blocks. */
static bool make_empty_call(const struct strata_algorithm *algorithm,
                            const struct strata_problem *problem, struct strata_plan **plan,
                            struct strata_virtual_call *call)
{
    static const struct strata_type empty = {0};
    static const int counts[RANKS] = {3, 0, INT_MAX, 1}, displs[RANKS] = {-5, 7, 0, 0};
    const struct strata_collective_info *info = &strata_collective_info[problem->collective];
    static unsigned char nowhere;
    struct strata_layout l = {.base = &nowhere, .type = &empty, .count = INT_MAX};
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_algorithm_plan(algorithm, problem, plan, &message), STRATA_OK);
    if (info->varying) {
        l.counts = counts;
        l.displs = displs;
    } else if (!info->ranked) {
        l.segments = (size_t)(*plan)->blocks.count;
        l.unit = 1;
    }
    *call = (struct strata_virtual_call){
        .plan = *plan, .input = l, .output = l, .work = l, .in_place = true};
    return strata_plan_over_blocks(*plan);
}

static void play_empty(const struct strata_algorithm *algorithm, struct strata_problem *problem)
{
    struct strata_virtual_call calls[RANKS];
    struct strata_plan *plans[RANKS] = {NULL};
    struct strata_virtual_options options = {.rendezvous = true};
    struct strata_diagnostic message = {""};
    struct strata_virtual *world;
    int ranks = problem->flat->ranks;
    bool applies = !strata_algorithm_refusal(algorithm, problem);
    for (problem->rank = 0; applies && problem->rank < ranks; problem->rank++) {
        int rank = problem->rank;
        applies = make_empty_call(algorithm, problem, &plans[rank], &calls[rank]);
    }
    if (applies) {
        assert_int_equal(strata_virtual_create(problem->flat, 0, 0, &options, &world), STRATA_OK);
        if (strata_virtual_run(world, calls, 1, &message) != STRATA_OK) {
            fail_msg("%s by %s: %s", strata_collective_name(problem->collective), algorithm->name,
                     message.text);
        }
        strata_virtual_destroy(world);
    }
    for (int rank = 0; rank < ranks; rank++) {
        strata_plan_destroy(plans[rank]);
    }
}

/* Runs every algorithm that does not reduce, on so many ranks. */
static void play_all_empty(const struct strata_topology *flat)
{
    const struct strata_algorithm *algorithm;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        struct strata_problem problem = {.topology = flat, .flat = flat, .root = flat->ranks - 1};
        for (int p = 0; p < STRATA_PARAMETERS && algorithm->parameters[p].name; p++) {
            problem.parameter[p] = algorithm->parameters[p].least;
        }
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT && algorithm->level == STRATA_FLAT; c++) {
            problem.collective = (enum strata_collective)c;
            problem.rank = 0;
            if ((algorithm->collectives >> c & 1) &&
                !strata_collective_reduces(problem.collective)) {
                play_empty(algorithm, &problem);
            }
        }
    }
}

static void elements_may_be_empty(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= RANKS; ranks++) {
        struct strata_topology *flat;
        assert_int_equal(strata_topology_flat(ranks, &flat), STRATA_OK);
        play_all_empty(flat);
        strata_topology_destroy(flat);
    }
}

static void build_work(struct strata_builder *b, int rank, int ranks)
{
    (void)rank;
    int all = set_of(b, STRATA_WORK, ranks, 0, ranks);
    strata_build_copy(b, set_of(b, STRATA_INPUT, ranks, 0, ranks), all);
    strata_build_send_blocks(b, 0, all, STRATA_PACKED);
    strata_build_recv_blocks(b, 0, all, STRATA_AS_FITS);
    strata_build_wait(b, 0);
}

/* Bytes are counted in 64 bits; none of these plans runs. */
static void blocks_may_be_long(void **state)
{
    (void)state;
    struct scene scene = {
        STRATA_ALLTOALL, {.count = RANKS, .work = RANKS}, build_work, .ranks = RANKS};
    struct strata_type large = every_second;
    struct stage s;
    large.size = (size_t)1 << 24;
    large.extent = (ptrdiff_t)1 << 25;
    const size_t block = (size_t)INT_MAX << 24;
    set_up(&s, &scene);
    struct strata_layout l = side(NULL, &large, (size_t)INT_MAX);
    struct strata_execution x = {.plan = s.plan[0], .input = l, .output = l, .work = l};
    size_t bytes = strata_engine_scratch(&x);
    /* The work store, and packed data: one message or both. */
    ASSERT_CMP(bytes, >=, 2 * RANKS * block);
    ASSERT_CMP(bytes, <=, 3 * RANKS * block + 1024);
    tear_down(&s, &scene);
}

static void build_reduction(struct strata_builder *b, int rank, int ranks)
{
    (void)rank;
    (void)ranks;
    int input = set_of(b, STRATA_INPUT, 1, 0, 1), work = set_of(b, STRATA_WORK, 1, 0, 1);
    strata_build_copy(b, input, work);
    strata_build_reduce(b, input, work);
    strata_build_copy(b, work, set_of(b, STRATA_OUTPUT, 1, 0, 1));
}

/* Adds the eight bytes at an element's origin, which a program may read as one number. */
static int add_numbers(const struct strata_operator *op, const void *from, void *into, size_t count)
{
    (void)op;
    assert_int_equal((uintptr_t)into % 8, 0);
    for (size_t i = 0; i < count; i++) {
        uint64_t a, b;
        memcpy(&a, (const unsigned char *)from + 16 * i, 8);
        memcpy(&b, (unsigned char *)into + 16 * i, 8);
        b += a;
        memcpy((unsigned char *)into + 16 * i, &b, 8);
    }
    return STRATA_OK;
}

/* Operands begin before their origin: four bytes, then a number. */
static void operands_lie_as_in_memory(void **state)
{
    (void)state;
    static const struct strata_operator add = {.combine = add_numbers};
    const struct strata_piece pieces[] = {{-4, 4}, {0, 8}};
    struct scene scene = {.collective = STRATA_ALLREDUCE,
                          .blocks = {.count = 1, .work = 1},
                          .build = build_reduction,
                          .ranks = 1};
    struct strata_type type;
    struct stage s;
    set_up(&s, &scene);
    assert_int_equal(strata_type_init(&type, pieces, 2, 16), STRATA_OK);
    struct strata_layout l = side(s.input[0] + 16, &type, 5);
    l.segments = 1;
    l.unit = type.size;
    s.call[0].input = s.call[0].output = s.call[0].work = l;
    s.call[0].output.base = s.output[0] + 16;
    s.call[0].op = &add;
    assert_int_equal(play(&s, &scene), STRATA_OK);
    for (int i = 0; i < 5; i++) {
        uint64_t one, sum;
        memcpy(&one, s.input[0] + 16 + 16 * i, 8);
        memcpy(&sum, s.output[0] + 16 + 16 * i, 8);
        ASSERT_CMP(sum, ==, 2 * one);
        assert_memory_equal(s.output[0] + 12 + 16 * i, s.input[0] + 12 + 16 * i, 4);
    }
    strata_type_fini(&type);
    tear_down(&s, &scene);
}

static int kernels_run;

static void add_by_kernel(const void *left, const void *right, void *into, size_t numbers)
{
    kernels_run++;
    strata_kernel_find(STRATA_OPERATION_SUM, STRATA_NUMBER_UINT32)(left, right, into, numbers);
}

static int never(const struct strata_operator *op, const void *from, void *into, size_t count)
{
    (void)op, (void)from, (void)into, (void)count;
    fail_msg("not by the kernel");
    return STRATA_ERR_ARGUMENT;
}

/* Long operands are combined in chunks, and each element takes part once. Short ones are combined
 * at once. */
static void teams_share_long_operands(void **state)
{
    (void)state;
    static const struct strata_operator add = {never, NULL, add_by_kernel, sizeof(uint32_t)};
    const struct strata_piece piece = {0, sizeof(uint32_t)};
    struct scene scene = {.collective = STRATA_ALLREDUCE,
                          .blocks = {.count = 1, .work = 1},
                          .build = build_reduction,
                          .ranks = 1};
    struct strata_type type;
    assert_int_equal(strata_type_init(&type, &piece, 1, sizeof(uint32_t)), STRATA_OK);
    for (int elements = 1; elements < 60; elements++) {
        struct stage s;
        set_up(&s, &scene);
        struct strata_layout l = side(s.input[0], &type, elements);
        l.segments = 1;
        l.unit = type.size;
        s.call[0].input = s.call[0].output = s.call[0].work = l;
        s.call[0].output.base = s.output[0];
        s.call[0].op = &add;
        kernels_run = 0;
        assert_int_equal(play(&s, &scene), STRATA_OK);
        assert_int_equal(kernels_run > 1, elements >= 16); /* 64 bytes, for virtual ranks */
        for (int i = 0; i < elements; i++) {
            uint32_t one, sum;
            memcpy(&one, s.input[0] + 4 * i, sizeof one);
            memcpy(&sum, s.output[0] + 4 * i, sizeof sum);
            ASSERT_CMP(sum, ==, 2 * one);
        }
        tear_down(&s, &scene);
    }
    strata_type_fini(&type);
}

/* Positions are positions of ranks, so there must be as many blocks. */
static void positions_need_a_block_for_each_rank(void **state)
{
    (void)state;
    struct strata_topology *flat;
    struct strata_plan *plan;
    struct strata_builder b;
    assert_int_equal(strata_topology_flat(2, &flat), STRATA_OK);
    for (int shared = 0; shared < 2; shared++) {
        strata_builder_init(&b, STRATA_BCAST, "scene", 0, flat);
        strata_build_blocks(&b, (struct strata_blocks){.count = 3, .shared = shared});
        assert_int_equal(b.error, shared ? STRATA_ERR_PLAN : STRATA_OK);
        if (!shared) {
            strata_build_send_blocks(&b, 1, set_of(&b, STRATA_OUTPUT_AT, 3, 0, 3), STRATA_AS_FITS);
        }
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_ERR_PLAN);
    }
    strata_topology_destroy(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_is_sent_than_received),
        cmocka_unit_test(positions_are_packed),
        cmocka_unit_test(one_block_is_kept),
        cmocka_unit_test(windows_keep_what_is_open),
        cmocka_unit_test(elements_may_be_empty),
        cmocka_unit_test(blocks_may_be_long),
        cmocka_unit_test(operands_lie_as_in_memory),
        cmocka_unit_test(teams_share_long_operands),
        cmocka_unit_test(positions_need_a_block_for_each_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
