/* Two ranks measure the figures from which the costs of plans are estimated: messages of several
 * lengths in both directions at once; a signal to and fro through the slots of the node's memory,
 * which no call uses yet; copies into a rank's own slot and out of the other rank's; combining; and
 * single copies of the other rank's own memory, where these are allowed. All ranks measure MPI's
 * own reductions. The least time of each counts, for every disturbance makes it longer.
 *
 * A rank that sends in a collective also receives, and its core moves the bytes of both messages. A
 * message to and fro would take half of that: one of 1 KiB takes 0.23 us, and two that cross take
 * 0.36.
 *
 * Data that a rank has just written lie in its cache. A reader that shares no cache with it takes
 * several times as long for such a byte as for one that it has read before. Rounds of messages pass
 * on data that were received or combined just before, but a rank that reads a local peer's input
 * finds data that have lain there for long. So messages are measured with bytes just written, and
 * single copies with bytes that were read before. */
#include "api/attach/measured_host.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "api/attach/group.h"
#include "api/attach/message_pair.h"
#include "core/base/memory.h"
#include "core/cost/machine_cost.h"
#include "core/kernels/kernels.h"
#include "internode/mpi/reductions_mpi.h"

enum {
    ROUNDS = 3,      /* the fastest one counts */
    TURNS = 8,       /* signals to and fro in a round */
    LOOKS = 1 << 23, /* looks for a signal, at most: some milliseconds */
    COPIED = 32768,
    LEAST_COPIED = 4096,
    NUMBERS = STRATA_NATIVE_VECTOR / sizeof(double),
    LONG = STRATA_MESSAGE_PAIR_LONG
};

/* A limit for all messages, which take less than a tenth of it if no other programs run. Beyond it
 * the rest is not measured. */
static const double MOST_SECONDS = 10e-3;

enum { PARAMETERS = sizeof(struct strata_host_parameters) / sizeof(double) };

struct pair {
    struct strata_group *g;
    struct strata_message_pair messages;
    unsigned char *mine, *others; /* the spans in the slots of this rank and of the other one */
    size_t copied;                /* bytes copied at once; 0: the slots are too short */
    unsigned char *buffer;        /* that of `messages` */
    uint64_t other_buffer;        /* the address of the other's `buffer` */
    uint64_t stamp;               /* the last one published in this rank's slot */
};

/* The contents of a slot while it is measured. */
struct span {
    _Alignas(STRATA_LINE) _Atomic uint64_t stamp;
    _Alignas(STRATA_LINE) unsigned char bytes[];
};

static struct span *span_of(unsigned char *slot)
{
    return (struct span *)(void *)slot;
}

static void publish(struct pair *p)
{
    /* pairs with the acquire in `seen` */
    atomic_store_explicit(&span_of(p->mine)->stamp, ++p->stamp, memory_order_release);
}

/* Whether the other rank has published this stamp; gives up after LOOKS looks. */
static bool seen(const struct pair *p, uint64_t stamp)
{
    int looks = 0;
    while (looks < LOOKS &&
           atomic_load_explicit(&span_of(p->others)->stamp, memory_order_acquire) < stamp) {
        looks++;
    }
    return looks < LOOKS;
}

static bool time_signals(struct pair *p, double *seconds)
{
    bool here = true;
    double begin = PMPI_Wtime();
    for (int i = 0; here && i < TURNS; i++) {
        if (p->messages.first) {
            publish(p);
        }
        here = seen(p, p->messages.first ? p->stamp : p->stamp + 1);
        if (!p->messages.first) {
            publish(p);
        }
    }
    if (here) {
        strata_least_time(seconds, (PMPI_Wtime() - begin) / (2 * TURNS));
    }
    return here;
}

/* As a plan moves short blocks: both ranks write their block, and read the other's when they see
 * its signal. */
static bool time_block(struct pair *p, size_t bytes, double *seconds)
{
    publish(p);
    if (!seen(p, p->stamp)) {
        return false;
    }
    double begin = PMPI_Wtime();
    memcpy(span_of(p->mine)->bytes, p->buffer, bytes);
    publish(p);
    bool here = seen(p, p->stamp);
    memcpy(p->buffer, span_of(p->others)->bytes, bytes);
    if (here) {
        strata_least_time(seconds, PMPI_Wtime() - begin);
    }
    publish(p);
    return here && seen(p, p->stamp);
}

static bool time_blocks(struct pair *p, struct strata_host_parameters *f)
{
    bool here = true;
    for (int i = 0; here && i < TURNS; i++) {
        here = time_block(p, STRATA_CACHE_LINE, &f->line) &&
               time_block(p, STRATA_SHORT_COPY, &f->block);
    }
    return here;
}

/* Both ranks copy into their own slot, which the other has read before, and out of the other's,
 * which it has written before. */
