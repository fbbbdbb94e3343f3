/* What a rank that is out of step tells all others, or they would wait for its messages: a message
 * without bytes, whose tag says the stream and a length that only long ones have. Nobody receives
 * it, so whoever looks finds it, in later calls too. Simulated clusters have none. */
#ifndef STRATA_INTERNODE_MPI_NOTICES_MPI_H
#define STRATA_INTERNODE_MPI_NOTICES_MPI_H

#include "internode/mpi/lengths_mpi.h"

/* Waits for nobody; who cannot be reached is not told. */
void strata_notices_send(const struct strata_tags *tags);
/* Whether any rank has told that of this stream. */
bool strata_notices_heard(const struct strata_tags *tags);
/* Whether what was seen is one, of this stream. */
bool strata_notices_is(const struct strata_tags *tags, MPI_Status *seen);

#endif
