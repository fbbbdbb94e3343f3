/* Measures the network between nodes. Nodes are taken in pairs, and rank i of the one and rank i of
 * the other send each other messages. Each sample is the time of some such exchanges one after
 * another, of the slowest rank; the samples of all pairs count. The calls are PMPI's, so that no
 * tool between is measured. */
#include <mpi.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "intranode/scheduler.h"
#include "tools/command/words.h"
#include "tools/tune/inner.h"
#include "tools/tune/switches.h"
#include "tools/tune/tune.h"
#include "tools/tune/written.h"

enum { MOST_SAMPLES = 101, LEAST_SAMPLES = 5, TAG = 0, MOST_AT_ONCE = 1 << (TOOL_UNDER_WAY - 1) };

enum { HALF = 2 * TOOL_LARGEST_EAGER }; /* of the buffer: what is sent at once */

/* Of all nodes as many ranks take part as the smallest one has. A last node without another takes
 * no part. */
struct tune {
    MPI_Comm pair;   /* the ranks of two nodes; MPI_COMM_NULL: this rank takes no part */
    MPI_Comm firsts; /* rank 0, and the first rank of each pair; MPI_COMM_NULL on others */
    struct tool_places at;
    struct tool_switches switches;
    struct tool_inner_pairs inner;
    bool second;            /* which of the two sides of a pair is mine */
    int partner, neighbour; /* in `pair`: my rank's on the other node, another on mine */
    unsigned char *buffer;  /* two halves */
    double slot;            /* seconds for a point */
};

/* One point of the measurement. */
struct point {
    int peer, messages, bytes, times; /* messages at once; exchanges in a sample */
};

