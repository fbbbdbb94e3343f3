/* Counts the effects of the plans of all ranks. Only the clocks need all plans at once: ranks run
 * one after another, each until a wait or an await stops it, and again when the missing message has
 * been posted. */
#include "sim/trace/formula_count.h"

#include "core/base/memory.h"
#include "core/base/pair_table.h"
#include "core/cost/lines.h"
#include "core/engine/node_memory.h"

#define BLOCKED (-1)

/* A message that a rank has posted and not waited for; peer -1: a send. */
struct open_message {
    int32_t peer;
};

struct counted_rank {
    struct strata_actions actions;
    const struct strata_action *now; /* NULL: it came to its end */
    int clock, latest;               /* latest: of the messages that the wait has completed so
                                        far */
    bool completes;                  /* the wait has completed something */
    bool queued;                     /* stands in the queue of those that may go on */
    struct open_message *open;
    int first_open, end_open, open_capacity;
    int *published;  /* [passes * STRATA_SIGNALS] the clock at each signal of a pass, and, at 0,
                        when it was left; -1: not yet */
    int pass, roomy; /* the last one begun, and that had room */
    struct strata_lines lines;
    int64_t messages, blocks, reduced, copied;
};

struct counter {
    const struct strata_plan *const *plans;
    int ranks;
    bool lines;         /* clocks count transfers of lines, not rounds */
    double block_bytes; /* bytes of a block whose lines are counted */
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
        me->clock = !k->lines + (me->latest > me->clock ? me->latest : me->clock);
    }
    if (me->first_open == me->end_open) {
        me->first_open = me->end_open = 0;
    }
    me->completes = false;
    me->latest = 0;
    return STRATA_OK;
}

/* Signal 0: the pass was left. */
static void publish(struct counter *k, int rank, int pass, int signal)
{
    const struct strata_topology *t = k->plans[rank]->topology;
    int node = t->node_of[rank];
    k->rank[rank].published[pass * STRATA_SIGNALS + signal] = k->rank[rank].clock;
    for (int p = t->first[node]; p < t->first[node + 1]; p++) {
        wake(k, t->rank_at[p]);
    }
}

static int count_signal(struct counter *k, int rank, const struct strata_action *a)
{
    publish(k, rank, a->pass, a->step->count);
    return STRATA_OK;
}

/* The clock at which the member published that signal of a pass or a later one. */
static int published(const struct counted_rank *member, int pass, int signal)
{
    const int *at = &member->published[(ptrdiff_t)pass * STRATA_SIGNALS];
    int end = signal > 0 ? STRATA_SIGNALS : 1;
    while (signal < end && at[signal] < 0) {
        signal++;
    }
    return signal < end ? at[signal] : BLOCKED;
}

/* The latest clock of the members; my own is not waited for. */
static int latest_of(const struct counter *k, int rank, struct strata_awaited of, int pass,
                     int signal)
{
    const struct strata_topology *t = k->plans[rank]->topology;
    int latest = 0;
    for (int m = of.first; m < of.end; m++) {
        const struct counted_rank *peer = &k->rank[strata_topology_rank(t, t->node_of[rank], m)];
        int clock = peer == &k->rank[rank] ? 0 : published(peer, pass, signal);
        if (clock == BLOCKED) {
            return BLOCKED;
        }
        latest = clock > latest ? clock : latest;
    }
    return latest;
}

static int count_await(struct counter *k, int rank, const struct strata_action *a)
{
    struct counted_rank *me = &k->rank[rank];
    struct strata_awaited of = strata_awaited_by(k->plans[rank], a->step);
    int latest = latest_of(k, rank, of, a->pass, a->step->count);
    if (latest == BLOCKED) {
        return BLOCKED;
    }
    me->clock = latest > me->clock ? latest : me->clock;
    me->clock += k->lines ? strata_lines_of(&me->lines, a) : 0;
    return STRATA_OK;
}

/* A member whose ring comes round to a slot, and that has no signal from others, checks which of
 * them have left it. */
static bool waits_for_room(const struct strata_plan *plan, int pass)
{
    unsigned char awaits[plan->topology->largest];
    int depth = (int)strata_ring_depth((enum strata_ring_kind)plan->blocks.ring);
    if (pass < depth || plan->topology->largest == 1) {
        return false;
    }
    strata_plan_awaits(plan, awaits);
    return awaits[plan->topology->local_of[plan->rank] == 0] & 1;
}

