/* Simulated nodes: a published signal is a message without bytes to each member that awaits it.
 *
 * Each member has a copy of all signals of its own. Who awaits which signal of whom stands in the
 * plans, and a member knows its own plan alone, so the members of a node tell each other when a
 * plan is made. A message's tag is its signal; messages of one signal come in the order of their
 * uses, and each is received, so a receive brings the signal that is waited for. SimGrid's model
 * gives such a message the latency of the node's loopback, and no processor time. Nothing fails
 * there.
 *
 * Who has left a use is looked up in the node's memory, which ranks of one process share and in
 * which time stands still meanwhile. Few ever wait for it: whoever does says for whom, and is sent
 * a message when that member leaves its next use. Then it looks again. */
#include "intranode/signals_smpi.h"

#include <mpi.h>

#include "core/base/memory.h"
#include "core/engine/simulated_work.h"
#include "intranode/signals.h"

/* Who awaits which signals of mine while this plan runs: bit p of readers[member] is signal p. */
struct learned {
    struct learned *next;
    const struct strata_plan *plan;
    unsigned char readers[];
};

struct strata_signal_carrier {
    struct strata_signal_carrier *next; /* of this rank's */
    struct strata_node_memory *memory;
    MPI_Comm node;
    _Atomic uint64_t *signals; /* [members][STRATA_PLACES] */
    unsigned char *sent;       /* [members] highest signal of this use that went to each */
    uint64_t use;              /* of sent */
    struct learned *plans;
    const struct learned *running;
};

static struct strata_signal_carrier *all;

static struct strata_signal_carrier *find(const struct strata_node_memory *memory)
{
    struct strata_signal_carrier *s = all;
    while (s && s->memory != memory) {
        s = s->next;
    }
    return s;
}

/* For whom a member waits until it leaves a use: 1 + the member, 0: for nobody. Nobody sleeps here,
 * so the bell of leaving has room for it. */
static _Atomic uint32_t *waits_for(const struct strata_node_memory *memory, int member)
{
    return &memory->member[member].bell[0].sleepers;
}

/* To all that wait until this member has left a use. */
static void publish_leaving(const struct strata_signal_carrier *s)
{
    const struct strata_node_memory *memory = s->memory;
    uint32_t me = (uint32_t)memory->me + 1;
    for (int member = 0; member < memory->members; member++) {
        if (atomic_load_explicit(waits_for(memory, member), memory_order_relaxed) == me) {
            atomic_store_explicit(waits_for(memory, member), 0, memory_order_relaxed);
            strata_charge_pay();
            PMPI_Send(NULL, 0, MPI_BYTE, member, 0, s->node);
        }
    }
}

/* The node memory's wake hook. */
static void publish(struct strata_node_memory *memory, uint64_t moment)
{
    struct strata_signal_carrier *s = find(memory);
    unsigned signal = strata_moment_signal(moment);
    if (signal == 0) {
        publish_leaving(s);
        return;
    }
    bool fresh = s->use != strata_moment_use(moment);
    s->use = strata_moment_use(moment);
    strata_charge_pay();
    for (int member = 0; s->running && member < memory->members; member++) {
        unsigned awaited = s->running->readers[member];
        for (unsigned p = fresh ? 1 : s->sent[member] + 1u; p <= signal; p++) {
            if (awaited >> p & 1) {
                PMPI_Send(NULL, 0, MPI_BYTE, member, (int)p, s->node);
            }
        }
        s->sent[member] = (unsigned char)signal;
    }
}

/* Own signals instead of the node memory's, which nobody could wait for. */
static int equip(struct strata_signal_carrier *s, struct strata_node_memory *memory)
{
    size_t members = (size_t)memory->members;
    s->memory = memory;
    s->signals = strata_allocate(STRATA_PLACES * members, sizeof *s->signals);
    s->sent = strata_allocate(members, 1);
    if (!s->signals || !s->sent) {
        return STRATA_ERR_MEMORY;
    }
    memory->signals = (unsigned char *)(uintptr_t)s->signals;
    memory->signal_bytes = sizeof *s->signals;
    memory->wake = publish;
    return STRATA_OK;
}

int strata_signal_carrier_create(struct strata_signal_carrier **carrier, MPI_Comm comm, int node,
                                 struct strata_node_memory *memory)
{
    struct strata_signal_carrier *s = strata_allocate(1, sizeof *s);
    MPI_Comm members = MPI_COMM_NULL;
    *carrier = NULL;
    if (PMPI_Comm_split(comm, node, memory->me, &members) || !s || equip(s, memory)) {
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
    strata_release(carrier->signals);
    strata_release(carrier->sent);
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
        l = strata_allocate(1, sizeof *l + (size_t)s->memory->members);
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
    int members = carrier->memory->members;
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
    struct strata_signal_carrier *s = x->memory ? find(x->memory) : NULL;
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
    if (atomic_load_explicit(x->pending_at, memory_order_relaxed) < x->pending_moment) {
        atomic_store_explicit(waits_for(s->memory, s->memory->me), (uint32_t)x->pending_member + 1,
                              memory_order_relaxed);
        PMPI_Recv(NULL, 0, MPI_BYTE, x->pending_member, 0, s->node, MPI_STATUS_IGNORE);
    }
}

void strata_signals_await(struct strata_execution *x)
{
    struct strata_signal_carrier *s = find(x->memory);
    strata_charge_pay();
    if (strata_moment_signal(x->pending_moment) == 0) {
        await_leaving(x, s);
        return;
    }
    PMPI_Recv(NULL, 0, MPI_BYTE, x->pending_member, (int)strata_moment_signal(x->pending_moment),
              s->node, MPI_STATUS_IGNORE);
    atomic_store_explicit(strata_node_memory_signal(x->memory, x->pending_member,
                                                    strata_moment_use(x->pending_moment)),
                          x->pending_moment, memory_order_relaxed);
}
