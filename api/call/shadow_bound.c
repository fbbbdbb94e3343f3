#include "api/call/shadow_bound.h"

#include <math.h>
#include <string.h>

#include "api/call/shadow_numbers.h"
#include "core/base/memory.h"
#include "internode/mpi/renamed_mpi.h"

/* The bytes of the operands of this rank. */
static size_t operand_bytes(const struct strata_shadow_data *data)
{
    const struct strata_signature *s = data->signature;
    const struct strata_side *side = s->in_place ? &s->recv : &s->send;
    MPI_Count size = 0;
    strata_type_size(side->type, &size);
    return (size_t)(side->sum * size);
}

/* Where the operands' magnitudes lie: behind the room for their sums, which may be of no bytes, for
 * MPI refuses the same address for both even then. */
static size_t operands_at(const struct strata_shadow_data *data)
{
    return data->at[data->blocks] + sizeof(long double);
}

bool strata_shadow_bound_init(struct strata_shadow_bound *bound, struct strata_shadow_data *data)
{
    const struct strata_signature *s = data->signature;
    *bound = (struct strata_shadow_bound){.data = data, .op = s->op, .ranks = s->ranks};
    if (!strata_collective_reduces(s->collective)) {
        return true;
    }
    if (!strata_shadow_number_of(s->recv.type, &bound->number, &bound->complex)) {
        data->compared = 0;
        return true;
    }
    bound->rounds = bound->number > 0 && (s->op == MPI_SUM || s->op == MPI_PROD);
    if (!bound->rounds) {
        return true;
    }
    bound->magnitudes = strata_allocate(operands_at(data) + operand_bytes(data), 1);
    return bound->magnitudes != NULL;
}

void strata_shadow_bound_fini(struct strata_shadow_bound *bound)
{
    strata_release(bound->magnitudes);
}

/* The size of a number. For a complex one both parts count, for both take part in a product. */
static long double size_of(const struct strata_shadow_bound *bound, const char *numbers,
                           size_t byte)
{
    size_t first = bound->complex ? byte - byte % (2 * bound->number) : byte;
    long double real = strata_shadow_read(numbers + first, bound->number);
    return bound->complex
               ? hypotl(real, strata_shadow_read(numbers + first + bound->number, bound->number))
               : fabsl(real);
}

/* Makes the same call with the magnitudes of the operands: their absolute values for a sum, and for
 * a product their distance from 1, in powers of two. */
int strata_shadow_bound_find(struct strata_shadow_bound *bound)
{
    const struct strata_shadow_data *data = bound->data;
    struct strata_signature sum = *data->signature;
    const char *operands = sum.in_place ? data->before : sum.send.buffer;
    char *magnitudes = bound->magnitudes + operands_at(data);
    size_t bytes;
    if (!bound->rounds) {
        return MPI_SUCCESS;
    }
    bytes = operand_bytes(data);
    sum.op = MPI_SUM;
    sum.send.buffer = magnitudes;
    sum.recv.buffer = bound->magnitudes;
    for (size_t i = 0; i < bytes; i += bound->number) {
        long double size = bound->op == MPI_SUM
                               ? fabsl(strata_shadow_read(operands + i, bound->number))
                               : fabsl(log2l(size_of(bound, operands, i)));
        strata_shadow_write(magnitudes + i, bound->number, size);
    }
    return strata_native_call(&sum);
}

/* How far a number may differ; infinite: by any amount. */
static long double allowed(const struct strata_shadow_bound *bound, size_t byte)
{
    const struct strata_shadow_data *data = bound->data;
    long double unit = strata_shadow_unit(bound->number) * bound->ranks;
    long double theirs = size_of(bound, data->theirs, byte);
    if (!bound->rounds) { /* smallest and largest: which NaN wins depends on the order */
        return isnan(theirs) || isnan(size_of(bound, data->ours, byte)) ? INFINITY : 0;
    }
    long double magnitude = strata_shadow_read(bound->magnitudes + byte, bound->number);
    if (bound->op == MPI_SUM) {
        return isfinite(magnitude) ? unit * magnitude : INFINITY;
    }
    return magnitude < strata_shadow_range(bound->number) ? 4 * unit * theirs : INFINITY;
}

static bool number_differs(const struct strata_shadow_bound *bound, size_t byte)
{
    const struct strata_shadow_data *data = bound->data;
    long double ours = strata_shadow_read(data->ours + byte, bound->number);
    long double theirs = strata_shadow_read(data->theirs + byte, bound->number);
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
