/* Whether a call's buffers are in the memory of a device, which MPI may read and Strata cannot. */
#ifndef STRATA_API_CALL_DEVICE_H
#define STRATA_API_CALL_DEVICE_H

#include "api/call/signature.h"

/* Asks CUDA or HIP, if the program has loaded one of them. The significant sides are known. Other
 * ranks do not learn the answer: either all ranks of a call must give device memory, or none. */
bool strata_on_device(const struct strata_signature *signature);

#endif
