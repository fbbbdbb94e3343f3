/* The keys. A key is floor(u * maximum key / 4), where u is the sum of four consecutive values of
 * the random sequence. In whole numbers the sum of four x is below 2^48. So the key is exactly the
 * topmost log_max_key bits of the sum's 48. */
#include <omp.h>
#include <string.h>

#include "apps/common/random.h"
#include "apps/is_sort/is.h"

#define SUM_BITS (APP_RANDOM_BITS + 2)
#define VALUES   4 /* values of the sequence for one key */

/* Makes `count` keys from a position on. The four values of a key are independent products. */
static void fill(const struct is_class *class, int64_t position, int64_t count, int *keys)
{
    const uint64_t a1 = APP_RANDOM_MULTIPLIER, a2 = app_random_power(a1, 2);
    const uint64_t a3 = app_random_power(a1, 3), a4 = app_random_power(a1, 4);
    const int shift = SUM_BITS - class->log_max_key;
    uint64_t x = app_random_at(VALUES * (uint64_t)position);
    for (int64_t i = 0; i < count; i++) {
        uint64_t last = a4 * x & APP_RANDOM_MASK;
        uint64_t sum = (a1 * x & APP_RANDOM_MASK) + (a2 * x & APP_RANDOM_MASK) +
                       (a3 * x & APP_RANDOM_MASK) + last;
        keys[i] = (int)(sum >> shift);
        x = last;
    }
}

void is_keys_generate(struct is_sort *s)
{
#pragma omp parallel num_threads(s->threads)
    {
        int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
        int64_t begin = s->count * thread / threads, end = s->count * (thread + 1) / threads;
        fill(s->class, s->first + begin, end - begin, s->keys.keys + begin);
    }
    if (s->rank == 0) {
        memcpy(s->initial, s->keys.keys, sizeof s->initial);
    }
    for (int t = 0; t < IS_TESTS; t++) {
        s->test_key[t] = is_key_at(s->class, s->class->test[t].position);
    }
}

void is_keys_restore(struct is_sort *s)
{
    if (s->rank == 0) {
        memcpy(s->keys.keys, s->initial, sizeof s->initial);
    }
}

int is_key_at(const struct is_class *class, int64_t position)
{
    int key;
    fill(class, position, 1, &key);
    return key;
}
