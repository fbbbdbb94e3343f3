/* How a reduction combines two operands. */
#ifndef STRATA_CORE_ENGINE_OPERATOR_H
#define STRATA_CORE_ENGINE_OPERATOR_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/kernels/kernels.h"

struct strata_operator {
    /* into[i] := from[i] o into[i] for `elements` elements of the operands' datatype; from and into
     * point at an element's origin. STRATA_OK or an error. */
    int (*combine)(const struct strata_operator *op, const void *from, void *into, size_t elements);
    const void *self; /* belongs to the code that made the operator */
    /* The same for any thread and any part of the elements; NULL: there is no kernel. */
    strata_kernel *kernel;
    size_t element; /* bytes of an element, where there is a kernel */
};

/* right := left o right */
static inline int strata_operator_apply(const struct strata_operator *op, const void *left,
                                        void *right, size_t elements)
{
    if (op->kernel) {
        op->kernel(left, right, right, elements);
        return STRATA_OK;
    }
    return op->combine(op, left, right, elements);
}

#endif
