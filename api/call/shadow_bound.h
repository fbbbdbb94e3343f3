/* How far two results of a floating-point reduction may differ, if operands were combined in
 * different orders.
 *
 * Each of P - 1 additions rounds by half a unit at most. So in any order a sum is within (P - 1)
 * eps sum |x| / 2 of the exact one, to first order (Higham, "Accuracy and Stability of Numerical
 * Algorithms", chapter 4). Two sums may differ by P eps sum |x| here, two products by 4 P eps |x|.
 * Some results cannot be judged: sums and products that may leave the numbers' range on the way,
 * the smallest and largest of operands with a NaN, and pairs of a floating-point number and a
 * place. */
#ifndef STRATA_API_CALL_SHADOW_BOUND_H
#define STRATA_API_CALL_SHADOW_BOUND_H

#include "api/call/shadow_data.h"

struct strata_shadow_bound {
    const struct strata_shadow_data *data;
    size_t number; /* bytes of a number; 0: bytes are compared */
    bool complex;  /* numbers come in pairs */
    MPI_Op op;
    int ranks;
    bool rounds;      /* the operator is a sum or product, which rounds */
    char *magnitudes; /* what numbers may differ by follows from these */
};

/* False: no memory. strata_shadow_bound_fini in either case. */
bool strata_shadow_bound_init(struct strata_shadow_bound *bound, struct strata_shadow_data *data);
/* Finds the magnitudes of floating-point operands with MPI's own. Collective. Returns an MPI error
 * code. */
int strata_shadow_bound_find(struct strata_shadow_bound *bound);
void strata_shadow_bound_fini(struct strata_shadow_bound *bound);

/* Finds the first byte, or the first number, in which the results differ; false: they do not
 * differ. */
bool strata_shadow_differ(const struct strata_shadow_bound *bound, size_t *byte);

#endif
