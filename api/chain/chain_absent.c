/* Replaces the other files with STRATA_SPLIT=OFF. No chain is ever made, so the functions of chains
 * have nothing to do. */
#include "api/process/process.h"
#include "include/strata.h"

static int absent(MPI_Comm comm, const char *call)
{
    return strata_raise(comm, MPI_ERR_UNSUPPORTED_OPERATION, call,
                        "this libstrata was built with STRATA_SPLIT=OFF");
}

int strata_chain_create(MPI_Comm comm, struct strata_chain **chain)
{
    (void)chain;
    return absent(comm, "chain_create");
}

int strata_chain_free(struct strata_chain **chain)
{
    (void)chain;
    return MPI_SUCCESS;
}

int strata_chain_place(const struct strata_chain *chain, struct strata_chain_place *place)
{
    (void)chain;
    (void)place;
    return absent(MPI_COMM_NULL, "chain_place");
}

int strata_chain_barrier(struct strata_chain *chain)
{
    (void)chain;
    return absent(MPI_COMM_NULL, "chain_barrier");
}

int strata_chain_bcast(void *buffer, int count, MPI_Datatype datatype, int root,
                       struct strata_chain *chain)
{
    (void)buffer;
    (void)count;
    (void)datatype;
    (void)root;
    (void)chain;
    return absent(MPI_COMM_NULL, "chain_bcast");
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are like MPI's */
int strata_chain_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, struct strata_chain *chain)
{
    (void)sendbuf;
    (void)recvbuf;
    (void)count;
    (void)datatype;
    (void)op;
    (void)root;
    (void)chain;
    return absent(MPI_COMM_NULL, "chain_reduce");
}

int strata_chain_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, struct strata_chain *chain)
{
    (void)sendbuf;
    (void)recvbuf;
    (void)count;
    (void)datatype;
    (void)op;
    (void)chain;
    return absent(MPI_COMM_NULL, "chain_allreduce");
}

int strata_chain_gather(const void *sendbuf, void *all, int count, MPI_Datatype datatype, int root,
                        struct strata_chain *chain)
{
    (void)sendbuf;
    (void)all;
    (void)count;
    (void)datatype;
    (void)root;
    (void)chain;
    return absent(MPI_COMM_NULL, "chain_gather");
}

int strata_chain_scatter(const void *all, void *recvbuf, int count, MPI_Datatype datatype, int root,
                         struct strata_chain *chain)
{
    (void)all;
    (void)recvbuf;
    (void)count;
    (void)datatype;
    (void)root;
    (void)chain;
    return absent(MPI_COMM_NULL, "chain_scatter");
}

int strata_chain_allgather(const void *sendbuf, void *all, int count, MPI_Datatype datatype,
                           struct strata_chain *chain)
{
    (void)sendbuf;
    (void)all;
    (void)count;
    (void)datatype;
    (void)chain;
    return absent(MPI_COMM_NULL, "chain_allgather");
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are like MPI's */
int strata_chain_scan(const void *sendbuf, void *left, void *right, int count,
                      MPI_Datatype datatype, MPI_Op op, int flags, struct strata_chain *chain)
{
    (void)sendbuf;
    (void)left;
    (void)right;
    (void)count;
    (void)datatype;
    (void)op;
    (void)flags;
    (void)chain;
    return absent(MPI_COMM_NULL, "chain_scan");
}

int strata_chain_split(struct strata_chain *chain, const struct strata_split_value *colour,
                       const struct strata_split_value *key, const char *method, int flags,
                       struct strata_chain **group)
{
    (void)chain;
    (void)colour;
    (void)key;
    (void)method;
    (void)flags;
    (void)group;
    return absent(MPI_COMM_NULL, "chain_split");
}

int strata_chain_comm(struct strata_chain *chain, int flags, MPI_Comm *newcomm)
{
    (void)chain;
    (void)flags;
    (void)newcomm;
    return absent(MPI_COMM_NULL, "chain_comm");
}

int strata_comm_split(MPI_Comm comm, const struct strata_split_value *colour,
                      const struct strata_split_value *key, const char *method, int flags,
                      MPI_Comm *newcomm)
{
    (void)colour;
    (void)key;
    (void)method;
    (void)flags;
    (void)newcomm;
    return absent(comm, "comm_split");
}