static bool time_copies(struct pair *p, struct strata_host_parameters *f)
{
    unsigned char *mine = span_of(p->mine)->bytes, *others = span_of(p->others)->bytes;
    double begin = PMPI_Wtime();
    memcpy(mine, p->buffer, p->copied);
    double in = PMPI_Wtime() - begin;
    publish(p);
    if (!seen(p, p->stamp)) {
        return false;
    }
    begin = PMPI_Wtime();
    memcpy(p->buffer, others, p->copied);
    double out = PMPI_Wtime() - begin;
    strata_least_time(&f->copy, (in + out) / (2 * (double)p->copied));
    memcpy(p->buffer, others, p->copied);
    strata_least_time(&f->mapped, (PMPI_Wtime() - begin - out) / (double)p->copied);
    publish(p);
    return seen(p, p->stamp);
}

static double time_sum(const void *from, void *into, size_t bytes)
{
    double begin = PMPI_Wtime();
    strata_kernel_find(STRATA_OPERATION_SUM, STRATA_NUMBER_DOUBLE)(from, into, into,
                                                                   bytes / sizeof(double));
    return (PMPI_Wtime() - begin) / (double)bytes;
}

/* The operands come from another core, as in a plan. */
static bool time_combining(struct pair *p, struct strata_host_parameters *f)
{
    memcpy(span_of(p->mine)->bytes, p->buffer, p->copied);
    publish(p);
    if (!seen(p, p->stamp)) {
        return false;
    }
    strata_least_time(&f->combine, time_sum(span_of(p->others)->bytes, p->buffer, p->copied));
    strata_least_time(&f->combine_near, time_sum(span_of(p->others)->bytes, p->buffer, p->copied));
    publish(p);
    return seen(p, p->stamp);
}

static void time_fetch(const struct pair *p, size_t bytes, double *seconds)
{
    const struct strata_peer_memory *peers = p->g->memory.peers;
    const struct strata_range there = {p->other_buffer, bytes};
    int member = p->g->topology->local_of[p->messages.peer];
    double begin = PMPI_Wtime();
    if (peers->read(peers, member, &there, 1, p->buffer + LONG) == STRATA_OK) {
        strata_least_time(seconds, PMPI_Wtime() - begin);
    }
}

static void time_memory(struct pair *p, struct strata_host_parameters *f)
{
    bool here = p->copied > 0;
    for (int i = 0; here && i < ROUNDS; i++) {
        here = time_signals(p, &f->signal) && time_blocks(p, f) && time_copies(p, f) &&
               time_combining(p, f);
    }
    for (int i = 0; p->g->capacity.single_copy && i < TURNS; i++) {
        time_fetch(p, sizeof(double), &f->fetch);
        time_fetch(p, LONG, &f->read);
    }
}

/* Makes the times of lines those inside a cache, by the description's factors: the two members may
 * lie in different caches, domains or packages. A message brings a line, too. */
static void bring_near(const struct pair *p, struct strata_host_parameters *f)
{
    const struct strata_group *g = p->g;
    struct strata_message_times *m = &f->messages;
    double times = strata_machine_times(
        strata_machine_host(), strata_topology_distance(g->topology, g->rank, p->messages.peer));
    double signal = f->signal * (1 - 1 / times), line = f->line * (1 - 1 / times);
    if (times > 1 && f->signal < DBL_MAX && f->line < DBL_MAX) {
        f->signal -= signal;
        f->line -= line;
        f->block -= line;
        m->message -= fmin(signal, m->message / 2);
        for (int i = 0; i < STRATA_HOST_SIZES; i++) {
            m->sized[i] -= fmin(signal, m->sized[i] / 2);
        }
    }
}

static int time_all(struct pair *p, struct strata_host_parameters *f)
{
    bool in_time = true;
    int error = strata_message_pair_time(&p->messages, MOST_SECONDS, &f->messages, &in_time);
    if (error == MPI_SUCCESS && in_time) {
        time_memory(p, f);
    }
    return error;
}

/* The bytes that are copied at once in slots of this ring. */
static size_t room(const struct strata_ring *ring)
{
    size_t head = STRATA_LINE + sizeof(struct span);
    size_t bytes = ring->slot_bytes > head ? ring->slot_bytes - head : 0;
    return bytes < LEAST_COPIED ? 0 : bytes < COPIED ? bytes : COPIED;
}

/* Both ranks clear their span and say where their buffer is, before either goes on. */
static int measure(struct pair *p, struct strata_host_parameters *f)
{
    if (p->copied > 0) {
        atomic_store_explicit(&span_of(p->mine)->stamp, 0, memory_order_relaxed);
    }
    int error =
        strata_message_pair_words(&p->messages, (uint64_t)(uintptr_t)p->buffer, &p->other_buffer);
    if (error == MPI_SUCCESS) {
        error = time_all(p, f);
        bring_near(p, f);
    }
    return error;
}

/* The pair of this rank and the node's first or last member; no buffer: without memory. */
static struct pair pair_of(struct strata_group *g, int peer)
{
    const struct strata_ring *ring = &g->memory.ring[STRATA_LARGE_RING];
    int theirs = g->topology->local_of[peer];
    const struct strata_message_pair messages = strata_message_pair_of(g, peer);
    return (struct pair){.g = g,
                         .messages = messages,
                         .mine = strata_ring_slot(ring, ring->me, ring->epoch) + STRATA_LINE,
                         .others = strata_ring_slot(ring, theirs, ring->epoch) + STRATA_LINE,
                         .copied = room(ring),
                         .buffer = messages.buffer};
}

