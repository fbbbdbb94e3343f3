/* Charges simulated time for copies, comparisons and hashes, at the rates that the platform file
 * gives for the hosts. SimGrid gives every rank its own copy of these variables. */
#include "core/engine/simulated_work.h"

#include <simgrid/host.h>
#include <smpi/smpi.h>
#include <stdbool.h>
#include <stdlib.h>

static double owed; /* seconds */
static struct {
    double copy, copy_block, flag, compare,
        visit; /* seconds for each byte, piece, flag, comparison, number */
} cost;
static bool known;

/* A property of the host as a number; 0 where the platform file has none. */
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

/* A comparison reads the items as a copy would. */
void strata_charge_compare(size_t bytes)
{
    learn();
    owed += cost.compare + cost.copy * (double)bytes;
}

/* A hash takes three operations for each byte, each on the last one's result. */
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
