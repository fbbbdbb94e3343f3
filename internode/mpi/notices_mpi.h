/* What a rank that is out of step tells all, or they would wait for its messages: a message without
 * bytes, whose tag says the stream and a length that no other has. Whoever looks finds it, in later
 * calls too: it stays where it is, or, where it hides other messages of its sender, comes from the
 * rank itself from then on. Simulated clusters have none. */
#ifndef STRATA_INTERNODE_MPI_NOTICES_MPI_H
#define STRATA_INTERNODE_MPI_NOTICES_MPI_H

#include "internode/mpi/lengths_mpi.h"

/* Itself, too. Waits for nobody; who cannot be reached is not told. */
void strata_notices_send(const struct strata_tags *tags);
/* Whether any rank has told that of the stream that has the tag `of`. */
bool strata_notices_heard(const struct strata_tags *tags, int of);
/* Whether a message of that tag is one, of any stream. */
bool strata_notices_is(const struct strata_tags *tags, int tag);
/* Takes the one that was seen out of the way. */
void strata_notices_keep(const struct strata_tags *tags, const MPI_Status *seen);

#endif
