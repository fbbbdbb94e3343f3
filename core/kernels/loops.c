/* The loops, compiled once for each set of instructions. VECTORS is the attribute that asks for the
 * instructions, and TABLE the name of the table that gets the loops. Numbers may lie at any
 * address. */
#include <stdbool.h>

#include "core/kernels/tables.h"

#ifndef TABLE
#define VECTORS /* the instructions that the compiler may use on every processor */
#define TABLE   strata_kernels_plain
#endif

#define ANYWHERE __attribute__((aligned(1), may_alias))

#define DECLARE(id, type) typedef type any_##id ANYWHERE;
STRATA_NUMBER_TABLE(DECLARE)
#undef DECLARE

/* No number depends on another one's result, even where results are written over operands. */
#ifdef __clang__
#define APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define APART _Pragma("GCC ivdep")
#endif

/* In `result`, x is from the left operand and y from the right one. */
#define LOOP(name, type, result)                                                                   \
    VECTORS static void name(const void *left, const void *right, void *into, size_t numbers)      \
    {                                                                                              \
        const type *from_left = left, *from_right = right;                                         \
        type *to = into;                                                                           \
        APART for (size_t i = 0; i < numbers; i++)                                                 \
        {                                                                                          \
            const type x = from_left[i], y = from_right[i];                                        \
            to[i] = (type)(result);                                                                \
        }                                                                                          \
    }

#define LARGER(id)  LOOP(max_##id, any_##id, y > x ? y : x)
#define SMALLER(id) LOOP(min_##id, any_##id, y < x ? y : x)

/* Integers are combined as unsigned numbers where this gives the same bits, because too large
 * results are then defined. The factor 1u is there because narrow factors would become an int. */
#define INTEGERS(bits)                                                                             \
    LOOP(sum_##bits, any_UINT##bits, x + y)                                                        \
    LOOP(prod_##bits, any_UINT##bits, 1u * x * y)                                                  \
    LOOP(land_##bits, any_UINT##bits, (x != 0) & (y != 0))                                         \
    LOOP(lor_##bits, any_UINT##bits, (x | y) != 0)                                                 \
    LOOP(lxor_##bits, any_UINT##bits, (x != 0) ^ (y != 0))                                         \
    LOOP(band_##bits, any_UINT##bits, (x & y))                                                     \
    LOOP(bor_##bits, any_UINT##bits, x | y)                                                        \
    LOOP(bxor_##bits, any_UINT##bits, x ^ y)                                                       \
    LARGER(INT##bits) LARGER(UINT##bits) SMALLER(INT##bits) SMALLER(UINT##bits)
INTEGERS(8)
INTEGERS(16)
INTEGERS(32)
INTEGERS(64)

#define COMPLEXES(id)                                                                              \
    LOOP(sum_##id, any_##id, x + y)                                                                \
    LOOP(prod_##id, any_##id, (x * y))
#define FLOATS(id) COMPLEXES(id) LARGER(id) SMALLER(id)
FLOATS(FLOAT)
FLOATS(DOUBLE)
FLOATS(LONG_DOUBLE)
COMPLEXES(FLOAT_COMPLEX)
COMPLEXES(DOUBLE_COMPLEX)
COMPLEXES(LONG_DOUBLE_COMPLEX)

/* Gaps inside pairs stay as they are. */
#define FIND(name, value_type, place_type, better)                                                 \
    VECTORS static void name(const void *left, const void *right, void *into, size_t numbers)      \
    {                                                                                              \
        typedef value_type any_value ANYWHERE;                                                     \
        typedef place_type any_place ANYWHERE;                                                     \
        struct pair {                                                                              \
            value_type value;                                                                      \
            place_type place;                                                                      \
        };                                                                                         \
        const unsigned char *from_left = left, *from_right = right;                                \
        unsigned char *to = into;                                                                  \
        const size_t end = numbers * sizeof(struct pair), place = offsetof(struct pair, place);    \
        for (size_t i = 0; i < end; i += sizeof(struct pair)) {                                    \
            const any_value x = *(const any_value *)(from_left + i);                               \
            const any_value y = *(const any_value *)(from_right + i);                              \
            const any_place at = *(const any_place *)(from_left + i + place);                      \
            const any_place or_at = *(const any_place *)(from_right + i + place);                  \
            bool first = x better y || (x == y && at < or_at);                                     \
            *(any_place *)(to + i + place) = first ? at : or_at;                                   \
            *(any_value *)(to + i) = x better y ? x : y;                                           \
        }                                                                                          \
    }
#define PAIRS(id, value_type, place_type)                                                          \
    FIND(maxloc_##id, value_type, place_type, >)                                                   \
    FIND(minloc_##id, value_type, place_type, <)
STRATA_PAIR_TABLE(PAIRS)

#define AT(name, id) [STRATA_NUMBER_##id] = name##_##id
#define WIDE(name, bits)                                                                           \
    [STRATA_NUMBER_INT##bits] = name##_##bits, [STRATA_NUMBER_UINT##bits] = name##_##bits
#define OF_WIDTHS(name)   WIDE(name, 8), WIDE(name, 16), WIDE(name, 32), WIDE(name, 64)
#define OF_SIGNED(name)   AT(name, INT8), AT(name, INT16), AT(name, INT32), AT(name, INT64)
#define OF_UNSIGNED(name) AT(name, UINT8), AT(name, UINT16), AT(name, UINT32), AT(name, UINT64)
#define OF_FLOATS(name)   AT(name, FLOAT), AT(name, DOUBLE), AT(name, LONG_DOUBLE)
#define OF_COMPLEXES(name)                                                                         \
    AT(name, FLOAT_COMPLEX), AT(name, DOUBLE_COMPLEX), AT(name, LONG_DOUBLE_COMPLEX)
#define OF_PAIRS(name)                                                                             \
    AT(name, SHORT_INT), AT(name, INT_INT), AT(name, LONG_INT), AT(name, FLOAT_INT),               \
        AT(name, DOUBLE_INT), AT(name, LONG_DOUBLE_INT), AT(name, FLOAT_FLOAT),                    \
        AT(name, DOUBLE_DOUBLE)

strata_kernel_table TABLE = {
    [STRATA_OPERATION_SUM] = {OF_WIDTHS(sum), OF_FLOATS(sum), OF_COMPLEXES(sum)},
    [STRATA_OPERATION_PROD] = {OF_WIDTHS(prod), OF_FLOATS(prod), OF_COMPLEXES(prod)},
    [STRATA_OPERATION_MAX] = {OF_SIGNED(max), OF_UNSIGNED(max), OF_FLOATS(max)},
    [STRATA_OPERATION_MIN] = {OF_SIGNED(min), OF_UNSIGNED(min), OF_FLOATS(min)},
    [STRATA_OPERATION_LAND] = {OF_WIDTHS(land)},
    [STRATA_OPERATION_LOR] = {OF_WIDTHS(lor)},
    [STRATA_OPERATION_LXOR] = {OF_WIDTHS(lxor)},
    [STRATA_OPERATION_BAND] = {OF_WIDTHS(band)},
    [STRATA_OPERATION_BOR] = {OF_WIDTHS(bor)},
    [STRATA_OPERATION_BXOR] = {OF_WIDTHS(bxor)},
    [STRATA_OPERATION_MAXLOC] = {OF_PAIRS(maxloc)},
    [STRATA_OPERATION_MINLOC] = {OF_PAIRS(minloc)},
};
