#include "api/call/arguments.h"

#include "api/call/counts.h"
#include "api/call/signature.h"
#include "api/types/datatype.h"

/* The side that may be MPI_IN_PLACE on this rank; NULL: neither. */
static const struct strata_side *may_be_in_place(const struct strata_signature *s)
{
    const struct strata_collective_info *info = &strata_collective_info[s->collective];

    if (info->input == STRATA_NONE || s->collective == STRATA_BCAST) {
        return NULL;
    }
    if (info->root != '-' && s->rank != s->root) {
        return NULL;
    }
    return info->root == 'i' ? &s->recv : &s->send;
}

/* The whole memory is on the side that remains. */
static void find_in_place(struct strata_signature *s)
{
    const struct strata_side *side = may_be_in_place(s);

    s->in_place = side && side->part != STRATA_NONE && side->buffer == MPI_IN_PLACE;
    if (s->in_place) {
        s->send.part = side == &s->send ? STRATA_NONE : STRATA_ALL;
        s->recv.part = side == &s->recv ? STRATA_NONE : STRATA_ALL;
    }
}

void strata_find_significant(struct strata_signature *s, int rank, int ranks)
{
    s->rank = rank;
    s->ranks = ranks;
    s->send.part = strata_input_of(s->collective, s->rank, s->root);
    s->recv.part = strata_output_of(s->collective, s->rank, s->root);
    if (s->collective == STRATA_BCAST) {
        s->send.part = STRATA_NONE;
    }
    find_in_place(s);
    if (s->collective == STRATA_EXSCAN && s->rank == 0 && !s->in_place) {
        s->recv.part = STRATA_NONE; /* it gets nothing, so its buffer may be anything */
    }
    if (s->recv.part == STRATA_ONE && strata_side_has_counts(&s->recv)) {
        s->recv.count = strata_side_counted(&s->recv, s->rank); /* reduce_scatter */
    }
}

/* What can be wrong with a side that is significant on this rank; the first is told. */
enum wrong { NULL_ARRAY, NEGATIVE_COUNT, TOO_LONG, NULL_TYPE, IN_PLACE, NULL_BUFFER };

