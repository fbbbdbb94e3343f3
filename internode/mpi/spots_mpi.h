/* Messages gathered from several places, or scattered to them: MPI datatypes with absolute
 * addresses. Those of contiguous places are kept, so that calls on the same buffers make none. */
#ifndef STRATA_INTERNODE_MPI_SPOTS_MPI_H
#define STRATA_INTERNODE_MPI_SPOTS_MPI_H

#include "internode/mpi/describe_mpi.h"

/* So many of a part's element from an address on. */
struct strata_spot_part {
    MPI_Aint at;
    size_t count;
    const struct strata_type *type; /* of an element; NULL: bytes */
};

struct strata_spot_type {
    MPI_Datatype type;
    struct strata_spot_part *parts; /* bytes all of them: the key */
    size_t nparts;
};

#define STRATA_SPOT_TYPES 256   /* kept at most, */
#define STRATA_SPOT_PARTS 65536 /* with so many parts together; the oldest make room */

/* All zero at first. */
struct strata_spot_types {
    struct strata_spot_type kept[STRATA_SPOT_TYPES]; /* a ring */
    int first, used;                                 /* the oldest, and how many */
    int expected;                                    /* the one after the last that was found */
    size_t parts;                                    /* of all that are kept */
    struct strata_spot_part *list;                   /* of the message being described */
    size_t listed, room;
    int made; /* datatypes for messages since the beginning */
};

/* Returns MPI's error code. The description goes with MPI_BOTTOM, until the next one is asked for;
 * spots are not empty. strata_forget as for any. */
int strata_describe_spots(struct strata_spot_types *types, const struct strata_spot *spots,
                          int nspots, struct strata_description *description);
void strata_spot_types_fini(struct strata_spot_types *types);

#endif
