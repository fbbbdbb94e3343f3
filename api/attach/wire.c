#include "api/attach/wire.h"

#include <limits.h>
#include <stdint.h>

#include "api/attach/group.h"
#include "core/base/memory.h"
#include "core/engine/simulated_work.h"
#include "internode/mpi/describe_mpi.h"
#include "internode/mpi/failed_mpi.h"

enum { FIRST_TAG = 16, ALL = 2 * STRATA_ROUND_MESSAGES };

/* The requests of a round; receives come first. */
struct posted {
    MPI_Comm comm;
    int tag;
    MPI_Request request[ALL];
    MPI_Status status[ALL];
    int of[ALL]; /* the receive of the round that each request is for */
    int count, receives;
};

/* A message of more than INT_MAX bytes gets a datatype of its own. */
static int post(struct posted *p, bool receive, int peer, void *bytes, size_t size)
{
    struct strata_description d;
    MPI_Request *request = &p->request[p->count];
    int error = strata_describe_bytes(size, &d);
    if (error == MPI_SUCCESS) {
        error = receive ? PMPI_Irecv(bytes, d.count, d.type, peer, p->tag, p->comm, request)
                        : PMPI_Isend(bytes, d.count, d.type, peer, p->tag, p->comm, request);
    }
    strata_forget(&d);
    p->count += error == MPI_SUCCESS;
    return error;
}

static int post_receives(struct strata_round *round, struct posted *p)
{
    int error = MPI_SUCCESS;
    for (int i = 0; error == MPI_SUCCESS && i < STRATA_ROUND_MESSAGES; i++) {
        struct strata_incoming *in = &round->receive[i];
        if (in->peer != STRATA_NOBODY) {
            int peer = in->peer == STRATA_ANYBODY ? MPI_ANY_SOURCE : in->peer;
            p->of[p->count] = i;
            error = post(p, true, peer, in->bytes, in->capacity);
        }
    }
    p->receives = p->count;
    return error;
}

static int post_sends(const struct strata_round *round, struct posted *p)
{
    int error = MPI_SUCCESS;
    for (int i = 0; error == MPI_SUCCESS && i < STRATA_ROUND_MESSAGES; i++) {
        const struct strata_outgoing *out = &round->send[i];
        if (out->peer != STRATA_NOBODY) {
            error = post(p, false, out->peer, (void *)(uintptr_t)out->bytes, out->size);
        }
    }
    return error;
}

/* Ends a round that failed. Where a rank has failed, the private communicator is revoked, which
 * ends what is under way: MPI must not read memory that its owner gives back. */
static void withdraw(struct strata_group *group, struct posted *p)
{
    int done = 0;
    strata_failed_leave(group->comm, group->comm, &group->served);
    for (int i = 0; !done && i < STRATA_WAIT_STILL; i++) {
        (void)PMPI_Testall(p->count, p->request, &done, p->status);
    }
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
    struct posted p = {.comm = group->comm, .tag = FIRST_TAG + round->channel};
    if (group->broken) {
        return STRATA_ERR_TRANSPORT;
    }
    strata_charge_pay();
    int error = post_receives(round, &p);
    error = error == MPI_SUCCESS ? post_sends(round, &p) : error;
    error = error == MPI_SUCCESS ? strata_wire_wait(group, p.count, p.request, p.status) : error;
    if (error != MPI_SUCCESS) {
        withdraw(group, &p);
        strata_group_break(group);
        return STRATA_ERR_TRANSPORT;
    }
    for (int i = 0; i < p.receives; i++) {
        round->receive[p.of[i]].size = strata_wire_bytes(&p.status[i]);
    }
    return STRATA_OK;
}

/* Gathers lengths, then bytes, with two of MPI's own allgathers. */
static int allgather(void *self, const void *mine, size_t size, void *all, size_t total)
{
    struct strata_group *group = self;
    int *lengths =
        total > INT_MAX ? NULL : strata_allocate(2 * (size_t)group->ranks, sizeof *lengths);
    int status = lengths ? STRATA_OK : STRATA_ERR_MEMORY;
    int length = (int)size;
    strata_charge_pay();
    if (strata_group_agree(group, &status, 1, MPI_INT, MPI_MAX) != MPI_SUCCESS) {
        status = STRATA_ERR_TRANSPORT;
    }
    status = status == STRATA_OK && !lengths ? STRATA_ERR_MEMORY : status;
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
    if (status == STRATA_ERR_TRANSPORT) {
        strata_failed_leave(group->comm, group->comm, &group->served);
    }
    strata_release(lengths);
    return status;
}

const struct strata_wire strata_wire_mpi = {.exchange = exchange, .allgather = allgather};
