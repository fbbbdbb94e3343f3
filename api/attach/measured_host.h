/* Measures this host's figures, and makes a machine description of them. */
#ifndef STRATA_API_ATTACH_MEASURED_HOST_H
#define STRATA_API_ATTACH_MEASURED_HOST_H

#include <stdbool.h>

#include "api/process/host_parameters.h"
#include "core/cost/machine.h"

struct strata_group;

/* Measures the figures. Collective over a group whose ranks are on one host, each with a core of
 * its own, and have node memory. The node's first and last member measure messages and memory, and
 * all ranks measure MPI's own reductions, in less than a millisecond. Where the figures are `known`
 * to all ranks from earlier, nothing is measured. All ranks end with the same figures, or all with
 * STRATA_ERR_UNSUPPORTED: MPI refused a message to one of the two members, or one did not come; the
 * group is broken then. STRATA_ERR_TRANSPORT: this rank is out of step. */
int strata_host_measure(struct strata_group *group, bool known,
                        struct strata_host_parameters *parameters);

/* Makes the machine description of these figures. Where a figure of memory is missing or not
 * credible, the result is the built-in description of a host, and false. Where the figures of
 * messages are not credible, those of the built-in description stay: the first messages of an MPI
 * may take a hundred times as long as later ones. */
bool strata_host_machine(const struct strata_host_parameters *parameters,
                         struct strata_machine *host);

#endif
