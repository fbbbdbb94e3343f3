/* Combines the operands of reductions, and defers copies whose destination is combined into
 * next. */
#ifndef STRATA_CORE_ENGINE_ENGINE_COMBINE_H
#define STRATA_CORE_ENGINE_ENGINE_COMBINE_H

#include "core/engine/engine_common.h"

/* into := from o into; with `folds`, into := into o from. False: the operator failed, and its error
 * is noted. */
bool strata_combine_operands(struct strata_execution *x, const void *from, void *into,
                             size_t operands, bool folds);
/* Defers the copy of a COPY step if its destination is combined into next; returns whether it does.
 * `from` holds all bytes of the copy and stays unchanged until the call is left. */
bool strata_copy_deferred(struct strata_execution *x, const unsigned char *from, size_t bytes);

#endif
