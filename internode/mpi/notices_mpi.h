/* Notices: a rank that is out of step tells all ranks so, or they would wait for its messages. A
 * notice is a message without bytes; its tag has the stream and a length that no other message has.
 * A rank that looks for notices finds it, in later calls too: the notice stays unreceived. Only
 * where it hides other messages of its sender does the rank receive it, and then sends it to
 * itself. Simulated clusters have no notices. */
#ifndef STRATA_INTERNODE_MPI_NOTICES_MPI_H
#define STRATA_INTERNODE_MPI_NOTICES_MPI_H

#include "internode/mpi/lengths_mpi.h"

/* Sends a notice to all ranks, this one too. Waits for none; a rank that cannot be reached gets
 * none. */
void strata_notices_send(const struct strata_tags *tags);
/* Whether a notice has come for the stream that has the tag `of`. */
bool strata_notices_heard(const struct strata_tags *tags, int of);
/* Tells an endpoint that messages of this call differ (STRATA_TAG_DIFFER). Does not wait. It is
 * dropped when it is seen in a later call. */
void strata_notices_tell(const struct strata_tags *tags, int to);
/* Whether a message with that tag is a notice, of any stream. */
bool strata_notices_is(const struct strata_tags *tags, int tag);
/* Receives the notice that a probe saw, and sends it to this rank itself. */
void strata_notices_keep(const struct strata_tags *tags, const MPI_Status *seen);

#endif
