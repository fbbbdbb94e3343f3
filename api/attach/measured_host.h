/* Measures the figures of this host, or of the network between hosts, and makes a machine
 * description of them. */
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

/* Measures messages between two nodes. Collective over a group of several nodes. The first ranks of
 * the first two nodes exchange messages, while the others wait; after 30 ms they begin no longer
 * ones. All ranks end with the same times, or all with STRATA_ERR_UNSUPPORTED and
 * STRATA_ERR_TRANSPORT, as above. */
int strata_network_measure(struct strata_group *group, struct strata_message_times *times);

/* Whether a network may have such times; time may have run out before the longest messages. */
bool strata_network_credible(const struct strata_message_times *times);

/* Puts credible times of messages between nodes into the description: alpha, beta, overhead, eager,
 * beta_eager and rendezvous. Where they are `doubtful`, and do not differ from the description by
 * more than a factor of eight, the description stays, and the result is false. */
bool strata_network_machine(const struct strata_message_times *times, bool doubtful,
                            struct strata_machine *machine);

#endif
