/* Plans get operands that have gaps, or that only MPI can take apart, in packed form. So no step of
 * a plan depends on how a rank's operands lie in memory, which the other ranks do not know. The
 * operator gets unpacked elements, in memory of its own. */
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
    unsigned char *memory;       /* NULL: operands are combined where they lie */
    unsigned char *left, *right; /* the origins of the first left and the first right operand */
    size_t at_once;              /* elements for which there is room */
};

/* Whether a reduction's operands are packed. Local: other ranks see no difference. */
static inline bool strata_operands_packed(const struct strata_datatype *datatype)
{
    const struct strata_type *flat = &datatype->flat;
    return datatype->packed || !flat->contiguous || flat->pieces[0].offset != 0;
}

/* Makes room for elements of a type that was found. Returns an MPI error code. */
int strata_packed_operands_init(struct strata_packed_operands *p,
                                const struct strata_datatype *datatype, MPI_Datatype type,
                                MPI_Comm comm);
void strata_packed_operands_fini(struct strata_packed_operands *p); /* accepts a struct of zeros */

/* Unpack elements to `origin`, and pack them again. Return MPI error codes. */
int strata_packed_operands_open(const struct strata_packed_operands *p, const void *packed,
                                size_t elements, unsigned char *origin);
int strata_packed_operands_close(const struct strata_packed_operands *p, unsigned char *origin,
                                 size_t elements, void *packed);

#endif
