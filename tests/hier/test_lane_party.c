/* The party of a lane's leaders: whatever boxes nodes are named with, its sets are those nodes'
 * members of the lane, node after node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hier/lane_party.h"
#include "tests/hier/plans.h"

enum { BOXES = 3 };

static struct strata_box random_box(struct random *r, int nodes)
{
    struct strata_box box;
    switch (random_below(r, 4)) {
    case 0:
        box = strata_box_range(nodes, random_below(r, nodes), random_between(r, 0, nodes));
        break;
    case 1:
        box = strata_box_down(nodes, random_below(r, nodes), random_between(r, 0, nodes));
        break;
    case 2:
        box = strata_box_digit(nodes, random_between(r, 2, 5), random_below(r, 3), 1);
        box.origin = random_below(r, nodes);
        break;
    default: /* as many dimensions as there can be */
        box = strata_box_item(nodes, random_below(r, nodes));
        box.ndims = STRATA_BOX_DIMS;
        for (int d = 1; d < STRATA_BOX_DIMS; d++) {
            box.dim[d] = (struct strata_dim){.length = 1, .stride = 1};
        }
        box.dim[0].length = random_between(r, 0, nodes);
    }
    return box;
}

/* Positions of the nodes' members, in order, found one by one; returns how many. */
static int expected_positions(const struct strata_lane *l, struct strata_set nodes, int *position)
{
    const struct strata_topology *t = l->topology;
    struct strata_set_iterator it;
    struct strata_run run;
    int count = 0;
    for (strata_set_begin(&it, nodes); strata_set_next(&it, &run);) {
        for (int node = run.first; node < run.first + run.count; node++) {
            for (int i = l->lane; i < strata_topology_node_size(t, node); i += l->lanes) {
                position[count++] = t->first[node] + i;
            }
        }
    }
    return count;
}

static void require_set(const struct strata_plan *plan, int index, const int *position, int count,
                        int shift)
{
    int at = 0;
    struct strata_set set = {plan->boxes + plan->sets[index].first_box, plan->sets[index].nboxes,
                             shift};
    struct strata_set_iterator it;
    struct strata_run run;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run); at += run.count) {
        assert_int_equal(run.store, STRATA_SHARED);
        for (int i = 0; i < run.count; i++) {
            assert_true(at + i < count);
            assert_int_equal(run.first + i, position[at + i]);
        }
    }
    assert_int_equal(at, count);
}

/* Random boxes of the lane's party; where it has a stride, moved on by some members too. */
static void require_boxes(struct random *r, const struct strata_lane *lane,
                          struct strata_builder *b)
{
    const struct strata_topology *t = lane->topology;
    int node = random_below(r, t->nodes);
    int rank = strata_topology_rank(t, node, strata_lane_leader(t, node, lane->lane));
    struct strata_party party = strata_party_lane(lane, rank);
    struct strata_box boxes[BOXES];
    int nboxes = random_below(r, BOXES + 1), *position = malloc(sizeof(int) * BOXES * PLANS_RANKS);
    for (int i = 0; i < nboxes; i++) {
        boxes[i] = random_box(r, t->nodes);
    }
    int count = expected_positions(lane, (struct strata_set){boxes, nboxes, 0}, position);
    int set = party.set(&party, b, boxes, nboxes);
    assert_int_equal(b->error, STRATA_OK);
    assert_true(party.size == t->nodes && party.me == node);
    assert_int_equal(strata_party_rank(&party, node), rank);
    require_set(b->plan, set, position, count, 0);
    int moved = random_below(r, t->nodes);
    for (int i = 0; i < nboxes; i++) {
        boxes[i].origin = (boxes[i].origin + moved) % t->nodes;
    }
    count = expected_positions(lane, (struct strata_set){boxes, nboxes, 0}, position);
    require_set(b->plan, party.set(&party, b, boxes, nboxes), position, count, 0);
    if (party.stride) {
        require_set(b->plan, set, position, count, moved * party.stride);
    }
    free(position);
}

static void test_sets(void **state)
{
    (void)state;
    struct random r = {51};
    int strides = 0;
    for (int layout = 0; layout < 400; layout++) {
        struct world world;
        struct strata_builder b;
        struct strata_plan *plan = NULL;
        world_random(&r, random_between(&r, 1, layout % 2 ? 64 : 12), &world);
        strata_builder_init(&b, STRATA_ALLGATHER, "test", 0, world.topology);
        strata_build_blocks(&b,
                            (struct strata_blocks){.count = world.topology->ranks, .shared = true});
        int lanes = random_between(&r, 1, world.topology->largest);
        for (int lane = 0; lane < lanes; lane++) {
            struct strata_lane of = {world.topology, lanes, lane};
            require_boxes(&r, &of, &b);
            strides += strata_party_lane(&of, 0).stride > 0;
        }
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
        strata_plan_destroy(plan);
        world_destroy(&world);
    }
    assert_true(strides > 100);
}

/* With one lane, and with equal nodes, a range of nodes is one box. */
static void test_few_boxes(void **state)
{
    (void)state;
    const char *const layouts[] = {"node:3,5,2,7", "node:4"};
    for (int i = 0; i < 2; i++) {
        struct world world;
        struct strata_builder b;
        struct strata_plan *plan = NULL;
        world_parse(layouts[i], i == 0 ? 17 : 12, &world);
        strata_builder_init(&b, STRATA_ALLGATHER, "test", 0, world.topology);
        struct strata_lane lane = {world.topology, i == 0 ? 1 : 2, 0};
        struct strata_party party = strata_party_lane(&lane, world.topology->rank_at[0]);
        strata_party_set(&party, &b, strata_box_range(4, 1, 3));
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
        assert_int_equal(plan->nboxes, 1);
        strata_plan_destroy(plan);
        world_destroy(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_few_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
