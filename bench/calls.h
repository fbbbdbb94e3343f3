/* Collectives with one size, for the programs that compare threads. A vector has `bytes`,
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

static inline void part_free(struct part *p)
{
    free(p->in);
    free(p->out);
    free(p->counts);
    free(p->displs);
}

#define BLOCK   (p->bytes / p->members)
#define NUMBERS (p->bytes / (int)sizeof(double))
#define PART_CALL(name, mpi, ...)                                                                  \
    static inline void call_##name(const struct part *p)                                           \
    {                                                                                              \
        strata_##name(__VA_ARGS__);                                                                \
    }                                                                                              \
    static inline void mpi_##name(const struct part *p)                                            \
    {                                                                                              \
        mpi(__VA_ARGS__);                                                                          \
    }
PART_CALL(alltoallv, MPI_Alltoallv, p->in, p->counts, p->displs, MPI_BYTE, p->out, p->counts,
          p->displs, MPI_BYTE, p->comm)
PART_CALL(alltoall, MPI_Alltoall, p->in, BLOCK, MPI_BYTE, p->out, BLOCK, MPI_BYTE, p->comm)
PART_CALL(allgather, MPI_Allgather, p->in, BLOCK, MPI_BYTE, p->out, BLOCK, MPI_BYTE, p->comm)
PART_CALL(allreduce, MPI_Allreduce, p->in, p->out, NUMBERS, MPI_DOUBLE, MPI_SUM, p->comm)
PART_CALL(reduce, MPI_Reduce, p->in, p->out, NUMBERS, MPI_DOUBLE, MPI_SUM, 0, p->comm)
PART_CALL(reduce_scatter_block, MPI_Reduce_scatter_block, p->in, p->out, NUMBERS / p->members,
          MPI_DOUBLE, MPI_SUM, p->comm)
PART_CALL(bcast, MPI_Bcast, p->out, p->bytes, MPI_BYTE, 0, p->comm)
PART_CALL(gather, MPI_Gather, p->in, BLOCK, MPI_BYTE, p->out, BLOCK, MPI_BYTE, 0, p->comm)
PART_CALL(scatter, MPI_Scatter, p->in, BLOCK, MPI_BYTE, p->out, BLOCK, MPI_BYTE, 0, p->comm)
PART_CALL(barrier, MPI_Barrier, p->comm)

static inline void call_iallreduce(const struct part *p)
{
    struct strata_request *request;
    strata_iallreduce(p->in, p->out, NUMBERS, MPI_DOUBLE, MPI_SUM, p->comm, &request);
    strata_wait(&request, MPI_STATUS_IGNORE);
}

static inline void mpi_iallreduce(const struct part *p)
{
    MPI_Request request;
    MPI_Iallreduce(p->in, p->out, NUMBERS, MPI_DOUBLE, MPI_SUM, p->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

typedef void one_call(const struct part *p);
struct collective {
    const char *name;
    one_call *call, *mpi; /* Strata's and MPI's own */
};
#define COLLECTIVE(name)                                                                           \
    {                                                                                              \
#name, call_##name, mpi_##name                                                             \
    }

static inline bool is_sized(const struct collective *c)
{
    return c->call != call_barrier;
}

#endif
