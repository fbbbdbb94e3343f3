/* Blocks are copied out before the rest arrives. The first of four ranks' log rounds brings the
 * final item 1. It leaves the table while item 2 still stands for an item that this rank sends.
 * Waits that leave messages open keep the pack areas of these messages. */
#include "sim/virtual/virtual_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/check/check.h"
#include "core/engine/engine_sizes.h"
#include "core/plan/builder.h"
#include "tests/assert_cmp.h"

enum { RANKS = 4, MOST = 8 };

struct side {
    int counts[RANKS], displs[RANKS];
    unsigned char bytes[RANKS * MOST];
};

struct world {
    struct strata_topology *topology;
    struct strata_type byte;
    struct strata_plan *plan[RANKS];
    struct side out[RANKS], in[RANKS];
};

static int length(int source, int destination)
{
    return (3 * source + destination) % MOST;
}

static void round_of(struct strata_builder *b, int digit, int loose)
{
    int step = 1 << digit, rank = b->plan->rank;
    int set = strata_build_set(b, strata_box_digit(RANKS, 2, digit, 1));
    strata_build_recv(b, (rank + RANKS - step) % RANKS, 0, set, STRATA_WHOLE);
    strata_build_send(b, (rank + step) % RANKS, 0, set, STRATA_WHOLE);
    strata_build_wait(b, loose);
    if (loose) {
        strata_build_wait(b, 0);
    }
}

static struct strata_plan *plan_of(const struct world *w, int rank, int loose)
{
    struct strata_builder b;
    struct strata_plan *plan;
    int before = (rank + RANKS - 1) % RANKS;
    strata_builder_init(&b, STRATA_ALLTOALLV, "early", rank, w->topology);
    strata_build_exchange(&b, (struct strata_exchange){1, false, false, 4, 2});
    strata_build_limits(&b, (struct strata_limits){MOST, MOST, 1});
    strata_build_direct(&b, strata_build_set(&b, strata_box_all(RANKS)), 0);
    strata_build_index(&b, 0);
    round_of(&b, 0, loose);
    strata_build_copy_out(&b, 0, 0, strata_build_set(&b, strata_box_item(RANKS, before)));
    round_of(&b, 1, loose);
    strata_build_copy_out(&b, 0, 0, strata_build_set(&b, strata_box_range(RANKS, rank, RANKS - 1)));
    strata_build_wait_direct(&b, 0);
    assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
    return plan;
}

static struct strata_layout lay_out(struct world *w, struct side *s, int rank, int sends)
{
    for (int peer = 0; peer < RANKS; peer++) {
        s->counts[peer] = sends ? length(rank, peer) : length(peer, rank);
        s->displs[peer] = peer * MOST;
        memset(s->bytes + peer * MOST, sends ? 16 * rank + peer + 1 : 0, MOST);
    }
    return (struct strata_layout){
        .base = s->bytes, .type = &w->byte, .counts = s->counts, .displs = s->displs};
}

static void require_bytes(const struct world *w)
{
    for (int i = 0; i < RANKS * RANKS * MOST; i++) {
        int at = i % MOST, source = i / MOST % RANKS, rank = i / MOST / RANKS;
        int expected = at < length(source, rank) ? 16 * source + rank + 1 : 0;
        assert_int_equal(w->in[rank].bytes[source * MOST + at], expected);
    }
}

static void run(int loose, bool rendezvous)
{
    static struct world w;
    const struct strata_piece one = {0, 1};
    struct strata_virtual_options options = {.rendezvous = rendezvous};
    struct strata_virtual_call call[RANKS];
    struct strata_virtual *world;
    struct strata_diagnostic message = {""};
    memset(&w, 0, sizeof w);
    assert_int_equal(strata_topology_flat(RANKS, &w.topology), STRATA_OK);
    assert_int_equal(strata_type_init(&w.byte, &one, 1, 1), STRATA_OK);
    assert_int_equal(strata_virtual_create(w.topology, 0, 0, &options, &world), STRATA_OK);
    for (int r = 0; r < RANKS; r++) {
        w.plan[r] = plan_of(&w, r, loose);
        call[r] = (struct strata_virtual_call){.plan = w.plan[r],
                                               .input = lay_out(&w, &w.out[r], r, 1),
                                               .output = lay_out(&w, &w.in[r], r, 0)};
    }
    assert_int_equal(
        strata_check_plan((const struct strata_plan *const *)w.plan, RANKS, 1, &message),
        STRATA_OK);
    if (strata_virtual_run(world, call, 1, &message)) {
        fail_msg("%s", message.text);
    }
    require_bytes(&w);
    strata_virtual_destroy(world);
    for (int r = 0; r < RANKS; r++) {
        strata_plan_destroy(w.plan[r]);
    }
    strata_type_fini(&w.byte);
    strata_topology_destroy(w.topology);
}

static void what_is_there_can_be_copied_out(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        run(way & 1, way & 2);
    }
}

/* Two messages of four items each stay open together. */
static void open_messages_keep_their_pack_area(void **state)
{
    (void)state;
    size_t scratch[2];
    struct strata_topology *topology;
    assert_int_equal(strata_topology_flat(RANKS, &topology), STRATA_OK);
    for (int loose = 0; loose < 2; loose++) {
        struct strata_builder b;
        struct strata_plan *plan;
        strata_builder_init(&b, STRATA_ALLTOALLV, "loose", 0, topology);
        strata_build_exchange(&b, (struct strata_exchange){1, false, false, 4, 2});
        strata_build_limits(&b, (struct strata_limits){MOST, MOST, 1});
        for (int i = 0; i < 2; i++) {
            strata_build_send(&b, 1, 0, strata_build_set(&b, strata_box_all(RANKS)), STRATA_WHOLE);
            strata_build_wait(&b, loose ? 2 : 0);
        }
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
        scratch[loose] = strata_engine_fixed_scratch(plan, false);
        strata_plan_destroy(plan);
    }
    ASSERT_CMP(scratch[1], >=, scratch[0] + RANKS * MOST);
    strata_topology_destroy(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_can_be_copied_out),
        cmocka_unit_test(open_messages_keep_their_pack_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
