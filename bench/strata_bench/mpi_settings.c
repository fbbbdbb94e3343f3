/* Asks MPI about itself through its tools interface. */
#include "bench/strata_bench/mpi_settings.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

extern char **environ;

/* Open MPI's ranks yield or spin, which decides how fast idle ranks react and how much they leave
 * to others. */
static void read_waiting(char *text, size_t size)
{
    unsigned char yields[8] = {0}; /* room for a bool of any length */
    MPI_T_cvar_handle handle;
    int index, count;
    snprintf(text, size, "as the library was built (it has no mpi_yield_when_idle)");
    if (MPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        MPI_T_cvar_read(handle, yields);
        MPI_T_cvar_handle_free(&handle);
        snprintf(text, size,
                 yields[0] ? "yield (mpi_yield_when_idle 1)" : "spin (mpi_yield_when_idle 0)");
    }
}

/* The name by which MPI knows the variable of the environment; NULL where the variable is none of
 * MPI's collectives. */
static const char *name_of(const char *variable)
{
    static const char openmpi[] = "OMPI_MCA_", mpich[] = "MPIR_CVAR_";
    if (strncmp(variable, openmpi, sizeof openmpi - 1) == 0) {
        const char *name = variable + sizeof openmpi - 1;
        return strncmp(name, "coll", 4) == 0 ? name : NULL;
    }
    /* Hydra itself sets one for CH3, which no MPI of today is built on */
    const bool ours = strncmp(variable, mpich, sizeof mpich - 1) == 0;
    return ours && strncmp(variable + sizeof mpich - 1, "CH3_", 4) != 0 ? variable : NULL;
}

static bool is_known(const char *setting)
{
    char name[256];
    int index;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
    return MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS;
}

static void read_collectives(char *text, size_t size)
{
    size_t length = 0;
    for (char **variable = environ; *variable; variable++) {
        const char *setting = name_of(*variable);
        if (setting && length < size) {
            length += (size_t)snprintf(text + length, size - length, "%s%s%s", length ? ", " : "",
                                       setting, is_known(setting) ? "" : " (unknown to this MPI)");
        }
    }
    if (length == 0) {
        snprintf(text, size, "as they are");
    }
}

/* The interface is opened once: MPICH 4.2.0 under PMIx ends in MPI_Finalize after a second time. */
void mpi_settings_read(struct mpi_settings *settings)
{
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    read_waiting(settings->waiting, sizeof settings->waiting);
    read_collectives(settings->collectives, sizeof settings->collectives);
    MPI_T_finalize();
}

int mpi_settings_nodes(MPI_Comm comm)
{
    MPI_Comm node;
    int rank, first, nodes;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    first = rank == 0;
    MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, comm);
    return nodes;
}
