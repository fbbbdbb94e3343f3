/* Simulated clusters: a test that does not block lets no time pass, so a test waits. */
#include "core/engine/simulated_work.h"
#include "internode/mpi/requests_mpi.h"

/* Of at most so many requests it waits for any; of more, for the oldest, because SimGrid's wait for
 * any of them takes time for each. */
#define FEW 32

static int arrived(const struct strata_request_entry *entry, const MPI_Status *status)
{
    int bytes = 0;
    if (!entry->receive || !entry->exact) {
        return MPI_SUCCESS;
    }
    int error = PMPI_Get_count(status, MPI_BYTE, &bytes);
    return !error && (size_t)bytes != entry->bytes ? MPI_ERR_TRUNCATE : error;
}

int strata_requests_test(struct strata_request_list *list)
{
    MPI_Status status;
    int index = 0, error;
    strata_charge_pay();
    if (list->used <= FEW) {
        error = PMPI_Waitany(list->used, list->requests, &index, &status);
    } else {
        while (list->requests[index] == MPI_REQUEST_NULL) {
            index++;
        }
        error = PMPI_Wait(&list->requests[index], &status);
    }
    error = error ? error : arrived(&list->entries[index], &status);
    list->open--;
    if (list->open == 0 || list->open < list->used / 2) {
        strata_requests_compact(list);
    }
    return error;
}

void strata_requests_progress(MPI_Request *idle)
{
    (void)idle;
}

void strata_requests_end_idle(MPI_Request *idle)
{
    (void)idle;
}

void strata_requests_abandon(struct strata_request_list *list, double patience)
{
    (void)patience;
    for (int i = 0; i < list->used; i++) {
        if (list->requests[i] != MPI_REQUEST_NULL) {
            PMPI_Request_free(&list->requests[i]);
        }
    }
    list->used = list->open = 0;
}
