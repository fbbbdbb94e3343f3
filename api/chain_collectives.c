/* The collectives along chains: MPI's datatypes and operators around internode/split. */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "api/chain_along.h"
#include "internode/split/scan.h"

int strata_chain_barrier(struct strata_chain *chain)
{
    struct strata_along a = {.chain = chain, .name = "chain_barrier", .datatype = MPI_BYTE};
    int error = strata_along_check(&a, 0);

    a.memory = a.small;
    return error ? error
                 : strata_along_finish(&a, strata_chain_barrier_run(&chain->link, &chain->links));
}

int strata_chain_bcast(void *buffer, int count, MPI_Datatype datatype, int root,
                       struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_bcast", .count = count, .datatype = datatype};
    int error = strata_along_check(&a, root);

    error = error ? error : strata_along_check_buffer(&a, buffer);
    error = error ? error : strata_along_prepare(&a, 2 * STRATA_SCAN_STRIDE(a.bytes));
    return error || a.bytes == 0
               ? error
               : strata_along_finish(&a, strata_chain_bcast_run(&chain->link, &chain->links, root,
                                                                buffer, a.bytes, a.memory));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are like MPI's */
int strata_chain_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_reduce", .count = count, .datatype = datatype, .op = op};
    int error = strata_along_check(&a, root);

    error = error ? error : strata_along_check_operator(&a);
    error = error ? error : strata_along_check_buffer(&a, sendbuf);
    if (!error && chain->links.rank == root) {
        error = strata_along_check_buffer(&a, recvbuf);
    }
    const size_t stride = STRATA_SCAN_STRIDE(a.bytes);
    error = error ? error : strata_along_prepare(&a, 4 * stride);
    if (error || a.bytes == 0) {
        return error;
    }
    const struct strata_reduction reduction = {a.bytes, strata_along_combine, &a};
    unsigned char *value = (unsigned char *)a.memory + 3 * stride;
    memcpy(value, sendbuf, a.bytes);
    error = strata_chain_reduce_run(&chain->link, &chain->links, root, &reduction, value, a.memory);
    if (!error && chain->links.rank == root) {
        memcpy(recvbuf, value, a.bytes);
    }
    return strata_along_finish(&a, error);
}

/* Scatter, gather and allgather: who has one block and who has all. */
typedef int blocks_function(struct strata_along *a, int root,
                            const struct strata_chain_blocks *blocks);

static int gather(struct strata_along *a, int root, const struct strata_chain_blocks *blocks)
{
    return strata_chain_gather_run(&a->chain->link, &a->chain->links, root, blocks, a->memory);
}

static int scatter(struct strata_along *a, int root, const struct strata_chain_blocks *blocks)
{
    return strata_chain_scatter_run(&a->chain->link, &a->chain->links, root, blocks, a->memory);
}

static int allgather(struct strata_along *a, int root, const struct strata_chain_blocks *blocks)
{
    (void)root;
    return strata_chain_allgather_run(&a->chain->link, &a->chain->links, blocks, a->memory);
}

/* root -1: everybody has all. */
static int move_blocks(struct strata_along *a, int root, blocks_function *function, void *one,
                       void *all)
{
    const struct strata_links *links = a->chain ? &a->chain->links : NULL;
    int error = strata_along_check(a, root < 0 ? 0 : root);

    error = error ? error : strata_along_check_buffer(a, one);
    if (!error && (root < 0 || links->rank == root)) {
        error = strata_along_check_buffer(a, all);
    }
    error = error ? error : strata_along_prepare(a, strata_chain_memory(links->size, a->bytes));
    if (error || a->bytes == 0) {
        return error;
    }
    const struct strata_chain_blocks blocks = {one, all, a->bytes};
    return strata_along_finish(a, function(a, root, &blocks));
}

int strata_chain_gather(const void *sendbuf, void *all, int count, MPI_Datatype datatype, int root,
                        struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_gather", .count = count, .datatype = datatype};

    return move_blocks(&a, root < 0 ? INT_MAX : root, gather, (void *)(uintptr_t)sendbuf, all);
}

int strata_chain_scatter(const void *all, void *recvbuf, int count, MPI_Datatype datatype, int root,
                         struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_scatter", .count = count, .datatype = datatype};

    return move_blocks(&a, root < 0 ? INT_MAX : root, scatter, recvbuf, (void *)(uintptr_t)all);
}

int strata_chain_allgather(const void *sendbuf, void *all, int count, MPI_Datatype datatype,
                           struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_allgather", .count = count, .datatype = datatype};

    return move_blocks(&a, -1, allgather, (void *)(uintptr_t)sendbuf, all);
}
