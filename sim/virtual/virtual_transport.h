/* The engine's transport between virtual ranks; its self is a struct strata_mailbox. Stricter than
 * MPI where that finds mistakes: no more requests are open than reserve made room for, and a posted
 * receive buffer is filled with garbage, so that reading it early or keeping anything there shows.
 */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_TRANSPORT_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_TRANSPORT_H

#include "core/engine/transport.h"

extern const struct strata_transport strata_transport_virtual;
/* The same with messages of several places. */
extern const struct strata_transport strata_transport_virtual_spots;

#endif
