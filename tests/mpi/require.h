/* The checks of the MPI tests. A check that does not hold prints the values and ends the whole job.
 *
 * REQUIRE(condition)              one condition
 * REQUIRE_CMP(x, ==, y)           one comparison; prints both sides; evaluates each side once
 * REQUIRE_TEXT(got, want)         two strings are equal; prints both
 * REQUIRE_BYTES(got, want, n)     n bytes are equal; prints the first difference
 * succeed(call)                   an MPI call returns MPI_SUCCESS; prints the text of the
 *                                 error */
#ifndef STRATA_TESTS_MPI_REQUIRE_H
#define STRATA_TESTS_MPI_REQUIRE_H

#include <mpi.h>
#include <stdio.h>

#include "tests/compare.h"

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            require_failed(__FILE__, __LINE__, #condition, "false");                               \
        }                                                                                          \
    } while (0)

#define REQUIRE_CMP(x, compare, y)    COMPARE(x, compare, y, REQUIRE_FAILED)
#define REQUIRE_FAILED(check, values) require_failed(__FILE__, __LINE__, check, values)

#define REQUIRE_BYTES(got, expected, bytes)                                                        \
    require_bytes(__FILE__, __LINE__, #got, got, expected, bytes)

#define REQUIRE_TEXT(got, expected) require_text(__FILE__, __LINE__, #got, got, expected)

#define succeed(call) require_success(__FILE__, __LINE__, #call, call)

static inline void require_failed(const char *file, int line, const char *check, const char *values)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "%s:%d: rank %d: does not hold: %s (%s)\n", file, line, rank, check, values);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void require_bytes(const char *file, int line, const char *what, const void *got,
                                 const void *expected, size_t bytes)
{
    size_t at = first_difference(got, expected, bytes);
    if (at < bytes) {
        char told[COMPARE_TEXT];
        snprintf(told, sizeof told, "byte %zu of %zu is %#x, not %#x", at, bytes,
                 ((const unsigned char *)got)[at], ((const unsigned char *)expected)[at]);
        require_failed(file, line, what, told);
    }
}

static inline void require_text(const char *file, int line, const char *what, const char *got,
                                const char *expected)
{
    if (strcmp(got, expected) != 0) {
        char told[8 * COMPARE_TEXT];
        snprintf(told, sizeof told, "\"%s\", not \"%s\"", got, expected);
        require_failed(file, line, what, told);
    }
}

static inline void require_success(const char *file, int line, const char *call, int error)
{
    if (error != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(error, text, &length);
        require_failed(file, line, call, text);
    }
}

#endif
