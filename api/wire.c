/* What carries the messages of chains: MPI, on a group's private communicator, under tags of their own. */
#include <limits.h>

#include "api/chain.h"
#include "api/wire_wait.h"
#include "core/memory.h"

enum { FIRST_TAG = 16, ALL = 2 * STRATA_ROUND_MESSAGES };

/* A round's requests: receives first. */
struct posted {
    MPI_Request request[ALL];
    MPI_Status status[ALL];
    int of[ALL]; /* which receive of the round */
    int count, receives;
};

static int post_receives(MPI_Comm comm, struct strata_round *round, struct posted *p)
{
    int error = MPI_SUCCESS;

    for (int i = 0; error == MPI_SUCCESS && i < STRATA_ROUND_MESSAGES; i++) {
        struct strata_incoming *in = &round->receive[i];
        if (in->peer != STRATA_NOBODY) {
            int size = in->capacity < INT_MAX ? (int)in->capacity : INT_MAX;
            int peer = in->peer == STRATA_ANYBODY ? MPI_ANY_SOURCE : in->peer;
            error = PMPI_Irecv(in->bytes, size, MPI_BYTE, peer, FIRST_TAG + round->channel, comm,
                               &p->request[p->count]);
            p->of[p->count] = i;
            p->count += error == MPI_SUCCESS;
        }
    }
    p->receives = p->count;
    return error;
}

static int post_sends(MPI_Comm comm, const struct strata_round *round, struct posted *p)
{
    int error = MPI_SUCCESS;

    for (int i = 0; error == MPI_SUCCESS && i < STRATA_ROUND_MESSAGES; i++) {
        const struct strata_outgoing *out = &round->send[i];
        if (out->peer != STRATA_NOBODY) {
            error = out->size > INT_MAX
                        ? MPI_ERR_COUNT
                        : PMPI_Isend(out->bytes, (int)out->size, MPI_BYTE, out->peer,
                                     FIRST_TAG + round->channel, comm, &p->request[p->count]);
            p->count += error == MPI_SUCCESS;
        }
    }
    return error;
}

/* Messages of a round that failed are withdrawn; what was sent is left to MPI. */
static void withdraw(struct posted *p)
{
    for (int i = 0; i < p->count; i++) {
        if (p->request[i] != MPI_REQUEST_NULL) {
            if (i < p->receives) {
                PMPI_Cancel(&p->request[i]);
            }
            PMPI_Request_free(&p->request[i]);
        }
    }
}

static int exchange(void *self, struct strata_round *round)
{
    struct strata_group *group = self;
    struct posted p = {.count = 0};
    int bytes = 0;

    if (group->broken) {
        return STRATA_ERR_TRANSPORT;
    }
    int error = post_receives(group->comm, round, &p);
    error = error == MPI_SUCCESS ? post_sends(group->comm, round, &p) : error;
    error = error == MPI_SUCCESS ? strata_wire_wait(&group->waiter, p.count, p.request, p.status)
                                 : error;
    if (error != MPI_SUCCESS) {
        withdraw(&p);
        group->broken = true;
        return STRATA_ERR_TRANSPORT;
    }
    for (int i = 0; i < p.receives; i++) {
        PMPI_Get_count(&p.status[i], MPI_BYTE, &bytes);
        round->receive[p.of[i]].size = (size_t)bytes;
    }
    return STRATA_OK;
}

/* Lengths, then bytes: MPI's own two allgathers. */
static int allgather(void *self, const void *mine, size_t size, void *all, size_t total)
{
    struct strata_group *group = self;
    int *lengths =
        total > INT_MAX ? NULL : strata_allocate(2 * (size_t)group->ranks, sizeof *lengths);
    int status = lengths ? STRATA_OK : STRATA_ERR_MEMORY;
    int length = (int)size;

    if (PMPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, group->comm) != MPI_SUCCESS) {
        status = STRATA_ERR_TRANSPORT;
    }
    if (status == STRATA_OK &&
        PMPI_Allgather(&length, 1, MPI_INT, lengths, 1, MPI_INT, group->comm) != MPI_SUCCESS) {
        status = STRATA_ERR_TRANSPORT;
    }
    for (int i = 1; status == STRATA_OK && i < group->ranks; i++) {
        lengths[group->ranks + i] = lengths[group->ranks + i - 1] + lengths[i - 1];
    }
    if (status == STRATA_OK &&
        PMPI_Allgatherv(mine, length, MPI_BYTE, all, lengths, lengths + group->ranks, MPI_BYTE,
                        group->comm) != MPI_SUCCESS) {
        status = STRATA_ERR_TRANSPORT;
    }
    strata_release(lengths);
    return status;
}

const struct strata_wire strata_wire_mpi = {.exchange = exchange, .allgather = allgather};
