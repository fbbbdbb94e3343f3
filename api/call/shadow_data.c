#define _GNU_SOURCE /* process_vm_readv */
#include "api/call/shadow_data.h"

#include <limits.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "api/call/rehearsal.h"
#include "core/base/memory.h"
#include "internode/mpi/renamed_mpi.h"

/* A span is compared if it is at most SPARSE times as long as its data. */
enum { SPARSE = 16, SPARSE_BYTES = 4096, SPAN_ALIGNMENT = 64 };

static char *place(const struct strata_signature *s, const struct strata_side *side, int block)
{
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 1;
    bool placed = strata_side_has_displs(side);
    MPI_Aint displacement = placed ? strata_side_displaced(side, block) : 0;
    if (!side->types) {
        PMPI_Type_get_extent(side->type, &lower_bound, &extent);
    }
    for (int b = 0; !placed && b < block; b++) {
        displacement += (MPI_Aint)strata_side_count(s, side, b);
    }
    return (char *)((uintptr_t)side->buffer + (uintptr_t)(displacement * extent));
}

static MPI_Count element_bytes(const struct strata_shadow_data *data, int block)
{
    MPI_Count size = 0;
    strata_type_size(strata_side_type(&data->signature->recv, block), &size);
    return size;
}

/* Whether operands lie between each other, or go backwards: MPIs often reduce such operands
 * wrongly. */
static bool between(const struct strata_signature *s)
{
    MPI_Aint low, extent, first, length;
    PMPI_Type_get_extent(s->recv.type, &low, &extent);
    PMPI_Type_get_true_extent(s->recv.type, &first, &length);
    return extent < length;
}

/* Finds where packed blocks begin. False: MPI cannot pack them, because one is too long, or because
 * they lie at MPI_BOTTOM, which MPICH refuses. */
static bool measure(struct strata_shadow_data *data)
{
    if (data->blocks > 0 && !data->signature->recv.buffer) {
        return false;
    }
    if (strata_collective_reduces(data->signature->collective) && between(data->signature)) {
        return false;
    }
    for (int b = 0; b < data->blocks; b++) {
        MPI_Count count = strata_side_count(data->signature, &data->signature->recv, b);
        MPI_Count size = count > 0 ? count * element_bytes(data, b) : 0;
        if (count > INT_MAX || size > INT_MAX) {
            return false;
        }
        data->at[b + 1] = data->at[b] + (size_t)size;
    }
    return true;
}

/* The bytes that the call defines: all that is received, but of a reduce_scatter in place only the
 * part at its beginning. */
static size_t defined_bytes(const struct strata_shadow_data *data)
{
    const struct strata_signature *s = data->signature;
    if (s->collective == STRATA_EXSCAN && s->rank == 0) {
        return 0;
    }
    if (data->blocks > 1 && strata_collective_scatters(s->collective)) {
        return data->at[s->rank + 1] - data->at[s->rank];
    }
    return data->at[data->blocks];
}

/* Widens the span to include a block. */
static void cover(struct strata_shadow_data *data, int block)
{
    const struct strata_signature *s = data->signature;
    MPI_Datatype type = strata_side_type(&s->recv, block);
    MPI_Aint count = (MPI_Aint)strata_side_count(s, &s->recv, block);
    MPI_Aint lower_bound, extent, true_lower_bound, true_extent;
    if (data->at[block + 1] == data->at[block]) {
        return;
    }
    PMPI_Type_get_extent(type, &lower_bound, &extent);
    PMPI_Type_get_true_extent(type, &true_lower_bound, &true_extent);
    char *first = place(s, &s->recv, block) + true_lower_bound;
    char *last = first + (count - 1) * extent;
    char *begin = first < last ? first : last;
    char *end = (first < last ? last : first) + true_extent;
    if (data->span == 0) {
        data->first = begin;
        data->span = (size_t)(end - begin);
        return;
    }
    end = end > data->first + data->span ? end : data->first + data->span;
    data->first = begin < data->first ? begin : data->first;
    data->span = (size_t)(end - data->first);
}

/* A reduction has no span to compare, for MPI writes the gaps of pairs, too. */
static void find_span(struct strata_shadow_data *data)
{
    for (int b = 0; b < data->blocks; b++) {
        cover(data, b);
    }
    if (strata_collective_reduces(data->signature->collective) ||
        data->span > SPARSE * data->at[data->blocks] + SPARSE_BYTES) {
        data->span = 0;
    }
}

