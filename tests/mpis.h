/* Which MPI runs a test, for tests that expect something else of one. It is asked at run time,
 * because a program by the standard ABI runs on several MPIs. */
#ifndef STRATA_TESTS_MPIS_H
#define STRATA_TESTS_MPIS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Also before MPI_Init. The text is longer than the header of another MPI says. */
static inline void mpis_describe(char text[1 << 14])
{
    int length;
    *text = '\0';
    MPI_Get_library_version(text, &length);
}

static inline bool is_mpich(void)
{
    char text[1 << 14];
    mpis_describe(text);
    return strncmp(text, "MPICH", 5) == 0;
}

/* The first number of Open MPI's version; 0 for another MPI. */
static inline int is_open_mpi(void)
{
    char text[1 << 14];
    int version = 0;
    mpis_describe(text);
    return sscanf(text, "Open MPI v%d", &version) == 1 ? version : 0;
}

/* Before MPI_Init, where threads will send at once, each on a communicator of its own. In the
 * shared memory of Open MPI 6.0.0rc2 such messages stand still now and then. */
static inline void threads_take_tcp(void)
{
    if (is_open_mpi() == 6) {
        setenv("OMPI_MCA_btl", "self,tcp", 1);
    }
}

/* MPICH 5.0.2: a call that raised an error returns MPI_SUCCESS where the communicator's own handler
 * returned. Tried with a wrong root. */
static inline bool hides_errors(MPI_Comm comm)
{
    int value = 0;
    return PMPI_Bcast(&value, 1, MPI_INT, -1, comm) == MPI_SUCCESS;
}

#endif
