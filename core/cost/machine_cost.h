/* The cost of a call on a machine, and the kinds of work that add up to it. */
#ifndef STRATA_CORE_COST_MACHINE_COST_H
#define STRATA_CORE_COST_MACHINE_COST_H

#include "core/cost/machine.h"
#include "core/topology/topology.h"

/* The cost of a call for one rank: sums of counts and of times. The time of the call is the sum of
 * the five times. */
struct strata_cost {
    double messages;      /* messages sent to other nodes */
    double messages_node; /* messages sent inside the node */
    double bytes;         /* bytes sent to other nodes, headers included */
    double bytes_node;    /* bytes sent inside the node, headers included */
    double copied;        /* bytes copied by this rank */
    double blocks;        /* pieces that the copies consist of */
    double signals;       /* flags awaited */
    double lines;         /* line transfers one after another, with those of flags */
    double reduced;       /* bytes combined by this rank */
    double sharable;      /* bytes of the work that the threads of a team share */
    double time_start;    /* seconds for starting messages */
    double time_wire;     /* seconds for the bytes of messages */
    double time_copy;     /* seconds for copies */
    double time_signal;   /* seconds for signals and lines */
    double time_reduce;   /* seconds for combining */
};

double strata_cost_time(const struct strata_cost *cost);

/* Whether a call of that cost opens the machine's team: where it shares enough. */
bool strata_cost_opens_team(const struct strata_cost *cost, const struct strata_machine *machine);

/* How many times as long as inside a cache a line takes over that distance
 * (strata_topology_distance). */
double strata_machine_times(const struct strata_machine *machine, int distance);
/* What messages cost that go one way: between nodes, or over a distance inside one. */
struct strata_message_costs {
    double alpha, beta, overhead, gap, eager, beta_eager, rendezvous;
    double envelope; /* bytes besides those that it carries */
    double lines;    /* what each takes more because lines come from farther away */
};
/* Over that distance. What the machine does not say of it is the price of any message inside a
 * node. */
struct strata_message_costs strata_machine_message(const struct strata_machine *machine,
                                                   int distance);
/* Whether a distance has a price of its own. */
bool strata_machine_tells_distances(const struct strata_machine *machine);
/* The machine becomes what a rank sees that sends so many messages over each distance. */
void strata_machine_sends(struct strata_machine *machine, const double *messages);
/* The machine as a rank sees it that reads lines of the members first .. end-1 of its node, and
 * exchanges messages with them. */
struct strata_machine strata_machine_reading(const struct strata_machine *machine,
                                             const struct strata_topology *t, int rank, int first,
                                             int end);
/* The same for the first member of a largest node, which reads lines of all others. */
struct strata_machine strata_machine_reading_all(const struct strata_machine *machine,
                                                 const struct strata_topology *t);

/* The estimate of a plan, step by step, and the closed form of an algorithm add up the same kinds
 * of work, so they agree. This one is a stage: between two waits a rank sends `messages` messages
 * with `bytes` bytes together to other nodes, and receives as many. */
void strata_cost_stage(struct strata_cost *cost, double messages, double bytes,
                       const struct strata_machine *machine);
/* The same for messages inside the node. */
void strata_cost_stage_node(struct strata_cost *cost, double messages, double bytes,
                            const struct strata_machine *machine);
/* Messages that a rank posts together, to other nodes and inside its own. */
struct strata_posted {
    double messages, bytes, messages_node, bytes_node;
};
/* A stage of both kinds. They overlap where an adapter moves the bytes between nodes. */
void strata_cost_posted(struct strata_cost *cost, const struct strata_posted *posted,
                        const struct strata_machine *machine);
/* One rank receives so many messages in all, and no other rank does its work: where cores move the
 * bytes of messages, it takes at least its own part. */
void strata_cost_take(struct strata_cost *cost, double messages, double bytes,
                      const struct strata_machine *machine);
/* A copy of `bytes` bytes in `blocks` pieces. */
void strata_cost_copy(struct strata_cost *cost, double bytes, double blocks,
                      const struct strata_machine *machine);
/* The same out of other ranks' own memory. */
void strata_cost_fetch(struct strata_cost *cost, double bytes, double blocks,
                       const struct strata_machine *machine);
/* The same where `readers` ranks read in the memory of one rank: the kernel lets them in one after
 * another (Chakraborty et al., CLUSTER 2017). Mapped memory they read side by side. */
void strata_cost_fetch_in_turn(struct strata_cost *cost, double bytes, double blocks,
                               double readers, const struct strata_machine *machine);
/* As strata_cost_fetch, of the rank's own block, which costs as much as a read of mapped memory. */
void strata_cost_fetch_own(struct strata_cost *cost, double bytes,
                           const struct strata_machine *machine);
/* A wait for the last of the ranks that share the rank's core. */
void strata_cost_turn(struct strata_cost *cost, const struct strata_machine *machine);
/* Awaits `flags` flags of the farthest member one after another. */
void strata_cost_signal(struct strata_cost *cost, double flags,
                        const struct strata_machine *machine);
/* Awaits `flags` flags that are published at the same time and read in one sweep. */
void strata_cost_sweep(struct strata_cost *cost, double flags,
                       const struct strata_machine *machine);
/* Reads `lines` further lines of local peers' memory, one after another (core/cost/lines.h). */
void strata_cost_lines(struct strata_cost *cost, double lines,
                       const struct strata_machine *machine);
/* So many members read the same line of one other, which comes to them one after another. Further
 * lines follow it in a pipeline. Only where the machine tells near from far. */
void strata_cost_readers(struct strata_cost *cost, double readers,
                         const struct strata_machine *machine);
/* Combines `bytes` bytes with as many others. */
void strata_cost_reduce(struct strata_cost *cost, double bytes,
                        const struct strata_machine *machine);
/* The same with operands out of other ranks' own memory, in `blocks` blocks. */
void strata_cost_reduce_fetched(struct strata_cost *cost, double bytes, double blocks,
                                const struct strata_machine *machine);
/* Multiplies the cost by `times`. */
void strata_cost_scale(struct strata_cost *cost, double times);
/* Adds `more` to cost. */
void strata_cost_add(struct strata_cost *cost, const struct strata_cost *more);

#endif