/* An address in `room` that is aligned like `first`. */
static char *aligned_as(const char *first, char *room)
{
    return room + ((uintptr_t)first - (uintptr_t)room) % SPAN_ALIGNMENT;
}

bool strata_shadow_data_init(struct strata_shadow_data *data, const struct strata_signature *s)
{
    *data = (struct strata_shadow_data){.signature = s, .blocks = strata_side_blocks(s, &s->recv)};
    data->at = strata_allocate((size_t)data->blocks + 1, sizeof *data->at);
    if (!data->at || !measure(data)) {
        return false;
    }
    data->compared = defined_bytes(data);
    find_span(data);
    data->before = strata_allocate(data->at[data->blocks] + 1, 3);
    data->span_before = strata_allocate(data->span + SPAN_ALIGNMENT, 2);
    if (!data->before || !data->span_before) {
        return false;
    }
    data->ours = data->before + data->at[data->blocks];
    data->theirs = data->ours + data->at[data->blocks];
    data->span_ours = aligned_as(data->first, data->span_before + data->span);
    return true;
}

void strata_shadow_data_fini(struct strata_shadow_data *data)
{
    strata_release(data->span_before);
    strata_release(data->before);
    strata_release(data->at);
}

/* Between blocks memory may be missing: the kernel finds that without a crash. Other threads, an
 * open receive, or ranks that share the memory may write there meanwhile. */
void *strata_shadow_guard(struct strata_shadow_data *data)
{
    char *buffer = data->signature->recv.buffer;
    struct iovec here = {data->span_before, data->span};
    struct iovec there = {data->first, data->span};
    if (data->span > 0 &&
        process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)data->span) {
        data->span = 0;
    }
    if (data->span == 0) {
        return buffer;
    }
    memcpy(data->span_ours, data->span_before, data->span);
    return (char *)((uintptr_t)data->span_ours + (uintptr_t)buffer - (uintptr_t)data->first);
}

void strata_shadow_pack_side(const struct strata_signature *s, const struct strata_side *side,
                             unsigned char *copy)
{
    for (int b = 0; b < strata_side_blocks(s, side); b++) {
        int position = 0;
        int bytes = (int)strata_block_bytes(s, side, b);
        if (bytes > 0) { /* the datatype of an empty block may be null */
            PMPI_Pack(place(s, side, b), (int)strata_side_count(s, side, b),
                      strata_side_type(side, b), copy, bytes, &position, s->comm);
            copy += bytes;
        }
    }
}

void strata_shadow_pack(const struct strata_shadow_data *data, char *copy)
{
    const struct strata_signature *s = data->signature;
    strata_shadow_pack_side(s, &s->recv, (unsigned char *)copy);
}

/* Unpacks to the receive buffer, or to a place at that distance from it. */
static void unpack(const struct strata_shadow_data *data, char *copy, uintptr_t moved)
{
    const struct strata_signature *s = data->signature;
    for (int b = 0; b < data->blocks; b++) {
        int position = 0;
        if (data->at[b + 1] == data->at[b]) {
            continue;
        }
        PMPI_Unpack(copy + data->at[b], (int)(data->at[b + 1] - data->at[b]), &position,
                    (char *)((uintptr_t)place(s, &s->recv, b) + moved),
                    (int)strata_side_count(s, &s->recv, b), strata_side_type(&s->recv, b), s->comm);
    }
}

void strata_shadow_unpack(const struct strata_shadow_data *data, char *copy)
{
    unpack(data, copy, 0);
}

size_t strata_shadow_element(const struct strata_shadow_data *data, size_t byte, int *block,
                             size_t *element)
{
    int b = 0;
    while (byte >= data->at[b + 1]) {
        b++;
    }
    size_t size = (size_t)element_bytes(data, b);
    *element = (byte - data->at[b]) / size;
    *block = b;
    return size;
}

/* Puts the plan's blocks into the span as it was before: the rest must be as it is now. */
const char *strata_shadow_stray(const struct strata_shadow_data *data)
{
    if (data->span > 0) {
        unpack(data, data->ours, (uintptr_t)data->span_before - (uintptr_t)data->first);
    }
    for (size_t i = 0; i < data->span; i++) {
        if (data->span_before[i] != data->span_ours[i]) {
            return data->first + i;
        }
    }
    return NULL;
}
