/* Strata's collectives with one size, for the programs that compare threads. A vector has `bytes`,
 * which the ranks, or members, divide where a collective has blocks. */
#ifndef STRATA_BENCH_CALLS_H
#define STRATA_BENCH_CALLS_H

#include "bench/measure.h"
#include "include/strata.h"

/* A thread's or a rank's part in all calls. */
struct part {
    MPI_Comm comm;
    char *in, *out;
    int *counts, *displs;
    int bytes, members;
};

static inline void part_size(struct part *p, size_t bytes)
{
    p->bytes = (int)bytes;
    for (int i = 0; i < p->members; i++) {
        p->counts[i] = (int)bytes / p->members;
        p->displs[i] = i * p->counts[i];
    }
}

static inline void part_make(struct part *p, MPI_Comm comm, int members, size_t longest)
{
    p->comm = comm;
    p->members = members;
    p->in = measure_need(longest);
    p->out = measure_need(longest);
    p->counts = measure_need((size_t)members * sizeof *p->counts);
    p->displs = measure_need((size_t)members * sizeof *p->displs);
}

#define BLOCK   (p->bytes / p->members)
#define NUMBERS (p->bytes / (int)sizeof(double))
#define PART_CALL(name, ...)                                                                       \
    static inline void call_##name(const struct part *p)                                           \
    {                                                                                              \
        strata_##name(__VA_ARGS__, p->comm);                                                       \
    }
PART_CALL(alltoallv, p->in, p->counts, p->displs, MPI_BYTE, p->out, p->counts, p->displs, MPI_BYTE)
PART_CALL(alltoall, p->in, BLOCK, MPI_BYTE, p->out, BLOCK, MPI_BYTE)
PART_CALL(allgather, p->in, BLOCK, MPI_BYTE, p->out, BLOCK, MPI_BYTE)
PART_CALL(allreduce, p->in, p->out, NUMBERS, MPI_DOUBLE, MPI_SUM)
PART_CALL(reduce, p->in, p->out, NUMBERS, MPI_DOUBLE, MPI_SUM, 0)
PART_CALL(reduce_scatter_block, p->in, p->out, NUMBERS / p->members, MPI_DOUBLE, MPI_SUM)
PART_CALL(bcast, p->out, p->bytes, MPI_BYTE, 0)
PART_CALL(gather, p->in, BLOCK, MPI_BYTE, p->out, BLOCK, MPI_BYTE, 0)
PART_CALL(scatter, p->in, BLOCK, MPI_BYTE, p->out, BLOCK, MPI_BYTE, 0)

static inline void call_barrier(const struct part *p)
{
    strata_barrier(p->comm);
}

typedef void one_call(const struct part *p);
struct collective {
    const char *name;
    one_call *call;
};
#define COLLECTIVE(name)                                                                           \
    {                                                                                              \
#name, call_##name                                                                         \
    }

#endif
