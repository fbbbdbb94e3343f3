/* What wait_smpi.c asks of signals_smpi.c. */
#ifndef STRATA_INTRANODE_SIGNALS_SMPI_H
#define STRATA_INTRANODE_SIGNALS_SMPI_H

#include "core/engine/engine.h"

/* The plan of this execution is what the rank runs from now on. */
void strata_signals_begin(const struct strata_execution *x);
/* Blocks until the flag that the execution waits for has arrived. */
void strata_signals_await(struct strata_execution *x);

#endif
