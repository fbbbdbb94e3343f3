/* Sets against an enumeration of every item of every box. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/plan/set.h"
#include "tests/assert_cmp.h"

#define MOST_ITEMS 100000

/* The definition of set.h, item by item. Returns the number of items. */
static int enumerate_box(const struct strata_box *box, int32_t shift, int32_t *items)
{
    int n = 0;
    int64_t combinations = 1;
    for (int d = 0; d < box->ndims; d++) {
        combinations *= box->dim[d].length;
    }
    for (int64_t i = 0; i < combinations; i++) {
        int64_t rest = i, value = 0;
        for (int d = box->ndims - 1; d >= 0; d--) {
            const struct strata_dim *dim = &box->dim[d];
            int64_t c = dim->start + rest % dim->length;
            value += (dim->extent ? c % dim->extent : c) * dim->stride;
            rest /= dim->length;
        }
        if (value < box->limit) {
            int64_t item = (box->origin + shift + (box->down ? -value : value)) % box->space;
            items[n++] = (int32_t)(item < 0 ? item + box->space : item);
        }
    }
    return n;
}

static int enumerate(struct strata_set set, int32_t *items)
{
    int n = 0;
    for (int i = 0; i < set.nboxes; i++) {
        n += enumerate_box(&set.boxes[i], set.shift, items + n);
    }
    return n;
}

/* Requires that the set's runs are `items` in this order, cut only where the order demands it. */
static void assert_items(struct strata_set set, const int32_t *items, int n)
{
    struct strata_set_iterator it;
    struct strata_run run;
    int seen = 0;
    strata_set_begin(&it, set);
    while (strata_set_next(&it, &run)) {
        ASSERT_CMP(run.count, >, 0);
        ASSERT_CMP(seen + run.count, <=, n);
        assert_true(seen == 0 || run.first != items[seen - 1] + 1);
        for (int32_t i = 0; i < run.count; i++) {
            assert_int_equal(items[seen++], run.first + i);
        }
    }
    assert_int_equal(seen, n);
    assert_false(strata_set_next(&it, &run));
    assert_int_equal(strata_set_count(set), n);
}

static void assert_contains(struct strata_set set, const int32_t *items, int n, int32_t space)
{
    bool *member = calloc((size_t)space, sizeof *member);
    assert_non_null(member);
    for (int i = 0; i < n; i++) {
        member[items[i]] = true;
    }
    for (int32_t item = 0; item < space; item++) {
        assert_int_equal(strata_set_contains(set, item), member[item]);
    }
    assert_false(strata_set_contains(set, -1));
    free(member);
}

static int32_t random_below(int32_t n)
{
    return (int32_t)(rand() % n);
}

static struct strata_box random_box(int32_t space)
{
    struct strata_box box = {.space = space,
                             .origin = random_below(space),
                             .limit = random_below(3) ? random_below(space + 1) : space,
                             .ndims = 1 + random_below(STRATA_BOX_DIMS),
                             .down = random_below(3) == 0};
    for (int d = 0; d < box.ndims; d++) {
        struct strata_dim *dim = &box.dim[d];
        dim->extent = random_below(2) ? 1 + random_below(9) : 0;
        dim->length = random_below(dim->extent ? dim->extent + 1 : 8);
        dim->start = random_below(dim->extent ? dim->extent : 6);
        dim->stride = d == box.ndims - 1 && random_below(2) ? 1 : 1 + random_below(12);
    }
    return box;
}

static void test_random_boxes(void **state)
{
    (void)state;
    int32_t *items = calloc(MOST_ITEMS, sizeof *items);
    assert_non_null(items);
    srand(1);
    for (int round = 0; round < 20000; round++) {
        struct strata_box boxes[3];
        int32_t space = 1 + random_below(60);
        struct strata_set set = {boxes, 1 + random_below(3), random_below(200) - 100};
        for (int i = 0; i < set.nboxes; i++) {
            boxes[i] = random_box(space);
            assert_true(strata_box_valid(&boxes[i]));
        }
        int n = enumerate(set, items);
        assert_items(set, items, n);
        assert_contains(set, items, n, space);
    }
    free(items);
}

static void test_digits(void **state)
{
    (void)state;
    for (int32_t space = 1; space <= 130; space++) {
        for (int32_t radix = 2; radix <= 8; radix++) {
            int64_t weight = 1;
            for (int32_t position = 0; position < 9; position++, weight *= radix) {
                for (int32_t value = 0; value < radix; value++) {
                    struct strata_box box = strata_box_digit(space, radix, position, value);
                    int32_t items[130];
                    int n = 0;
                    for (int32_t k = 0; k < space; k++) {
                        items[n] = k;
                        n += k / weight % radix == value;
                    }
                    assert_true(strata_box_valid(&box));
                    assert_items((struct strata_set){&box, 1, 0}, items, n);
                    assert_contains((struct strata_set){&box, 1, 0}, items, n, space);
                }
            }
        }
    }
}

/* The powers of the radix exceed 32 bits. */
static void test_digits_of_large_spaces(void **state)
{
    (void)state;
    const int32_t space = INT32_MAX;
    for (int32_t radix = 2; radix <= 8; radix++) {
        for (int32_t position = 0; position < 40; position++) {
            int64_t total = 0;
            for (int32_t value = 0; value < radix; value++) {
                struct strata_box box = strata_box_digit(space, radix, position, value);
                assert_true(strata_box_valid(&box));
                total += strata_set_count((struct strata_set){&box, 1, 0});
            }
            assert_int_equal(total, space);
        }
    }
    struct strata_box top = strata_box_digit(space, 2, 30, 1);
    struct strata_set set = {&top, 1, 0};
    assert_int_equal(strata_set_count(set), space - (1 << 30));
    assert_false(strata_set_contains(set, (1 << 30) - 1));
    assert_true(strata_set_contains(set, 1 << 30));
}

