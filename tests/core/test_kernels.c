/* The kernels against plain C, number by number, on both instruction sets. The cases are integers
 * that overflow, NaN, signed zeros, complex infinities, products that must not be fused with a sum,
 * equal values at several places, and gaps. */
#include "core/kernels/tables.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

enum { MOST = 67, BYTES = 32 };

/* The bytes of a number that count; long double has ten on x86. */
#define SIGNIFICANT(value) (sizeof(value) == 16 && LDBL_MANT_DIG == 64 ? 10 : sizeof(value))

/* The tables that this processor can run. */
static strata_kernel_table *tables[2];
static int ntables;

/* Operands on odd addresses, as programs may have them. */
struct operands {
    unsigned char left[1 + MOST * BYTES], right[1 + MOST * BYTES];
    unsigned char into[1 + MOST * BYTES], was[1 + MOST * BYTES];
};

/* The place of the result. */
enum place { OVER_RIGHT, OVER_LEFT, APART, PLACES };

/* The memory of the result before the operation. */
static const unsigned char *before;

static void combine(strata_kernel *kernel, struct operands *o, enum place place, size_t numbers)
{
    memcpy(o->was, place == OVER_LEFT ? o->left : o->right, sizeof o->was);
    if (place == APART) {
        memset(o->was, 0xa5, sizeof o->was);
    }
    memcpy(o->into, o->was, sizeof o->was);
    kernel(place == OVER_LEFT ? o->into + 1 : o->left + 1,
           place == OVER_RIGHT ? o->into + 1 : o->right + 1, o->into + 1, numbers);
}

/* Tries every length and place; `right` says whether an element has become what it should. */
static void run(enum strata_operation operation, enum strata_number number,
                void (*draw)(unsigned char *at, struct random *r),
                bool (*right)(enum strata_operation operation, const unsigned char *left,
                              const unsigned char *right, const unsigned char *into))
{
    static struct operands o;
    size_t size = strata_number_bytes(number);
    struct random r = {7};
    for (size_t turn = 0; turn < (size_t)ntables * PLACES * (MOST + 1); turn++) {
        size_t n = turn % (MOST + 1), t = turn / (MOST + 1) / PLACES;
        for (size_t i = 0; i < n; i++) {
            draw(o.left + 1 + i * size, &r);
            draw(o.right + 1 + i * size, &r);
        }
        combine((*tables[t])[operation][number], &o, turn / (MOST + 1) % PLACES, n);
        for (size_t i = 0; i < n; i++) {
            size_t at = 1 + i * size;
            before = o.was + at;
            assert_true(right(operation, o.left + at, o.right + at, o.into + at));
        }
        assert_memory_equal(o.into + 1 + n * size, o.was + 1 + n * size, (MOST - n) * size);
    }
}

static const int64_t notable[] = {0, 1, -1, INT64_MAX, INT64_MIN, 0x7fff, 0x8000, 0xff, 2};

#define INTEGERS(type)                                                                             \
    static void draw_##type(unsigned char *at, struct random *r)                                   \
    {                                                                                              \
        bool known = random_below(r, 2);                                                           \
        type value = (type)(known ? (uint64_t)notable[random_below(r, 9)] : random_next(r));       \
        memcpy(at, &value, sizeof value);                                                          \
    }                                                                                              \
    static bool right_##type(enum strata_operation operation, const unsigned char *left,           \
                             const unsigned char *right, const unsigned char *into)                \
    {                                                                                              \
        type x, y, z;                                                                              \
        memcpy(&x, left, sizeof x);                                                                \
        memcpy(&y, right, sizeof y);                                                               \
        memcpy(&z, into, sizeof z);                                                                \
        const uint64_t a = (uint64_t)x, b = (uint64_t)y;                                           \
        const uint64_t expected[] = {a + b,  a * b,    x < y ? b : a, x < y ? a : b, a && b,       \
                                     a || b, !a != !b, a & b,         a | b,         a ^ b};       \
        return z == (type)expected[operation];                                                     \
    }
INTEGERS(int8_t)
INTEGERS(int16_t)
INTEGERS(int32_t)
INTEGERS(int64_t)
INTEGERS(uint8_t)
INTEGERS(uint16_t)
INTEGERS(uint32_t)
INTEGERS(uint64_t)

