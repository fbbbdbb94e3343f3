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

/* The thread that has the least work, or the most. */
static int extreme(const double *loads, int threads, bool least)
{
    int found = 0;
    for (int thread = 1; thread < threads; thread++) {
        if (least ? loads[thread] < loads[found] : loads[thread] > loads[found]) {
            found = thread;
        }
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
        const int thread = extreme(loads, threads, true);
        body(argument, piece, pieces);
        loads[thread] += strata_charge_take();
        helped += thread > 0;
    }
    strata_charge_seconds(before + strata_helpers_offering(threads) +
                          loads[extreme(loads, threads, false)]);
    return helped;
}
