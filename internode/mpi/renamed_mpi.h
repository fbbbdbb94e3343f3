/* Calls that MPI 4 gave new names. MPI 4.1 deprecates the old names, which older MPIs have. */
#ifndef STRATA_INTERNODE_MPI_RENAMED_MPI_H
#define STRATA_INTERNODE_MPI_RENAMED_MPI_H

#include <mpi.h>

#if MPI_VERSION >= 4
#define STRATA_RENAMED(name) name##_c
#else
#define STRATA_RENAMED(name) name##_x
#endif

/* All return MPI's error code. */

static inline int strata_type_size(MPI_Datatype type, MPI_Count *size)
{
    return STRATA_RENAMED(PMPI_Type_size)(type, size);
}

static inline int strata_type_extent(MPI_Datatype type, MPI_Count *low, MPI_Count *extent)
{
    return STRATA_RENAMED(PMPI_Type_get_extent)(type, low, extent);
}

static inline int strata_type_true_extent(MPI_Datatype type, MPI_Count *low, MPI_Count *extent)
{
    return STRATA_RENAMED(PMPI_Type_get_true_extent)(type, low, extent);
}

#ifndef STRATA_SIMULATED /* SimGrid's takes no constant status, and Strata asks none of it */
/* The length of a message that was received or seen. */
static inline int strata_status_bytes(const MPI_Status *status, MPI_Count *bytes)
{
    return STRATA_RENAMED(PMPI_Get_elements)(status, MPI_BYTE, bytes);
}
#endif

/* The value of a key, cut to the `size` bytes of `text`, which end with a zero. */
static inline int strata_info_text(MPI_Info info, const char *key, int size, char *text, int *given)
{
#if MPI_VERSION >= 4
    return PMPI_Info_get_string(info, key, &size, text, given);
#else
    return PMPI_Info_get(info, key, size - 1, text, given);
#endif
}

#undef STRATA_RENAMED
#endif
