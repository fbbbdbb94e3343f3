/* Counts what the plans of all ranks do. Only the clocks need them all at once: ranks run one after
 * another, each until a wait or an await stops it, and again when what it lacks has been posted. */
#include "sim/trace/formula_count.h"

#include "core/base/memory.h"
#include "core/base/pair_table.h"
#include "core/plan/actions.h"

#define BLOCKED (-1)

/* A message that a rank has posted and not waited for; peer -1: a send. */
struct open_message {
    int32_t peer;
};

struct counted_rank {
    struct strata_actions actions;
    const struct strata_action *now; /* NULL: it came to its end */
    int clock, latest;               /* latest: of what the wait has completed so far */
    bool completes;                  /* the wait has completed something */
    bool queued;                     /* stands in the queue of those that may go on */
    struct open_message *open;
    int first_open, end_open, open_capacity;
    int published[STRATA_SIGNAL_DONE + 1]; /* the clock at each signal; -1: not published */
    int64_t messages, blocks, reduced, copied;
};

struct counter {
    const struct strata_plan *const *plans;
    int ranks;
    struct counted_rank *rank;
    int *queue; /* ranks that may go on: a ring */
    int queue_first, queued;
    struct strata_pair_table sends; /* posted and not taken: the clocks at which they were posted */
};

static void wake(struct counter *k, int rank)
{
    if (!k->rank[rank].queued) {
        k->rank[rank].queued = true;
        k->queue[(k->queue_first + k->queued++) % k->ranks] = rank;
    }
}

static struct strata_pair *pair_of(struct counter *k, int from, int to)
{
    return strata_pair_find(&k->sends, (uint64_t)from * (uint64_t)k->ranks + (uint64_t)to);
}

static int keep_open(struct counted_rank *me, int peer)
{
    if (me->end_open == me->open_capacity) {
        int more = 2 * me->open_capacity + 8;
        struct open_message *open = strata_reallocate(me->open, (size_t)more, sizeof(*open));
        if (!open) {
            return STRATA_ERR_MEMORY;
        }
        me->open = open;
        me->open_capacity = more;
    }
    me->open[me->end_open++].peer = peer;
    return STRATA_OK;
}

static int count_send(struct counter *k, int rank, const struct strata_action *a)
{
    struct counted_rank *me = &k->rank[rank];
    struct strata_pair *pair = pair_of(k, rank, a->peer);
    if (!pair || strata_pair_put(&k->sends, pair, me->clock)) {
        return STRATA_ERR_MEMORY;
    }
    me->messages++;
    me->blocks += strata_set_count(a->set);
    wake(k, a->peer);
    return keep_open(me, -1);
}

/* The oldest message sent to me by that rank: its clock, BLOCKED when there is none yet. */
static int take(struct counter *k, int from, int to)
{
    struct strata_pair *pair = pair_of(k, from, to);
    int clock = pair ? strata_pair_take(&k->sends, pair) : -1;
    return clock < 0 ? BLOCKED : clock;
}

/* Messages complete in the order posted. */
static int count_wait(struct counter *k, int rank, const struct strata_action *a)
{
    struct counted_rank *me = &k->rank[rank];
    while (!a->step->direct && me->end_open - me->first_open > a->step->count) {
        int peer = me->open[me->first_open].peer;
        int clock = peer < 0 ? me->clock : take(k, peer, rank);
        if (clock == BLOCKED) {
            return BLOCKED;
        }
        me->latest = clock > me->latest ? clock : me->latest;
        me->completes = true;
        me->first_open++;
    }
    if (me->completes) {
        me->clock = 1 + (me->latest > me->clock ? me->latest : me->clock);
    }
    if (me->first_open == me->end_open) {
        me->first_open = me->end_open = 0;
    }
    me->completes = false;
    me->latest = 0;
    return STRATA_OK;
}

static int count_signal(struct counter *k, int rank, const struct strata_action *a)
{
    struct counted_rank *me = &k->rank[rank];
    const struct strata_topology *t = k->plans[rank]->topology;
    int node = t->node_of[rank];
    me->published[a->step->count] = me->clock;
    for (int p = t->first[node]; p < t->first[node + 1]; p++) {
        wake(k, t->rank_at[p]);
    }
    return STRATA_OK;
}

/* The clock at which the member published that signal or a later one. */
static int published(const struct counted_rank *member, int signal)
{
    while (signal <= STRATA_SIGNAL_DONE && member->published[signal] < 0) {
        signal++;
    }
    return signal <= STRATA_SIGNAL_DONE ? member->published[signal] : BLOCKED;
}

