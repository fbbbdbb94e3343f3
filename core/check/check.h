/* Proves a plan for all ranks at once, symbolically, or says what is wrong with it.
 *
 * Plans over items (core/plan/plan.h) are run with symbols in place of bytes: an item is the pair
 * (source node, destination node) of its lane, a block the pair (source, destination). Found and
 * reported:
 *   - a message whose sender's and receiver's lane, items or order differ; one that never meets
 *   - an output block missing, twice, or not the right contents: each slice that a block may have,
 *     and each distance at which it may be direct, exactly once
 *   - deadlock, with sends complete at once (eager) and only when the receive is posted
 *     (rendezvous)
 *   - an entry read before its message was waited for; messages still open at the end; more items
 *     or messages than the exchange has room for
 *   - races on what a node shares (slots, length tables, landing areas, lane tables): every pair of
 *     accesses, one of them a write, must be ordered by lane messages and awaited flags (vector
 *     clocks), so a race is found whatever the interleaving
 *   - a call that its owner ends while a local peer may still read what it exposes
 * Whether a block is direct (else empty or staged, which no step can tell apart) is drawn from the
 * seed, and so is the interleaving.
 *
 * In plans over blocks each input block of each rank is a fingerprint of 16 bytes drawn from the
 * seed, and combining two multiplies them in a group where order counts (or adds them, in plans
 * that need not keep the order of ranks). So what a block holds at the end proves at once that the
 * right data came, each contribution exactly once and in order. Two different expressions look
 * equal with a probability of at most their length over 2^61. Found and reported, besides deadlock,
 * races on the node's memory and on what is exposed, and messages left open as above:
 *   - an output block that is not what core/plan/collective.h says; a barrier that a rank may leave
 *     before another has begun
 *   - a message whose sender and receiver do not mean the same blocks in the same order
 *   - a block read that the rank does not have, that nothing was written to, or that a message not
 *     yet waited for brings; one written while it is sent from there; input written
 *   - input read after output has taken its place (in_place) */
#ifndef STRATA_CORE_CHECK_CHECK_H
#define STRATA_CORE_CHECK_CHECK_H

#include <stdbool.h>

#include "core/plan/plan.h"

struct strata_check {
    bool rendezvous;
    bool in_place; /* over blocks: of all ranks for which input and output can be one memory */
    unsigned seed;
    /* Interleaving: 0 seeded at random; 1 each rank runs as far as it can, low ranks first (members
     * skewed by a whole call); 2 the same, high ranks first. */
    int schedule;
};

/* A sequence of calls on one communicator: calls[c][r] is rank r's plan of call c (all of one
 * topology's ranks; flat and staged plans may alternate). Node memory carries over from call to
 * call as it does in the engine. Returns STRATA_OK, STRATA_ERR_PLAN with message (which may be
 * NULL), or STRATA_ERR_MEMORY. */
int strata_check_calls(const struct strata_plan *const *const *calls, int ncalls, int ranks,
                       const struct strata_check *options, struct strata_diagnostic *message);

/* One plan in eager and rendezvous mode, once and followed by itself as often as its ring has
 * places, in all schedules; plans over blocks also in place. */
typedef int strata_prove(const struct strata_plan *const *plans, int ranks, unsigned seed,
                         struct strata_diagnostic *message);
/* It does so; the one function that the shared libstrata_check shows. */
__attribute__((visibility("default"))) strata_prove strata_check_plan;

#endif
