#include "api/call/shadow_bound.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/types/datatype.h"
#include "api/types/named_types.h"
#include "core/base/memory.h"

static long double read_number(const char *at, size_t bytes)
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

static void write_number(char *at, size_t bytes, long double value)
{
    float f = (float)value;
    double d = (double)value;

    memcpy(at,
           bytes == sizeof f   ? (void *)&f
           : bytes == sizeof d ? (void *)&d
                               : (void *)&value,
           bytes);
}

static long double unit_of(size_t bytes)
{
    return bytes == sizeof(float)    ? (long double)FLT_EPSILON
           : bytes == sizeof(double) ? (long double)DBL_EPSILON
                                     : LDBL_EPSILON;
}

/* Of what this rank brings. */
static size_t operand_bytes(const struct strata_shadow_data *data)
{
    const struct strata_signature *s = data->signature;
    const struct strata_side *side = s->in_place ? &s->recv : &s->send;
    MPI_Count size = 0;

    PMPI_Type_size_x(side->type, &size);
    return (size_t)(side->sum * size);
}

/* A type that Fortran's precisions made. */
static void find_precision(struct strata_shadow_bound *bound, MPI_Datatype type)
{
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED, size = 0;

    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    PMPI_Type_size(type, &size);
    bound->complex = combiner == MPI_COMBINER_F90_COMPLEX;
    if (bound->complex || combiner == MPI_COMBINER_F90_REAL) {
        bound->number = (size_t)(bound->complex ? size / 2 : size);
    }
}

/* False of types whose numbers C cannot read, and of pairs of which the order decides where they
 * are equal: what MPI makes of them is not judged. */
static bool find_number(struct strata_shadow_bound *bound, MPI_Datatype type)
{
    MPI_Aint lower_bound = 0, extent = 0;

    PMPI_Type_get_extent(type, &lower_bound, &extent);
    struct strata_named_type named = strata_named_type_of(type, extent);
    bound->complex = named.group == STRATA_GROUP_COMPLEX;
    if (named.group == STRATA_GROUP_PAIR) {
        return named.number < STRATA_NUMBER_FLOAT_INT;
    }
    if (named.group == STRATA_GROUP_NONE) {
        find_precision(bound, type);
    } else if (bound->complex || named.group == STRATA_GROUP_FLOATING) {
        bound->number = (size_t)(bound->complex ? extent / 2 : extent);
        return named.number < STRATA_NUMBERS;
    }
    return true;
}

bool strata_shadow_bound_init(struct strata_shadow_bound *bound, struct strata_shadow_data *data)
{
    const struct strata_signature *s = data->signature;

    *bound = (struct strata_shadow_bound){.data = data, .op = s->op, .ranks = s->ranks};
    if (!strata_collective_reduces(s->collective)) {
        return true;
    }
    if (!find_number(bound, s->recv.type)) {
        data->compared = 0;
        return true;
    }
    bound->rounds = bound->number > 0 && (s->op == MPI_SUM || s->op == MPI_PROD);
    if (!bound->rounds) {
        return true;
    }
    bound->magnitudes = strata_allocate(data->at[data->blocks] + operand_bytes(data) + 1, 1);
    return bound->magnitudes != NULL;
}

void strata_shadow_bound_fini(struct strata_shadow_bound *bound)
{
    strata_release(bound->magnitudes);
}

/* Of a complex number, both of whose parts count in a product. */
static long double size_of(const struct strata_shadow_bound *bound, const char *numbers,
                           size_t byte)
{
    size_t first = bound->complex ? byte - byte % (2 * bound->number) : byte;
    long double real = read_number(numbers + first, bound->number);

    return bound->complex
               ? hypotl(real, read_number(numbers + first + bound->number, bound->number))
               : fabsl(real);
}

/* The same call of the operands' magnitudes: of sums as they are, of products how far they are from
 * 1, in powers of two. */
