/* Threads that sleep on a bell miss no ring: a sleep here lasts for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdbool.h>

#include "intranode/wait.h"

enum { THREADS = 4, TURNS = 20000, FOREVER = 1000000 /* s */ };

static struct strata_thread_bell bell;
static _Atomic unsigned turn;

/* Waits for turn n by the bell alone. */
static void await_by_bell(unsigned n)
{
    const struct timespec time = {.tv_sec = FOREVER};
    while (atomic_load_explicit(&turn, memory_order_acquire) != n) {
        const uint32_t heard = strata_thread_bell_listen(&bell);
        assert_int_not_equal(heard, 0);
        if (atomic_load_explicit(&turn, memory_order_acquire) != n) {
            strata_thread_bell_sleep(&bell, heard, &time);
        }
    }
}

static struct strata_wait_parameters endless;

/* The same as threads of a crowded host wait. */
static void await_by_waiter(unsigned n)
{
    struct strata_waiter waiter = {.crowded = true, .parameters = &endless};
    while (atomic_load_explicit(&turn, memory_order_acquire) != n) {
        strata_wait_for_ring(&waiter, &bell, true);
    }
}

static void (*await)(unsigned n);

static void *take_turns(void *first)
{
    for (unsigned n = *(const unsigned *)first; n < TURNS; n += THREADS) {
        await(n);
        atomic_store_explicit(&turn, n + 1, memory_order_release);
        strata_thread_bell_ring(&bell);
    }
    return NULL;
}

static void run_threads(void (*way)(unsigned n))
{
    pthread_t thread[THREADS];
    unsigned first[THREADS];
    await = way;
    atomic_store(&turn, 0);
    for (unsigned t = 0; t < THREADS; t++) {
        first[t] = t;
        assert_int_equal(pthread_create(&thread[t], NULL, take_turns, &first[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
    }
    assert_int_equal(atomic_load(&turn), TURNS);
}

static void test_turns(void **state)
{
    (void)state;
    run_threads(await_by_bell);
}

static void test_turns_of_waiters(void **state)
{
    (void)state;
    endless = strata_wait_grouped;
    endless.bell_least = endless.bell_most = 3600u * 1000000u; /* us */
    run_threads(await_by_waiter);
    endless.flag_yields = 2;
    run_threads(await_by_waiter);
}

/* Who hears nothing is not waited for: a ring leaves the word even. */
static void test_rings(void **state)
{
    struct strata_thread_bell alone = {0};
    const struct timespec time = {.tv_sec = FOREVER};
    (void)state;
    strata_thread_bell_ring(&alone);
    assert_int_equal(atomic_load(&alone.word), 0);
    const uint32_t heard = strata_thread_bell_listen(&alone);
    assert_int_equal(strata_thread_bell_listen(&alone), heard);
    strata_thread_bell_ring(&alone);
    assert_int_equal(atomic_load(&alone.word), heard + 1);
    strata_thread_bell_sleep(&alone, heard, &time); /* not at all */
    assert_int_not_equal(strata_thread_bell_listen(&alone), heard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_turns_of_waiters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
