/* For MPICH before 4.2 over UCX, preloaded by inside.sh: leaves connections to the end of the
 * process.
 *
 * Its MPI_Finalize disconnects from each rank with progress, then waits for all ranks at the
 * process manager without any. A rank that waits there answers no more, and who still needs its
 * answer to disconnect waits for ever: over TCP, with more than one rank on a host, nearly every
 * run. MPICH 4.2 has changed that (github.com/pmodels/mpich/pull/6596). NULL says that the
 * connection is closed already; the worker's end, after that wait, closes it. */
#include <stddef.h>

void *ucp_disconnect_nb(void *endpoint);

void *ucp_disconnect_nb(void *endpoint)
{
    (void)endpoint;
    return NULL;
}
