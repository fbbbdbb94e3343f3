/* Simulated nodes: a published phase is a message without bytes to each member that awaits it.
 *
 * Each member has a copy of all flags of its own. Who awaits which phase of whom stands in the plans,
 * and a member knows its own plan alone, so the members of a node tell each other when a plan is made.
 * A message's tag is its phase; messages of one phase come in the order of their epochs, and each is
 * received, so a receive brings the flag that is waited for. SimGrid's model gives such a message the
 * latency of the node's loopback, and no processor time. */
#include "intranode/signals_smpi.h"

#include <mpi.h>

#include "core/base/memory.h"
#include "core/engine/charge.h"
#include "intranode/signals.h"

/* Who awaits which phases of mine while this plan runs: bit p of readers[member] is phase p. */
struct learned {
    struct learned *next;
    const struct strata_plan *plan;
    unsigned char readers[];
};

struct strata_signals {
    struct strata_signals *next; /* of this rank's */
    struct strata_segment *segment;
    MPI_Comm node;
    struct strata_flag *flags; /* [members] */
    unsigned char *sent;       /* [members] highest phase of this epoch that went to each */
    uint64_t epoch;            /* of sent */
    struct learned *plans;
    const struct learned *running;
};

static struct strata_signals *all;

static struct strata_signals *find(const struct strata_segment *segment)
{
    struct strata_signals *s = all;
    while (s && s->segment != segment) {
        s = s->next;
    }
    return s;
}

/* The segment's wake hook: my flag has a new value. */
static void publish(struct strata_segment *segment)
{
    struct strata_signals *s = find(segment);
    uint64_t value = atomic_load_explicit(&segment->flags[segment->me].value, memory_order_relaxed);
    unsigned phase = (unsigned)(value & 3);
    bool fresh = s->epoch != value / 4;
    s->epoch = value / 4;
    strata_charge_pay();
    for (int member = 0; s->running && member < segment->members; member++) {
        unsigned awaited = s->running->readers[member];
        for (unsigned p = fresh ? 1 : s->sent[member] + 1u; p <= phase; p++) {
            if (awaited >> p & 1) {
                PMPI_Send(NULL, 0, MPI_BYTE, member, (int)p, s->node);
            }
        }
        s->sent[member] = (unsigned char)phase;
    }
}

/* Own flags instead of the segment's, which nobody could wait for. */
static int equip(struct strata_signals *s, struct strata_segment *segment)
{
    size_t members = (size_t)segment->members;
    s->segment = segment;
    s->flags = strata_allocate(members, sizeof *s->flags);
    s->sent = strata_allocate(members, 1);
    if (!s->flags || !s->sent) {
        return STRATA_ERR_MEMORY;
    }
    s->epoch = UINT64_MAX;
    segment->flags = s->flags;
    segment->wake = publish;
    return STRATA_OK;
}

int strata_signals_create(struct strata_signals **signals, MPI_Comm comm, int node,
                          struct strata_segment *segment)
{
    struct strata_signals *s = strata_allocate(1, sizeof *s);
    MPI_Comm members = MPI_COMM_NULL;
    *signals = NULL;
    if (PMPI_Comm_split(comm, node, segment->me, &members) || !s || equip(s, segment)) {
        strata_release(s);
        return STRATA_ERR_MEMORY;
    }
    s->node = members;
    s->next = all;
    all = s;
    *signals = s;
    return STRATA_OK;
}

void strata_signals_destroy(struct strata_signals *signals)
{
    if (!signals) {
        return;
    }
    struct strata_signals **link = &all;
    while (*link != signals) {
        link = &(*link)->next;
    }
    *link = signals->next;
    while (signals->plans) {
        struct learned *next = signals->plans->next;
        strata_release(signals->plans);
        signals->plans = next;
    }
    PMPI_Comm_free(&signals->node);
    strata_release(signals->flags);
    strata_release(signals->sent);
    strata_release(signals);
}

/* A phase is awaited once: later steps find the flag there. */
static void note_await(unsigned char *mine, int member, int phase)
{
    if (mine[member] >> phase == 0) {
        mine[member] |= (unsigned char)(1u << phase);
    }
}

static void note_awaits(const struct strata_plan *plan, int members, int me, unsigned char *mine)
{
    for (int i = 0; i < plan->nsteps; i++) {
        const struct strata_step *step = &plan->steps[i];
        for (int member = 0; step->op == STRATA_STEP_AWAIT && member < members; member++) {
            bool meant = step->peer == STRATA_ALL_MEMBERS || step->peer == member;
            if (meant && member != me) {
                note_await(mine, member, step->count);
            }
        }
    }
}

/* This plan's entry; one of an older plan that lay at the same address is used again. */
static struct learned *entry_of(struct strata_signals *s, const struct strata_plan *plan)
{
    struct learned *l = s->plans;
    while (l && l->plan != plan) {
        l = l->next;
    }
    if (!l) {
        l = strata_allocate(1, sizeof *l + (size_t)s->segment->members);
        if (l) {
            l->plan = plan;
            l->next = s->plans;
            s->plans = l;
        }
    }
    return l;
}

int strata_signals_learn(struct strata_signals *signals, const struct strata_plan *plan)
{
    if (!signals || !plan || !plan->exchange.staged) {
        return STRATA_OK;
    }
    int members = signals->segment->members;
    struct learned *l = entry_of(signals, plan);
    unsigned char *mine = strata_allocate((size_t)members, 1);
    int error = l && mine ? STRATA_OK : STRATA_ERR_MEMORY;
    if (!error) {
        note_awaits(plan, members, signals->segment->me, mine);
        error = PMPI_Alltoall(mine, 1, MPI_BYTE, l->readers, 1, MPI_BYTE, signals->node)
                    ? STRATA_ERR_TRANSPORT
                    : STRATA_OK;
    }
    strata_release(mine);
    return error;
}

void strata_signals_begin(const struct strata_execution *x)
{
    struct strata_signals *s = x->segment ? find(x->segment) : NULL;
    if (s) {
        struct learned *l = s->plans;
        while (l && l->plan != x->plan) {
            l = l->next;
        }
        s->running = l;
    }
}

void strata_signals_await(struct strata_execution *x)
{
    struct strata_signals *s = find(x->segment);
    strata_charge_pay();
    PMPI_Recv(NULL, 0, MPI_BYTE, x->pending_member, (int)(x->pending_value & 3), s->node,
              MPI_STATUS_IGNORE);
    atomic_store_explicit(&s->flags[x->pending_member].value, x->pending_value,
                          memory_order_relaxed);
}
