/* Whether a call's buffers lie in the memory of a device, which MPI may read and Strata cannot. */
#ifndef STRATA_API_CALL_DEVICE_H
#define STRATA_API_CALL_DEVICE_H

#include "api/call/signature.h"

/* Asks CUDA or HIP, if the program has loaded one of them; which sides are significant is known.
 * What this rank finds out no other knows: all ranks of a call must give such memory, or none. */
bool strata_on_device(const struct strata_signature *signature);

#endif
