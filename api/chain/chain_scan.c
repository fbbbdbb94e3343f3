/* Scans along chains, from one end or both, and the sum of both. */
#include <string.h>

#include "api/chain/chain_along.h"
#include "internode/chain/scan.h"

/* sendbuf is everybody's own value in both directions. */
static int scan_both(struct strata_along *a, struct strata_scan *scan, const void *sendbuf)
{
    strata_scan_init(scan, a->memory);
    memcpy(scan->inclusive[STRATA_LEFT], sendbuf, a->bytes);
    memcpy(scan->inclusive[STRATA_RIGHT], sendbuf, a->bytes);
    return strata_scan_run(scan, &a->chain->endpoint, &a->chain->links);
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