static const struct {
    int class;
    const char *text;
} wrongs[] = {
    [NULL_ARRAY] = {MPI_ERR_ARG, "an array of counts, displacements or datatypes is null"},
    [NEGATIVE_COUNT] = {MPI_ERR_COUNT, "a count is negative"},
    [TOO_LONG] = {MPI_ERR_COUNT, "a buffer has more bytes than there are addresses"},
    [NULL_TYPE] = {MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL"},
    [IN_PLACE] = {MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed as this buffer"},
    [NULL_BUFFER] = {MPI_ERR_BUFFER, "the buffer is null"},
};

/* reduce_scatter's blocks lie one behind another, alltoallw's have a datatype each. */
static bool null_array(const struct strata_signature *s, const struct strata_side *side)
{
    if (!strata_side_varies(s, side)) {
        return false;
    }
    return !strata_side_has_counts(side) ||
           (!strata_side_has_displs(side) && !strata_collective_reduces(s->collective)) ||
           (!side->types && s->collective == STRATA_ALLTOALLW);
}

/* Looks at all counts, once: whether one is negative. */
static bool count_varying(const struct strata_signature *s, struct strata_side *side)
{
    return (side->counts
                ? strata_count(side->counts, s->ranks, &side->most, &side->sum)
                : strata_count_large(side->large_counts, s->ranks, &side->most, &side->sum)) < 0;
}

static bool count_blocks(const struct strata_signature *s, struct strata_side *side)
{
    if (strata_side_varies(s, side)) {
        return count_varying(s, side);
    }
    side->most = side->count;
    return side->count < 0 ||
           __builtin_mul_overflow((int64_t)strata_side_blocks(s, side), side->count, &side->sum);
}

/* Of few elements a buffer cannot have so many: an int counts a datatype's bytes. */
static bool too_long(const struct strata_signature *s, const struct strata_side *side)
{
    int64_t sum = 0, bytes = 0;
    bool beyond = false;

    for (int i = 0; side->sum > INT32_MAX && !beyond && i < (side->types ? s->ranks : 1); i++) {
        MPI_Datatype type = side->types ? side->types[i] : side->type;
        MPI_Count size = 0, count = side->types ? strata_side_counted(side, i) : side->sum;
        if (type != MPI_DATATYPE_NULL && count > 0) {
            beyond = PMPI_Type_size_x(type, &size) != MPI_SUCCESS ||
                     __builtin_mul_overflow((int64_t)size, (int64_t)count, &bytes) ||
                     __builtin_add_overflow(sum, bytes, &sum) || sum > PTRDIFF_MAX / 2;
        }
    }
    return beyond;
}

/* Those of reductions are MPI's own check of operators to find. */
static bool null_type(const struct strata_signature *s, const struct strata_side *side)
{
    if (!side->types) {
        return side->type == MPI_DATATYPE_NULL && !strata_collective_reduces(s->collective);
    }
    for (int i = 0; i < s->ranks; i++) {
        if (strata_side_counted(side, i) > 0 && side->types[i] == MPI_DATATYPE_NULL) {
            return true;
        }
    }
    return false;
}

/* A null address is MPI_BOTTOM, which only derived datatypes make sense of. */
static bool null_buffer(const struct strata_signature *s, const struct strata_side *side)
{
    int blocks = side->buffer ? 0 : strata_side_blocks(s, side);
    bool null = false;

    for (int i = 0; i < blocks && !null; i++) {
        MPI_Datatype type = strata_side_type(side, i);
        null = strata_side_count(s, side, i) > 0 && type != MPI_DATATYPE_NULL &&
               strata_datatype_is_named(type);
    }
    return null;
}

/* A bit for each thing that is wrong. */
static unsigned find_wrongs(const struct strata_signature *s, struct strata_side *side)
{
    if (side->part == STRATA_NONE) {
        return 0;
    }
    if (null_array(s, side)) {
        return 1U << NULL_ARRAY;
    }
    const bool miscounted = count_blocks(s, side);
    return (unsigned)miscounted << NEGATIVE_COUNT |
           (unsigned)(!miscounted && too_long(s, side)) << TOO_LONG |
           (unsigned)null_type(s, side) << NULL_TYPE |
           (unsigned)(side->buffer == MPI_IN_PLACE) << IN_PLACE |
           (unsigned)null_buffer(s, side) << NULL_BUFFER;
}

/* This rank's own block on a side: all there is, or one of several. */
static int own_block(const struct strata_signature *s, const struct strata_side *side)
{
    return strata_side_blocks(s, side) > 1 ? s->rank : 0;
}

/* Elements or, in alltoallw, bytes before it. What a reduction takes is looked at as a whole. */
static MPI_Count own_displacement(const struct strata_signature *s, const struct strata_side *side)
{
    int block = own_block(s, side);

    if (strata_collective_reduces(s->collective)) {
        return 0;
    }
    return strata_side_varies(s, side) ? strata_side_displaced(side, block) : block * side->count;
}

/* Of an element of an own block; MPI is asked only about types that were not met before. */
static MPI_Count measure(const struct strata_side *side, MPI_Datatype type, MPI_Count *extent)
{
    const struct strata_datatype *known = side->datatype;
    MPI_Count size = 0;
    MPI_Count lower_bound = 0;

    if (known && !known->packed) {
        *extent = known->flat.extent;
        return (MPI_Count)known->flat.size;
    }
    *extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &lower_bound, extent);
    *extent = side->types ? 1 : *extent;
    return size;
}

/* Whether this rank's own block is the same memory on both sides, or, where `begin`, all that is
 * received begins where its block does. Elements without a byte, such as an empty struct, lie
 * nowhere. */
static bool same_memory(const struct strata_signature *s, bool begin)
{
    const struct strata_side *send = &s->send;
    const struct strata_side *recv = &s->recv;
    MPI_Count extent;
    MPI_Datatype type;
    uintptr_t from, to;

    if (send->part == STRATA_NONE || recv->part == STRATA_NONE) {
        return false;
    }
    type = strata_side_type(send, own_block(s, send));
    if (type != strata_side_type(recv, own_block(s, recv)) || type == MPI_DATATYPE_NULL ||
        strata_side_count(s, send, own_block(s, send)) == 0 ||
        strata_side_count(s, recv, own_block(s, recv)) == 0 || measure(send, type, &extent) == 0) {
        return false;
    }
    from = (uintptr_t)send->buffer + (uintptr_t)(own_displacement(s, send) * extent);
    to = (uintptr_t)recv->buffer + (uintptr_t)(own_displacement(s, recv) * extent);
    return from == to || (begin && send->buffer == recv->buffer);
}

/* Where all ranks of a wrong call see that it is wrong. In the others some may have no block, or
 * are not the root, or are rank 0 of an exscan, whose receive buffer may be anything. */
static bool seen_by_all(const struct strata_signature *s)
{
    const struct strata_collective_info *info = &strata_collective_info[s->collective];

    return info->root == '-' && !info->varying && s->collective != STRATA_EXSCAN;
}

/* alltoallv, alltoallw: what comes from each rank replaces what goes there. */
static bool same_blocks(const struct strata_signature *s)
{
    const struct strata_side *a = &s->send;
    const struct strata_side *b = &s->recv;
    bool same = a->buffer == b->buffer;
    bool any = false;

    for (int i = 0; same && i < s->ranks; i++) {
        MPI_Count count = strata_side_counted(a, i);
        bool empty = count == 0 && strata_side_counted(b, i) == 0;
        same = empty || (count == strata_side_counted(b, i) &&
                         strata_side_displaced(a, i) == strata_side_displaced(b, i) &&
                         strata_side_type(a, i) == strata_side_type(b, i));
        any = any || !empty;
    }
    return same && any;
}

static bool same_counts(const struct strata_signature *s)
{
    const struct strata_side *a = &s->send;
    const struct strata_side *b = &s->recv;

    return strata_side_count(s, a, own_block(s, a)) == strata_side_count(s, b, own_block(s, b));
}

/* Whether MPI_IN_PLACE would say the same of this rank's memory. */
static bool as_if_in_place(const struct strata_signature *s)
{
    if (s->in_place || !may_be_in_place(s)) {
        return false;
    }
    if (strata_collective_reduces(s->collective)) {
        return s->send.buffer == s->recv.buffer;
    }
    if (strata_collective_transposes(s->collective)) {
        return same_blocks(s);
    }
    return same_memory(s, false) && same_counts(s);
}

static bool counts_stay_right(const struct strata_signature *s, struct strata_side *side)
{
    return side->part != STRATA_ALL ||
           (!count_varying(s, side) && (side->buffer || !null_buffer(s, side)));
}

bool strata_counts_stay_right(struct strata_signature *s)
{
    bool apart = strata_collective_transposes(s->collective) && s->send.buffer != s->recv.buffer;

    return counts_stay_right(s, &s->recv) && counts_stay_right(s, &s->send) &&
           (s->in_place || apart || !as_if_in_place(s));
}

int strata_check_arguments(struct strata_signature *s, const char **text)
{
    unsigned found;

    *text = "the root is not a rank of the communicator";
    if (strata_collective_rooted(s->collective) && (s->root < 0 || s->root >= s->ranks)) {
        return MPI_ERR_ROOT;
    }
    found = find_wrongs(s, &s->recv) | find_wrongs(s, &s->send);
    if (found) {
        int first = __builtin_ctz(found);
        *text = wrongs[first].text;
        return wrongs[first].class;
    }
    *text = "send and receive buffer are the same memory";
    if (seen_by_all(s)) {
        return same_memory(s, true) ? MPI_ERR_BUFFER : MPI_SUCCESS;
    }
    if (as_if_in_place(s)) {
        *(may_be_in_place(s) == &s->send ? &s->send.buffer : &s->recv.buffer) = MPI_IN_PLACE;
        find_in_place(s);
    }
    return MPI_SUCCESS;
}
