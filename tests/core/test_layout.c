/* Layouts against a model that looks each byte up in the given pieces. */
#include "core/engine/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "tests/assert_cmp.h"
#include "tests/random.h"

enum { AREA = 1 << 15, BLOCKS = 4, STREAM = 4096 };

/* A layout in memory of its own, with the figures that the model needs. */
struct sample {
    struct strata_piece pieces[RANDOM_PIECES + 2];
    size_t npieces;
    struct strata_type type;
    struct strata_layout layout;
    int counts[BLOCKS], displs[BLOCKS];
    unsigned char area[AREA];
};

static ptrdiff_t random_extent(struct random *r, size_t size, ptrdiff_t span)
{
    switch (random_below(r, 6)) {
    case 0:
        return 0;
    case 1:
        return -span;
    case 2:
        return random_between(r, -40, 40);
    case 3:
        return (ptrdiff_t)size;
    default:
        return span + random_below(r, 5);
    }
}

/* Types are made from pieces that may be empty or touch each other. */
static void make_type(struct random *r, struct sample *s)
{
    ptrdiff_t low, high;
    int size = random_one_in(r, 4) ? 1 << random_below(r, 5) : random_between(r, 1, 60);
    if (random_one_in(r, 12)) {
        s->npieces = (size_t)random_below(r, 2);
        s->pieces[0] = (struct strata_piece){3, 0};
        low = high = 3;
    } else if (random_one_in(r, 3)) {
        low = random_one_in(r, 2) ? 0 : random_between(r, -9, 9);
        high = low + size;
        s->npieces = 1;
        s->pieces[0] = (struct strata_piece){low, (size_t)size};
    } else {
        s->npieces = random_pieces(r, size, s->pieces, &low, &high);
        s->pieces[s->npieces++] = (struct strata_piece){random_between(r, -20, 20), 0};
    }
    ptrdiff_t extent = random_extent(r, (size_t)(high - low), high - low);
    assert_int_equal(strata_type_init(&s->type, s->pieces, s->npieces, extent), STRATA_OK);
}

static void make_sample(struct random *r, struct sample *s)
{
    make_type(r, s);
    s->layout = (struct strata_layout){.base = s->area + AREA / 2, .type = &s->type};
    s->layout.count = (size_t)random_below(r, 20);
    for (int b = 0; b < BLOCKS; b++) {
        s->counts[b] = random_one_in(r, 5) ? 0 : random_below(r, 20);
        s->displs[b] = random_between(r, -30, 30);
    }
    s->layout.counts = random_one_in(r, 2) ? s->counts : NULL;
    s->layout.displs = random_one_in(r, 2) ? s->displs : NULL;
    for (size_t i = 0; i < AREA; i++) {
        s->area[i] = (unsigned char)random_next(r);
    }
}

static size_t model_size(const struct sample *s)
{
    size_t size = 0;
    for (size_t i = 0; i < s->npieces; i++) {
        size += s->pieces[i].length;
    }
    return size;
}

static size_t model_bytes(const struct sample *s, int block)
{
    return (s->layout.counts ? (size_t)s->counts[block] : s->layout.count) * model_size(s);
}

/* The place of byte `at` of the block's stream in the area. */
static size_t model_place(const struct sample *s, int block, size_t at)
{
    size_t size = model_size(s), rest = at % size, i = 0;
    ptrdiff_t first = s->layout.displs ? s->displs[block] : block * (ptrdiff_t)s->layout.count;
    while (rest >= s->pieces[i].length) {
        rest -= s->pieces[i++].length;
    }
    return (size_t)(AREA / 2 + (first + (ptrdiff_t)(at / size)) * s->type.extent +
                    s->pieces[i].offset + (ptrdiff_t)rest);
}

