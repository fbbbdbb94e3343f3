#include "api/call/shadow_numbers.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/types/named_types.h"

long double strata_shadow_read(const char *at, size_t bytes)
{
    float f;
    double d;
    long double l;
    switch (bytes) {
    case sizeof(float):
        memcpy(&f, at, sizeof f);
        return (long double)f;
    case sizeof(double):
        memcpy(&d, at, sizeof d);
        return (long double)d;
    default:
        memcpy(&l, at, sizeof l);
        return l;
    }
}

void strata_shadow_write(char *at, size_t bytes, long double value)
{
    float f = (float)value;
    double d = (double)value;
    memcpy(at,
           bytes == sizeof f   ? (void *)&f
           : bytes == sizeof d ? (void *)&d
                               : (void *)&value,
           bytes);
}

long double strata_shadow_unit(size_t bytes)
{
    return bytes == sizeof(float)    ? (long double)FLT_EPSILON
           : bytes == sizeof(double) ? (long double)DBL_EPSILON
                                     : LDBL_EPSILON;
}

long double strata_shadow_range(size_t bytes)
{
    return bytes == sizeof(float)    ? FLT_MAX_EXP - 8
           : bytes == sizeof(double) ? DBL_MAX_EXP - 8
                                     : LDBL_MAX_EXP - 8;
}

/* Finds the number of a type that was made for a Fortran precision. */
static void find_precision(MPI_Datatype type, size_t *bytes, bool *complex)
{
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED, size = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    PMPI_Type_size(type, &size);
    *complex = combiner == MPI_COMBINER_F90_COMPLEX;
    if (*complex || combiner == MPI_COMBINER_F90_REAL) {
        *bytes = (size_t)(*complex ? size / 2 : size);
    }
}

bool strata_shadow_number_of(MPI_Datatype type, size_t *bytes, bool *complex)
{
    MPI_Aint lower_bound = 0, extent = 0;
    *bytes = 0;
    PMPI_Type_get_extent(type, &lower_bound, &extent);
    struct strata_named_type named = strata_named_type_of(type, extent);
    *complex = named.group == STRATA_GROUP_COMPLEX;
    if (named.group == STRATA_GROUP_PAIR) {
        return named.number < STRATA_NUMBER_FLOAT_INT;
    }
    if (named.group == STRATA_GROUP_NONE) {
        find_precision(type, bytes, complex);
    } else if (*complex || named.group == STRATA_GROUP_FLOATING) {
        *bytes = (size_t)(*complex ? extent / 2 : extent);
        return named.number < STRATA_NUMBERS;
    }
    return true;
}

/* Writes an integer of one of MPI's named types; false: the type is none. */
static bool say_integer(enum strata_number number, const char *element, char text[64])
{
    switch (number) {
#define CASE(NUMBER, type, format)                                                                 \
    case STRATA_NUMBER_##NUMBER: {                                                                 \
        type value;                                                                                \
        memcpy(&value, element, sizeof value);                                                     \
        snprintf(text, 64, "%" format, value);                                                     \
        return true;                                                                               \
    }
        CASE(INT8, int8_t, PRId8)
        CASE(INT16, int16_t, PRId16)
        CASE(INT32, int32_t, PRId32)
        CASE(INT64, int64_t, PRId64)
        CASE(UINT8, uint8_t, PRIu8)
        CASE(UINT16, uint16_t, PRIu16)
        CASE(UINT32, uint32_t, PRIu32)
        CASE(UINT64, uint64_t, PRIu64)
#undef CASE
    default:
        return false;
    }
}

void strata_shadow_say(size_t number, MPI_Datatype type, const char *element, size_t size,
                       char text[64])
{
    struct strata_named_type named = strata_named_type_of(type, (MPI_Aint)size);
    if (named.group == STRATA_GROUP_FLOATING && named.number < STRATA_NUMBERS) {
        number = size;
    }
    if (number > 0) {
        snprintf(text, 64, "%.18Lg", strata_shadow_read(element, number));
    } else if (!say_integer(named.number, element, text)) {
        int used = snprintf(text, 64, "bytes");
        for (size_t i = 0; i < size && i < 16; i++) {
            used += snprintf(text + used, 64 - (size_t)used, " %02x", (unsigned char)element[i]);
        }
    }
}
