/* Allreduce by a Swing or Bine butterfly with the whole vector in every step. */
#ifndef STRATA_INTERNODE_BUTTERFLY_SWING_WHOLE_H
#define STRATA_INTERNODE_BUTTERFLY_SWING_WHOLE_H

#include <stdbool.h>

#include "core/cost/formula_cost.h"
#include "core/plan/builder.h"

/* The output becomes the sum of the inputs. The vector is one block, and work has one. Ranks beyond
 * a power of two first hand theirs to a neighbour, and get the sum from it. `down`: distances fall
 * from the largest. */
void strata_swing_whole(struct strata_builder *b, int ranks, int rank, bool down);
struct strata_formula strata_swing_whole_formula(int ranks);

/* Round `number` of it; false behind the last. */
bool strata_swing_whole_round(int ranks, bool down, int number, struct strata_flat_round *round);

#endif