static void check_pack(struct random *r, struct sample *s, int block)
{
    unsigned char stream[STREAM];
    size_t bytes = strata_layout_bytes(&s->layout, block);
    assert_int_equal(bytes, model_bytes(s, block));
    size_t skip = (size_t)random_below(r, (int)bytes + 1);
    size_t length = (size_t)random_below(r, (int)(bytes - skip) + 1);
    memset(stream, 0xA5, sizeof stream);
    strata_layout_pack(&s->layout, block, skip, length, stream + 1);
    assert_int_equal(stream[0], 0xA5);
    assert_int_equal(stream[1 + length], 0xA5);
    for (size_t i = 0; i < length; i++) {
        assert_int_equal(stream[1 + i], s->area[model_place(s, block, skip + i)]);
    }
}

/* Where elements overlap, the later byte of the stream wins. Nothing else changes. */
static void check_unpack(struct random *r, struct sample *s, int block)
{
    static unsigned char expected[AREA];
    unsigned char stream[STREAM];
    size_t bytes = strata_layout_bytes(&s->layout, block);
    size_t skip = (size_t)random_below(r, (int)bytes + 1);
    size_t length = (size_t)random_below(r, (int)(bytes - skip) + 1);
    memcpy(expected, s->area, AREA);
    for (size_t i = 0; i < length; i++) {
        stream[i] = (unsigned char)random_next(r);
        expected[model_place(s, block, skip + i)] = stream[i];
    }
    strata_layout_unpack(&s->layout, block, skip, length, stream);
    assert_memory_equal(s->area, expected, AREA);
}

static void check_copy(struct sample *from, int block, struct sample *to, int other)
{
    static unsigned char expected[AREA];
    size_t bytes = model_bytes(from, block);
    bytes = bytes < model_bytes(to, other) ? bytes : model_bytes(to, other);
    memcpy(expected, to->area, AREA);
    for (size_t i = 0; i < bytes; i++) {
        expected[model_place(to, other, i)] = from->area[model_place(from, block, i)];
    }
    strata_layout_copy(&from->layout, block, &to->layout, other);
    assert_memory_equal(to->area, expected, AREA);
}

static void random_layouts_agree_with_the_model(void **state)
{
    (void)state;
    static struct sample a, b;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        struct random r = {seed};
        make_sample(&r, &a);
        make_sample(&r, &b);
        for (int block = 0; block < BLOCKS; block++) {
            check_pack(&r, &a, block);
            check_unpack(&r, &a, block);
            check_copy(&a, block, &b, random_below(&r, BLOCKS));
        }
        strata_type_fini(&a.type);
        strata_type_fini(&b.type);
    }
}

/* Both maps have one piece of equal length and a stride: the loop for them looks nothing up. */
static void strided_layouts_agree_with_the_model(void **state)
{
    (void)state;
    static struct sample a, b;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random r = {seed};
        make_sample(&r, &a);
        make_sample(&r, &b);
        size_t length = (size_t)random_between(&r, 1, 17);
        struct sample *samples[] = {&a, &b};
        for (int i = 0; i < 2; i++) {
            struct sample *s = samples[i];
            strata_type_fini(&s->type);
            s->pieces[0] = (struct strata_piece){random_between(&r, -9, 9), length};
            s->npieces = 1;
            assert_int_equal(strata_type_init(&s->type, s->pieces, 1, random_between(&r, -40, 40)),
                             STRATA_OK);
        }
        check_copy(&a, 1, &b, 2);
        strata_type_fini(&a.type);
        strata_type_fini(&b.type);
    }
}

static void types_are_flattened(void **state)
{
    (void)state;
    const struct strata_piece pieces[] = {{8, 4}, {100, 0}, {12, 4}, {0, 2}, {4, 2}, {2, 2}};
    struct strata_type type;
    assert_int_equal(strata_type_init(&type, pieces, 6, 24), STRATA_OK);
    assert_int_equal(type.size, 14);
    assert_int_equal(type.npieces, 4);
    assert_int_equal(type.pieces[0].length, 8);
    assert_int_equal(type.before[0], 0);
    assert_int_equal(type.before[1], 8);
    assert_int_equal(type.before[3], 12);
    assert_false(type.contiguous);
    strata_type_fini(&type);
}

