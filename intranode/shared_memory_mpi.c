#include "intranode/shared_memory_mpi.h"

#include <mpi.h>
#include <numa.h>
#include <numaif.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/error.h"
#include "intranode/backing.h"

#define PATH_SIZE 4096

/* Reads a text control variable of the MPI's tools interface; false: there is none of that name. */
static int read_variable(int index, char *text, int size)
{
    MPI_T_cvar_handle handle;
    int count = 0;
    if (PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count)) {
        return 0;
    }
    int read = count > 0 && count <= size && PMPI_T_cvar_read(handle, text) == MPI_SUCCESS;
    PMPI_T_cvar_handle_free(&handle);
    return read;
}

/* Open MPI has a variable for it, MPICH always uses /dev/shm. */
static void find_directory(char *path, int size)
{
    int granted, index;
    snprintf(path, (size_t)size, "/dev/shm");
    if (PMPI_T_init_thread(MPI_THREAD_SINGLE, &granted)) {
        return;
    }
    char text[PATH_SIZE] = "";
    if (PMPI_T_cvar_get_index("osc_sm_backing_directory", &index) == MPI_SUCCESS &&
        read_variable(index, text, PATH_SIZE) && memchr(text, 0, PATH_SIZE) && text[0] == '/') {
        snprintf(path, (size_t)size, "%s", text);
    }
    PMPI_T_finalize();
}

int strata_shared_memory_room(size_t bytes)
{
    char path[PATH_SIZE];
    struct statvfs fs;
    find_directory(path, PATH_SIZE);
    if (statvfs(path, &fs)) {
        return strata_backing_provable() ? STRATA_OK : STRATA_ERR_CAPACITY;
    }
    return bytes / fs.f_frsize < fs.f_bavail ? STRATA_OK : STRATA_ERR_CAPACITY;
}

void strata_shared_memory_spread(void *memory, size_t bytes)
{
    if (numa_available() < 0 || numa_num_configured_nodes() < 2) {
        return;
    }
    uintptr_t skew = (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE);
    const struct bitmask *nodes = numa_all_nodes_ptr;
    /* Where the kernel refuses, the pages lie where they fall: slower, not wrong. */
    (void)mbind((unsigned char *)memory - skew, bytes + skew, MPOL_INTERLEAVE, nodes->maskp,
                nodes->size + 1, 0);
}
