/* Memory of the sort. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "apps/common/collect.h"
#include "apps/is_sort/is.h"
#include "include/strata.h"

#define HUGE_PAGE ((size_t)1 << 21)

/* Makes room for so many keys and a sixty-fourth more, because iterations differ a little. Old keys
 * are lost. */
bool is_buffer_reserve(struct is_buffer *buffer, int64_t keys)
{
    if (keys <= buffer->capacity) {
        return true;
    }
    size_t bytes = (size_t)(keys + keys / 64) * sizeof *buffer->keys;
    bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    free(buffer->keys);
    buffer->keys = aligned_alloc(HUGE_PAGE, bytes);
    buffer->capacity = buffer->keys ? (int64_t)(bytes / sizeof *buffer->keys) : 0;
    if (buffer->keys) {
        (void)madvise(buffer->keys, bytes, MADV_HUGEPAGE); /* the kernel may ignore it */
    }
    return buffer->keys != NULL;
}

bool is_buffer_map(struct is_buffer *buffer, int64_t keys, MPI_Comm comm)
{
    MPI_Aint bytes = (MPI_Aint)((size_t)keys * sizeof *buffer->keys);
    buffer->mapped = strata_alloc(bytes, comm, &buffer->keys) == MPI_SUCCESS;
    buffer->capacity = buffer->mapped ? keys : 0;
    return buffer->mapped;
}

static void forget_buffer(struct is_buffer *buffer)
{
    if (buffer->mapped) {
        strata_free(buffer->keys);
    } else {
        free(buffer->keys);
    }
}

double is_sort_bytes(const struct is_options *options, int ranks, int threads)
{
    const struct is_class *class = options->class;
    double keys = (double)is_keys(class) / ranks * sizeof(int) * (1 + 1 / 64.) + HUGE_PAGE;
    double values = (double)((int64_t)1 << class->log_max_key) / ranks * sizeof(unsigned);
    double buckets = (double)is_buckets(class) * (threads * sizeof(int) + 3 * sizeof(int64_t));
    return (3 + options->mapped) * keys + values + buckets;
}

static bool allocate(struct is_sort *s, bool mapped)
{
    size_t buckets = (size_t)is_buckets(s->class), ranks = (size_t)s->ranks;
    size_t pieces = (size_t)s->pieces, sources = ranks * pieces;
    size_t counters = (size_t)(s->threads > s->pieces ? s->threads : s->pieces);
    s->thread_counts = calloc(counters * buckets, sizeof *s->thread_counts);
    s->bucket_begin = calloc(buckets + 1, sizeof *s->bucket_begin);
    s->totals = calloc(buckets, sizeof *s->totals);
    s->before = calloc(buckets + 1, sizeof *s->before);
    s->cut = calloc(ranks + 1, sizeof *s->cut);
    s->share = calloc((size_t)s->threads + 1, sizeof *s->share);
    s->send_counts = calloc(5 * sources + 2 * ranks, sizeof *s->send_counts);
    if (s->send_counts) {
        s->send_displs = s->send_counts + sources;
        s->recv_counts = s->send_displs + sources;
        s->recv_displs = s->recv_counts + sources;
        s->told = s->mode == IS_PARTED ? s->recv_displs + sources : s->send_counts;
        s->block_counts = s->recv_displs + 2 * sources;
        s->block_displs = s->block_counts + ranks;
    }
    bool sent = mapped ? is_buffer_map(&s->bucketed, s->count, s->comm)
                       : is_buffer_reserve(&s->bucketed, s->count);
    return sent && is_buffer_reserve(&s->keys, s->count) && s->thread_counts && s->bucket_begin &&
           s->totals && s->before && s->cut && s->share && s->send_counts;
}

bool is_sort_create(struct is_sort *s, const struct is_options *options, int threads, MPI_Comm comm)
{
    memset(s, 0, sizeof *s);
    s->class = options->class;
    s->calls = options->calls;
    s->comm = comm;
    s->threads = threads;
    s->mode = options->mode;
    app_place(comm, s->mode == IS_MEMBERS, &s->rank, &s->ranks);
    s->pieces = s->mode == IS_PARTED ? threads : 1;
    is_collect(s, &s->pieces, 1, MPI_INT, MPI_MAX);
    int64_t keys = is_keys(s->class);
    s->first = keys * s->rank / s->ranks;
    s->count = (int)(keys * (s->rank + 1) / s->ranks - s->first);
    int enough = allocate(s, options->mapped);
    is_collect(s, &enough, 1, MPI_INT, MPI_MIN);
    enough = enough && is_exchange_begin(s) == MPI_SUCCESS; /* the same result on all ranks */
    if (!enough) {
        is_sort_destroy(s);
    }
    return enough;
}

void is_sort_destroy(struct is_sort *s)
{
    is_exchange_end(s);
    forget_buffer(&s->bucketed);
    void *blocks[] = {s->keys.keys,    s->received.keys, s->placed.keys, s->thread_counts,
                      s->bucket_begin, s->totals,        s->before,      s->cut,
                      s->share,        s->send_counts,   s->smaller};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }
    memset(s, 0, sizeof *s);
}
