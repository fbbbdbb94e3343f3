/* Measuring this host's figures, and the machine description that they come to. */
#ifndef STRATA_API_ATTACH_MEASURED_HOST_H
#define STRATA_API_ATTACH_MEASURED_HOST_H

#include <stdbool.h>

#include "api/process/host_parameters.h"
#include "core/cost/machine.h"

struct strata_group;

/* Collective over a group whose ranks lie on one host with a core each, and have memory there. Its
 * node's first and last member measure, and MPI's own reductions all ranks, in less than a
 * millisecond, unless figures are `known` to all ranks of the group from earlier; equal figures for
 * all are the outcome. Returns an error. */
int strata_host_measure(struct strata_group *group, bool known,
                        struct strata_host_parameters *parameters);

/* The machine of these figures; where one of memory is missing or not credible, the description of
 * a host, and false. Of messages it has the description's where those are not credible: the first
 * messages of an MPI may take a hundred times what later ones do. */
bool strata_host_machine(const struct strata_host_parameters *parameters,
                         struct strata_machine *host);

#endif
