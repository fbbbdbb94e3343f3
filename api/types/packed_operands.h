/* Operands that have gaps, or that MPI alone takes apart, as plans have them: packed, the bytes of
 * each side by side. So nothing that a plan does depends on how a rank's operands lie, which the
 * others do not know. An operator is given elements of the datatype, in memory of its own. */
#ifndef STRATA_API_TYPES_PACKED_OPERANDS_H
#define STRATA_API_TYPES_PACKED_OPERANDS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "api/types/datatype.h"

struct strata_packed_operands {
    const struct strata_datatype *datatype;
    MPI_Datatype type;
    MPI_Comm comm;
    unsigned char *memory;       /* NULL: operands are used as they lie */
    unsigned char *left, *right; /* the origin of the first element of each */
    size_t at_once;              /* elements that there is room for */
};

/* Whether elements of a reduction go packed. Local, as nothing that other ranks see follows. */
static inline bool strata_operands_packed(const struct strata_datatype *datatype)
{
    const struct strata_type *flat = &datatype->flat;
    return datatype->packed || !flat->contiguous || flat->pieces[0].offset != 0;
}

/* Room for elements of a type that was found. Returns an MPI error code. */
int strata_packed_operands_init(struct strata_packed_operands *p,
                                const struct strata_datatype *datatype, MPI_Datatype type,
                                MPI_Comm comm);
void strata_packed_operands_fini(struct strata_packed_operands *p); /* of all zero, too */

/* Between packed elements and those at `origin`. Return MPI error codes. */
int strata_packed_operands_open(const struct strata_packed_operands *p, const void *packed,
                                size_t elements, unsigned char *origin);
int strata_packed_operands_close(const struct strata_packed_operands *p, unsigned char *origin,
                                 size_t elements, void *packed);

#endif
