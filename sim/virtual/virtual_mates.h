/* What virtual ranks lend each other: they share one memory. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_MATES_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_MATES_H

#include "core/engine/mates.h"

/* Of one in three members the memory is within reach, of the next it must be read, and of the third
 * that is not allowed. */
extern const struct strata_mates strata_virtual_mates;

#endif