static int count_await(struct counter *k, int rank, const struct strata_action *a)
{
    struct counted_rank *me = &k->rank[rank];
    const struct strata_topology *t = k->plans[rank]->topology;
    int node = t->node_of[rank], latest = me->clock;
    struct strata_awaited of = strata_awaited_by(k->plans[rank], a->step);
    for (int m = of.first; m < of.end; m++) {
        int clock = published(&k->rank[strata_topology_rank(t, node, m)], a->step->count);
        if (clock == BLOCKED) {
            return BLOCKED;
        }
        latest = clock > latest ? clock : latest;
    }
    me->clock = latest;
    return STRATA_OK;
}

static int count_recv(struct counter *k, int rank, const struct strata_action *a)
{
    return keep_open(&k->rank[rank], a->peer);
}

static int count_copy(struct counter *k, int rank, const struct strata_action *a)
{
    k->rank[rank].copied += strata_set_count(a->from);
    return STRATA_OK;
}

static int count_combine(struct counter *k, int rank, const struct strata_action *a)
{
    k->rank[rank].reduced += strata_set_count(a->from);
    return STRATA_OK;
}

/* Of plans over items. */
static int count_index(struct counter *k, int rank, const struct strata_action *a)
{
    (void)k;
    (void)rank;
    (void)a;
    return STRATA_ERR_PLAN;
}

static int count_native(struct counter *k, int rank, const struct strata_action *a)
{
    return count_index(k, rank, a);
}

/* As far as the rank can go. */
static int run_rank(struct counter *k, int rank)
{
    static int (*const count[STRATA_ACTIONS])(struct counter *, int,
                                              const struct strata_action *) = {
#define STRATA_COUNT_ROW(id, word) [STRATA_ACT_##id] = count_##word,
        STRATA_ACTION_TABLE(STRATA_COUNT_ROW)
#undef STRATA_COUNT_ROW
    };
    struct counted_rank *me = &k->rank[rank];
    int status = STRATA_OK;
    while (!status && me->now) {
        status = count[me->now->kind](k, rank, me->now);
        if (!status) {
            me->now = strata_actions_next(&me->actions);
        }
    }
    return status == BLOCKED ? STRATA_OK : status;
}

static int create(struct counter *k)
{
    k->rank = strata_allocate((size_t)k->ranks, sizeof(*k->rank));
    k->queue = strata_allocate((size_t)k->ranks, sizeof(*k->queue));
    if (!k->rank || !k->queue) {
        return STRATA_ERR_MEMORY;
    }
    for (int r = 0; r < k->ranks; r++) {
        if (!strata_plan_over_blocks(k->plans[r])) {
            return STRATA_ERR_PLAN;
        }
        strata_actions_begin(&k->rank[r].actions, k->plans[r], false);
        k->rank[r].now = strata_actions_next(&k->rank[r].actions);
        for (int signal = 0; signal <= STRATA_SIGNAL_DONE; signal++) {
            k->rank[r].published[signal] = -1;
        }
        wake(k, r);
    }
    return STRATA_OK;
}

static void destroy(struct counter *k)
{
    for (int r = 0; k->rank && r < k->ranks; r++) {
        strata_release(k->rank[r].open);
    }
    strata_release(k->rank);
    strata_release(k->queue);
    strata_pair_table_fini(&k->sends);
}

static void take_larger(double *most, double value)
{
    *most = value > *most ? value : *most;
}

/* The largest figures, where all came to their ends. */
static int sum_up(const struct counter *k, struct strata_formula *formula)
{
    const struct strata_plan *first = k->plans[0];
    bool ranked = strata_collective_info[first->collective].ranked;
    double unit = ranked ? 1 : first->blocks.count;
    struct strata_formula most = {0};
    for (int r = 0; r < k->ranks; r++) {
        const struct counted_rank *me = &k->rank[r];
        if (me->now || me->end_open > 0) {
            return STRATA_ERR_PLAN;
        }
        take_larger(&most.rounds, me->clock);
        take_larger(&most.messages, (double)me->messages);
        take_larger(&most.blocks, (double)me->blocks / unit);
        take_larger(&most.reduced, (double)me->reduced / unit);
        take_larger(&most.copied, (double)me->copied / unit);
    }
    if (k->sends.queued > 0) {
        return STRATA_ERR_PLAN;
    }
    *formula = most;
    return STRATA_OK;
}

int strata_formula_count(const struct strata_plan *const *plans, int ranks,
                         struct strata_formula *formula)
{
    struct counter k = {.plans = plans, .ranks = ranks};
    int status = create(&k);
    while (!status && k.queued > 0) {
        int rank = k.queue[k.queue_first];
        k.queue_first = (k.queue_first + 1) % ranks;
        k.queued--;
        k.rank[rank].queued = false;
        status = run_rank(&k, rank);
    }
    status = status ? status : sum_up(&k, formula);
    destroy(&k);
    return status;
}
