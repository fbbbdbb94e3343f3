/* The engine's transport between virtual ranks; its self is a struct strata_mailbox. It is stricter
 * than MPI, to find errors: no more requests may be open than reserve allowed, and a posted receive
 * buffer is filled with garbage, so that early reads of it, and data kept there, show. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_TRANSPORT_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_TRANSPORT_H

#include "core/engine/transport.h"

extern const struct strata_transport strata_transport_virtual;
/* The same with messages of several places. */
extern const struct strata_transport strata_transport_virtual_spans;

#endif
