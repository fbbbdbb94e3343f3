/* Proves a plan for all ranks at once, symbolically, or says what is wrong with it.
 *
 * Plans over items (core/plan/plan.h) run with symbols in place of bytes: an item is the pair
 * (source node, destination node) of its lane, a block the pair (source, destination). The checker
 * finds and reports:
 *   - a message whose sender and receiver differ in lane, items or their order, and a message that
 *     never meets its partner
 *   - an output block that is missing, comes twice, or has the wrong contents: each slice that a
 *     block may have, and each distance at which it may be direct, must come exactly once
 *   - deadlock, both if sends complete at once (eager) and if they complete only when the receive
 *     is posted (rendezvous)
 *   - an entry that is read before its message was waited for; messages still open at the end; more
 *     items or messages than the exchange has room for
 *   - races on the memory that a node shares (slots, length tables, landing areas, lane tables):
 *     lane messages and awaited flags must order every two accesses of which one is a write. Vector
 *     clocks find a race whatever the interleaving.
 *   - a call that its owner ends while a local peer may still read blocks that it exposes
 * The seed decides which blocks are direct. (The others are empty or staged, which no step can tell
 * apart.) It also decides the interleaving.
 *
 * In plans over blocks each input block of each rank is a fingerprint of 16 bytes drawn from the
 * seed. Combining two blocks multiplies them in a group where order counts, or adds them in plans
 * that need not keep the order of ranks. So the final value of a block proves at once that the
 * right data came, with each contribution exactly once and in order. Two different expressions look
 * equal with a probability of at most their length over 2^61. Besides deadlock, races on the node
 * memory and on exposed blocks, and messages left open, the checker finds and reports:
 *   - an output block that is not what core/plan/collective.h says; a barrier that a rank may leave
 *     before another has begun
 *   - a message whose sender and receiver do not mean the same blocks in the same order
 *   - a read of a block that the rank does not have, that nothing was written to, or that a message
 *     brings which was not waited for; a write to a block that is being sent, or to the input
 *   - a read of the input after output has overwritten it (in_place) */
#ifndef STRATA_CORE_CHECK_CHECK_H
#define STRATA_CORE_CHECK_CHECK_H

#include <stdbool.h>

#include "core/plan/plan.h"

struct strata_check {
    /* Whether sends complete only when their receive is posted. */
    bool rendezvous;
    /* Plans over blocks: whether input and output are one memory on all ranks where they can be. */
    bool in_place;
    /* Decides everything that is drawn at random. */
    unsigned seed;
    /* The interleaving. 0: random. 1: each rank runs as far as it can, low ranks first, so members
     * are skewed by a whole call. 2: the same, high ranks first. */
    int schedule;
    /* 0: all ranks begin. Otherwise rank absent - 1 never does. No rank is reported as standing
     * still then, nor any message as left over. Blocks are taken to be short: none is exposed. */
    int absent;
    bool *ended; /* NULL, or [ranks]: set to whether each rank ended all calls */
};

/* Checks a sequence of calls on one communicator. calls[c][r] is rank r's plan of call c. All calls
 * have the ranks of one topology; flat and staged plans may alternate. Node memory carries over
 * from call to call as it does in the engine. Returns STRATA_OK, STRATA_ERR_PLAN with message
 * (which may be NULL), or STRATA_ERR_MEMORY. */
int strata_check_calls(const struct strata_plan *const *const *calls, int ncalls, int ranks,
                       const struct strata_check *options, struct strata_diagnostic *message);

/* Checks one plan in eager and rendezvous mode and in all schedules, both once and in a sequence
 * with itself that is one call longer than its ring has slots. Plans over blocks are also checked
 * in place. */
typedef int strata_prove(const struct strata_plan *const *plans, int ranks, unsigned seed,
                         struct strata_diagnostic *message);
/* Proves a plan so. libstrata_check exports this function alone. */
__attribute__((visibility("default"))) strata_prove strata_check_plan;

#endif
