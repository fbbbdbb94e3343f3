/* Copies, comparisons and hashes cost simulated time, as the platform file says of the hosts.
 * SimGrid gives every rank variables of its own. */
#include "core/engine/simulated_work.h"

#include <simgrid/host.h>
#include <smpi/smpi.h>
#include <stdbool.h>
#include <stdlib.h>

static double owed; /* seconds */
static struct {
    double copy, copy_block, flag, compare,
        visit; /* seconds for a byte, piece, flag, comparison, number */
} cost;
static bool known;

/* A host's property as a number; 0 where the platform file has none. */
static double property(const char *name)
{
    const char *text = sg_host_get_property_value(sg_host_self(), name);
    return text ? strtod(text, NULL) : 0;
}

static void learn(void)
{
    if (!known) {
        known = true;
        cost.copy = property("copy");
        cost.copy_block = property("copy_block");
        cost.flag = property("flag");
        cost.compare = property("compare");
        cost.visit = property("visit");
    }
}

void strata_charge_copy(size_t bytes, size_t pieces)
{
    learn();
    owed += cost.copy * (double)bytes + cost.copy_block * (double)pieces;
}

void strata_charge_flags(size_t flags)
{
    learn();
    owed += cost.flag * (double)flags;
}

/* The items are read as a copy would read them. */
void strata_charge_compare(size_t bytes)
{
    learn();
    owed += cost.compare + cost.copy * (double)bytes;
}

/* Three operations for each byte, each on the last one's result. */
void strata_charge_hash(size_t bytes)
{
    learn();
    owed += 3 * cost.visit * (double)bytes;
}

void strata_charge_pay(void)
{
    double seconds = owed;
    if (seconds > 0) {
        owed = 0;
        smpi_execute(seconds);
    }
}
