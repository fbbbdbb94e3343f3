/* Kernels: MPI's predefined operators on the numbers of C. Each is a loop that the compiler turns
 * into vector instructions. They know no MPI, so any thread may run them, and virtual ranks too.
 * The results are what C says of `left o right`, whatever MPI and processor: docs/kernels.md. */
#ifndef STRATA_CORE_KERNELS_KERNELS_H
#define STRATA_CORE_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum strata_operation {
    STRATA_OPERATION_SUM,
    STRATA_OPERATION_PROD,
    STRATA_OPERATION_MAX,
    STRATA_OPERATION_MIN,
    STRATA_OPERATION_LAND,
    STRATA_OPERATION_LOR,
    STRATA_OPERATION_LXOR,
    STRATA_OPERATION_BAND,
    STRATA_OPERATION_BOR,
    STRATA_OPERATION_BXOR,
    STRATA_OPERATION_MAXLOC,
    STRATA_OPERATION_MINLOC,
    STRATA_OPERATIONS
};

/* The numbers that are combined: an identifier and a C type each. */
#define STRATA_NUMBER_TABLE(ROW)                                                                   \
    ROW(INT8, int8_t)                                                                              \
    ROW(INT16, int16_t)                                                                            \
    ROW(INT32, int32_t)                                                                            \
    ROW(INT64, int64_t)                                                                            \
    ROW(UINT8, uint8_t)                                                                            \
    ROW(UINT16, uint16_t)                                                                          \
    ROW(UINT32, uint32_t)                                                                          \
    ROW(UINT64, uint64_t)                                                                          \
    ROW(FLOAT, float)                                                                              \
    ROW(DOUBLE, double)                                                                            \
    ROW(LONG_DOUBLE, long double)                                                                  \
    ROW(FLOAT_COMPLEX, float _Complex)                                                             \
    ROW(DOUBLE_COMPLEX, double _Complex)                                                           \
    ROW(LONG_DOUBLE_COMPLEX, long double _Complex)

/* Pairs of a value and its index, such as MPI_DOUBLE_INT: a struct of these two types. */
#define STRATA_PAIR_TABLE(ROW)                                                                     \
    ROW(SHORT_INT, short, int)                                                                     \
    ROW(INT_INT, int, int)                                                                         \
    ROW(LONG_INT, long, int)                                                                       \
    ROW(FLOAT_INT, float, int)                                                                     \
    ROW(DOUBLE_INT, double, int)                                                                   \
    ROW(LONG_DOUBLE_INT, long double, int)                                                         \
    ROW(FLOAT_FLOAT, float, float)                                                                 \
    ROW(DOUBLE_DOUBLE, double, double)

enum strata_number {
#define STRATA_NUMBER_NAME(id, ...) STRATA_NUMBER_##id,
    STRATA_NUMBER_TABLE(STRATA_NUMBER_NAME) STRATA_PAIR_TABLE(STRATA_NUMBER_NAME)
#undef STRATA_NUMBER_NAME
        STRATA_NUMBERS
};

/* into[i] := left[i] o right[i]. `into` may be one of the operands; nothing else overlaps. All may
 * lie at any address. */
typedef void strata_kernel(const void *left, const void *right, void *into, size_t numbers);

/* Finds the kernel; NULL: the operator has no meaning for these numbers. */
strata_kernel *strata_kernel_find(enum strata_operation operation, enum strata_number number);

/* Bytes from one number to the next. */
size_t strata_number_bytes(enum strata_number number);

#endif
