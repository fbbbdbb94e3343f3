/* Counts the ranks of the received keys. Each source's keys arrive ordered by bucket. So a thread
 * finds the buckets of its share by bisection, and no two threads count into the same place. */
#include <omp.h>
#include <string.h>

#include "apps/is_sort/is.h"

/* The first of n keys, ordered by bucket, that is not below the bucket boundary. */
static int64_t boundary(const int *keys, int64_t n, int low)
{
    int64_t begin = 0;
    while (begin < n) {
        int64_t middle = begin + (n - begin) / 2;
        if (keys[middle] < low) {
            begin = middle + 1;
        } else {
            n = middle;
        }
    }
    return begin;
}

void is_received_range(const struct is_sort *s, int source, int low, int high, const int **begin,
                       const int **end)
{
    const int *keys = s->received.keys + s->recv_displs[source];
    int64_t n = s->recv_counts[source];
    *begin = keys + boundary(keys, n, low);
    *end = keys + boundary(keys, n, high);
}

/* Counts the keys of a thread's values. A key outside them shows as a sum that is too small. */
static void count_source(const int *key, const int *end, int low, unsigned values,
                         unsigned *restrict counts)
{
    for (; key < end; key++) {
        unsigned value = (unsigned)*key - (unsigned)low;
        if (value < values) {
            counts[value]++;
        }
    }
}

/* Turns counts into numbers of smaller keys. Returns the number of this rank's keys up to the last
 * value. */
static unsigned accumulate(unsigned *counts, unsigned values, unsigned smaller)
{
    for (unsigned v = 0; v < values; v++) {
        unsigned count = counts[v];
        counts[v] = smaller;
        smaller += count;
    }
    return smaller;
}

static bool count_share(struct is_sort *s, int first, int last)
{
    const int low = is_bucket_low(s->class, first), high = is_bucket_low(s->class, last);
    const unsigned values = (unsigned)(high - low);
    const int64_t mine = s->before[s->cut[s->rank]];
    unsigned *counts = s->smaller + (low - s->low);
    memset(counts, 0, values * sizeof *counts);
    for (int r = 0; r < s->ranks * s->pieces; r++) {
        const int *begin, *end;
        is_received_range(s, r, low, high, &begin, &end);
        count_source(begin, end, low, values, counts);
    }
    unsigned sum = accumulate(counts, values, (unsigned)(s->before[first] - mine));
    return sum == (unsigned)(s->before[last] - mine);
}

void is_count(struct is_sort *s)
{
    int misplaced = 0;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1) reduction(+ : misplaced)
    for (int t = 0; t < s->threads; t++) {
        misplaced += !count_share(s, s->share[t], s->share[t + 1]);
    }
    s->misplaced = misplaced;
}