static int reduce(const double *in, double *out, MPI_Comm comm)
{
    return PMPI_Reduce(in, out, NUMBERS, MPI_DOUBLE, MPI_SUM, 0, comm);
}

static int allreduce(const double *in, double *out, MPI_Comm comm)
{
    return PMPI_Allreduce(in, out, NUMBERS, MPI_DOUBLE, MPI_SUM, comm);
}

static int reduce_scatter(const double *in, double *out, MPI_Comm comm)
{
    int ranks = 1;
    PMPI_Comm_size(comm, &ranks);
    return PMPI_Reduce_scatter_block(in, out, NUMBERS / ranks, MPI_DOUBLE, MPI_SUM, comm);
}

static int time_native(MPI_Comm comm, const double *in, double *out,
                       struct strata_host_parameters *f)
{
    const struct {
        int (*call)(const double *, double *, MPI_Comm);
        double *parameter;
    } own[] = {
        {reduce, &f->reduce}, {allreduce, &f->allreduce}, {reduce_scatter, &f->reduce_scatter}};
    int error = MPI_SUCCESS;

    for (int i = 0; i < 3 * ROUNDS && error == MPI_SUCCESS; i++) {
        double begin = PMPI_Wtime();
        error = own[i % 3].call(in, out, comm);
        strata_least_time(own[i % 3].parameter, PMPI_Wtime() - begin);
    }
    return error;
}

/* What this rank measures, and needs for it. */
struct measuring {
    struct strata_group *g;
    struct pair pair; /* without a buffer where the rank is in none */
    bool paired;
    double *vector; /* two, for MPI's own reductions */
};

static struct measuring prepare(struct strata_group *g)
{
    const struct strata_topology *t = g->topology;
    int first = strata_topology_rank(t, 0, 0), last = strata_topology_rank(t, 0, t->largest - 1);
    struct measuring m = {.g = g,
                          .paired = g->rank == first || g->rank == last,
                          .vector = strata_allocate(2, STRATA_NATIVE_VECTOR)};
    if (m.paired) {
        m.pair = pair_of(g, g->rank == first ? last : first);
    }
    return m;
}

/* Whether both ranks of the pair have memory; and whether all have it for MPI's own reductions, and
 * none has an MPI whose reductions may crash. */
enum { PAIR, NATIVE, ABLE };

static int agree_able(const struct measuring *m, int able[ABLE])
{
    able[PAIR] = !m->paired || m->pair.buffer;
    able[NATIVE] = m->vector && strata_mpi_reductions_work();
    return PMPI_Allreduce(MPI_IN_PLACE, able, ABLE, MPI_INT, MPI_MIN, m->g->comm);
}

/* Rank 0 is the root of MPI's reductions, which gets the result last, so its times count. *alone: a
 * collective of MPI's failed on this rank. The others may still be in it, so no further collective
 * may meet it. */
static int measure_all(struct measuring *m, struct strata_host_parameters *f, bool *alone)
{
    struct strata_host_parameters ignored = *f;
    int able[ABLE];
    int error = MPI_SUCCESS;
    int native = agree_able(m, able);
    if (native == MPI_SUCCESS && able[PAIR] && m->paired) {
        error = measure(&m->pair, f);
    }
    if (native == MPI_SUCCESS && able[NATIVE]) {
        native =
            time_native(m->g->comm, m->vector, m->vector + NUMBERS, m->g->rank == 0 ? f : &ignored);
    }
    *alone = native != MPI_SUCCESS;
    return error == MPI_SUCCESS ? native : error;
}

/* After an error MPI may still write to the buffers. */
static void clean_up(struct measuring *m, int error)
{
    if (error == MPI_SUCCESS) {
        strata_release(m->pair.buffer);
        strata_release(m->vector);
    }
}

int strata_host_measure(struct strata_group *group, bool known,
                        struct strata_host_parameters *parameters)
{
    double word[PARAMETERS + 1]; /* the last one: -1 where this rank's messages failed */
    struct strata_host_parameters measured = *parameters;
    int error = MPI_SUCCESS;
    bool alone = false;
    if (!known) {
        for (int i = 0; i < PARAMETERS; i++) {
            ((double *)(void *)&measured)[i] = DBL_MAX;
        }
        struct measuring m = prepare(group);
        error = measure_all(&m, &measured, &alone);
        clean_up(&m, error);
    }
    memcpy(word, &measured, sizeof measured);
    word[PARAMETERS] = error == MPI_SUCCESS ? 0 : -1;
    if (alone || PMPI_Allreduce(MPI_IN_PLACE, word, PARAMETERS + 1, MPI_DOUBLE, MPI_MIN,
                                group->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    return strata_message_pair_take(group, word, PARAMETERS, parameters);
}
