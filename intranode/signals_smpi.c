/* Simulated nodes: a published signal is a message without bytes to each member that awaits it, in
 * a mailbox of SimGrid. MPI has no part in it.
 *
 * Each member has its own copy of all signals. The plans say which member awaits which signal of
 * which other one. A member knows only its own plan, so the members of a node tell each other when
 * a plan is made. There is a mailbox for each ring, signal, and pair of members. Messages in a
 * mailbox have the order of epochs, and each is received, so a receive brings the awaited signal.
 * SimGrid's model gives the message the latency of the node's loopback, and no processor time. The
 * signals that a step awaits of several members come side by side, as a core reads several flags:
 * each but the first costs the property `flag` of the host, as in the cost of a sweep. Nothing
 * fails there.
 *
 * Members look in the node's memory to see which of them have left an epoch. Ranks of one process
 * share that memory, and time stands still meanwhile. Few members ever wait for another to leave: a
 * member that does says for which one, and that one sends it a message when it leaves its next
 * epoch. Then the member looks again. */
#include "intranode/signals_smpi.h"

#include <mpi.h>
#include <simgrid/comm.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <xbt/sysdep.h>

#include "core/base/memory.h"
#include "core/engine/simulated_work.h"
#include "intranode/signals.h"

/* The members that await this rank's signals while this plan runs: bit p of readers[member] is
 * signal p. */
struct learned {
    struct learned *next;
    const struct strata_plan *plan;
    unsigned char readers[];
};

/* Of one ring. */
struct carried {
    _Atomic uint64_t *signals; /* [members][places] */
    unsigned char *sent;       /* [members] highest signal of this epoch that went to each */
    uint64_t epoch;            /* of sent */
};

struct strata_signal_carrier {
    struct strata_signal_carrier *next; /* of this rank's */
    struct strata_node_memory *memory;
    int members, me;
    MPI_Comm node;
    struct carried carried[STRATA_RINGS];
    sg_comm_t *coming; /* [members] the signals that this rank waits for */
    struct learned *plans;
    const struct learned *running;
};

static struct strata_signal_carrier *all;

/* STRATA_RINGS: it is none of these. */
static int kind_of(const struct strata_signal_carrier *s, const struct strata_ring *ring)
{
    int kind = 0;
    while (kind < STRATA_RINGS && ring != &s->memory->ring[kind]) {
        kind++;
    }
    return kind;
}

static struct strata_signal_carrier *find(const struct strata_ring *ring)
{
    struct strata_signal_carrier *s = all;
    while (s && kind_of(s, ring) == STRATA_RINGS) {
        s = s->next;
    }
    return s;
}

/* All ranks are in one process, so the node's memory lies at one address for all of its members. */
static sg_mailbox_t mailbox(const struct strata_ring *ring, int from, int into, unsigned signal)
{
    char name[96];
    snprintf(name, sizeof name, "strata %p %d %d %u", (void *)ring->member, from, into, signal);
    return sg_mailbox_by_name(name);
}

static void send_flag(const struct strata_signal_carrier *s, const struct strata_ring *ring,
                      int member, unsigned signal)
{
    void *word = xbt_malloc0(sizeof(void *)); /* SMPI copies one, of any message, and frees it */
    sg_comm_detach(sg_mailbox_put_init(mailbox(ring, s->me, member, signal), word, 0), NULL);
}

/* The array holds it until it is waited for. */
static sg_comm_t receive_flag(const struct strata_signal_carrier *s, const struct strata_ring *ring,
                              int member, unsigned signal)
{
    static void *word;
    return sg_mailbox_get_async(mailbox(ring, member, s->me, signal), &word);
}

/* The member that this one waits for until that one leaves an epoch: 1 + its number; 0: none. No
 * member sleeps here, so the bell of leaving can hold this. */
static _Atomic uint32_t *waits_for(const struct strata_ring *ring, int member)
{
    return &ring->member[member].bell[0].sleepers;
}

/* Sends a message to all members that wait until this one has left an epoch. */
static void publish_leaving(const struct strata_signal_carrier *s, const struct strata_ring *ring)
{
    uint32_t me = (uint32_t)s->me + 1;
    for (int member = 0; member < s->members; member++) {
        if (atomic_load_explicit(waits_for(ring, member), memory_order_relaxed) == me) {
            atomic_store_explicit(waits_for(ring, member), 0, memory_order_relaxed);
            strata_charge_pay();
            send_flag(s, ring, member, 0);
        }
    }
}

/* A ring's wake hook. */
static void publish(struct strata_ring *ring, uint64_t stamp)
{
    struct strata_signal_carrier *s = find(ring);
    struct carried *c = &s->carried[kind_of(s, ring)];
    unsigned signal = strata_stamp_signal(stamp);
    if (signal == 0) {
        publish_leaving(s, ring);
        return;
    }
    bool fresh = c->epoch != strata_stamp_epoch(stamp);
    c->epoch = strata_stamp_epoch(stamp);
    strata_charge_pay();
    for (int member = 0; s->running && member < s->members; member++) {
        unsigned awaited = s->running->readers[member];
        for (unsigned p = fresh ? 1 : c->sent[member] + 1u; p <= signal; p++) {
            if (awaited >> p & 1) {
                send_flag(s, ring, member, p);
            }
        }
        c->sent[member] = (unsigned char)signal;
    }
}

/* Signals of its own instead of the ring's, on which no rank could wait. */
static bool equip_ring(struct carried *c, struct strata_ring *ring)
{
    size_t members = (size_t)ring->members;
    c->signals = strata_allocate(ring->depth * members, sizeof *c->signals);
    c->sent = strata_allocate(members, 1);
    ring->signals = (unsigned char *)(uintptr_t)c->signals;
    ring->signal_bytes = sizeof *c->signals;
    return c->signals && c->sent;
}

