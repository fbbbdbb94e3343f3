/* Preloaded by inside.sh for MPICH before 4.2 over UCX: leaves connections open to the end of the
 * process.
 *
 * MPICH's MPI_Finalize disconnects from each rank with progress. Then it waits for all ranks at the
 * process manager, without progress. A rank that waits there answers no more, and a rank that still
 * needs the answer waits for ever. Over TCP, with several ranks on a host, nearly every run hangs.
 * MPICH 4.2 has changed this (github.com/pmodels/mpich/pull/6596).
 *
 * The stand-in returns NULL: the connection is closed already. The end of the worker, after that
 * wait, closes it.
 * connection is closed already; the worker's end, after that wait, closes it. */
#include <stddef.h>

void *ucp_disconnect_nb(void *endpoint);

void *ucp_disconnect_nb(void *endpoint)
{
    (void)endpoint;
    return NULL;
}
