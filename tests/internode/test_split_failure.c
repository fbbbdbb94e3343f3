/* Failures of splitting: each allocation in turn on one rank, where all ranks must learn of it;
 * each allocation on all ranks; wrong values. The test also shows that it finds wrong methods,
 * deadlocks and lost messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "internode/split/methods.h"
#include "tests/assert_cmp.h"
#include "tests/internode/splits.h"

enum { RANKS = 13, LONG_TEXT = 6, TEXT_KEYS = 4 };

/* Requires the same error on all ranks. */
static void same_error(const struct split_case *c, int error)
{
    for (int i = 0; i < c->ranks; i++) {
        assert_int_equal(c->status[i], error);
    }
}

static void test_one_rank_without_memory(void **state)
{
    (void)state;
    for (int i = 0; strata_split_method_at(i); i++) {
        struct split_case c;
        split_case_init(&c, RANKS, LONG_TEXT, TEXT_KEYS, 77);
        split_case_solve(&c);
        c.method = strata_split_method_at(i);
        c.failing_rank = i % RANKS;
        if (split_case_applies(&c, c.method)) {
            for (c.allocations = 0; split_case_run(&c, NULL) == STRATA_OK && c.status[0];) {
                same_error(&c, STRATA_ERR_MEMORY);
                c.allocations++;
            }
            assert_int_equal(split_case_wrong(&c), -1);
            ASSERT_CMP(c.allocations, >, 0); /* long text needs more than there is on the stack */
        }
        split_case_fini(&c);
    }
}

/* The number of ranks that know of the failure. The others must have the right result. */
static int failed(const struct split_case *c)
{
    int count = 0;
    for (int i = 0; i < c->ranks; i++) {
        count += c->status[i] != STRATA_OK;
        assert_true(c->status[i] || memcmp(&c->groups[i], &c->right[i], sizeof *c->right) == 0);
    }
    return count;
}

static void test_no_memory_for_anybody(void **state)
{
    (void)state;
    for (int i = 0; strata_split_method_at(i); i++) {
        struct split_case c;
        long after = 0;
        int status;
        split_case_init(&c, 3, LONG_TEXT, TEXT_KEYS, 78);
        split_case_solve(&c);
        c.method = strata_split_method_at(i);
        if (split_case_applies(&c, c.method)) {
            do {
                strata_memory_fail_after(++after);
                status = split_case_run(&c, NULL);
                strata_memory_fail_after(-1);
            } while (status == STRATA_ERR_MEMORY || failed(&c) > 0);
            assert_int_equal(status, STRATA_OK);
            ASSERT_IN_RANGE(after, 8, 1000);
        }
        split_case_fini(&c);
    }
}

static void test_one_rank_is_wrong(void **state)
{
    (void)state;
    for (int ranks = 1; ranks < 9; ranks++) {
        struct split_case c;
        split_case_init(&c, ranks, LONG_TEXT, TEXT_KEYS, 79);
        c.bad_rank = ranks / 2;
        assert_int_equal(split_case_run(&c, NULL), STRATA_OK);
        same_error(&c, STRATA_ERR_ARGUMENT);
        split_case_fini(&c);
    }
}

static void test_refused(void **state)
{
    struct split_case c;
    (void)state;
    split_case_init(&c, 5, LONG_TEXT, TEXT_KEYS, 80);
    c.method = &strata_split_radix;
    assert_int_equal(split_case_run(&c, NULL), STRATA_OK);
    same_error(&c, STRATA_ERR_UNSUPPORTED);
    split_case_fini(&c);
}

static void test_method_names(void **state)
{
    struct strata_split_input input = {.items = 3};
    struct strata_diagnostic message = {""};
    (void)state;
    assert_int_equal(strata_split_method_parse("cheng:items=128", &input, &message), STRATA_OK);
    ASSERT_CMP(input.method, ==, &strata_split_cheng);
    ASSERT_CMP(input.items, ==, 128);
    assert_int_equal(strata_split_method_parse("auto", &input, &message), STRATA_OK);
    assert_null(input.method);
    static const char *const wrong[] = {"",
                                        "hsh",
                                        "hash:items=2",
                                        "cheng:items=3",
                                        "cheng:items=",
                                        "cheng:item=2",
                                        "cheng:items=16384",
                                        "hash6"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(strata_split_method_parse(wrong[i], &input, &message),
                         STRATA_ERR_ARGUMENT);
    }
}