/* Waits for all ranks without keeping a core from those that measure. */
static void meet(void)
{
    MPI_Request request;
    int here = 0;
    PMPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (PMPI_Test(&request, &here, MPI_STATUS_IGNORE); !here;
         PMPI_Test(&request, &here, MPI_STATUS_IGNORE)) {
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

static void post(const struct tune *t, const struct point *p, MPI_Request *request)
{
    for (int i = 0; i < p->messages; i++) {
        PMPI_Irecv(t->buffer + HALF + (size_t)i * (size_t)p->bytes, p->bytes, MPI_BYTE, p->peer,
                   TAG, t->pair, &request[i]);
    }
    for (int i = 0; i < p->messages; i++) {
        PMPI_Isend(t->buffer + (size_t)i * (size_t)p->bytes, p->bytes, MPI_BYTE, p->peer, TAG,
                   t->pair, &request[p->messages + i]);
    }
}

static double time_exchanges(const struct tune *t, const struct point *p)
{
    MPI_Request request[2 * MOST_AT_ONCE];
    MPI_Status status[2 * MOST_AT_ONCE];
    double begin = strata_seconds();
    for (int i = 0; i < p->times; i++) {
        post(t, p, request);
        PMPI_Waitall(2 * p->messages, request, status);
    }
    return (strata_seconds() - begin) / p->times;
}

static void spin(double seconds)
{
    double begin = strata_seconds();
    while (strata_seconds() - begin < seconds) {
    }
}

/* The processor's time: what the calls take when the messages travel meanwhile. */
static double time_calls(const struct tune *t, const struct point *p)
{
    MPI_Request request[2 * MOST_AT_ONCE];
    MPI_Status status[2 * MOST_AT_ONCE];
    double begin = strata_seconds();
    post(t, p, request);
    double posted = strata_seconds();
    spin(500e-6);
    double again = strata_seconds();
    PMPI_Waitall(2 * p->messages, request, status);
    return (posted - begin + strata_seconds() - again) / (2 * p->messages);
}

typedef double take_sample(const struct tune *t, const struct point *p);

/* Rank 0 gets the samples of all pairs, each that of its slowest rank. */
static struct tool_spread gather(const struct tune *t, const double *mine, int count)
{
    const int idle = t->pair == MPI_COMM_NULL; /* rank 0, whose samples are none */
    int pairs = 0;
    double slowest[MOST_SAMPLES] = {0}, *all = NULL;
    struct tool_spread spread = {0, 0, 0};
    if (!idle) {
        PMPI_Reduce(mine, slowest, count, MPI_DOUBLE, MPI_MAX, 0, t->pair);
    }
    if (t->firsts != MPI_COMM_NULL) {
        PMPI_Comm_size(t->firsts, &pairs);
        all = strata_allocate((size_t)pairs, (size_t)count * sizeof *all);
        PMPI_Gather(slowest, count, MPI_DOUBLE, all, count, MPI_DOUBLE, 0, t->firsts);
        if (all && t->at.rank == 0) {
            spread = tool_spread_of(all + (size_t)idle * (size_t)count, (pairs - idle) * count);
        }
    }
    strata_release(all);
    return spread;
}

/* The samples that the slot has room for. The first one finds connections unmade. */
static int samples_of(const struct tune *t, const struct point *p, bool active, take_sample *take)
{
    double begin = 0;
    for (int i = 0; active && i < 2; i++) {
        begin = strata_seconds();
        take(t, p);
    }
    double seconds = active ? strata_seconds() - begin : 0;
    meet();
    PMPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return (int)fmax(LEAST_SAMPLES, fmin(MOST_SAMPLES, t->slot / fmax(seconds, 1e-6)));
}

/* The first `senders` ranks of each node exchange messages with their peers. */
static struct tool_spread measure(const struct tune *t, int senders, struct point p,
                                  take_sample *take)
{
    double mine[MOST_SAMPLES] = {0};
    const bool active = t->pair != MPI_COMM_NULL && t->at.local < senders;
    meet();
    const int count = samples_of(t, &p, active, take);
    for (int i = 0; active && i < count; i++) {
        mine[i] = take(t, &p);
    }
    meet();
    return gather(t, mine, count);
}

static struct tool_spread exchange(const struct tune *t, int senders, int messages, int bytes)
{
    const struct point p = {t->partner, messages, bytes, messages * bytes < 65536 ? 8 : 2};
    return measure(t, senders, p, time_exchanges);
}

static struct tool_spread per_byte(struct tool_spread longer, struct tool_spread shorter)
{
    const double bytes = TOOL_LONGER - TOOL_LONG;
    return (struct tool_spread){(longer.low - shorter.median) / bytes,
                                (longer.median - shorter.median) / bytes,
                                (longer.high - shorter.median) / bytes};
}

/* Whether a send of so many bytes returns before its receive is posted. The receiver is late from
 * when the sender has begun, so no other send returns in half of that time. Somebody else may take
 * the core for a while, so one return in time is enough. */
static bool sent_ahead(const struct tune *t, int bytes, double late)
{
    int ahead = 0;
    for (int i = 0; i < 3 && !ahead; i++) {
        if (!t->second) {
            double begin = strata_seconds();
            PMPI_Send(&ahead, 1, MPI_INT, t->partner, TAG, t->pair);
            PMPI_Send(t->buffer, bytes, MPI_BYTE, t->partner, TAG, t->pair);
            ahead = strata_seconds() - begin < late / 2;
            PMPI_Send(&ahead, 1, MPI_INT, t->partner, TAG, t->pair);
        } else {
            PMPI_Recv(&ahead, 1, MPI_INT, t->partner, TAG, t->pair, MPI_STATUS_IGNORE);
            spin(late);
            PMPI_Recv(t->buffer, bytes, MPI_BYTE, t->partner, TAG, t->pair, MPI_STATUS_IGNORE);
            PMPI_Recv(&ahead, 1, MPI_INT, t->partner, TAG, t->pair, MPI_STATUS_IGNORE);
        }
    }
    return ahead;
}

/* The longest message that is sent ahead, to a part in 64 of it. */
static int find_eager(const struct tune *t, double late)
{
    int least = 0, most = TOOL_LARGEST_EAGER;
    if (sent_ahead(t, most, late)) {
        return most;
    }
    for (int bytes = 64; bytes < most; bytes *= 2) {
        (*(sent_ahead(t, bytes, late) ? &least : &most)) = bytes;
    }
    while (most - least > 1 + least / 64) {
        int middle = least + (most - least) / 2;
        (*(sent_ahead(t, middle, late) ? &least : &most)) = middle;
    }
    return least;
}

/* Other work makes it seem shorter, so the longest of any pair counts. */
static double measure_eager(const struct tune *t, const struct tool_spread *message)
{
    int eager = 0;
    double late = fmin(fmax(2e-3, 50 * message->low), 20e-3);
    PMPI_Bcast(&late, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* rank 0 knows what was measured */
    meet();
    if (t->pair != MPI_COMM_NULL && t->at.local == 0) {
        eager = find_eager(t, late);
    }
    meet();
    PMPI_Allreduce(MPI_IN_PLACE, &eager, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return eager < TOOL_LARGEST_EAGER ? fmax(eager, 1) : 0;
}

static struct tool_spread measure_byte(const struct tune *t, int senders)
{
    const struct tool_spread shorter = exchange(t, senders, 1, TOOL_LONG);
    return per_byte(exchange(t, senders, 1, TOOL_LONGER), shorter);
}

/* Of long messages fewer are under way, so that a slow network takes its time no longer than for
 * one of the longest. */
static void measure_overlap(const struct tune *t, struct tool_network *n)
{
    const bool limit = n->eager > TOOL_SHORT;
    const int bytes[] = {TOOL_SHORT, limit ? (int)n->eager : 0, limit ? 2 * (int)n->eager : 0};
    for (int i = 0; i < 3; i++) {
        n->overlap[i].bytes = bytes[i];
        for (int k = 0; bytes[i] > 0 && k < TOOL_UNDER_WAY && bytes[i] << k <= TOOL_LONGER; k++) {
            n->overlap[i].seconds[k] = exchange(t, 1, 1 << k, bytes[i]);
        }
    }
}

static void measure_senders(const struct tune *t, struct tool_network *n)
{
    for (int i = 0, ranks = 1; i < TOOL_SENDERS && ranks > 0; i++) {
        n->senders[i].ranks = ranks;
        n->senders[i].at_once = exchange(t, ranks, TOOL_AT_ONCE, TOOL_SHORT);
        n->senders[i].byte = measure_byte(t, ranks);
        ranks = ranks == t->at.members ? 0 : 2 * ranks < t->at.members ? 2 * ranks : t->at.members;
    }
}

/* Other pairs than those of the network, of one rank on each side. `mine` and `partner` are numbers
 * by which a pair's two sides know each other, the smaller one first; partner -1: I have none. */
static struct tune pair_up(const struct tune *t, int partner, int mine)
{
    struct tune pairs = *t;
    const bool active = partner >= 0;
    pairs.second = mine > partner;
    PMPI_Comm_split(MPI_COMM_WORLD, active ? (pairs.second ? partner : mine) : MPI_UNDEFINED, mine,
                    &pairs.pair);
    const bool first = t->at.rank == 0 || (active && !pairs.second);
    PMPI_Comm_split(MPI_COMM_WORLD, first ? 0 : MPI_UNDEFINED, t->at.rank, &pairs.firsts);
    pairs.partner = !pairs.second;
    pairs.at.local = 0;
    return pairs;
}

static void pair_down(struct tune *pairs)
{
    if (pairs->pair != MPI_COMM_NULL) {
        PMPI_Comm_free(&pairs->pair);
    }
    if (pairs->firsts != MPI_COMM_NULL) {
        PMPI_Comm_free(&pairs->firsts);
    }
}

/* The pairs of nodes with so many levels of switches between them. */
static void measure_level(const struct tune *t, int level, struct tool_network *n)
{
    struct tune pairs = pair_up(t, t->at.local == 0 ? t->switches.partner[level] : -1, t->at.node);
    n->level[level].pairs = t->switches.pairs[level];
    n->level[level].message = exchange(&pairs, 1, 1, TOOL_SHORT);
    n->level[level].byte = measure_byte(&pairs, 1);
    pair_down(&pairs);
}

static void measure_levels(const struct tune *t, struct tool_network *n)
{
    for (int level = 0; level < TOOL_SWITCHES; level++) {
        if (t->switches.pairs[level] > 0) {
            measure_level(t, level, n);
        }
    }
}

static void measure_inside(const struct tune *t, struct tool_network *n)
{
    struct point p = {t->neighbour, 1, TOOL_SHORT, 8};
    n->node_message = measure(t, 2, p, time_exchanges);
    p.bytes = TOOL_LONG;
    struct tool_spread shorter = measure(t, 2, p, time_exchanges);
    p.bytes = TOOL_LONGER;
    n->node_byte = per_byte(measure(t, 2, p, time_exchanges), shorter);
}

/* Two ranks of each node that has such ones. */
static void measure_distance(const struct tune *t, int distance, struct tool_inner *inner)
{
    struct tune pairs = pair_up(t, t->inner.partner[distance], t->at.rank);
    const struct point calls = {pairs.partner, TOOL_AT_ONCE, TOOL_SHORT, 1};
    inner->message = exchange(&pairs, 1, 1, TOOL_SHORT);
    inner->overhead = measure(&pairs, 1, calls, time_calls);
    inner->at_once = exchange(&pairs, 1, TOOL_AT_ONCE, TOOL_SHORT);
    inner->byte = measure_byte(&pairs, 1);
    inner->eager = measure_eager(&pairs, &inner->message);
    if (inner->eager > 1) {
        inner->ahead = exchange(&pairs, 1, 1, (int)inner->eager);
        inner->waiting = exchange(&pairs, 1, 1, 2 * (int)inner->eager);
    }
    pair_down(&pairs);
}

static void measure_distances(const struct tune *t, struct tool_network *n)
{
    for (int distance = 0; distance < TOOL_INNERS; distance++) {
        n->inner[distance] = t->inner.inner[distance];
        if (n->inner[distance].pairs > 0) {
            measure_distance(t, distance, &n->inner[distance]);
        }
    }
}

static void measure_all(const struct tune *t, struct tool_network *n)
{
    const struct point calls = {t->partner, TOOL_AT_ONCE, TOOL_SHORT, 1};
    n->message = exchange(t, 1, 1, TOOL_SHORT);
    n->overhead = measure(t, 1, calls, time_calls);
    measure_senders(t, n);
    n->eager = measure_eager(t, &n->message);
    if (n->eager > 1) {
        n->ahead = exchange(t, 1, 1, (int)n->eager);
        n->waiting = exchange(t, 1, 1, 2 * (int)n->eager);
    }
    measure_overlap(t, n);
    measure_levels(t, n);
    if (t->at.members > 1) {
        measure_inside(t, n);
    }
    measure_distances(t, n);
}

static void make_pairs(struct tune *t)
{
    const bool active = t->at.node < t->at.nodes / 2 * 2 && t->at.local < t->at.members;
    const int mine = t->at.node % 2 * t->at.members, others = t->at.members - mine;
    PMPI_Comm_split(MPI_COMM_WORLD, active ? t->at.node / 2 : MPI_UNDEFINED, mine + t->at.local,
                    &t->pair);
    PMPI_Comm_split(MPI_COMM_WORLD, active && mine + t->at.local == 0 ? 0 : MPI_UNDEFINED,
                    t->at.rank, &t->firsts);
    t->second = t->at.node % 2;
    t->partner = others + t->at.local;
    t->neighbour = mine + 1 - t->at.local;
}

/* How many points are measured, which share the time. */
static double points_of(const struct tune *t)
{
    double points = 30 + 3 * (1 + log2(t->at.members));
    for (int i = 0; i < TOOL_SWITCHES; i++) {
        points += t->switches.pairs[i] > 0 ? 3 : 0;
    }
    for (int i = 0; i < TOOL_INNERS; i++) {
        points += t->inner.inner[i].pairs > 0 ? 7 : 0;
    }
    return points;
}

/* Hosts that are containers of one machine have the same boot id. */
static const struct strata_machine *find_base(void)
{
    char boot[2][STRATA_BOOT_ID];
    int same = strata_boot_id(boot[0]) > 0;
    memcpy(boot[1], boot[0], sizeof boot[1]);
    PMPI_Bcast(boot[1], sizeof boot[1], MPI_CHAR, 0, MPI_COMM_WORLD);
    same = same && memcmp(boot[0], boot[1], sizeof boot[1]) == 0;
    PMPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return same ? strata_machine_containers() : strata_machine_at(0);
}

/* Numbers that stand in the head of the file. */
static void describe(const struct tune *t, const struct tool_tune_request *request,
                     struct tool_tuned *tuned)
{
    int ranks;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(tuned->command, sizeof tuned->command,
             "strata tune machine --seconds %g, %d ranks on %d nodes", request->seconds, ranks,
             t->at.nodes);
    tool_places_name(&t->at, tuned->hosts, sizeof tuned->hosts, tuned->mpi, sizeof tuned->mpi);
    tuned->base = request->base ? request->base : find_base();
}

static int tune(const struct tool_command *command, const struct tool_tune_request *request,
                struct tune *t)
{
    struct tool_network network = {.eager = 0};
    struct tool_tuned tuned = {.hosts = ""};
    struct tool_written w = {.file = NULL};
    int code = TOOL_OK;
    if (t->at.rank == 0) { /* nobody measures for a file that cannot be written */
        w = tool_written_open(request->out);
        code = tool_written_can(&w) ? TOOL_OK : tool_written_complain(command, request->out);
    }
    PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (code != TOOL_OK) {
        return code;
    }
    make_pairs(t);
    tool_switches_find(&t->at, &t->switches);
    tool_inner_find(&t->at, &t->inner);
    t->slot = request->seconds / points_of(t);
    measure_all(t, &network);
    describe(t, request, &tuned);
    if (t->at.rank == 0) {
        w = w.fresh[0] ? tool_written_open(request->out) : w;
        if (w.file) {
            tool_machine_write(&network, &tuned, w.file);
        }
        if (!w.file || !tool_written_close(&w, request->out)) {
            code = tool_written_complain(command, request->out);
        }
        if (network.message.high > 2 * network.message.low) {
            tool_complain(command,
                          "other work disturbed the measurement: the quartiles of a short "
                          "message are %.3g and %.3g s",
                          network.message.low, network.message.high);
        }
    }
    PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return code;
}

/* Complains where this cannot be done; all ranks say the same. */
static bool can(const struct tool_command *command, const struct tune *t)
{
    int memory = t->buffer != NULL;
    PMPI_Allreduce(MPI_IN_PLACE, &memory, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (t->at.rank == 0 && (t->at.nodes < 2 || !memory)) {
        tool_complain(command, memory ? "all ranks are on one node; the network is between two"
                                      : "out of memory");
    }
    return t->at.nodes > 1 && memory;
}

int tool_tune_mpi(const struct tool_command *command, const struct tool_tune_request *request)
{
    struct tune t = {.buffer = strata_allocate(2, HALF)};
    int provided, code = TOOL_FAILED;
    if (PMPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS) {
        tool_places_find(&t.at);
        code = can(command, &t) ? tune(command, request, &t) : TOOL_FAILED;
        PMPI_Finalize();
    }
    strata_release(t.buffer);
    return code;
}
