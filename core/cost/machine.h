/* A machine as the cost model sees it.
 *
 * Between nodes the model has Hockney's alpha and beta with k ports, a processor's time for each
 * message (the o of LogP) and an adapter's (its g); inside a node, the cost of copies and signals.
 * Messages on one host use no ports: the cores of the sender and the receiver move their bytes.
 * Times are in seconds. */
#ifndef STRATA_CORE_COST_MACHINE_H
#define STRATA_CORE_COST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/topology/topology.h"

/* One row declares a distance between two ranks of a node, as strata_topology_distance counts them:
 * its word, and the least that such ranks share. WITH is handed on to each row. */
#define STRATA_DISTANCE_TABLE(ROW, WITH)                                                           \
    ROW(WITH, apart, "only their node")                                                            \
    ROW(WITH, package, "a package")                                                                \
    ROW(WITH, domain, "a NUMA domain")                                                             \
    ROW(WITH, cache, "a last-level cache")
#define STRATA_DISTANCES (STRATA_INNER_LEVELS + 1)

/* The parameters of messages over a distance, as rows of the table below. */
#define STRATA_MACHINE_DISTANCE(ROW, word, shared)                                                 \
    ROW(alpha_##word, "start-up time of a message between two ranks that share " shared            \
                      ", s; 0: as inside a node")                                                  \
    ROW(beta_##word, "time of a byte in it, s; 0: as inside a node")                               \
    ROW(overhead_##word, "processor time for it at each end, s; 0: as for others")                 \
    ROW(gap_##word, "time between two that start one after another, s; 0: none overlap")           \
    ROW(eager_##word, "longest that is sent ahead of its receive, B; 0: as of others")             \
    ROW(beta_eager_##word, "time of a byte in one that is sent ahead, s; 0: as in others")         \
    ROW(rendezvous_##word, "what a longer one needs more to start, s; 0: as others")

/* One row declares a parameter: field, name in text, meaning with its unit. */
#define STRATA_MACHINE_TABLE(ROW)                                                                  \
    ROW(alpha, "start-up time of a message between nodes, s")                                      \
    ROW(beta, "time of a byte between nodes, s")                                                   \
    ROW(alpha_node, "start-up time of a message inside a node, s")                                 \
    ROW(beta_node, "time of a byte in a message inside a node, s")                                 \
    ROW(overhead, "processor time for each message sent or received, s")                           \
    ROW(posting, "what a message takes more that a plan sends than one inside MPI's own, s")       \
    ROW(eager, "longest message that is sent ahead of its receive, B; 0: any")                     \
    ROW(beta_eager, "time of a byte in a message that is sent ahead, s; 0: as in others")          \
    ROW(rendezvous, "what a longer one needs more to start, s")                                    \
    ROW(overlap, "longer messages sent at once that start together; 0: one after another")         \
    ROW(copy, "time to copy a byte, s")                                                            \
    ROW(copy_short, "the same of a block's first KiB, s; 0: as above")                             \
    ROW(copy_block, "time for each block copied, whatever its size, s")                            \
    ROW(signal, "time of a line from core to core: from publishing a flag to its being seen, s")   \
    ROW(line, "the same of one read behind that, s; 0: as a signal's")                             \
    ROW(between_caches, "how many times as long a line takes from another last-level cache of "    \
                        "the domain; 0: as long")                                                  \
    ROW(between_domains, "the same from another domain of the package; 0: as from another cache")  \
    ROW(between_packages, "the same from another package; 0: as from another domain")              \
    ROW(readers, "what each further member that reads the same line adds, as a part of a line's "  \
                 "time inside a cache")                                                            \
    ROW(fetch, "what it takes to read in another rank's own memory, for each block, s")            \
    ROW(beta_fetch, "time of a byte that is read so, s; 0: as in a copy")                          \
    ROW(beta_mapped, "the same where that memory is mapped here, too, s; 0: as in a copy")         \
    ROW(reduce, "time to combine a byte of two operands (gamma), s")                               \
    ROW(reduce_near, "the same where both operands are in the cache, s; 0: as above")              \
    ROW(tau, "what each further message sent at once adds, as a part of the first one's time")     \
    ROW(ports, "messages that a node can have under way at once at full speed; 0: each core "      \
               "moves its own")                                                                    \
    ROW(ports_node,                                                                                \
        "messages inside a node that a rank can have under way at once at full speed; "            \
        "0: one, for its core moves them")                                                         \
    ROW(torus_x,                                                                                   \
        "nodes along the first axis of a torus, on which nodes follow each other and whose "       \
        "links messages share; 0: there is no torus")                                              \
    ROW(torus_y, "the same of its second axis; 0: it has none")                                    \
    ROW(torus_z, "the same of its third axis")                                                     \
    ROW(gap, "time between two messages of a node that start one after another, while what they "  \
             "carry is on its way, s; 0: messages start when ports are free")                      \
    ROW(envelope, "bytes of a message between nodes besides those that it carries, B")             \
    ROW(threads, "threads of a team that a rank's call may open, which share copies; 0: none do")  \
    ROW(team, "shortest copy that they share, B")                                                  \
    ROW(opening, "what opening such a team takes, once a call, s")                                 \
    ROW(cores, "cores that the ranks of a node share; 0: each has its own")                        \
    ROW(turn,                                                                                      \
        "time until a rank that shares a core has it again, for each that it shares it with, s")   \
    ROW(native_window, "messages that a rank has under way at once in MPI's own alltoall; 0: all") \
    ROW(native_turn, "the same in MPI's own collectives, s; 0: as in ours")                        \
    ROW(native_reduce, "what MPI's own reduce of a long vector takes, as a part of the classic "   \
                       "algorithms' time; 0: as long as they")                                     \
    ROW(native_allreduce, "the same of its allreduce")                                             \
    ROW(native_reduce_scatter, "the same of its reduce_scatter and reduce_scatter_block")          \
    ROW(native_scan, "the same of its scan and exscan")                                            \
    STRATA_DISTANCE_TABLE(STRATA_MACHINE_DISTANCE, ROW)

struct strata_machine {
    char name[32];
#define STRATA_MACHINE_FIELD(field, meaning) double field;
    STRATA_MACHINE_TABLE(STRATA_MACHINE_FIELD)
#undef STRATA_MACHINE_FIELD
    /* Ranks of a node that send at the same time and share its ports; less than 1 counts as 1. */
    double contenders;
    /* Of a torus (core/cost/links.h): messages over its busiest link, for each that leaves a node;
     * 0: not known. Then, by how many links a rank's messages leave that it sends at once; 0: two,
     * those of a line. */
    double crossing, ways;
    /* How many times as long as inside a cache a line takes to a rank: from the farthest of the
     * members that it reads, and on the mean of them (strata_machine_reading); 0: as long. */
    double far, mean;
    /* Of a rank's messages inside the node, the part that goes over each distance; all 0: not
     * known, or no distance has a price of its own (core/cost/machine_cost.h). */
    double over[STRATA_DISTANCES];
    bool inside; /* messages between nodes are such messages, too: there is one node */
    bool native; /* the messages are those of native collectives, whose blocks lie side by side */
};

/* The machine as a rank sees it while `contenders` ranks of its node send. */
static inline struct strata_machine strata_machine_contended(const struct strata_machine *machine,
                                                             double contenders)
{
    struct strata_machine contended = *machine;
    contended.contenders = contenders;
    return contended;
}

static inline bool strata_machine_has_torus(const struct strata_machine *machine)
{
    return machine->ports > 0 && machine->torus_x > 0;
}

/* The machine as a rank sees it that copies alone. */
static inline struct strata_machine strata_machine_alone(const struct strata_machine *machine)
{
    struct strata_machine alone = *machine;
    alone.threads = alone.team = alone.opening = 0;
    return alone;
}

/* The machine as MPI's own collectives see it: a rank that waits in them may keep a shared core,
 * and they send without an engine, and copy by one thread. */
static inline struct strata_machine strata_machine_native(const struct strata_machine *machine)
{
    struct strata_machine native = strata_machine_alone(machine);
    native.native = true;
    native.posting = 0;
    native.turn = machine->native_turn > 0 ? machine->native_turn : machine->turn;
    return native;
}

/* The machine between the ranks of one node: their cores move the bytes of messages. */
static inline struct strata_machine strata_machine_inside(const struct strata_machine *machine)
{
    struct strata_machine inside = *machine;
    inside.inside = true;
    inside.alpha = machine->alpha_node;
    inside.beta = machine->beta_node;
    inside.ports = inside.gap = 0;
    return inside;
}

/* The machine as a rank sees it that reads the blocks of others in memory that is mapped here too,
 * without the system. */
static inline struct strata_machine strata_machine_mapped(const struct strata_machine *machine)
{
    struct strata_machine mapped = *machine;
    mapped.fetch = 0;
    mapped.beta_fetch = machine->beta_mapped;
    return mapped;
}

/* The lines of so many bytes are read side by side, so each further line costs little beside the
 * first. */
#define STRATA_SHORT_COPY 1024

/* Bytes of the vector with which MPI's own reductions are measured. A quarter of it counts as
 * long. */
#define STRATA_NATIVE_VECTOR 65536

/* A shared copy pays if it takes at most so much of the time of one thread. That is how `team` is
 * found. */
#define STRATA_SHARED_PAYS 0.85

/* How a machine's cores are shared, as far as its text does not say it. */
struct strata_sharing {
    double ranks;       /* ranks that take turns on a core; 0: each rank has its own */
    double native_turn; /* the machine's parameter native_turn */
};

/* The machine of nodes with up to `ranks` ranks, by which calls are estimated. The machine's
 * `cores` count where there are fewer of them than ranks. If the machine does not give them and
 * ranks take turns on each core, they follow from that. */
struct strata_machine strata_machine_of_nodes(const struct strata_machine *machine, int ranks,
                                              struct strata_sharing sharing);

/* The known machines, for `strata list machines`; NULL after the last. */
const struct strata_machine *strata_machine_at(int index);

/* The length of a file's name in "FILE" or "FILE:alpha=1e-6": it has a slash; 0: the text names no
 * file. core/cost/machine_file.h reads it. */
int strata_machine_file_of(const char *text);
/* Reads "name" or "name:alpha=1e-6,ports=2". If a name or parameter is unknown, message lists the
 * known ones. "auto" is the first machine, and so is a file, which is not opened here. */
int strata_machine_parse(const char *text, struct strata_machine *machine,
                         struct strata_diagnostic *message);
/* The same for ranks that all lie on one host. "auto" and files are `host`, which also gives the
 * parameters that the text does not say. */
int strata_machine_parse_on(const struct strata_machine *host, const char *text,
                            struct strata_machine *machine, struct strata_diagnostic *message);
/* The description of one host, until it is measured. */
const struct strata_machine *strata_machine_host(void);
/* The description of hosts that are containers of one machine. */
const struct strata_machine *strata_machine_containers(void);
/* Whether the text names `host` for ranks on one host: files are for several. */
bool strata_machine_names_host(const char *text);
/* Whether the text is `auto`, with parameters or without. */
bool strata_machine_is_auto(const char *text);

/* Writes "alpha=1e-06,beta=8e-11,...": all parameters that are not 0, in the form that
 * strata_machine_parse reads. */
void strata_machine_print(const struct strata_machine *machine, char *text, size_t size);

#endif
