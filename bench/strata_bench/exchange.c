/* The arguments and buffers of one call. */
#include "bench/strata_bench/exchange.h"

#include <limits.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/strata_bench/mix.h"
#include "strata.h"

/* Sets the counts, in the collective's unit, which is the pattern's too. */
static void count_blocks(struct exchange *e, const struct pattern *pattern,
                         struct pattern_shape shape)
{
    shape.bytes /= e->collective->reduces ? (int)sizeof(unsigned) : 1;
    const enum counts counts = e->collective->counts;
    const struct pattern *blocks = counts == COUNTS_NONE ? patterns : pattern;
    const int from = counts == COUNTS_MATRIX ? e->rank : 0;
    for (int r = 0; r < e->ranks; r++) {
        e->sendcounts[r] = blocks->block(&shape, from, r);
        e->recvcounts[r] =
            counts == COUNTS_MATRIX ? blocks->block(&shape, r, from) : e->sendcounts[r];
        e->types[r] = MPI_BYTE;
    }
}

/* Places blocks one behind another. Returns the bytes of all blocks, or of this rank's block
 * alone. */
static size_t place(const struct exchange *e, enum part part, const int *counts, int *displs)
{
    const size_t unit = e->collective->reduces ? sizeof(unsigned) : 1;
    size_t sum = 0;
    for (int r = 0; r < e->ranks; r++) {
        displs[r] = sum <= INT_MAX ? (int)sum : 0;
        sum += (size_t)counts[r];
    }
    size_t bytes[] = {0, (size_t)counts[e->rank] * unit, sum * unit};
    return bytes[part];
}

bool exchange_agreed(bool mine, MPI_Comm comm)
{
    int all = mine;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
    return all;
}

/* Every eight bytes tell their sender and their place. */
static void fill(unsigned char *buffer, size_t bytes, int rank)
{
    for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t word = mix(((uint64_t)rank << 40) + i);
        memcpy(buffer + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
    }
}

/* Returns a buffer, or ends the job. */
static unsigned char *get_buffer(const struct exchange *e, size_t bytes)
{
    unsigned char *buffer = NULL;
    if (!e->mapped) {
        return measure_need(bytes);
    }
    strata_alloc((MPI_Aint)bytes, e->comm, &buffer); /* an error ends the job */
    memset(buffer, 0, bytes);
    return buffer;
}

static void give_back(const struct exchange *e, unsigned char *buffer)
{
    if (e->mapped && buffer) {
        strata_free(buffer);
    } else {
        free(buffer);
    }
}

const char *exchange_create(struct exchange *e, const struct collective *collective,
                            const struct pattern *pattern, const struct pattern_shape *shape,
                            bool mapped, MPI_Comm comm)
{
    *e = (struct exchange){
        .collective = collective, .comm = comm, .bytes = shape->bytes, .mapped = mapped};
    MPI_Comm_rank(comm, &e->rank);
    MPI_Comm_size(comm, &e->ranks);
    e->sendcounts = measure_need(4 * (size_t)e->ranks * sizeof(int));
    e->sdispls = e->sendcounts + e->ranks;
    e->recvcounts = e->sdispls + e->ranks;
    e->rdispls = e->recvcounts + e->ranks;
    e->types = measure_need((size_t)e->ranks * sizeof(MPI_Datatype));
    count_blocks(e, pattern, *shape);
    bool idle_send = collective->root == 'i' && e->rank != 0;
    bool idle_recv = collective->root == 'o' && e->rank != 0;
    e->send_bytes = place(e, idle_send ? PART_NONE : collective->send, e->sendcounts, e->sdispls);
    e->recv_bytes = place(e, idle_recv ? PART_NONE : collective->recv, e->recvcounts, e->rdispls);
    const char *wrong = NULL;
    if (!exchange_agreed(e->send_bytes <= INT_MAX && e->recv_bytes <= INT_MAX, comm)) {
        wrong = "too large: a buffer has more bytes than an int can count";
    } else if (!measure_fits((double)e->send_bytes + 3. * (double)e->recv_bytes)) {
        wrong = "too large: a host has not enough memory for its ranks' buffers";
    } else {
        e->send = get_buffer(e, e->send_bytes);
        e->recv = get_buffer(e, e->recv_bytes);
        fill(e->send, e->send_bytes, e->rank);
    }
    if (wrong) {
        exchange_destroy(e);
    }
    return wrong;
}

void exchange_destroy(struct exchange *e)
{
    free(e->sendcounts);
    free(e->types);
    give_back(e, e->send);
    give_back(e, e->recv);
    *e = (struct exchange){0};
}

void exchange_reset(struct exchange *e)
{
    fill(e->recv, e->recv_bytes, e->ranks + e->rank);
}

bool exchange_holds(const struct exchange *e, const unsigned char *expected)
{
    return memcmp(e->recv, expected, e->recv_bytes) == 0;
}

struct copying {
    void *to;
    const void *from, *with; /* with NULL: copy, else combine with it */
    size_t bytes;
};

static void copy(const void *argument)
{
    const struct copying *c = argument;
    if (c->with) {
        measure_combine(c->to, c->from, c->with, c->bytes);
    } else {
        memcpy(c->to, c->from, c->bytes);
    }
}

/* Copies between buffers of its own, because the received data belong to the case. */
double exchange_copy_us(const struct exchange *e, int calls)
{
    unsigned char *from = measure_need(e->recv_bytes), *to = measure_need(e->recv_bytes);
    unsigned char *with = e->collective->reduces ? measure_need(e->recv_bytes) : NULL;
    const struct copying c = {to, from, with, e->recv_bytes};
    fill(from, e->recv_bytes, e->rank);
    if (with) {
        fill(with, e->recv_bytes, e->ranks + e->rank);
    }
    double least = measure_batch(copy, &c, 1);
    for (int i = 0; i < 5; i++) {
        double seconds = measure_batch(copy, &c, calls);
        least = i == 0 || seconds < least ? seconds : least;
    }
    free(with);
    free(from);
    free(to);
    return 1e6 * least;
}

double exchange_payload(const struct exchange *e)
{
    double bytes = (double)e->recv_bytes;
    PMPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, e->comm);
    return bytes;
}
