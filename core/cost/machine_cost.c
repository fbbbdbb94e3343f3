/* The kinds of work that costs consist of, each with its formula. */
#include "core/cost/machine_cost.h"

#include <math.h>
#include <stdbool.h>

double strata_cost_time(const struct strata_cost *cost)
{
    return cost->time_start + cost->time_wire + cost->time_copy + cost->time_signal +
           cost->time_reduce;
}

double strata_machine_times(const struct strata_machine *machine, int distance)
{
    const double times[STRATA_INNER_LEVELS] = {[STRATA_PACKAGE] = machine->between_packages,
                                               [STRATA_DOMAIN] = machine->between_domains,
                                               [STRATA_CACHE] = machine->between_caches};
    while (distance < STRATA_INNER_LEVELS && times[distance] == 0) {
        distance++;
    }
    return distance < STRATA_INNER_LEVELS ? times[distance] : 1;
}

/* The prices as the machine has them; 0: it has none. */
static struct strata_message_costs own_costs(const struct strata_machine *m, int distance)
{
#define COSTS(machine, word, shared)                                                               \
    {.alpha = machine->alpha_##word,                                                               \
     .beta = machine->beta_##word,                                                                 \
     .overhead = machine->overhead_##word,                                                         \
     .gap = machine->gap_##word,                                                                   \
     .eager = machine->eager_##word,                                                               \
     .beta_eager = machine->beta_eager_##word,                                                     \
     .rendezvous = machine->rendezvous_##word},
    const struct strata_message_costs costs[] = {STRATA_DISTANCE_TABLE(COSTS, m)};
#undef COSTS
    _Static_assert(sizeof costs / sizeof *costs == STRATA_DISTANCES, "a row for each distance");
    return costs[distance];
}

bool strata_machine_tells_distances(const struct strata_machine *machine)
{
    double sum = 0;
    for (int distance = 0; distance < STRATA_DISTANCES; distance++) {
        const struct strata_message_costs p = own_costs(machine, distance);
        sum += p.alpha + p.beta + p.overhead + p.gap + p.eager + p.beta_eager + p.rendezvous;
    }
    return sum > 0;
}

/* Inside a node, where the distance has no prices of its own. */
static struct strata_message_costs any_costs(const struct strata_machine *machine, double times)
{
    return (struct strata_message_costs){
        .alpha = machine->alpha_node,
        .beta = machine->beta_node,
        .overhead = machine->overhead,
        .eager = machine->eager,
        .beta_eager = machine->beta_eager,
        .rendezvous = machine->rendezvous,
        .lines = (times - 1) * machine->signal, /* a message comes in lines */
    };
}

static void prefer(double *value, double own)
{
    *value = own > 0 ? own : *value;
}

struct strata_message_costs strata_machine_message(const struct strata_machine *machine,
                                                   int distance)
{
    const struct strata_message_costs own = own_costs(machine, distance);
    struct strata_message_costs p = any_costs(machine, strata_machine_times(machine, distance));
    prefer(&p.alpha, own.alpha);
    prefer(&p.beta, own.beta);
    prefer(&p.overhead, own.overhead);
    prefer(&p.gap, own.gap);
    prefer(&p.eager, own.eager);
    prefer(&p.beta_eager, own.beta_eager);
    prefer(&p.rendezvous, own.rendezvous);
    p.lines = own.alpha > 0 ? 0 : p.lines;
    return p;
}

void strata_machine_sends(struct strata_machine *machine, const double *messages)
{
    double all = 0;
    for (int distance = 0; distance < STRATA_DISTANCES; distance++) {
        all += messages[distance];
    }
    const bool tells = all > 0 && strata_machine_tells_distances(machine);
    for (int distance = 0; distance < STRATA_DISTANCES; distance++) {
        machine->over[distance] = tells ? messages[distance] / all : 0;
    }
}

struct strata_machine strata_machine_reading(const struct strata_machine *machine,
                                             const struct strata_topology *t, int rank, int first,
                                             int end)
{
    struct strata_machine reading = *machine;
    const int node = t->node_of[rank],
              others = end - first - (first <= t->local_of[rank] && t->local_of[rank] < end);
    double messages[STRATA_DISTANCES] = {0};
    reading.far = reading.mean = 1;
    reading.inside = machine->inside || t->nodes == 1;
    if (!strata_topology_has_levels(t) || others <= 0) {
        return reading;
    }
    reading.mean = 0;
    for (int member = first; member < end; member++) {
        int other = strata_topology_rank(t, node, member);
        if (other != rank) {
            int distance = strata_topology_distance(t, rank, other);
            double times = strata_machine_times(machine, distance);
            reading.far = fmax(reading.far, times);
            reading.mean += times;
            messages[distance]++;
        }
    }
    reading.mean /= others; /* of ones it is 1 */
    strata_machine_sends(&reading, messages);
    return reading;
}

struct strata_machine strata_machine_reading_all(const struct strata_machine *machine,
                                                 const struct strata_topology *t)
{
    int rank = strata_topology_has_levels(t) ? strata_busiest_rank(t) : 0;
    return strata_machine_reading(machine, t, rank, 0, t->largest);
}

static double far_times(const struct strata_machine *machine)
{
    return machine->far > 0 ? machine->far : 1;
}

static double mean_times(const struct strata_machine *machine)
{
    return machine->mean > 0 ? machine->mean : 1;
}

static double line_of(const struct strata_machine *machine)
{
    return machine->line > 0 ? machine->line : machine->signal;
}

/* The number of ranks that take turns on a core with this one, where ranks share cores: all of them
 * exchange messages. */
static double sharing(const struct strata_machine *machine)
{
    return machine->cores > 0 ? fmax(machine->contenders / machine->cores, 1) : 1;
}

static double turns(const struct strata_machine *machine)
{
    return machine->cores > 0 ? sharing(machine) * machine->turn : 0;
}

/* The same for copies and combinations. It counts only on one host, where nothing else takes
 * longer. */
static double working(const struct strata_machine *machine)
{
    return machine->ports > 0 ? 1 : sharing(machine);
}

/* Whether messages with so many bytes together are sent ahead of their receives: through memory in
 * between, in which a byte takes longer, but no message waits. */
static bool sent_ahead(const struct strata_message_costs *message, double messages, double bytes)
{
    return message->eager == 0 || bytes <= messages * message->eager;
}

static double rendezvous(const struct strata_message_costs *message, double messages, double bytes,
                         const struct strata_machine *machine)
{
    double together = fmax(fmin(messages, machine->overlap), 1);
    return sent_ahead(message, messages, bytes) ? 0 : messages / together * message->rendezvous;
}

static double time_of_bytes(const struct strata_message_costs *message, double messages,
                            double bytes)
{
    bool eager = message->beta_eager > 0 && sent_ahead(message, messages, bytes);
    return (bytes + messages * message->envelope) * (eager ? message->beta_eager : message->beta);
}

/* Between nodes. */
static struct strata_message_costs far_costs(const struct strata_machine *machine)
{
    struct strata_message_costs p = any_costs(machine, mean_times(machine));
    p.alpha = machine->alpha;
    p.envelope = machine->envelope;
    p.beta = machine->beta;
    return p;
}

/* What messages take to start that are under way `at_once` together, or with a gap between two. */
static double starting(const struct strata_message_costs *message, double messages, double at_once,
                       const struct strata_machine *machine)
{
    double overhead = 2 * message->overhead; /* as many are received */
    if (message->gap > 0) {
        return fmin(messages, 1) * message->alpha + messages * machine->posting +
               fmax((messages - 1) * message->gap, messages * overhead);
    }
    return messages * (message->alpha / at_once + overhead + machine->posting);
}

/* Where processors move the bytes, messages do not overlap, unless the machine says how many do. A
 * rank receives as many as it sends. */
static void carry(struct strata_cost *cost, double messages, double bytes,
                  const struct strata_message_costs *message, const struct strata_machine *machine)
{
    double at_once = fmax(fmin(messages, machine->ports_node), 1);
    double start = starting(message, messages, at_once, machine);
    start += messages * message->lines;
    start += rendezvous(message, messages, bytes, machine);
    cost->time_start += sharing(machine) * start + (messages > 0 ? turns(machine) : 0);
    cost->time_wire += working(machine) * time_of_bytes(message, messages, bytes) / at_once;
}

/* Whether it is known over which distances the rank's messages go, and what they cost there. */
static bool knows_distances(const struct strata_machine *machine)
{
    double all = 0;
    for (int distance = 0; distance < STRATA_DISTANCES; distance++) {
        all += machine->over[distance];
    }
    return all > 0;
}

/* The mean of what messages cost that all go over one distance. */
static void carry_by_distance(struct strata_cost *cost, double messages, double bytes,
                              const struct strata_machine *machine)
{
    for (int distance = 0; distance < STRATA_DISTANCES; distance++) {
        const struct strata_message_costs message = strata_machine_message(machine, distance);
        struct strata_cost one = {0};
        carry(&one, messages, bytes, &message, machine);
        strata_cost_scale(&one, machine->over[distance]);
        strata_cost_add(cost, &one);
    }
}

/* `any` where distances are not known. */
static void carry_inside(struct strata_cost *cost, double messages, double bytes,
                         const struct strata_message_costs *any,
                         const struct strata_machine *machine)
{
    if (knows_distances(machine)) {
        carry_by_distance(cost, messages, bytes, machine);
    } else {
        carry(cost, messages, bytes, any, machine);
    }
}

/* The mean of what bytes cost that all go over one distance. */
static double bytes_by_distance(double messages, double bytes, const struct strata_machine *machine)
{
    double mean = 0;
    for (int distance = 0; distance < STRATA_DISTANCES; distance++) {
        const struct strata_message_costs message = strata_machine_message(machine, distance);
        mean += machine->over[distance] * time_of_bytes(&message, messages, bytes);
    }
    return mean;
}

/* Processor time for a message inside the node. */
static double overhead_inside(const struct strata_machine *machine)
{
    double mean = 0;
    for (int distance = 0; distance < STRATA_DISTANCES; distance++) {
        mean += machine->over[distance] * strata_machine_message(machine, distance).overhead;
    }
    return knows_distances(machine) ? mean : machine->overhead;
}

/* Messages of a node that are under way together at full speed: of all those that its ranks send
 * together, `messages` each. On a torus ranks of one node send the same way. */
static double under_way(const struct strata_machine *machine, double messages)
{
    double most = fmin(fmax(machine->contenders, 1) * messages, machine->ports);
    double ways = machine->ways > 0 ? machine->ways : 2;
    return !strata_machine_has_torus(machine) ? most
           : machine->crossing > 0            ? fmin(most, 1 / machine->crossing)
                                              : fmin(most, fmin(messages, ways));
}

/* LogGP (Alexandrov et al., SPAA 1995): start-ups of messages overlap except for the gap between
 * two, and messages sent first are on their way while the others are being sent. All ranks of a
 * node share its adapter. Messages inside the node take `near` seconds of the processor. */
static void across_in_gaps(struct strata_cost *cost, double messages, double bytes, double near,
                           const struct strata_machine *machine)
{
    const struct strata_message_costs message = far_costs(machine);
    double contenders = fmax(machine->contenders, 1), all = contenders * messages;
    double wire =
        contenders * time_of_bytes(&message, messages, bytes) / under_way(machine, messages);
    double overhead = 2 * messages * machine->overhead + near; /* as many are received */
    double gaps = fmax((all - 1) * machine->gap - overhead, 0);
    double sending = overhead + gaps, hidden = sending * (messages - 1) / messages;
    cost->time_start +=
        sharing(machine) * (machine->alpha + rendezvous(&message, messages, bytes, machine));
    cost->time_start += sharing(machine) * sending + turns(machine);
    cost->time_wire += fmax(wire - hidden, wire / messages);
}

static void across(struct strata_cost *cost, double messages, double bytes, double near,
                   const struct strata_machine *machine)
{
    if (machine->gap > 0) {
        across_in_gaps(cost, messages, bytes, near, machine);
        return;
    }
    const struct strata_message_costs message = far_costs(machine);
    /* Chan et al., PPoPP 2006, section 5.1.1: (alpha + n beta)(1 + (l-1) tau) */
    double together = 1 + (fmax(fmin(messages, machine->ports), 1) - 1) * machine->tau;
    double contenders = fmax(machine->contenders, 1);
    double start = together * ceil(messages / machine->ports) * machine->alpha;
    double overhead = 2 * messages * machine->overhead + near; /* as many are received */
    cost->time_start += sharing(machine) * (start + rendezvous(&message, messages, bytes, machine));
    cost->time_start += sharing(machine) * overhead + turns(machine);
    cost->time_wire += together * contenders * time_of_bytes(&message, messages, bytes) /
                       under_way(machine, messages);
}

void strata_cost_stage(struct strata_cost *cost, double messages, double bytes,
                       const struct strata_machine *machine)
{
    if (messages <= 0) {
        return;
    }
    cost->messages += messages;
    cost->bytes += bytes;
    if (machine->ports > 0) {
        across(cost, messages, bytes, 0, machine);
    } else {
        const struct strata_message_costs message = far_costs(machine);
        (machine->inside ? carry_inside : carry)(cost, messages, bytes, &message, machine);
    }
}

void strata_cost_stage_node(struct strata_cost *cost, double messages, double bytes,
                            const struct strata_machine *machine)
{
    cost->messages_node += messages;
    cost->bytes_node += bytes;
    const struct strata_message_costs message = any_costs(machine, mean_times(machine));
    carry_inside(cost, messages, bytes, &message, machine);
}

/* Cores move the bytes of messages inside the node while the adapter moves the others. The rank
 * waits for all of them together, so it gives its core up once. */
static void overlapped(struct strata_cost *cost, const struct strata_posted *posted,
                       const struct strata_machine *machine)
{
    struct strata_cost far = {0}, inside = {0};
    const struct strata_message_costs message = any_costs(machine, mean_times(machine));
    double overhead = 2 * posted->messages_node * overhead_inside(machine);
    across(&far, posted->messages, posted->bytes, overhead, machine);
    carry_inside(&inside, posted->messages_node, posted->bytes_node, &message, machine);
    double after = strata_cost_time(&inside) - sharing(machine) * overhead - turns(machine);
    double more = after - far.time_wire - machine->alpha;
    cost->time_start += far.time_start;
    cost->time_wire += far.time_wire + fmax(more, 0);
}

void strata_cost_posted(struct strata_cost *cost, const struct strata_posted *posted,
                        const struct strata_machine *machine)
{
    if (machine->ports == 0 || posted->messages <= 0 || posted->messages_node <= 0) {
        strata_cost_stage(cost, posted->messages, posted->bytes, machine);
        strata_cost_stage_node(cost, posted->messages_node, posted->bytes_node, machine);
        return;
    }
    cost->messages += posted->messages;
    cost->bytes += posted->bytes;
    cost->messages_node += posted->messages_node;
    cost->bytes_node += posted->bytes_node;
    overlapped(cost, posted, machine);
}

void strata_cost_take(struct strata_cost *cost, double messages, double bytes,
                      const struct strata_machine *machine)
{
    if (machine->ports == 0) {
        const struct strata_message_costs message = far_costs(machine);
        double wire = machine->inside && knows_distances(machine)
                          ? bytes_by_distance(messages, bytes, machine)
                          : time_of_bytes(&message, messages, bytes);
        cost->time_wire = fmax(cost->time_wire, wire);
    }
}

/* The time that the first bytes of each block save. */
static double saved(double bytes, double blocks, const struct strata_machine *machine)
{
    double first = fmin(bytes, blocks * STRATA_SHORT_COPY);
    return machine->copy_short > 0 ? first * (machine->copy - machine->copy_short) : 0;
}

/* What offering work to the threads of a team takes: so much that the shortest copy that they share
 * just pays. */
static double offering(const struct strata_machine *machine)
{
    const double alone = machine->team * machine->copy;
    return fmax(alone * (STRATA_SHARED_PAYS - 1 / machine->threads), 0);
}

/* The time of work on so many bytes that takes one thread `alone` seconds. Work that takes none has
 * nothing to share. */
static double shared(struct strata_cost *cost, double bytes, double alone,
                     const struct strata_machine *machine)
{
    if (machine->threads <= 1 || alone <= 0 || bytes < machine->team) {
        return alone;
    }
    cost->sharable += bytes;
    return alone / machine->threads + offering(machine);
}

/* A call opens a team where that saves so many times what it takes (api/process/helping.c). */
static const double worth = 2;

bool strata_cost_opens_team(const struct strata_cost *cost, const struct strata_machine *machine)
{
    const double saved = cost->sharable * machine->copy * (1 - 1 / machine->threads);
    return cost->sharable > 0 && saved >= worth * machine->opening;
}

void strata_cost_copy(struct strata_cost *cost, double bytes, double blocks,
                      const struct strata_machine *machine)
{
    cost->copied += bytes;
    cost->blocks += blocks;
    double moving = bytes * machine->copy - saved(bytes, blocks, machine);
    double alone = working(machine) * (moving + blocks * machine->copy_block);
    cost->time_copy += shared(cost, bytes, alone, machine);
}

/* Ranks that share a core take turns at it anyway. */
void strata_cost_fetch_in_turn(struct strata_cost *cost, double bytes, double blocks,
                               double readers, const struct strata_machine *machine)
{
    double in_turn = machine->fetch > 0 ? fmax(readers / working(machine), 1) : 1;
    struct strata_machine fetched = *machine;
    fetched.copy = in_turn * (machine->beta_fetch > 0 ? machine->beta_fetch : machine->copy);
    fetched.copy_short = 0;
    strata_cost_copy(cost, bytes, blocks, &fetched);
    cost->time_start += working(machine) * blocks * in_turn * machine->fetch;
    cost->time_start += working(machine) * blocks * (mean_times(machine) - 1) * line_of(machine);
}

void strata_cost_fetch(struct strata_cost *cost, double bytes, double blocks,
                       const struct strata_machine *machine)
{
    strata_cost_fetch_in_turn(cost, bytes, blocks, 1, machine);
}

void strata_cost_fetch_own(struct strata_cost *cost, double bytes,
                           const struct strata_machine *machine)
{
    struct strata_machine near = strata_machine_mapped(machine);
    strata_cost_fetch(cost, bytes, 1, &near);
}

void strata_cost_turn(struct strata_cost *cost, const struct strata_machine *machine)
{
    cost->time_start += turns(machine);
}

void strata_cost_signal(struct strata_cost *cost, double flags,
                        const struct strata_machine *machine)
{
    cost->signals += flags;
    cost->lines += flags;
    cost->time_signal += flags * far_times(machine) * machine->signal;
}

void strata_cost_lines(struct strata_cost *cost, double lines, const struct strata_machine *machine)
{
    cost->lines += lines;
    cost->time_signal += lines * far_times(machine) * line_of(machine);
}

void strata_cost_readers(struct strata_cost *cost, double readers,
                         const struct strata_machine *machine)
{
    if (readers > 1 && far_times(machine) > 1) {
        cost->time_signal += (readers - 1) * machine->readers * line_of(machine);
    }
}

void strata_cost_reduce(struct strata_cost *cost, double bytes,
                        const struct strata_machine *machine)
{
    cost->reduced += bytes;
    double alone = working(machine) * bytes * machine->reduce;
    cost->time_reduce += shared(cost, bytes, alone, machine);
}

/* The operands are copied on their way to the operator, so it finds them in the cache. Otherwise
 * the cost of combining includes bringing them there. The operator reads mapped memory where it
 * lies. */
void strata_cost_reduce_fetched(struct strata_cost *cost, double bytes, double blocks,
                                const struct strata_machine *machine)
{
    struct strata_machine near = *machine;
    near.reduce = machine->reduce_near > 0 ? machine->reduce_near : machine->reduce;
    bool copied = machine->reduce_near > 0 && machine->fetch > 0;
    strata_cost_fetch(cost, copied ? bytes : 0, blocks, machine);
    strata_cost_reduce(cost, bytes, &near);
}

/* The reads overlap, so each flag but the farthest adds only an eighth of the time of a single
 * read. */
void strata_cost_sweep(struct strata_cost *cost, double flags, const struct strata_machine *machine)
{
    if (flags > 0) {
        cost->signals += flags - 1;
        double others = flags * mean_times(machine) - far_times(machine);
        cost->time_signal += fmax(others, 0) / 8 * machine->signal;
        strata_cost_signal(cost, 1, machine);
    }
}

/* One row for each field that scaling and adding go through. */
#define COST_FIELDS(ROW)                                                                           \
    ROW(messages)                                                                                  \
    ROW(messages_node)                                                                             \
    ROW(bytes)                                                                                     \
    ROW(bytes_node)                                                                                \
    ROW(copied)                                                                                    \
    ROW(blocks)                                                                                    \
    ROW(signals)                                                                                   \
    ROW(lines)                                                                                     \
    ROW(reduced)                                                                                   \
    ROW(sharable)                                                                                  \
    ROW(time_start)                                                                                \
    ROW(time_wire)                                                                                 \
    ROW(time_copy)                                                                                 \
    ROW(time_signal)                                                                               \
    ROW(time_reduce)

#define COST_FIELD_SIZE(field) +sizeof(((struct strata_cost *)NULL)->field)
_Static_assert(sizeof(struct strata_cost) == 0 COST_FIELDS(COST_FIELD_SIZE),
               "COST_FIELDS names every field");

void strata_cost_scale(struct strata_cost *cost, double times)
{
#define SCALE_FIELD(field) cost->field *= times;
    COST_FIELDS(SCALE_FIELD)
#undef SCALE_FIELD
}

void strata_cost_add(struct strata_cost *cost, const struct strata_cost *more)
{
#define ADD_FIELD(field) cost->field += more->field;
    COST_FIELDS(ADD_FIELD)
#undef ADD_FIELD
}
