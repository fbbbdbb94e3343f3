/* The part of signals_smpi.c that wait_smpi.c uses. */
#ifndef STRATA_INTRANODE_SIGNALS_SMPI_H
#define STRATA_INTRANODE_SIGNALS_SMPI_H

#include "core/engine/engine.h"

/* From now on the rank runs the plan of this execution. */
void strata_signals_begin(const struct strata_execution *x);
/* Blocks until the flag that the execution waits for has arrived. */
void strata_signals_await(struct strata_execution *x);

#endif
