/* Blocks that are exposed as they lie. The listed pieces are the block's stream in order, for any
 * part and any type. Blocks of many or of short pieces are packed instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/engine/single_copy_parts.h"
#include "tests/assert_cmp.h"
#include "tests/random.h"

enum { AREA = 1 << 14, STREAM = 4096, LIST = 1024, LEAST = 512 };

static unsigned char area[AREA];

/* Draws elements of a random type in the middle of the area, and a part of their stream. */
static struct strata_span draw_span(struct random *r, struct strata_type *type)
{
    struct strata_piece pieces[RANDOM_PIECES];
    ptrdiff_t low, high;
    size_t npieces = random_pieces(r, random_between(r, 1, 60), pieces, &low, &high);
    ptrdiff_t extent = high - low + random_below(r, 5);
    assert_int_equal(
        strata_type_init(type, pieces, npieces, random_one_in(r, 3) ? -extent : extent), STRATA_OK);
    size_t all = (size_t)random_below(r, 20) * type->size;
    struct strata_span span = {.origin = area + AREA / 2, .type = type};
    span.skip = (size_t)random_below(r, (int)all + 1);
    span.bytes = (size_t)random_below(r, (int)(all - span.skip) + 1);
    return span;
}

/* Copies the bytes of the list's pieces one behind the other. */
static size_t read_list(const struct strata_range *list, size_t count, unsigned char *into)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        ASSERT_CMP(list[i].bytes, >, 0);
        memcpy(into + bytes, (const void *)(uintptr_t)list[i].address, list[i].bytes);
        bytes += list[i].bytes;
    }
    return bytes;
}

static void check_part(const struct strata_range *list, size_t count, size_t skip, size_t bytes,
                       const unsigned char *stream)
{
    struct strata_range copy[LIST], *left = copy;
    unsigned char found[STREAM];
    memcpy(copy, list, count * sizeof *list);
    size_t pieces = strata_cut_list(&left, count, skip, bytes);
    ASSERT_CMP(left, >=, copy);
    ASSERT_CMP(left + pieces, <=, copy + count);
    assert_int_equal(read_list(left, pieces, found), bytes);
    assert_memory_equal(found, stream + skip, bytes);
}

static void lists_are_the_stream(void **state)
{
    (void)state;
    int seen = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        struct random r = {seed};
        struct strata_type type;
        struct strata_span span = draw_span(&r, &type);
        struct strata_range list[LIST], *end = list;
        unsigned char stream[STREAM], found[STREAM];
        strata_span_pack(&span, stream);
        struct strata_loan loan = strata_expose_span(&span, &end);
        assert_int_equal(loan.bytes, span.bytes);
        ASSERT_CMP((size_t)loan.pieces, <=, strata_listed_pieces(&span));
        ASSERT_CMP(end, ==, list + loan.pieces);
        if (loan.pieces > 0) {
            assert_int_equal(loan.address, (uintptr_t)list);
            assert_int_equal(read_list(list, loan.pieces, found), span.bytes);
            assert_memory_equal(found, stream, span.bytes);
            size_t skip = (size_t)random_below(&r, (int)span.bytes + 1);
            check_part(list, loan.pieces, skip,
                       (size_t)random_below(&r, (int)(span.bytes - skip) + 1), stream);
            seen++;
        } else if (span.bytes > 0) {
            assert_ptr_equal((const void *)(uintptr_t)loan.address, strata_span_address(&span));
        }
        strata_type_fini(&type);
    }
    ASSERT_CMP(seen, >, 2000);
}

/* The list comes from another process's memory. */
static void a_list_that_is_too_short_has_nothing(void **state)
{
    (void)state;
    static unsigned char bytes[8];
    struct strata_range list[] = {{(uintptr_t)bytes, 3}, {(uintptr_t)bytes, 4}}, *left = list;
    assert_int_equal(strata_cut_list(&left, 2, 2, 6), 0);
    left = list;
    assert_int_equal(strata_cut_list(&left, 2, 9, 1), 0);
    left = list;
    assert_int_equal(strata_cut_list(&left, 0, 0, 1), 0);
}

/* Whether so many elements of this length, with gaps, can be exposed. */
static bool exposable(size_t elements, size_t bytes)
{
    const struct strata_piece piece = {0, bytes};
    struct strata_type type;
    assert_int_equal(strata_type_init(&type, &piece, 1, (ptrdiff_t)bytes + 1), STRATA_OK);
    struct strata_span span = {area, &type, 0, elements * bytes};
    const struct strata_peer_memory peers = {.least_piece = LEAST};
    struct strata_node_memory memory = {.peers = &peers};
    const struct strata_execution x = {.memory = &memory};
    bool result = strata_is_exposable(&x, &span);
    strata_type_fini(&type);
    return result;
}

static void many_pieces_and_short_ones_are_packed(void **state)
{
    (void)state;
    assert_true(exposable(0, 4));
    assert_true(exposable(1, 4));
    assert_false(exposable(2, LEAST - 1));
    assert_true(exposable(2, LEAST));
    assert_true(exposable(STRATA_MOST_EXPOSED, LEAST));
    assert_false(exposable(STRATA_MOST_EXPOSED + 1, LEAST));
    assert_false(exposable(STRATA_MOST_EXPOSED + 1, (size_t)1 << 30));
}

static void contiguous_blocks_have_no_list(void **state)
{
    (void)state;
    struct strata_range list[1], *end = list;
    struct strata_span span = {area, &strata_byte_type, 10, 100};
    struct strata_loan loan = strata_expose_span(&span, &end);
    assert_int_equal(loan.address, (uintptr_t)area + 10);
    ASSERT_CMP((size_t)loan.bytes, ==, 100);
    ASSERT_CMP((size_t)loan.pieces, ==, 0);
    ASSERT_CMP(end, ==, list);
}

int main(void)
{
    struct random r = {1};
    for (int i = 0; i < AREA; i++) {
        area[i] = (unsigned char)random_next(&r);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_the_stream),
        cmocka_unit_test(a_list_that_is_too_short_has_nothing),
        cmocka_unit_test(many_pieces_and_short_ones_are_packed),
        cmocka_unit_test(contiguous_blocks_have_no_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
