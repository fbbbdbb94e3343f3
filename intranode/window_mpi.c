/* Shared memory without a window of MPI. Where one process cannot map MPI's window the others wait
 * for it for ever, and an MPI may have no window for processes that share a host. */
#include "intranode/window_mpi.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/error.h"
#include "intranode/open_file.h"

int strata_window_agree(MPI_Comm host, int status)
{
    int worst = status;
    if (PMPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, host)) {
        return STRATA_ERR_TRANSPORT;
    }
    return worst;
}

static int map(struct strata_window *window, const struct strata_open_file *file, size_t bytes)
{
    int number;
    int error = strata_open_file_find(file, &number);
    if (error != STRATA_OK) {
        return error;
    }
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    close(number);
    if (base == MAP_FAILED) {
        return STRATA_ERR_MEMORY;
    }
    *window = (struct strata_window){.base = base, .bytes = bytes};
    return STRATA_OK;
}

/* Whether all have found and mapped rank 0's file. */
static int meet(struct strata_window *window, MPI_Comm host, struct strata_open_file *file,
                size_t bytes)
{
    struct strata_open_file first = *file;
    if (PMPI_Bcast(&first, sizeof first, MPI_BYTE, 0, host)) {
        return STRATA_ERR_TRANSPORT;
    }
    int status = strata_window_agree(host, map(window, &first, bytes));
    if (status) {
        strata_window_destroy(window);
    }
    return status;
}

/* Processes that may not see each other's files may find them by name. */
static int meet_somewhere(struct strata_window *window, MPI_Comm host,
                          struct strata_open_file *file, size_t bytes, bool first)
{
    int status = meet(window, host, file, bytes);
    if (status == STRATA_ERR_UNSUPPORTED) {
        status = first ? strata_open_file_name(file) : STRATA_OK;
        status = strata_window_agree(host, status);
        status = status ? status : meet(window, host, file, bytes);
    }
    return status;
}

int strata_window_create(struct strata_window *window, MPI_Comm host, size_t bytes)
{
    struct strata_open_file file = {.number = -1};
    int rank = 0;
    *window = (struct strata_window){.base = NULL};
    PMPI_Comm_rank(host, &rank);
    int status = rank == 0 ? strata_open_file_create(bytes, &file) : STRATA_OK;
    status = strata_window_agree(host, status);
    if (!status) {
        status = meet_somewhere(window, host, &file, bytes, rank == 0);
    }
    strata_open_file_close(&file);
    return status == STRATA_OK || status == STRATA_ERR_TRANSPORT ? status : STRATA_ERR_CAPACITY;
}

void strata_window_destroy(struct strata_window *window)
{
    if (window->base) {
        munmap(window->base, window->bytes);
        window->base = NULL;
    }
}
