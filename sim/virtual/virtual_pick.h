/* Which virtual rank moves next, by the schedule of strata_virtual_options. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_PICK_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_PICK_H

#include "sim/virtual/virtual_world.h"

/* The rank to move next; -1 when none can. */
int strata_virtual_pick(struct strata_virtual *w, int ncalls);

#endif
