/* Operands of reductions are combined; copies into which they are combined next are deferred. */
#ifndef STRATA_CORE_ENGINE_ENGINE_COMBINE_H
#define STRATA_CORE_ENGINE_ENGINE_COMBINE_H

#include "core/engine/engine_common.h"

/* into := from o into, or where it folds into o from; false where the operator failed, which is
 * noted. */
bool strata_combine_operands(struct strata_execution *x, const void *from, void *into,
                             size_t operands, bool folds);
/* Defers the COPY step's copy where its place is combined into next; returns whether it does.
 * `from` is all of it, and stays as it is until the call is left. */
bool strata_copy_deferred(struct strata_execution *x, const unsigned char *from, size_t bytes);

#endif