/* Numbers of items and values are computed in 64 bits. */
static void test_beyond_64_bits(void **state)
{
    (void)state;
    struct strata_box box = {.space = 4, .limit = 4, .ndims = 2};
    box.dim[0] = box.dim[1] = (struct strata_dim){.length = 1 << 29, .stride = 1};
    assert_true(strata_box_valid(&box));
    box.ndims = 3;
    box.dim[2] = (struct strata_dim){.length = 1 << 29, .stride = 1};
    assert_false(strata_box_valid(&box));
    box.ndims = 1;
    box.dim[0].stride = INT32_MAX;
    assert_true(strata_box_valid(&box));
    box.dim[0].length = INT32_MAX;
    assert_false(strata_box_valid(&box));
}

static void test_bruck_round_at_13(void **state)
{
    (void)state;
    struct strata_box box = strata_box_digit(13, 2, 2, 1);
    const struct strata_dim expected[] = {{0, 2, 8, 0}, {1, 1, 4, 0}, {0, 4, 1, 0}};
    struct strata_set_iterator it;
    struct strata_run run;
    assert_int_equal(box.ndims, 3);
    assert_memory_equal(box.dim, expected, sizeof expected);
    strata_set_begin(&it, (struct strata_set){&box, 1, 0});
    assert_true(strata_set_next(&it, &run));
    ASSERT_CMP(run.first, ==, 4);
    ASSERT_CMP(run.count, ==, 4);
    assert_true(strata_set_next(&it, &run));
    ASSERT_CMP(run.first, ==, 12);
    ASSERT_CMP(run.count, ==, 1);
    assert_false(strata_set_next(&it, &run));
}

static void test_ranges(void **state)
{
    (void)state;
    for (int32_t space = 1; space <= 20; space++) {
        for (int32_t first = 0; first < space; first++) {
            for (int32_t count = 0; count <= space; count++) {
                struct strata_box up = strata_box_range(space, first, count);
                struct strata_box down = strata_box_down(space, first, count);
                int32_t upwards[20], downwards[20];
                for (int32_t i = 0; i < count; i++) {
                    upwards[i] = (first + i) % space;
                    downwards[i] = (first - i + space) % space;
                }
                assert_true(strata_box_valid(&up));
                assert_true(strata_box_valid(&down));
                assert_items((struct strata_set){&up, 1, 0}, upwards, count);
                assert_items((struct strata_set){&down, 1, 0}, downwards, count);
            }
        }
    }
}

/* A set of 2^31 - 1 items is one run, found without walking its items. */
static void test_everything_is_one_run(void **state)
{
    (void)state;
    struct strata_box box = strata_box_all(INT32_MAX);
    struct strata_set_iterator it;
    struct strata_run run;
    strata_set_begin(&it, (struct strata_set){&box, 1, INT32_MAX - 1});
    assert_true(strata_set_next(&it, &run));
    ASSERT_CMP(run.first, ==, INT32_MAX - 1);
    ASSERT_CMP(run.count, ==, 1);
    assert_true(strata_set_next(&it, &run));
    ASSERT_CMP(run.first, ==, 0);
    ASSERT_CMP(run.count, ==, INT32_MAX - 1);
    assert_false(strata_set_next(&it, &run));
    box = strata_box_item(7, 3);
    strata_set_begin(&it, (struct strata_set){&box, 1, -5});
    assert_true(strata_set_next(&it, &run));
    ASSERT_CMP(run.first, ==, 5);
    ASSERT_CMP(run.count, ==, 1);
    strata_set_begin(&it, (struct strata_set){NULL, 0, 4});
    assert_false(strata_set_next(&it, &run));
}

static void test_invalid_boxes(void **state)
{
    (void)state;
    const struct strata_box good = {10, 3, 9, 2, 0, 0, {{1, 2, 4, 3}, {0, 4, 1, 0}}};
    assert_true(strata_box_valid(&good));
#define ASSERT_BREAKS(member, value)                                                               \
    do {                                                                                           \
        struct strata_box bad = good;                                                              \
        bad.member = (value);                                                                      \
        assert_false(strata_box_valid(&bad));                                                      \
    } while (0)
    ASSERT_BREAKS(space, 0);
    ASSERT_BREAKS(space, 3);
    ASSERT_BREAKS(origin, 10);
    ASSERT_BREAKS(origin, -1);
    ASSERT_BREAKS(limit, 11);
    ASSERT_BREAKS(limit, -1);
    ASSERT_BREAKS(ndims, 0);
    ASSERT_BREAKS(ndims, STRATA_BOX_DIMS + 1);
    ASSERT_BREAKS(down, 2);
    ASSERT_BREAKS(dim[0].start, 3);
    ASSERT_BREAKS(dim[0].start, -1);
    ASSERT_BREAKS(dim[0].length, 4);
    ASSERT_BREAKS(dim[0].length, -1);
    ASSERT_BREAKS(dim[0].stride, 0);
    ASSERT_BREAKS(dim[0].extent, -1);
    ASSERT_BREAKS(dim[1].start, INT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_boxes),           cmocka_unit_test(test_digits),
        cmocka_unit_test(test_digits_of_large_spaces), cmocka_unit_test(test_beyond_64_bits),
        cmocka_unit_test(test_bruck_round_at_13),      cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_everything_is_one_run),  cmocka_unit_test(test_invalid_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
