/* Messages that are gathered from several places, or scattered to them: MPI datatypes with absolute
 * addresses. Datatypes of contiguous places are kept, so that calls on the same buffers make none.
 */
#ifndef STRATA_INTERNODE_MPI_SPANS_MPI_H
#define STRATA_INTERNODE_MPI_SPANS_MPI_H

#include "internode/mpi/describe_mpi.h"

/* `count` elements of one type, from an address on. */
struct strata_span_part {
    MPI_Aint at;
    size_t count;
    const struct strata_type *type; /* the type of an element; NULL: bytes */
};

struct strata_span_type {
    MPI_Datatype type;
    struct strata_span_part *parts; /* the key of the cache: all of them are bytes */
    size_t nparts;
};

#define STRATA_SPAN_TYPES 256   /* datatypes that are kept at most */
#define STRATA_SPAN_PARTS 65536 /* their parts together at most; the oldest go first */

/* All zero at first. */
struct strata_span_types {
    struct strata_span_type kept[STRATA_SPAN_TYPES]; /* a ring */
    int first, used;                                 /* the oldest, and the number of kept ones */
    int expected;                                    /* the entry after the one that was found
                                                        last, which is tried first */
    size_t parts;                                    /* the parts of all kept ones */
    struct strata_span_part *list;                   /* parts of the message that is being
                                                        described */
    size_t listed, room;
    int made; /* datatypes made so far */
};

/* Returns MPI's error code. The description is used with MPI_BOTTOM, and is valid until the next
 * one is asked for. There is at least one span. strata_forget ends it. */
int strata_describe_spans(struct strata_span_types *types, const struct strata_span *spans,
                          int nspots, struct strata_description *description);
void strata_span_types_fini(struct strata_span_types *types);

#endif
