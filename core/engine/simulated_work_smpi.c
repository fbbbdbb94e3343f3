/* Charges simulated time for copies, comparisons and hashes, at the rates that the platform file
 * gives for the hosts. SimGrid gives every rank its own copy of these variables. */
#include "core/engine/simulated_work.h"

#include <simgrid/host.h>
#include <smpi/smpi.h>
#include <stdbool.h>
#include <stdlib.h>

static double owed; /* seconds */

/* A property of the host as a number; 0 where the platform file has none. */
static double property(const char *name)
{
    const char *text = sg_host_get_property_value(sg_host_self(), name);
    return text ? strtod(text, NULL) : 0;
}

const struct strata_simulated_costs *strata_simulated_costs(void)
{
    static struct strata_simulated_costs cost;
    static bool known;
    if (!known) {
        known = true;
        cost = (struct strata_simulated_costs){
            .copy = property("copy"),
            .copy_block = property("copy_block"),
            .flag = property("flag"),
            .compare = property("compare"),
            .visit = property("visit"),
            .team = property("team"),
        };
    }
    return &cost;
}

void strata_charge_copy(size_t bytes, size_t pieces)
{
    const struct strata_simulated_costs *cost = strata_simulated_costs();
    owed += cost->copy * (double)bytes + cost->copy_block * (double)pieces;
}

void strata_charge_flags(size_t flags)
{
    owed += strata_simulated_costs()->flag * (double)flags;
}

/* A comparison reads the items as a copy would. */
void strata_charge_compare(size_t bytes)
{
    const struct strata_simulated_costs *cost = strata_simulated_costs();
    owed += cost->compare + cost->copy * (double)bytes;
}

/* A hash takes three operations for each byte, each on the last one's result. */
void strata_charge_hash(size_t bytes)
{
    owed += 3 * strata_simulated_costs()->visit * (double)bytes;
}

void strata_charge_seconds(double seconds)
{
    owed += seconds;
}

double strata_charge_take(void)
{
    const double seconds = owed;
    owed = 0;
    return seconds;
}

void strata_charge_pay(void)
{
    const double seconds = strata_charge_take();
    if (seconds > 0) {
        smpi_execute(seconds);
    }
}
