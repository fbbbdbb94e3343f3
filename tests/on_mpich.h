/* Whether the MPI that serves this program is MPICH. The header does not say it to a program by the
 * standard ABI. */
#ifndef STRATA_TESTS_ON_MPICH_H
#define STRATA_TESTS_ON_MPICH_H

#include <mpi.h>
#include <stdbool.h>
#include <string.h>

static inline bool on_mpich(void)
{
    char library[1 << 14]; /* MPICH may write more than another's header says */
    int length;
    MPI_Get_library_version(library, &length);
    return strncmp(library, "MPICH", 5) == 0;
}

#endif
