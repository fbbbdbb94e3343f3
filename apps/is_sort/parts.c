/* Sorts where each thread has buckets of its own, and contributes them to the exchange as a part as
 * soon as it has moved its keys. Nothing is merged: a rank receives one piece of each thread of
 * each rank. */
#include <string.h>

#include "apps/is_sort/is.h"
#include "include/strata.h"

static int64_t first_of(const struct is_sort *s, int part)
{
    return (int64_t)s->count * part / s->pieces;
}

static int *counts_of(const struct is_sort *s, int part)
{
    return s->thread_counts + (int64_t)part * is_buckets(s->class);
}

void is_parts_count(struct is_sort *s)
{
    const int buckets = is_buckets(s->class);
    const int shift = s->class->log_max_key - s->class->log_buckets;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
    for (int p = 0; p < s->pieces; p++) {
        const int64_t begin = first_of(s, p);
        memset(counts_of(s, p), 0, (size_t)buckets * sizeof(int));
        is_bucket_count(s->keys.keys + begin, first_of(s, p + 1) - begin, shift, counts_of(s, p));
    }
    for (int b = 0; b < buckets; b++) {
        s->totals[b] = 0;
        for (int p = 0; p < s->pieces; p++) {
            s->totals[b] += counts_of(s, p)[b];
        }
    }
}

/* Turns a part's counts into its next places to write, and finds its pieces. */
static void place_part(struct is_sort *s, int part)
{
    int *next = counts_of(s, part), at = (int)first_of(s, part);
    for (int r = 0; r < s->ranks; r++) {
        const int begin = at;
        for (int b = s->cut[r]; b < s->cut[r + 1]; b++) {
            const int count = next[b];
            next[b] = at;
            at += count;
        }
        s->send_displs[part * s->ranks + r] = begin;
        s->send_counts[part * s->ranks + r] = at - begin;
        s->told[r * s->pieces + part] = at - begin;
    }
}

void is_parts_assign(struct is_sort *s)
{
    for (int p = 0; p < s->pieces; p++) {
        place_part(s, p);
    }
}

/* The blocks that the pieces from each rank make up. */
static void find_blocks(struct is_sort *s)
{
    for (int r = 0; r < s->ranks; r++) {
        s->block_displs[r] = s->recv_displs[r * s->pieces];
        s->block_counts[r] = 0;
        for (int p = 0; p < s->pieces; p++) {
            s->block_counts[r] += s->recv_counts[r * s->pieces + p];
        }
    }
}

/* Moves the keys and tells when each part is ready. Returns the time of the main thread's
 * moving. */
static double move_parts(struct is_sort *s, struct strata_request *request)
{
    const int shift = s->class->log_max_key - s->class->log_buckets;
    const double begin = MPI_Wtime();
    double moving = 0;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
    for (int p = 0; p < s->pieces; p++) {
        const int64_t first = first_of(s, p);
        is_bucket_move(s->keys.keys + first, first_of(s, p + 1) - first, shift, counts_of(s, p),
                       s->bucketed.keys);
        if (p == 0) {
            moving = MPI_Wtime() - begin;
        }
        strata_part_ready(request, p);
    }
    return moving;
}

int is_parts_exchange(struct is_sort *s)
{
    struct strata_request *request = NULL;
    find_blocks(s);
    int error = strata_alltoallv_parts_init(
        s->pieces, s->bucketed.keys, s->send_counts, s->send_displs, MPI_INT, s->received.keys,
        s->block_counts, s->block_displs, MPI_INT, s->comm, MPI_INFO_NULL, &request);
    if (error != MPI_SUCCESS) {
        return error;
    }
    error = strata_start(&request);
    s->moving = error == MPI_SUCCESS ? move_parts(s, request) : 0;
    error = error == MPI_SUCCESS ? strata_wait(&request, MPI_STATUS_IGNORE) : error;
    return error == MPI_SUCCESS ? strata_request_free(&request) : error;
}
