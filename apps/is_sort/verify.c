/* The partial verification looks at the ranks of five known keys in each iteration. The full
 * verification moves all keys to the places of their ranks. They must be in order in each rank and
 * from rank to rank, and they must be the keys that the run began with. */
#include <limits.h>
#include <string.h>

#include "apps/is_sort/is.h"

void is_verify_partial(struct is_sort *s, int iteration)
{
    const int high = is_bucket_low(s->class, s->cut[s->rank + 1]);
    for (int t = 0; t < IS_TESTS; t++) {
        const struct is_test *test = &s->class->test[t];
        int key = s->test_key[t];
        if (key < s->low || key >= high) {
            continue; /* another rank's key */
        }
        int64_t rank = s->before[s->cut[s->rank]] + s->smaller[key - s->low];
        s->tests_passed += rank == test->rank + test->sign * (iteration + test->shift);
    }
}

/* Puts the keys of a thread's buckets to their places. Returns false where a key belongs
 * elsewhere. */
static bool place_share(struct is_sort *s, int first, int last)
{
    const int low = is_bucket_low(s->class, first), high = is_bucket_low(s->class, last);
    const int64_t mine = s->before[s->cut[s->rank]], end = s->before[last] - mine;
    unsigned *next = s->smaller + (low - s->low);
    for (int r = 0; r < s->ranks * s->pieces; r++) {
        const int *key, *stop;
        is_received_range(s, r, low, high, &key, &stop);
        for (; key < stop; key++) {
            if (*key < low || *key >= high || next[*key - low] >= end) {
                return false;
            }
            is_placed(s)->keys[next[*key - low]++] = *key;
        }
    }
    return true;
}

/* A number that is equal for the same keys in any order. */
static uint64_t fingerprint(const struct is_sort *s, const int *keys, int64_t n)
{
    uint64_t sum = 0;
#pragma omp parallel for num_threads(s->threads) schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < n; i++) {
        uint64_t x = ((uint64_t)(unsigned)keys[i] + 1) * 0x9e3779b97f4a7c15u;
        sum += (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    }
    return sum;
}

static int out_of_order(struct is_sort *s, int64_t n)
{
    const int *keys = is_placed(s)->keys;
    int wrong = 0;
#pragma omp parallel for num_threads(s->threads) schedule(static) reduction(| : wrong)
    for (int64_t i = 1; i < n; i++) {
        wrong |= keys[i - 1] > keys[i];
    }
    return wrong;
}

/* Whether my smallest key is at least the largest key of all lower ranks, some of which may have
 * none. */
static bool follows_neighbours(struct is_sort *s, int64_t n)
{
    int last = n > 0 ? is_placed(s)->keys[n - 1] : INT_MIN, lower = INT_MIN;
    is_collect_before(s, last, &lower);
    return s->rank == 0 || n == 0 || lower <= is_placed(s)->keys[0];
}

/* Whether all ranks have as many keys before (keys) and after (placed), with the same
 * fingerprint. */
static bool same_keys(struct is_sort *s, int64_t n)
{
    uint64_t sums[3] = {(uint64_t)n, fingerprint(s, s->keys.keys, s->count),
                        fingerprint(s, is_placed(s)->keys, n)};
    is_collect(s, sums, 3, MPI_UINT64_T, MPI_SUM);
    return sums[0] == (uint64_t)is_keys(s->class) && sums[1] == sums[2];
}

bool is_verify_full(struct is_sort *s)
{
    int64_t n = s->before[s->cut[s->rank + 1]] - s->before[s->cut[s->rank]];
    int wrong = s->misplaced > 0 || !is_buffer_reserve(is_placed(s), n);
    if (!wrong) {
#pragma omp parallel for num_threads(s->threads) schedule(static, 1) reduction(| : wrong)
        for (int t = 0; t < s->threads; t++) {
            wrong |= !place_share(s, s->share[t], s->share[t + 1]);
        }
    }
    n = wrong ? 0 : n;
    wrong |= out_of_order(s, n);
    wrong |= !follows_neighbours(s, n);
    wrong |= !same_keys(s, n);
    is_collect(s, &wrong, 1, MPI_INT, MPI_MAX);
    return !wrong;
}