static int begin_pass(struct counter *k, int rank, int pass)
{
    struct counted_rank *me = &k->rank[rank];
    const struct strata_plan *plan = k->plans[rank];
    int depth = (int)strata_ring_depth((enum strata_ring_kind)plan->blocks.ring);
    int size = strata_topology_node_size(plan->topology, plan->topology->node_of[rank]);
    if (pass > me->pass) {
        publish(k, rank, me->pass, 0);
        me->pass = pass;
    }
    if (k->lines && me->roomy < pass && size > 1 && waits_for_room(plan, pass)) {
        int left = latest_of(k, rank, (struct strata_awaited){0, size}, pass - depth, 0);
        if (left == BLOCKED) {
            return BLOCKED;
        }
        me->clock = (left > me->clock ? left : me->clock) + 1;
    }
    me->roomy = pass;
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

/* For plans over items, which have no formula. */
static int count_index(struct counter *k, int rank, const struct strata_action *a)
{
    (void)rank;
    (void)a;
    return k->lines ? STRATA_OK : STRATA_ERR_PLAN;
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
    bool ends = me->now;
    int status = STRATA_OK;
    while (!status && me->now) {
        const struct strata_action *a = me->now;
        status = begin_pass(k, rank, a->pass);
        if (!status && k->lines && a->kind != STRATA_ACT_AWAIT) {
            me->clock += strata_lines_of(&me->lines, a);
        }
        status = status ? status : count[a->kind](k, rank, a);
        if (!status) {
            me->now = strata_actions_next(&me->actions);
        }
    }
    if (ends && !me->now) {
        publish(k, rank, me->pass, 0);
    }
    return status == BLOCKED ? STRATA_OK : status;
}

static int create_rank(struct counter *k, int r)
{
    const struct strata_plan *plan = k->plans[r];
    struct counted_rank *me = &k->rank[r];
    size_t stamps = (size_t)plan->limits.passes * STRATA_SIGNALS;
    if (!k->lines && !strata_plan_over_blocks(plan)) {
        return STRATA_ERR_PLAN;
    }
    me->published = strata_allocate(stamps, sizeof(*me->published));
    if (!me->published) {
        return STRATA_ERR_MEMORY;
    }
    for (size_t i = 0; i < stamps; i++) {
        me->published[i] = -1;
    }
    strata_actions_begin(&me->actions, plan, false);
    me->now = strata_actions_next(&me->actions);
    strata_lines_begin(&me->lines, plan, k->block_bytes);
    wake(k, r);
    return STRATA_OK;
}

static int create(struct counter *k)
{
    k->rank = strata_allocate((size_t)k->ranks, sizeof(*k->rank));
    k->queue = strata_allocate((size_t)k->ranks, sizeof(*k->queue));
    if (!k->rank || !k->queue) {
        return STRATA_ERR_MEMORY;
    }
    for (int r = 0; r < k->ranks; r++) {
        int status = create_rank(k, r);
        if (status) {
            return status;
        }
    }
    return STRATA_OK;
}

static void destroy(struct counter *k)
{
    for (int r = 0; k->rank && r < k->ranks; r++) {
        strata_release(k->rank[r].open);
        strata_release(k->rank[r].published);
    }
    strata_release(k->rank);
    strata_release(k->queue);
    strata_pair_table_fini(&k->sends);
}

static void take_larger(double *most, double value)
{
    *most = value > *most ? value : *most;
}

/* The largest counts, if all ranks came to their ends. */
static int sum_up(const struct counter *k, struct strata_formula *formula)
{
    const struct strata_plan *first = k->plans[0];
    bool ranked = strata_collective_info[first->collective].ranked;
    double unit = ranked || k->lines ? 1 : first->blocks.count;
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

static int run_all(struct counter *k)
{
    int status = create(k);
    while (!status && k->queued > 0) {
        int rank = k->queue[k->queue_first];
        k->queue_first = (k->queue_first + 1) % k->ranks;
        k->queued--;
        k->rank[rank].queued = false;
        status = run_rank(k, rank);
    }
    return status;
}

int strata_formula_count(const struct strata_plan *const *plans, int ranks,
                         struct strata_formula *formula)
{
    struct counter k = {.plans = plans, .ranks = ranks};
    int status = run_all(&k);
    status = status ? status : sum_up(&k, formula);
    destroy(&k);
    return status;
}

/* The pieces of a message; one where its blocks lie together, around the end too. */
static int pieces_of(struct strata_set set)
{
    struct strata_set_iterator it;
    struct strata_run run, first = {0}, last = {0};
    int pieces = 0;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        first = pieces == 0 ? run : first;
        last = run;
        pieces++;
    }
    bool around = pieces == 2 && last.first == 0 && first.store == last.store &&
                  first.first + first.count == set.boxes[0].space;
    return around ? 1 : pieces;
}

void strata_formula_count_packed(const struct strata_plan *plan, double *packed, double *pieces)
{
    struct strata_actions walk;
    const struct strata_action *a;
    bool ranked = strata_collective_info[plan->collective].ranked;
    double unit = ranked ? 1 : plan->blocks.count;
    *packed = *pieces = 0;
    strata_actions_begin(&walk, plan, false);
    while ((a = strata_actions_next(&walk))) {
        bool message = a->kind == STRATA_ACT_SEND || a->kind == STRATA_ACT_RECV;
        int found = message ? pieces_of(a->set) : 0;
        if (found > 1) {
            *packed += (double)strata_set_count(a->set) / unit;
            *pieces += found;
        }
    }
}

int strata_line_count(const struct strata_plan *const *plans, int ranks, double block_bytes,
                      int *lines)
{
    struct counter k = {.plans = plans, .ranks = ranks, .lines = true, .block_bytes = block_bytes};
    struct strata_formula most = {0};
    int status = run_all(&k);
    status = status ? status : sum_up(&k, &most);
    if (!status) { /* a member that exposes a block stays until the others have left */
        *lines = (int)most.rounds + (plans[0]->blocks.exposes != 0);
    }
    destroy(&k);
    return status;
}
