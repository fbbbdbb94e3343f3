#include "api/call/arguments.h"

#include "api/call/counts.h"
#include "api/call/one_memory.h"
#include "api/call/signature.h"
#include "api/types/datatype.h"
#include "internode/mpi/renamed_mpi.h"

const struct strata_side *strata_may_be_in_place(const struct strata_signature *s)
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

/* Sets the sides of a call in place: the side that remains holds all blocks. */
static void find_in_place(struct strata_signature *s)
{
    const struct strata_side *side = strata_may_be_in_place(s);
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
        s->recv.part = STRATA_NONE; /* rank 0 receives nothing, so its buffer may be anything */
    }
    if (s->recv.part == STRATA_ONE && strata_side_has_counts(&s->recv)) {
        s->recv.count = strata_side_counted(&s->recv, s->rank); /* reduce_scatter */
    }
}

/* The errors of a side that is significant on this rank; the first one is reported. */
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

/* reduce_scatter has no displacements, and alltoallw has an array of datatypes. */
static bool null_array(const struct strata_signature *s, const struct strata_side *side)
{
    if (!strata_side_varies(s, side)) {
        return false;
    }
    return !strata_side_has_counts(side) ||
           (!strata_side_has_displs(side) && !strata_collective_reduces(s->collective)) ||
           (!side->types && s->collective == STRATA_ALLTOALLW);
}

/* Looks at all counts once: whether one is negative. */
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

void strata_go_in_place(struct strata_signature *s)
{
    *(strata_may_be_in_place(s) == &s->send ? &s->send.buffer : &s->recv.buffer) = MPI_IN_PLACE;
    find_in_place(s);
    (void)(s->send.part != STRATA_NONE && count_blocks(s, &s->send));
    (void)(s->recv.part != STRATA_NONE && count_blocks(s, &s->recv));
}

/* A buffer of few elements cannot be too long, for an int counts the bytes of a datatype. */
static bool too_long(const struct strata_signature *s, const struct strata_side *side)
{
    int64_t sum = 0, bytes = 0;
    bool beyond = false;
    for (int i = 0; side->sum > INT32_MAX && !beyond && i < (side->types ? s->ranks : 1); i++) {
        MPI_Datatype type = side->types ? side->types[i] : side->type;
        MPI_Count size = 0, count = side->types ? strata_side_counted(side, i) : side->sum;
        if (type != MPI_DATATYPE_NULL && count > 0) {
            beyond = strata_type_size(type, &size) != MPI_SUCCESS ||
                     __builtin_mul_overflow((int64_t)size, (int64_t)count, &bytes) ||
                     __builtin_add_overflow(sum, bytes, &sum) || sum > PTRDIFF_MAX / 2;
        }
    }
    return beyond;
}

/* MPI's own check of operators finds null datatypes of reductions. */
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

/* A null address is MPI_BOTTOM, which needs derived datatypes. */
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

/* Finds all errors of a side, as a bit for each. */
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

static bool counts_stay_right(const struct strata_signature *s, struct strata_side *side)
{
    return side->part != STRATA_ALL ||
           (!count_varying(s, side) && (side->buffer || !null_buffer(s, side)));
}

bool strata_counts_stay_right(struct strata_signature *s)
{
    bool apart = strata_collective_transposes(s->collective) && s->send.buffer != s->recv.buffer;
    return counts_stay_right(s, &s->recv) && counts_stay_right(s, &s->send) &&
           (s->in_place || apart || !strata_one_memory(s));
}

/* The first negative count on a significant side. *block: its block; -1: the side has one count. */
static MPI_Count negative_count(const struct strata_signature *s, int *block)
{
    const struct strata_side *sides[] = {&s->recv, &s->send};
    for (int i = 0; i < 2; i++) {
        const struct strata_side *side = sides[i];
        bool varies = strata_side_varies(s, side);
        if (side->part == STRATA_NONE || null_array(s, side)) {
            continue;
        }
        for (*block = 0; *block < (varies ? s->ranks : 1); ++*block) {
            MPI_Count count = varies ? strata_side_counted(side, *block) : side->count;
            if (count < 0) {
                *block = varies ? *block : -1;
                return count;
            }
        }
    }
    return 0;
}

const char *strata_arguments_say(const struct strata_signature *s, int class, const char *text,
                                 struct strata_diagnostic *message)
{
    int block = -1;
    MPI_Count count = class == MPI_ERR_COUNT ? negative_count(s, &block) : 0;
    strata_say(message, "%s", text);
    if (class == MPI_ERR_ROOT) {
        strata_say(message, "the root is %d, but allowed is 0 .. %d", s->root, s->ranks - 1);
    } else if (count < 0 && block < 0) {
        strata_say(message, "the count is %lld, but allowed is 0 or more", (long long)count);
    } else if (count < 0) {
        strata_say(message, "the count for rank %d is %lld, but allowed is 0 or more", block,
                   (long long)count);
    }
    return message->text;
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
    return MPI_SUCCESS;
}