/* Methods with one mistake each. */
static int swapped_ends(struct strata_split *split, struct strata_chain_links *group)
{
    int error = strata_split_bitonic.run(split, group), left = group->left;
    group->left = group->right;
    group->right = left;
    return error;
}

static int off_by_one(struct strata_split *split, struct strata_chain_links *group)
{
    int error = strata_split_bitonic.run(split, group);
    group->rank += split->chain->rank == 2;
    return error;
}

static int keys_forgotten(struct strata_split *split, struct strata_chain_links *group)
{
    struct strata_split_input input = *split->input;
    struct strata_split other = *split;
    input.key.enabled = false;
    other.input = &input;
    return strata_split_bitonic.run(&other, group);
}

static void test_wrong_methods_are_found(void **state)
{
    int (*const runs[])(struct strata_split *,
                        struct strata_chain_links *) = {swapped_ends, off_by_one, keys_forgotten};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct strata_split_method method = strata_split_bitonic;
        struct split_case c;
        split_case_init(&c, RANKS, 0, 1, 81);
        split_case_solve(&c);
        method.run = runs[i];
        c.method = &method;
        assert_int_equal(split_case_run(&c, NULL), STRATA_OK);
        ASSERT_CMP(split_case_wrong(&c), >=, 0);
        split_case_fini(&c);
    }
}

/* All ranks send to the right and receive from the right: no message arrives. */
static int deadlock(struct strata_station *station, void *context)
{
    int out = 0, in, right = (station->address + 1) % station->addresses;
    struct strata_round round = {
        .send = {{right, &out, sizeof out}, {STRATA_NOBODY, NULL, 0}},
        .receive = {{right, &in, sizeof in, 0}, {STRATA_NOBODY, NULL, 0, 0}}};
    (void)context;
    void *held = strata_station_allocate(station, 100);
    int error = strata_station_exchange(station, &round);
    strata_station_release(station, held);
    return error;
}

/* Sends before it receives, which works only where sends do not wait. */
static int one_after_the_other(struct strata_station *station, void *context)
{
    int out = 0, in, other = 1 - station->address;
    struct strata_round send = {
        .send = {{other, &out, sizeof out}, {STRATA_NOBODY, NULL, 0}},
        .receive = {{STRATA_NOBODY, NULL, 0, 0}, {STRATA_NOBODY, NULL, 0, 0}}};
    struct strata_round receive = {
        .send = {{STRATA_NOBODY, NULL, 0}, {STRATA_NOBODY, NULL, 0}},
        .receive = {{other, &in, sizeof in, 0}, {STRATA_NOBODY, NULL, 0, 0}}};
    (void)context;
    int error = strata_station_exchange(station, &send);
    return error ? error : strata_station_exchange(station, &receive);
}

static int lost(struct strata_station *station, void *context)
{
    int out = 0;
    struct strata_round round = {
        .send = {{0, &out, sizeof out}, {STRATA_NOBODY, NULL, 0}},
        .receive = {{STRATA_NOBODY, NULL, 0, 0}, {STRATA_NOBODY, NULL, 0, 0}}};
    (void)context;
    return station->address ? strata_station_exchange(station, &round) : STRATA_OK;
}

static void test_deadlocks_are_found(void **state)
{
    struct strata_diagnostic message = {""};
    int status[5];
    struct strata_virtual_stations run = {
        .ranks = 5, .failing_rank = -1, .body = deadlock, .status = status};
    (void)state;
    assert_int_equal(strata_virtual_stations_run(&run, &message), STRATA_ERR_PLAN);
    assert_non_null(strstr(message.text, "deadlock: 5 of 5 ranks wait"));
    ASSERT_CMP(status[4], !=, STRATA_OK);
    run.body = one_after_the_other;
    run.ranks = 2;
    assert_int_equal(strata_virtual_stations_run(&run, &message), STRATA_OK);
    run.rendezvous = true;
    assert_int_equal(strata_virtual_stations_run(&run, &message), STRATA_ERR_PLAN);
    run.rendezvous = false;
    run.body = lost;
    assert_int_equal(strata_virtual_stations_run(&run, &message), STRATA_ERR_PLAN);
    assert_non_null(strstr(message.text, "never received"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_rank_without_memory),
        cmocka_unit_test(test_no_memory_for_anybody),
        cmocka_unit_test(test_one_rank_is_wrong),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_method_names),
        cmocka_unit_test(test_wrong_methods_are_found),
        cmocka_unit_test(test_deadlocks_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