static void integers_wrap_around(void **state)
{
    (void)state;
    for (enum strata_operation o = STRATA_OPERATION_SUM; o <= STRATA_OPERATION_BXOR; o++) {
        run(o, STRATA_NUMBER_INT8, draw_int8_t, right_int8_t);
        run(o, STRATA_NUMBER_INT16, draw_int16_t, right_int16_t);
        run(o, STRATA_NUMBER_INT32, draw_int32_t, right_int32_t);
        run(o, STRATA_NUMBER_INT64, draw_int64_t, right_int64_t);
        run(o, STRATA_NUMBER_UINT8, draw_uint8_t, right_uint8_t);
        run(o, STRATA_NUMBER_UINT16, draw_uint16_t, right_uint16_t);
        run(o, STRATA_NUMBER_UINT32, draw_uint32_t, right_uint32_t);
        run(o, STRATA_NUMBER_UINT64, draw_uint64_t, right_uint64_t);
    }
}

/* Whether both numbers are equal, or both NaN. */
static bool same(long double a, long double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static long double draw_real(struct random *r)
{
    static const long double known[] = {NAN, INFINITY, -INFINITY, 0.0L, -0.0L, 1, -1};
    return random_below(r, 2) ? known[random_below(r, 7)]
                              : (long double)random_between(r, -999999, 999999) / 7;
}

#define REALS(name, type)                                                                          \
    static void draw_##name(unsigned char *at, struct random *r)                                   \
    {                                                                                              \
        type value = (type)draw_real(r);                                                           \
        memcpy(at, &value, sizeof value);                                                          \
    }                                                                                              \
    static bool right_##name(enum strata_operation operation, const unsigned char *left,           \
                             const unsigned char *right, const unsigned char *into)                \
    {                                                                                              \
        type x, y, z;                                                                              \
        memcpy(&x, left, sizeof x);                                                                \
        memcpy(&y, right, sizeof y);                                                               \
        memcpy(&z, into, sizeof z);                                                                \
        const bool either = isnan(x) || isnan(y);                                                  \
        const type expected[] = {x + y, x * y, !either && y > x ? y : x,                           \
                                 !either && y < x ? y : x};                                        \
        return same(z, expected[operation]);                                                       \
    }
REALS(float, float)
REALS(double, double)
REALS(long_double, long double)

static void numbers_may_be_none(void **state)
{
    (void)state;
    for (enum strata_operation o = STRATA_OPERATION_SUM; o <= STRATA_OPERATION_MIN; o++) {
        run(o, STRATA_NUMBER_FLOAT, draw_float, right_float);
        run(o, STRATA_NUMBER_DOUBLE, draw_double, right_double);
        run(o, STRATA_NUMBER_LONG_DOUBLE, draw_long_double, right_long_double);
    }
}

/* Combines the parts as C does. Where both results are NaN although an operand is infinite, C11's
 * annex G wants an infinity. Each step is stored, so that none is fused. */
#define COMPLEXES(name, part)                                                                      \
    static void draw_##name##_complex(unsigned char *at, struct random *r)                         \
    {                                                                                              \
        draw_##name(at, r);                                                                        \
        draw_##name(at + sizeof(part), r);                                                         \
    }                                                                                              \
    static bool right_##name##_complex(enum strata_operation operation, const unsigned char *left, \
                                       const unsigned char *right, const unsigned char *into)      \
    {                                                                                              \
        part x[2], y[2], z[2];                                                                     \
        memcpy(x, left, sizeof x);                                                                 \
        memcpy(y, right, sizeof y);                                                                \
        memcpy(z, into, sizeof z);                                                                 \
        if (operation == STRATA_OPERATION_SUM) {                                                   \
            return same(z[0], x[0] + y[0]) && same(z[1], x[1] + y[1]);                             \
        }                                                                                          \
        const volatile part step[] = {x[0] * y[0], x[1] * y[1], x[0] * y[1], x[1] * y[0]};         \
        const part real = step[0] - step[1], imaginary = step[2] + step[3];                        \
        if (!isnan(real) || !isnan(imaginary)) {                                                   \
            return same(z[0], real) && same(z[1], imaginary);                                      \
        }                                                                                          \
        bool none = isnan(x[0]) || isnan(x[1]) || isnan(y[0]) || isnan(y[1]);                      \
        bool zero = (x[0] == 0 && x[1] == 0) || (y[0] == 0 && y[1] == 0);                          \
        return none || zero || isinf(z[0]) || isinf(z[1]);                                         \
    }
COMPLEXES(float, float)
COMPLEXES(double, double)
COMPLEXES(long_double, long double)

