#include <mpi.h>

#include "include/strata.h"

#include "core/base/memory.h"
#include "tools/tune/performed.h"

static bool allocate(struct tool_performed *p, const struct tool_lengths *l)
{
    const size_t ranks = (size_t)l->shape.ranks;
    const size_t blocks = strata_collective_info[l->collective].ranked ? ranks : 1;
    const size_t most =
        blocks * (size_t)(l->shape.longest * l->unit * tool_element_bytes(l->collective));
    int **const arrays[] = {&p->sends, &p->send_places, &p->counts, &p->places};
    bool good = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = strata_allocate(ranks, sizeof **arrays[i]);
        good = good && *arrays[i];
    }
    p->sent = strata_allocate(most + 1, 1);
    p->received = strata_allocate(most + 1, 1);
    p->types = strata_allocate(ranks, sizeof(MPI_Datatype));
    return good && p->sent && p->received && p->types;
}

bool tool_performed_make(struct tool_performed *p, const struct tool_lengths *l, int rank)
{
    int sent = 0, received = 0;
    *p = (struct tool_performed){.collective = l->collective};
    p->count = tool_length(l, rank, rank);
    if (!allocate(p, l)) {
        return false;
    }
    for (int r = 0; r < l->shape.ranks; r++) {
        p->sends[r] = tool_length(l, rank, r);
        p->counts[r] =
            strata_collective_transposes(l->collective) ? tool_length(l, r, rank) : p->sends[r];
        p->send_places[r] = sent;
        p->places[r] = received;
        sent += p->sends[r];
        received += p->counts[r];
        ((MPI_Datatype *)p->types)[r] = MPI_BYTE;
    }
    return true;
}

void tool_performed_free(struct tool_performed *p)
{
    strata_release(p->sent);
    strata_release(p->received);
    strata_release(p->sends);
    strata_release(p->send_places);
    strata_release(p->counts);
    strata_release(p->places);
    strata_release(p->types);
}

static int reduce(const struct tool_performed *p)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_DOUBLE;
    switch (p->collective) {
    case STRATA_REDUCE:
        return strata_reduce(p->sent, p->received, p->count, type, MPI_SUM, 0, world);
    case STRATA_ALLREDUCE:
        return strata_allreduce(p->sent, p->received, p->count, type, MPI_SUM, world);
    case STRATA_REDUCE_SCATTER:
        return strata_reduce_scatter(p->sent, p->received, p->counts, type, MPI_SUM, world);
    case STRATA_REDUCE_SCATTER_BLOCK:
        return strata_reduce_scatter_block(p->sent, p->received, p->count, type, MPI_SUM, world);
    case STRATA_SCAN:
        return strata_scan(p->sent, p->received, p->count, type, MPI_SUM, world);
    default:
        return strata_exscan(p->sent, p->received, p->count, type, MPI_SUM, world);
    }
}

int tool_perform(const struct tool_performed *p)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_BYTE;
    switch (p->collective) {
    case STRATA_ALLTOALL:
        return strata_alltoall(p->sent, p->count, type, p->received, p->count, type, world);
    case STRATA_ALLTOALLV:
        return strata_alltoallv(p->sent, p->sends, p->send_places, type, p->received, p->counts,
                                p->places, type, world);
    case STRATA_ALLTOALLW:
        return strata_alltoallw(p->sent, p->sends, p->send_places, p->types, p->received, p->counts,
                                p->places, p->types, world);
    case STRATA_ALLGATHER:
        return strata_allgather(p->sent, p->count, type, p->received, p->count, type, world);
    case STRATA_ALLGATHERV:
        return strata_allgatherv(p->sent, p->count, type, p->received, p->counts, p->places, type,
                                 world);
    case STRATA_BCAST:
        return strata_bcast(p->sent, p->count, type, 0, world);
    case STRATA_GATHER:
        return strata_gather(p->sent, p->count, type, p->received, p->count, type, 0, world);
    case STRATA_GATHERV:
        return strata_gatherv(p->sent, p->count, type, p->received, p->counts, p->places, type, 0,
                              world);
    case STRATA_SCATTER:
        return strata_scatter(p->sent, p->count, type, p->received, p->count, type, 0, world);
    case STRATA_SCATTERV:
        return strata_scatterv(p->sent, p->counts, p->places, type, p->received, p->count, type, 0,
                               world);
    case STRATA_BARRIER:
        return strata_barrier(world);
    default:
        return reduce(p);
    }
}
