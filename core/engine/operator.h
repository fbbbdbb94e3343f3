/* How a reduction combines two operands. */
#ifndef STRATA_CORE_ENGINE_OPERATOR_H
#define STRATA_CORE_ENGINE_OPERATOR_H

#include <stddef.h>

struct strata_operator {
    /* into[i] := from[i] o into[i] for `elements` elements of the operands' datatype; from and into
     * point at an element's origin. STRATA_OK or an error. */
    int (*combine)(const struct strata_operator *op, const void *from, void *into, size_t elements);
    const void *self; /* of whoever made the operator */
};

#endif
