#include <mpi.h>

#include "include/strata.h"

#include "core/base/memory.h"
#include "tools/tune/performed.h"

bool tool_performed_make(struct tool_performed *p, enum strata_collective collective, int64_t bytes,
                         int ranks)
{
    const bool reduces = strata_collective_reduces(collective);
    const int64_t size = reduces ? (int64_t)sizeof(double) : 1;
    *p = (struct tool_performed){.collective = collective, .ranks = ranks};
    p->count = (int)(bytes / size);
    const size_t blocks = strata_collective_info[collective].ranked ? (size_t)ranks : 1;
    const size_t most = blocks * (size_t)p->count * (size_t)size;
    p->sent = strata_allocate(most + 1, 1);
    p->received = strata_allocate(most + 1, 1);
    p->counts = strata_allocate((size_t)ranks, sizeof *p->counts);
    p->places = strata_allocate((size_t)ranks, sizeof *p->places);
    MPI_Datatype *types = strata_allocate((size_t)ranks, sizeof *types);
    p->types = types;
    const bool good = p->sent && p->received && p->counts && p->places && types;
    for (int r = 0; good && r < ranks; r++) {
        p->counts[r] = p->count;
        p->places[r] = r * p->count;
        types[r] = MPI_BYTE;
    }
    return good;
}

void tool_performed_free(struct tool_performed *p)
{
    strata_release(p->sent);
    strata_release(p->received);
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
        return strata_alltoallv(p->sent, p->counts, p->places, type, p->received, p->counts,
                                p->places, type, world);
    case STRATA_ALLTOALLW:
        return strata_alltoallw(p->sent, p->counts, p->places, p->types, p->received, p->counts,
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
