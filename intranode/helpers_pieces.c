/* Offers work in pieces, and takes pieces. */
#include "intranode/helpers.h"

/* An offer in one number. */
enum { TAKEN_BITS = 16, PIECES_BITS = 16 };
#define TAKEN_MASK (((uint64_t)1 << TAKEN_BITS) - 1)

static int taken_of(uint64_t offer)
{
    return (int)(offer & TAKEN_MASK);
}

static int pieces_of(uint64_t offer)
{
    return (int)(offer >> TAKEN_BITS & TAKEN_MASK);
}

/* The offer behind this one, of which nothing is taken. */
static uint64_t next_offer(uint64_t offer, int pieces)
{
    const uint64_t number = (offer >> (TAKEN_BITS + PIECES_BITS)) + 1;
    return number << (TAKEN_BITS + PIECES_BITS) | (uint64_t)pieces << TAKEN_BITS;
}

/* The acquire pairs with the release of strata_helpers_do: who takes a piece sees the work, which
 * stays until the piece is done. The release of `done` pairs with the acquire there. */
bool strata_helpers_take(struct strata_helpers *helpers)
{
    uint64_t offer = atomic_load_explicit(&helpers->offer, memory_order_relaxed);
    do {
        if (taken_of(offer) == pieces_of(offer)) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&helpers->offer, &offer, offer + 1,
                                                    memory_order_acquire, memory_order_relaxed));
    helpers->body(helpers->argument, taken_of(offer), pieces_of(offer));
    atomic_fetch_add_explicit(&helpers->done, 1, memory_order_release);
    return true;
}

/* A helper that has lost its core keeps its piece until it has it again. */
static void await_all(struct strata_helpers *helpers, int pieces)
{
    struct strata_waiter waiter = {0};
    while (atomic_load_explicit(&helpers->done, memory_order_acquire) < pieces) {
        strata_wait_between_tests(&waiter);
    }
}

int strata_helpers_do(struct strata_helpers *helpers, strata_chunk_body *body, void *argument,
                      int pieces)
{
    const uint64_t last = atomic_load_explicit(&helpers->offer, memory_order_relaxed);
    int mine = 0;
    helpers->body = body;
    helpers->argument = argument;
    atomic_store_explicit(&helpers->done, 0, memory_order_relaxed);
    atomic_store_explicit(&helpers->offer, next_offer(last, pieces), memory_order_release);
    strata_thread_bell_ring(&helpers->bell);
    while (strata_helpers_take(helpers)) {
        mine++;
    }
    await_all(helpers, pieces);
    return pieces - mine;
}
