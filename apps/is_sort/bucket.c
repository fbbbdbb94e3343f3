/* Puts keys into buckets, and assigns buckets to ranks and threads. */
#include <omp.h>
#include <string.h>

#include "apps/is_sort/is.h"

#define CACHE_LINE 64

/* Turns each thread's counts into its places to write, bucket by bucket. */
static void place_buckets(struct is_sort *s, int threads)
{
    int buckets = is_buckets(s->class), at = 0;
    for (int b = 0; b < buckets; b++) {
        s->bucket_begin[b] = at;
        for (int t = 0; t < threads; t++) {
            int *count = &s->thread_counts[t * buckets + b];
            int next = at + *count;
            *count = at;
            at = next;
        }
        s->totals[b] = at - s->bucket_begin[b];
    }
    s->bucket_begin[buckets] = at;
}

void is_bucket_count(const int *keys, int64_t n, int shift, int *restrict counts)
{
    for (int64_t i = 0; i < n; i++) {
        counts[keys[i] >> shift]++;
    }
}

/* A thread writes to a thousand places in turn, more than the hardware can predict. So each write
 * prefetches the cache line after its own, which halves the time. */
void is_bucket_move(const int *keys, int64_t n, int shift, int *restrict next, int *restrict to)
{
    for (int64_t i = 0; i < n; i++) {
        int *place = to + next[keys[i] >> shift]++;
        *place = keys[i];
        __builtin_prefetch(place + CACHE_LINE / sizeof *place, 1);
    }
}

void is_bucket_sort(struct is_sort *s)
{
    const int shift = s->class->log_max_key - s->class->log_buckets;
    const int buckets = is_buckets(s->class);
#pragma omp parallel num_threads(s->threads)
    {
        int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
        int64_t begin = s->count * thread / threads, end = s->count * (thread + 1) / threads;
        int *counts = s->thread_counts + thread * buckets;
        const int *keys = s->keys.keys + begin;
        memset(counts, 0, (size_t)buckets * sizeof *counts);
        is_bucket_count(keys, end - begin, shift, counts);
#pragma omp barrier
#pragma omp single
        place_buckets(s, (int)threads);
        is_bucket_move(keys, end - begin, shift, counts, s->bucketed.keys);
    }
}

/* Cuts buckets first .. last - 1 into parts of nearly equal numbers of keys. Each cut is at the
 * bucket boundary nearest to the part's share. */
static void divide(const int64_t *before, int first, int last, int parts, int *cut)
{
    int64_t keys = before[last] - before[first];
    int b = first;
    cut[0] = first;
    for (int p = 1; p < parts; p++) {
        int64_t goal = before[first] + keys / parts * p + keys % parts * p / parts;
        while (b < last && before[b] < goal) {
            b++;
        }
        if (b > cut[p - 1] && goal - before[b - 1] < before[b] - goal) {
            b--;
        }
        cut[p] = b;
    }
    cut[parts] = last;
}

void is_bucket_assign(struct is_sort *s)
{
    const int buckets = is_buckets(s->class);
    s->before[0] = 0;
    for (int b = 0; b < buckets; b++) {
        s->before[b + 1] = s->before[b] + s->totals[b];
    }
    divide(s->before, 0, buckets, s->ranks, s->cut);
    divide(s->before, s->cut[s->rank], s->cut[s->rank + 1], s->threads, s->share);
    s->low = is_bucket_low(s->class, s->cut[s->rank]);
    for (int r = 0; r < s->ranks; r++) {
        s->send_displs[r] = s->bucket_begin[s->cut[r]];
        s->send_counts[r] = s->bucket_begin[s->cut[r + 1]] - s->send_displs[r];
    }
}
