/* Work in pieces in simulated time. The caller does all pieces, one after another. Each piece is
 * charged to the thread that has the least to do so far, as the one that would take it, and the
 * rank owes what the thread with the most work took. */
#include "core/engine/simulated_work.h"
#include "intranode/helpers.h"
#include "intranode/helpers_smpi.h"

/* There are no helpers that could. */
bool strata_helpers_take(struct strata_helpers *helpers)
{
    (void)helpers;
    return false;
}

static double most(const double *loads, int threads)
{
    double found = loads[0];
    for (int thread = 1; thread < threads; thread++) {
        found = loads[thread] > found ? loads[thread] : found;
    }
    return found;
}

/* The thread that takes a piece: the one that has the least work. Of equal ones they take turns, so
 * work that costs nothing is shared, too. */
static int taker(const double *loads, int threads, int piece)
{
    int found = piece % threads;
    for (int thread = 0; thread < threads; thread++) {
        found = loads[thread] < loads[found] ? thread : found;
    }
    return found;
}

int strata_helpers_do(struct strata_helpers *helpers, strata_chunk_body *body, void *argument,
                      int pieces)
{
    const int here = 1 + atomic_load_explicit(&helpers->here, memory_order_relaxed);
    const int threads = here < STRATA_MOST_PIECES ? here : STRATA_MOST_PIECES;
    const double before = strata_charge_take();
    double loads[STRATA_MOST_PIECES] = {0};
    int helped = 0;
    for (int piece = 0; piece < pieces; piece++) {
        const int thread = taker(loads, threads, piece);
        body(argument, piece, pieces);
        loads[thread] += strata_charge_take();
        helped += thread > 0;
    }
    const double offering = strata_helpers_offering(threads, strata_simulated_costs()->flag);
    strata_charge_seconds(before + offering + most(loads, threads));
    return helped;
}
