/* Reductions of more elements than an int counts, with an MPI that has only int counts. */
#include <limits.h>
#include <string.h>

#include "api/call/large.h"
#include "api/process/process.h"
#include "core/base/memory.h"

#define PART (1 << 30) /* elements of one call */

/* The address behind so many elements. MPI_IN_PLACE and null stay as they are. */
static void *behind(void *buffer, MPI_Count elements, MPI_Datatype type)
{
    MPI_Aint low = 0;
    MPI_Aint extent = 0;
    if (elements == 0 || buffer == MPI_IN_PLACE || !buffer) {
        return buffer;
    }
    PMPI_Type_get_extent(type, &low, &extent);
    return (void *)((uintptr_t)buffer + (uintptr_t)(elements * extent));
}

int strata_large_vector(const struct strata_signature *s)
{
    struct strata_signature part = *s;
    MPI_Count count = s->send.count;
    int error = MPI_SUCCESS;
    part.large = false;
    part.send.count = count < 0 ? -1 : count;
    for (MPI_Count at = 0; count > INT_MAX && at < count && error == MPI_SUCCESS; at += PART) {
        part.send.buffer = behind(s->send.buffer, at, s->send.type);
        part.recv.buffer = behind(s->recv.buffer, at, s->send.type);
        part.send.count = count - at < PART ? count - at : PART;
        error = strata_native_call(&part);
    }
    return count > INT_MAX ? error : strata_native_call(&part);
}

static MPI_Count count_of(const struct strata_signature *s, int block)
{
    return s->send.large_counts ? s->send.large_counts[block] : s->send.count;
}

/* The sum of all blocks' counts, the same on all ranks; -1: a count is negative. */
static MPI_Count sum_of(const struct strata_signature *s, int blocks)
{
    MPI_Count sum = 0;
    for (int i = 0; i < blocks; i++) {
        MPI_Count count = count_of(s, i);
        if (count < 0 || __builtin_add_overflow(sum, count, &sum)) {
            return -1;
        }
    }
    return sum;
}

static int refuse(const struct strata_signature *s, int error, const char *text)
{
    return strata_raise(s->comm, error, strata_collective_name(s->collective), text);
}

/* Reduces and scatters as many elements as an int counts. */
static int scatter_few(const struct strata_signature *s, int blocks)
{
    struct strata_signature few = *s;
    int *counts = strata_allocate((size_t)blocks, sizeof *counts);
    int error;
    for (int i = 0; counts && i < blocks; i++) {
        counts[i] = (int)count_of(s, i);
    }
    few.large = false;
    few.send.counts = few.recv.counts = counts;
    error = counts ? strata_native_call(&few) : refuse(s, MPI_ERR_NO_MEM, "out of memory");
    strata_release(counts);
    return error;
}

/* Reduces each block to its rank. In place a rank's result goes to its block first, and moves to
 * the beginning at the end: blocks at the beginning may still have to be sent. The gaps of operands
 * are written, as by MPI's own. */
static int scatter_many(const struct strata_signature *s, int blocks)
{
    bool in_place = s->send.buffer == MPI_IN_PLACE;
    char *all = in_place ? s->recv.buffer : s->send.buffer;
    char *mine = all, *end = all;
    int rank = 0;
    int error = MPI_SUCCESS;
    PMPI_Comm_rank(s->comm, &rank);
    for (int root = 0; root < blocks && error == MPI_SUCCESS; root++) {
        struct strata_signature one = *s;
        one.collective = STRATA_REDUCE;
        one.root = root;
        one.send.count = count_of(s, root);
        one.send.buffer = in_place && root == rank ? MPI_IN_PLACE : all;
        one.recv.buffer = in_place ? all : s->recv.buffer;
        error = strata_large_vector(&one);
        mine = root == rank ? all : mine;
        all = behind(all, count_of(s, root), s->send.type);
        end = root == rank ? all : end;
    }
    if (in_place && error == MPI_SUCCESS) {
        memmove(s->recv.buffer, mine, (size_t)(end - mine));
    }
    return error;
}

int strata_large_scattered(const struct strata_signature *s)
{
    int blocks = 0;
    int inter = 0;
    PMPI_Comm_size(s->comm, &blocks);
    PMPI_Comm_test_inter(s->comm, &inter);
    MPI_Count sum = sum_of(s, blocks);
    if (sum >= 0 && sum <= INT_MAX) {
        return scatter_few(s, blocks);
    }
    if (sum < 0) {
        return refuse(s, MPI_ERR_COUNT, "a count is negative");
    }
    return inter ? refuse(s, MPI_ERR_COUNT,
                          "more elements than an int counts, on an intercommunicator of an MPI "
                          "that has no large counts")
                 : scatter_many(s, blocks);
}
