#include "api/call/kept_arrays.h"

#include <string.h>

#include "api/call/bind.h"
#include "core/base/memory.h"

/* Of both sides. */
#define HELD_BYTES (2 * (2 * sizeof(int) + sizeof(MPI_Datatype)))
/* Of an array that is short; a whole number of ints, as MPI_Datatype is. */
#define FEW_BYTES 64

struct strata_kept_arrays *strata_kept_arrays_create(enum strata_collective collective, int ranks)
{
    struct strata_kept_arrays *kept;

    if (collective != STRATA_ALLTOALLW && collective != STRATA_REDUCE_SCATTER &&
        !strata_collective_one_knows(collective)) {
        return NULL;
    }
    kept = strata_allocate(1, sizeof *kept + (size_t)ranks * HELD_BYTES);
    if (kept) {
        kept->arrays = strata_allocate((size_t)ranks, STRATA_ARRAY_BYTES);
    }
    if (kept && !kept->arrays) {
        strata_kept_arrays_destroy(kept);
        return NULL;
    }
    return kept;
}

void strata_kept_arrays_destroy(struct strata_kept_arrays *kept)
{
    if (kept) {
        strata_release(kept->arrays);
        strata_release(kept);
    }
}

static size_t keep_array(unsigned char *held, const void *array, size_t bytes)
{
    if (array) {
        memcpy(held, array, bytes);
    }
    return array ? bytes : 0;
}

/* Returns the bytes that the side's arrays take. */
static size_t keep_side(unsigned char *held, const struct strata_side *side, size_t ranks)
{
    size_t bytes = keep_array(held, side->counts, ranks * sizeof(int));

    bytes += keep_array(held + bytes, side->displs, ranks * sizeof(int));
    return bytes + keep_array(held + bytes, side->types, ranks * sizeof(MPI_Datatype));
}

/* Those of the other sides are not significant here, or say nothing that these do not. */
static inline bool has_all(const struct strata_side *side)
{
    return side->part == STRATA_ALL;
}

void strata_keep_arrays(struct strata_kept_arrays *kept, const struct strata_signature *s)
{
    const size_t ranks = (size_t)s->ranks;
    size_t bytes = 0;

    kept->all = !s->large;
    if (kept->all && has_all(&s->send)) {
        bytes = keep_side(kept->held, &s->send, ranks);
    }
    if (kept->all && has_all(&s->recv)) {
        keep_side(kept->held + bytes, &s->recv, ranks);
    }
}

/* A few numbers are compared here, sooner than a function is called for each array. */
static inline bool same_bytes(const unsigned char *held, const void *array, size_t bytes)
{
    uint32_t was, now, other = 0;

    if (bytes > FEW_BYTES) {
        return memcmp(held, array, bytes) == 0;
    }
    for (size_t at = 0; at < bytes; at += sizeof now) {
        memcpy(&was, held + at, sizeof was);
        memcpy(&now, (const unsigned char *)array + at, sizeof now);
        other |= was ^ now;
    }
    return other == 0;
}

static inline bool same_array(const unsigned char **held, const void *array, size_t bytes)
{
    const unsigned char *was = *held;

    *held += array ? bytes : 0;
    return !array || same_bytes(was, array, bytes);
}

static inline bool same_side(const unsigned char **held, const struct strata_side *side,
                             size_t ranks)
{
    return !has_all(side) || (same_array(held, side->counts, ranks * sizeof(int)) &&
                              same_array(held, side->displs, ranks * sizeof(int)) &&
                              same_array(held, side->types, ranks * sizeof(MPI_Datatype)));
}

bool strata_arrays_kept(const struct strata_kept_arrays *kept, const struct strata_signature *s)
{
    const unsigned char *held = kept->held;
    const size_t ranks = (size_t)s->ranks;

    return kept->all && same_side(&held, &s->send, ranks) && same_side(&held, &s->recv, ranks);
}
