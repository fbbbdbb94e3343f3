#include "api/call/shadow_bound.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/types/datatype.h"
#include "core/base/memory.h"

/* The floating types that MPI's own operators take. */
static const struct {
    MPI_Datatype type;
    size_t number;
    bool complex;
} floating[] = {
    {MPI_FLOAT, sizeof(float), false},
    {MPI_DOUBLE, sizeof(double), false},
    {MPI_LONG_DOUBLE, sizeof(long double), false},
    {MPI_C_FLOAT_COMPLEX, sizeof(float), true},
    {MPI_C_DOUBLE_COMPLEX, sizeof(double), true},
    {MPI_C_LONG_DOUBLE_COMPLEX, sizeof(long double), true},
    {MPI_REAL, sizeof(float), false},
    {MPI_REAL4, sizeof(float), false},
    {MPI_REAL8, sizeof(double), false},
    {MPI_DOUBLE_PRECISION, sizeof(double), false},
    {MPI_COMPLEX, sizeof(float), true},
    {MPI_DOUBLE_COMPLEX, sizeof(double), true},
};

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

bool strata_shadow_bound_init(struct strata_shadow_bound *bound,
                              const struct strata_shadow_data *data)
{
    const struct strata_signature *s = data->signature;
    MPI_Datatype type = s->recv.type;

    *bound = (struct strata_shadow_bound){.data = data, .op = s->op, .ranks = s->ranks};
    if (!strata_collective_reduces(s->collective)) {
        return true;
    }
    for (size_t i = 0; i < sizeof floating / sizeof *floating; i++) {
        if (type == floating[i].type && type != MPI_DATATYPE_NULL) {
            bound->number = floating[i].number;
            bound->complex = floating[i].complex;
        }
    }
    if (bound->number == 0 || s->op != MPI_SUM) {
        return true;
    }
    bound->magnitudes = strata_allocate(data->at[data->blocks] + operand_bytes(data) + 1, 1);
    return bound->magnitudes != NULL;
}

void strata_shadow_bound_fini(struct strata_shadow_bound *bound)
{
    strata_release(bound->magnitudes);
}

/* The same call of the operands' magnitudes. */
int strata_shadow_bound_find(struct strata_shadow_bound *bound)
{
    const struct strata_shadow_data *data = bound->data;
    struct strata_signature sum = *data->signature;
    const char *operands = sum.in_place ? data->before : sum.send.buffer;
    char *magnitudes = bound->magnitudes + data->at[data->blocks];
    size_t bytes;

    if (bound->number == 0 || bound->op != MPI_SUM) {
        return MPI_SUCCESS;
    }
    bytes = operand_bytes(data);
    sum.send.buffer = magnitudes;
    sum.recv.buffer = bound->magnitudes;
    for (size_t i = 0; i < bytes; i += bound->number) {
        write_number(magnitudes + i, bound->number,
                     fabsl(read_number(operands + i, bound->number)));
    }
    return strata_native_call(&sum);
}

/* What a number may differ by; infinite: anything. */
static long double allowed(const struct strata_shadow_bound *bound, size_t byte, long double size)
{
    long double unit = unit_of(bound->number) * bound->ranks;

    if (bound->op == MPI_SUM) {
        long double magnitude = read_number(bound->magnitudes + byte, bound->number);
        return isfinite(magnitude) ? unit * magnitude : INFINITY;
    }
    if (bound->op == MPI_PROD) {
        return isnormal(size) ? 4 * unit * size : INFINITY;
    }
    return isnan(size) ? INFINITY : 0;
}

/* Of a complex number, both of whose parts count in a product. */
static long double size_of(const struct strata_shadow_bound *bound, const char *result, size_t byte)
{
    size_t first = bound->complex ? byte - byte % (2 * bound->number) : byte;
    long double real = read_number(result + first, bound->number);

    return bound->complex ? hypotl(real, read_number(result + first + bound->number, bound->number))
                          : fabsl(real);
}

static bool number_differs(const struct strata_shadow_bound *bound, size_t byte)
{
    const struct strata_shadow_data *data = bound->data;
    long double ours = read_number(data->ours + byte, bound->number);
    long double theirs = read_number(data->theirs + byte, bound->number);
    long double mine = size_of(bound, data->ours, byte);
    bool judged = bound->op == MPI_SUM || (bound->op == MPI_PROD ? isnormal(mine) : !isnan(mine));

    return judged &&
           !(fabsl(ours - theirs) <= allowed(bound, byte, size_of(bound, data->theirs, byte)));
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

static bool is_floating(MPI_Datatype type)
{
    bool found = false;

    for (size_t i = 0; i < sizeof floating / sizeof *floating; i++) {
        found = found || (type == floating[i].type && !floating[i].complex);
    }
    return found;
}

void strata_shadow_say(const struct strata_shadow_bound *bound, MPI_Datatype type,
                       const char *element, size_t size, char text[64])
{
    if (bound->number > 0 || is_floating(type)) {
        snprintf(text, 64, "%.18Lg", read_number(element, bound->number ? bound->number : size));
    } else if (!strata_datatype_is_named(type) || !say_integer(element, size, text)) {
        int used = snprintf(text, 64, "bytes");
        for (size_t i = 0; i < size && i < 16; i++) {
            used += snprintf(text + used, 64 - (size_t)used, " %02x", (unsigned char)element[i]);
        }
    }
}