int strata_shadow_bound_find(struct strata_shadow_bound *bound)
{
    const struct strata_shadow_data *data = bound->data;
    struct strata_signature sum = *data->signature;
    const char *operands = sum.in_place ? data->before : sum.send.buffer;
    char *magnitudes = bound->magnitudes + data->at[data->blocks];
    size_t bytes;

    if (!bound->rounds) {
        return MPI_SUCCESS;
    }
    bytes = operand_bytes(data);
    sum.op = MPI_SUM;
    sum.send.buffer = magnitudes;
    sum.recv.buffer = bound->magnitudes;
    for (size_t i = 0; i < bytes; i += bound->number) {
        long double size = bound->op == MPI_SUM ? fabsl(read_number(operands + i, bound->number))
                                                : fabsl(log2l(size_of(bound, operands, i)));
        write_number(magnitudes + i, bound->number, size);
    }
    return strata_native_call(&sum);
}

/* Powers of two within which no order of factors can leave the numbers' range. */
static long double range_of(size_t bytes)
{
    return bytes == sizeof(float)    ? FLT_MAX_EXP - 8
           : bytes == sizeof(double) ? DBL_MAX_EXP - 8
                                     : LDBL_MAX_EXP - 8;
}

/* What a number may differ by; infinite: anything. */
static long double allowed(const struct strata_shadow_bound *bound, size_t byte)
{
    const struct strata_shadow_data *data = bound->data;
    long double unit = unit_of(bound->number) * bound->ranks;
    long double theirs = size_of(bound, data->theirs, byte);

    if (!bound->rounds) { /* the smallest, the largest: of what is not a number the order decides */
        return isnan(theirs) || isnan(size_of(bound, data->ours, byte)) ? INFINITY : 0;
    }
    long double magnitude = read_number(bound->magnitudes + byte, bound->number);
    if (bound->op == MPI_SUM) {
        return isfinite(magnitude) ? unit * magnitude : INFINITY;
    }
    return magnitude < range_of(bound->number) ? 4 * unit * theirs : INFINITY;
}

static bool number_differs(const struct strata_shadow_bound *bound, size_t byte)
{
    const struct strata_shadow_data *data = bound->data;
    long double ours = read_number(data->ours + byte, bound->number);
    long double theirs = read_number(data->theirs + byte, bound->number);
    long double most = allowed(bound, byte);

    return most < INFINITY && !(fabsl(ours - theirs) <= most);
}

bool strata_shadow_differ(const struct strata_shadow_bound *bound, size_t *byte)
{
    const struct strata_shadow_data *data = bound->data;
    size_t step = bound->number > 0 ? bound->number : 1;

    for (*byte = 0; *byte < data->compared; *byte += step) {
        if (memcmp(data->ours + *byte, data->theirs + *byte, step) != 0 &&
            (bound->number == 0 || number_differs(bound, *byte))) {
            return true;
        }
    }
    return false;
}

/* Integers of MPI's named types, as signed ones; bytes are bytes. */
static bool say_integer(const char *element, size_t size, char text[64])
{
    int64_t value = 0;

    switch (size) {
#define CASE(type)                                                                                 \
    case sizeof(type): {                                                                           \
        type number;                                                                               \
        memcpy(&number, element, sizeof number);                                                   \
        value = number;                                                                            \
        break;                                                                                     \
    }
        CASE(int16_t)
        CASE(int32_t)
        CASE(int64_t)
#undef CASE
    default:
        return false;
    }
    snprintf(text, 64, "%lld", (long long)value);
    return true;
}

static bool is_floating(MPI_Datatype type, size_t size)
{
    struct strata_named_type named = strata_named_type_of(type, (MPI_Aint)size);

    return named.group == STRATA_GROUP_FLOATING && named.number < STRATA_NUMBERS;
}

void strata_shadow_say(const struct strata_shadow_bound *bound, MPI_Datatype type,
                       const char *element, size_t size, char text[64])
{
    if (bound->number > 0 || is_floating(type, size)) {
        snprintf(text, 64, "%.18Lg", read_number(element, bound->number ? bound->number : size));
    } else if (!strata_datatype_is_named(type) || !say_integer(element, size, text)) {
        int used = snprintf(text, 64, "bytes");
        for (size_t i = 0; i < size && i < 16; i++) {
            used += snprintf(text + used, 64 - (size_t)used, " %02x", (unsigned char)element[i]);
        }
    }
}