static bool contiguous(const struct strata_piece *pieces, size_t npieces, ptrdiff_t extent)
{
    struct strata_type type;
    assert_int_equal(strata_type_init(&type, pieces, npieces, extent), STRATA_OK);
    bool result = type.contiguous;
    strata_type_fini(&type);
    return result;
}

static void contiguous_types_are_recognised(void **state)
{
    (void)state;
    const struct strata_piece touching[] = {{-4, 4}, {0, 4}}, gap[] = {{0, 4}, {5, 4}};
    const struct strata_piece reversed[] = {{4, 4}, {0, 4}};
    assert_true(contiguous(touching, 2, 8));
    assert_false(contiguous(touching, 2, 9));
    assert_false(contiguous(touching, 2, -8));
    assert_false(contiguous(gap, 2, 8));
    assert_false(contiguous(reversed, 2, 8));
    assert_false(contiguous(touching, 0, 0));
}

/* Offsets in a stream need more than an int. Elements on top of each other make a long stream
 * without much memory. */
static void streams_may_be_longer_than_an_int(void **state)
{
    (void)state;
    unsigned char place[10] = "abcdefghi", stream[6] = {0};
    const struct strata_piece pieces[] = {{6, 3}, {0, 2}};
    struct strata_type type;
    assert_int_equal(strata_type_init(&type, pieces, 2, 0), STRATA_OK);
    int counts[] = {2000000000};
    struct strata_layout layout = {.base = place, .type = &type, .counts = counts};
    ASSERT_CMP(strata_layout_bytes(&layout, 0), ==, 10000000000u);
    const size_t lengths[] = {5000000000u}; /* a length that needs more than an int */
    const struct strata_layout longer = {.type = &type, .counts = counts, .lengths = lengths};
    ASSERT_CMP(strata_layout_bytes(&longer, 0), ==, 25000000000u);
    strata_layout_pack(&layout, 0, 9999999995u - 2, 5, stream);
    assert_string_equal((char *)stream, "abghi");
    strata_type_fini(&type);
}

/* Also where the same pieces were made into another type. */
static void a_block_copied_to_itself_stays(void **state)
{
    (void)state;
    static struct sample a;
    static unsigned char before[AREA];
    struct strata_type twin;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct random r = {seed};
        make_sample(&r, &a);
        memcpy(before, a.area, AREA);
        strata_layout_copy(&a.layout, 1, &a.layout, 1);
        assert_memory_equal(a.area, before, AREA);
        assert_int_equal(strata_type_init(&twin, a.pieces, a.npieces, a.type.extent), STRATA_OK);
        struct strata_layout again = a.layout;
        again.type = &twin;
        const struct strata_span from = strata_layout_span(&a.layout, 1),
                                 to = strata_layout_span(&again, 1);
        assert_false(strata_span_copy(&from, &to, strata_layout_bytes(&a.layout, 1)));
        strata_type_fini(&twin);
        strata_type_fini(&a.type);
    }
}

static void a_failed_allocation_is_an_error(void **state)
{
    (void)state;
    const struct strata_piece piece = {0, 4};
    struct strata_type type;
    for (long k = 0; k < 2; k++) {
        strata_memory_fail_after(k);
        assert_int_equal(strata_type_init(&type, &piece, 1, 4), STRATA_ERR_MEMORY);
        strata_memory_fail_after(-1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_flattened),
        cmocka_unit_test(contiguous_types_are_recognised),
        cmocka_unit_test(random_layouts_agree_with_the_model),
        cmocka_unit_test(strided_layouts_agree_with_the_model),
        cmocka_unit_test(streams_may_be_longer_than_an_int),
        cmocka_unit_test(a_block_copied_to_itself_stays),
        cmocka_unit_test(a_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
