/* How far two orders of a reduction of floating-point numbers may lie apart.
 *
 * Each of P - 1 additions rounds by half a unit at most, so a sum in either order is within
 * (P - 1) eps sum |x| / 2 of the exact one, to first order (Higham, "Accuracy and Stability of
 * Numerical Algorithms", chapter 4). Two are allowed P eps sum |x| here, a product 4 P eps |x|.
 * Sums and products that may leave the numbers' range on the way cannot be judged, nor can the
 * smallest and largest of what is not a number, nor pairs of a floating number and a place. */
#ifndef STRATA_API_CALL_SHADOW_BOUND_H
#define STRATA_API_CALL_SHADOW_BOUND_H

#include "api/call/shadow_data.h"

struct strata_shadow_bound {
    const struct strata_shadow_data *data;
    size_t number; /* bytes of one; 0: bytes are compared */
    bool complex;  /* numbers come in pairs */
    MPI_Op op;
    int ranks;
    bool rounds;      /* sums and products: */
    char *magnitudes; /* what they may differ by follows from these */
};

/* False: without memory. Ends with strata_shadow_bound_fini in either case. */
bool strata_shadow_bound_init(struct strata_shadow_bound *bound, struct strata_shadow_data *data);
/* Collective: finds the magnitudes by MPI's own, of floating sums. Returns an MPI error code. */
int strata_shadow_bound_find(struct strata_shadow_bound *bound);
void strata_shadow_bound_fini(struct strata_shadow_bound *bound);

/* The first byte, or the first of a number, in which the results differ; false: in none. */
bool strata_shadow_differ(const struct strata_shadow_bound *bound, size_t *byte);

#endif