static int equip(struct strata_signal_carrier *s, struct strata_node_memory *memory)
{
    bool equipped = true;
    s->memory = memory;
    s->members = memory->ring[STRATA_LARGE_RING].members;
    s->me = memory->ring[STRATA_LARGE_RING].me;
    for (int kind = 0; kind < STRATA_RINGS; kind++) {
        equipped = equip_ring(&s->carried[kind], &memory->ring[kind]) && equipped;
    }
    s->coming = strata_allocate((size_t)s->members, sizeof(sg_comm_t));
    equipped = equipped && s->coming;
    strata_node_memory_wake(memory, publish);
    return equipped ? STRATA_OK : STRATA_ERR_MEMORY;
}

int strata_signal_carrier_create(struct strata_signal_carrier **carrier, MPI_Comm comm, int node,
                                 struct strata_node_memory *memory)
{
    struct strata_signal_carrier *s = strata_allocate(1, sizeof *s);
    MPI_Comm members = MPI_COMM_NULL;
    *carrier = NULL;
    if (PMPI_Comm_split(comm, node, memory->ring[STRATA_LARGE_RING].me, &members) || !s ||
        equip(s, memory)) {
        strata_release(s);
        return STRATA_ERR_MEMORY;
    }
    s->node = members;
    s->next = all;
    all = s;
    *carrier = s;
    return STRATA_OK;
}

void strata_signal_carrier_destroy(struct strata_signal_carrier *carrier)
{
    if (!carrier) {
        return;
    }
    struct strata_signal_carrier **link = &all;
    while (*link != carrier) {
        link = &(*link)->next;
    }
    *link = carrier->next;
    while (carrier->plans) {
        struct learned *next = carrier->plans->next;
        strata_release(carrier->plans);
        carrier->plans = next;
    }
    PMPI_Comm_free(&carrier->node);
    for (int kind = 0; kind < STRATA_RINGS; kind++) {
        strata_release(carrier->carried[kind].signals);
        strata_release(carrier->carried[kind].sent);
    }
    strata_release(carrier->coming);
    strata_release(carrier);
}

/* This plan's entry; one of an older plan that lay at the same address is used again. */
static struct learned *entry_of(struct strata_signal_carrier *s, const struct strata_plan *plan)
{
    struct learned *l = s->plans;
    while (l && l->plan != plan) {
        l = l->next;
    }
    if (!l) {
        l = strata_allocate(1, sizeof *l + (size_t)s->members);
        if (l) {
            l->plan = plan;
            l->next = s->plans;
            s->plans = l;
        }
    }
    return l;
}

int strata_signal_carrier_learn(struct strata_signal_carrier *carrier,
                                const struct strata_plan *plan)
{
    if (!carrier || !plan || !plan->exchange.staged) {
        return STRATA_OK;
    }
    int members = carrier->members;
    struct learned *l = entry_of(carrier, plan);
    unsigned char *mine = strata_allocate((size_t)members, 1);
    int error = l && mine ? STRATA_OK : STRATA_ERR_MEMORY;
    if (!error) {
        strata_plan_awaits(plan, mine);
        error = PMPI_Alltoall(mine, 1, MPI_BYTE, l->readers, 1, MPI_BYTE, carrier->node)
                    ? STRATA_ERR_TRANSPORT
                    : STRATA_OK;
    }
    strata_release(mine);
    return error;
}

void strata_signals_begin(const struct strata_execution *x)
{
    struct strata_signal_carrier *s = x->memory ? find(x->ring) : NULL;
    if (s) {
        struct learned *l = s->plans;
        while (l && l->plan != x->plan) {
            l = l->next;
        }
        s->running = l;
    }
}

/* It may have left while this rank paid for its work. */
static void await_leaving(const struct strata_execution *x, const struct strata_signal_carrier *s)
{
    if (atomic_load_explicit(x->pending_at, memory_order_relaxed) < x->pending_stamp) {
        atomic_store_explicit(waits_for(x->ring, s->me), (uint32_t)x->pending_member + 1,
                              memory_order_relaxed);
        sg_comm_wait(receive_flag(s, x->ring, x->pending_member, 0));
    }
}

static _Atomic uint64_t *seen_of(const struct strata_execution *x, int member)
{
    return strata_ring_signal(x->ring, member, strata_stamp_epoch(x->pending_stamp));
}

static bool is_to_come(const struct strata_execution *x, int member)
{
    return member != x->ring->me &&
           atomic_load_explicit(seen_of(x, member), memory_order_relaxed) < x->pending_stamp;
}

/* Of all members that the step awaits. */
static void await_flags(struct strata_execution *x, const struct strata_signal_carrier *s,
                        unsigned signal)
{
    size_t flags = 0;
    for (int m = x->pending_member; m < x->pending_end; m++) {
        s->coming[m] = is_to_come(x, m) ? receive_flag(s, x->ring, m, signal) : NULL;
    }
    for (int m = x->pending_member; m < x->pending_end; m++) {
        if (s->coming[m]) {
            sg_comm_wait(s->coming[m]);
            atomic_store_explicit(seen_of(x, m), x->pending_stamp, memory_order_relaxed);
            flags++;
        }
    }
    strata_charge_flags(flags - 1);
}

void strata_signals_await(struct strata_execution *x)
{
    struct strata_signal_carrier *s = find(x->ring);
    unsigned signal = strata_stamp_signal(x->pending_stamp);
    strata_charge_pay();
    if (signal == 0) {
        await_leaving(x, s);
    } else {
        await_flags(x, s, signal);
    }
}
