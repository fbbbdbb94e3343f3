/* The collectives along chains: internode/chain with MPI's datatypes and operators. */
#include <stdint.h>
#include <string.h>

#include "api/chain/chain_along.h"
#include "internode/chain/chain_bcast.h"
#include "internode/chain/chain_gather.h"
#include "internode/chain/chain_scatter.h"
#include "internode/chain/scan.h"

int strata_chain_barrier(struct strata_chain *chain)
{
    struct strata_along a = {.chain = chain, .name = "chain_barrier", .datatype = MPI_BYTE};
    int error = strata_along_check(&a, 0);
    a.memory = a.small;
    return error
               ? error
               : strata_along_finish(&a, strata_chain_barrier_run(&chain->station, &chain->links));
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
               : strata_along_finish(&a, strata_chain_bcast_run(&chain->station, &chain->links,
                                                                root, buffer, a.bytes, a.memory));
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
    error =
        strata_chain_reduce_run(&chain->station, &chain->links, root, &reduction, value, a.memory);
    if (!error && chain->links.rank == root) {
        memcpy(recvbuf, value, a.bytes);
    }
    return strata_along_finish(&a, error);
}

/* What differs in scatter, gather and allgather: how they run, and the memory that a rank needs. */
struct movement {
    int (*run)(struct strata_station *station, const struct strata_chain_links *links, int root,
               const struct strata_chain_blocks *blocks, void *memory);
    size_t (*memory)(const struct strata_chain_links *links, int root, size_t bytes);
    bool rooted; /* the root alone has all blocks; otherwise every rank does */
};

static int allgather(struct strata_station *station, const struct strata_chain_links *links,
                     int root, const struct strata_chain_blocks *blocks, void *memory)
{
    (void)root;
    return strata_chain_allgather_run(station, links, blocks, memory);
}

static size_t allgather_memory(const struct strata_chain_links *links, int root, size_t bytes)
{
    (void)root;
    return strata_chain_memory(links->size, bytes);
}

static int move_blocks(struct strata_along *a, const struct movement *movement, int root, void *one,
                       void *all)
{
    int error = strata_along_check(a, root);
    if (error) {
        return error;
    }
    const struct strata_chain_links *links = &a->chain->links;
    error = strata_along_check_buffer(a, one);
    if (!error && (!movement->rooted || links->rank == root)) {
        error = strata_along_check_buffer(a, all);
    }
    error = error ? error
                  : strata_along_prepare_own(a, movement->memory(links, root, a->bytes),
                                             strata_chain_memory(links->size, a->bytes));
    if (error || a->bytes == 0) {
        return error;
    }
    const struct strata_chain_blocks blocks = {one, all, a->bytes};
    return strata_along_finish(a,
                               movement->run(&a->chain->station, links, root, &blocks, a->memory));
}

int strata_chain_gather(const void *sendbuf, void *all, int count, MPI_Datatype datatype, int root,
                        struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_gather", .count = count, .datatype = datatype};
    const struct movement gather = {strata_chain_gather_run, strata_chain_gather_memory, true};
    return move_blocks(&a, &gather, root, (void *)(uintptr_t)sendbuf, all);
}

int strata_chain_scatter(const void *all, void *recvbuf, int count, MPI_Datatype datatype, int root,
                         struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_scatter", .count = count, .datatype = datatype};
    const struct movement scatter = {strata_chain_scatter_run, strata_chain_scatter_memory, true};
    return move_blocks(&a, &scatter, root, recvbuf, (void *)(uintptr_t)all);
}

int strata_chain_allgather(const void *sendbuf, void *all, int count, MPI_Datatype datatype,
                           struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_allgather", .count = count, .datatype = datatype};
    const struct movement all_to_all = {allgather, allgather_memory, false};
    return move_blocks(&a, &all_to_all, 0, (void *)(uintptr_t)sendbuf, all);
}

/* sendbuf is the rank's value in both directions. */
static int scan_both(struct strata_along *a, struct strata_scan *scan, const void *sendbuf)
{
    strata_scan_set_up(scan, a->memory);
    memcpy(scan->inclusive[STRATA_LEFT], sendbuf, a->bytes);
    memcpy(scan->inclusive[STRATA_RIGHT], sendbuf, a->bytes);
    return strata_scan_run(scan, &a->chain->station, &a->chain->links);
}

static void deliver(const struct strata_along *a, const struct strata_scan *scan, int side,
                    bool exclusive, void *to)
{
    if (to && (!exclusive || scan->any[side])) {
        memcpy(to, exclusive ? scan->exclusive[side] : scan->inclusive[side], a->bytes);
    }
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are like MPI's */
int strata_chain_scan(const void *sendbuf, void *left, void *right, int count,
                      MPI_Datatype datatype, MPI_Op op, int flags, struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_scan", .count = count, .datatype = datatype, .op = op};
    int error = strata_along_check(&a, 0);
    error = error ? error : strata_along_check_operator(&a);
    error = error ? error : strata_along_check_buffer(&a, sendbuf);
    if (!error && (flags & ~STRATA_EXCLUSIVE)) {
        return strata_chain_raise(chain, MPI_ERR_ARG, a.name, "a flag is not known");
    }
    error = error ? error : strata_along_prepare(&a, STRATA_SCAN_MEMORY(a.bytes));
    if (error || a.bytes == 0) {
        return error;
    }
    struct strata_scan scan = {
        .bytes = a.bytes,
        .combine = {left ? strata_along_combine : NULL, right ? strata_along_combine : NULL},
        .context = &a};
    error = scan_both(&a, &scan, sendbuf);
    if (!error) {
        deliver(&a, &scan, STRATA_LEFT, flags & STRATA_EXCLUSIVE, left);
        deliver(&a, &scan, STRATA_RIGHT, flags & STRATA_EXCLUSIVE, right);
    }
    return strata_along_finish(&a, error);
}

int strata_chain_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, struct strata_chain *chain)
{
    struct strata_along a = {
        .chain = chain, .name = "chain_allreduce", .count = count, .datatype = datatype, .op = op};
    int error = strata_along_check(&a, 0);
    error = error ? error : strata_along_check_operator(&a);
    error = error ? error : strata_along_check_buffer(&a, sendbuf);
    error = error ? error : strata_along_check_buffer(&a, recvbuf);
    error = error ? error : strata_along_prepare(&a, STRATA_SCAN_MEMORY(a.bytes));
    if (error || a.bytes == 0) {
        return error;
    }
    struct strata_scan scan = {
        .bytes = a.bytes, .combine = {strata_along_combine, strata_along_combine}, .context = &a};
    error = scan_both(&a, &scan, sendbuf);
    if (!error) {
        memcpy(recvbuf, strata_scan_total(&scan), a.bytes);
    }
    return strata_along_finish(&a, error);
}