static void complex_products_are_those_of_c(void **state)
{
    (void)state;
    for (enum strata_operation o = STRATA_OPERATION_SUM; o <= STRATA_OPERATION_PROD; o++) {
        run(o, STRATA_NUMBER_FLOAT_COMPLEX, draw_float_complex, right_float_complex);
        run(o, STRATA_NUMBER_DOUBLE_COMPLEX, draw_double_complex, right_double_complex);
        run(o, STRATA_NUMBER_LONG_DOUBLE_COMPLEX, draw_long_double_complex,
            right_long_double_complex);
    }
}

/* Draws small values, many of them equal, and some NaN where the type has one. Bytes between value
 * and place are random, and must stay. */
#define PAIRS(id, value_type, place_type)                                                          \
    struct pair_##id {                                                                             \
        value_type value;                                                                          \
        place_type place;                                                                          \
    };                                                                                             \
    static void draw_##id(unsigned char *at, struct random *r)                                     \
    {                                                                                              \
        bool none = STRATA_NUMBER_##id >= STRATA_NUMBER_FLOAT_INT && random_below(r, 6) == 0;      \
        value_type value = none ? (value_type)NAN : (value_type)random_between(r, -2, 2);          \
        place_type place = (place_type)random_below(r, 4);                                         \
        memset(at, (int)random_next(r), sizeof(struct pair_##id));                                 \
        memcpy(at, &value, SIGNIFICANT(value));                                                    \
        memcpy(at + offsetof(struct pair_##id, place), &place, sizeof place);                      \
    }                                                                                              \
    static bool right_##id(enum strata_operation operation, const unsigned char *left,             \
                           const unsigned char *right, const unsigned char *into)                  \
    {                                                                                              \
        struct pair_##id x, y, z;                                                                  \
        unsigned char expected[sizeof z];                                                          \
        memcpy(&x, left, sizeof x);                                                                \
        memcpy(&y, right, sizeof y);                                                               \
        memcpy(&z, into, sizeof z);                                                                \
        bool better =                                                                              \
            operation == STRATA_OPERATION_MAXLOC ? x.value > y.value : x.value < y.value;          \
        bool equal = x.value == y.value;                                                           \
        value_type value = better ? x.value : y.value;                                             \
        place_type lower = x.place < y.place ? x.place : y.place;                                  \
        place_type place = better ? x.place : equal ? lower : y.place;                             \
        memcpy(expected, before, sizeof expected);                                                 \
        memcpy(expected, &value, SIGNIFICANT(value));                                              \
        memcpy(expected + offsetof(struct pair_##id, place), &place, sizeof place);                \
        return memcmp(expected, into, sizeof expected) == 0;                                       \
    }
STRATA_PAIR_TABLE(PAIRS)

static void equal_values_have_the_lower_place(void **state)
{
    (void)state;
    for (enum strata_operation o = STRATA_OPERATION_MAXLOC; o <= STRATA_OPERATION_MINLOC; o++) {
#define RUN(id, ...) run(o, STRATA_NUMBER_##id, draw_##id, right_##id);
        STRATA_PAIR_TABLE(RUN)
#undef RUN
    }
}

/* Both tables have the same kernels, and one table is chosen. */
static void every_set_is_whole(void **state)
{
    int kernels = 0;
    (void)state;
    for (enum strata_operation o = STRATA_OPERATION_SUM; o < STRATA_OPERATIONS; o++) {
        for (enum strata_number n = STRATA_NUMBER_INT8; n < STRATA_NUMBERS; n++) {
            strata_kernel *chosen = strata_kernel_find(o, n);
            bool found = !chosen;
            for (int t = 0; t < ntables; t++) {
                assert_int_equal((*tables[t])[o][n] != NULL, chosen != NULL);
                found = found || (*tables[t])[o][n] == chosen;
            }
            assert_true(found);
            kernels += chosen != NULL;
        }
    }
    assert_int_equal(kernels, 2 * 14 + 2 * 11 + 6 * 8 + 2 * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_is_whole),
        cmocka_unit_test(integers_wrap_around),
        cmocka_unit_test(numbers_may_be_none),
        cmocka_unit_test(complex_products_are_those_of_c),
        cmocka_unit_test(equal_values_have_the_lower_place),
    };
    tables[ntables++] = &strata_kernels_plain;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        tables[ntables++] = &strata_kernels_avx2;
    }
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
