/* Copies cost simulated time: so much for each byte and for each piece, as the platform file says of
 * the hosts. SimGrid gives every rank variables of its own. */
#include "core/charge.h"

#include <simgrid/host.h>
#include <smpi/smpi.h>
#include <stdbool.h>
#include <stdlib.h>

static double owed; /* seconds */
static double per_byte, per_piece;
static bool known;

/* A host's property as a number; 0 where the platform file has none. */
static double property(const char *name)
{
    const char *text = sg_host_get_property_value(sg_host_self(), name);
    return text ? strtod(text, NULL) : 0;
}

void strata_charge_copy(size_t bytes, size_t pieces)
{
    if (!known) {
        known = true;
        per_byte = property("copy");
        per_piece = property("copy_block");
    }
    owed += per_byte * (double)bytes + per_piece * (double)pieces;
}

void strata_charge_pay(void)
{
    double seconds = owed;
    if (seconds > 0) {
        owed = 0;
        smpi_execute(seconds);
    }
}
