/* Simulated hosts: what Strata runs on is not what is simulated. */
#include "intranode/hardware.h"

void strata_hardware_spread(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}
