/* Runs the ranks in the order of the schedule, and checks each call. */
#include "core/check/check.h"

#include "core/base/memory.h"
#include "core/check/check_blocks.h"

/* Checks the slice of each block that has been moved. The next slice moves as if it were another
 * call. */
static int next_slice(struct checker *k, struct check_rank *me)
{
    int status = strata_check_result(k, me);
    if (!status) {
        strata_check_stores_end(me);
        status = strata_check_stores_begin(k, me);
    }
    return status;
}

/* Begins a pass. The pass before must be over: no message still reads or writes the node memory. */
static int begin_pass(struct checker *k, struct check_rank *me)
{
    bool slices = strata_plan_slices(me->cursor.plan);
    int status = STRATA_OK;
    me->pass = me->cursor.pass;
    if (me->unwaited[STRATA_LANE_TRAFFIC] && (me->cursor.plan->exchange.staged || slices)) {
        return strata_check_fail(k, me, "begins a pass while messages of the last are open");
    }
    if (me->cursor.plan->exchange.staged) {
        status = strata_check_leave(k, me, strata_check_epoch(me) - 1);
    }
    return status || !slices ? status : next_slice(k, me);
}

/* Runs one step of a rank, or the end of its call; CHECK_BLOCKED or CHECK_TOOK when it cannot
 * move. */
static int move(struct checker *k, struct check_rank *me)
{
    if (me->call >= k->ncalls || me->rank == k->options->absent - 1) {
        return CHECK_BLOCKED;
    }
    const struct strata_step *step = strata_cursor_step(&me->cursor);
    if (!step) {
        return strata_check_end_call(k, me);
    }
    int status = me->cursor.pass > me->pass ? begin_pass(k, me) : STRATA_OK;
    status = status ? status : strata_check_step(k, me, step);
    if (!status) {
        status = strata_check_tick(k, me);
        strata_cursor_advance(&me->cursor);
    }
    return status;
}

/* Moves a rank until it is blocked, by at most `most` steps. Sets *moved if it moved at all. */
static int run_rank(struct checker *k, struct check_rank *me, int most, bool *moved)
{
    int status = STRATA_OK;
    for (int i = 0; i < most && !status; i++) {
        status = move(k, me);
        *moved = *moved || !status || status == CHECK_TOOK;
    }
    return status == CHECK_BLOCKED || status == CHECK_TOOK ? STRATA_OK : status;
}

/* Moves each rank as far as it can, from one end of the ranks to the other, until no rank moves. */
static int run_skewed(struct checker *k, bool high_first)
{
    int status = STRATA_OK;
    for (bool moved = true; moved && !status;) {
        moved = false;
        for (int i = 0; i < k->ranks && !status; i++) {
            int rank = high_first ? k->ranks - 1 - i : i;
            status = run_rank(k, &k->rank[rank], INT32_MAX, &moved);
        }
    }
    return status;
}

static int random_below(struct checker *k, int n)
{
    k->random += 0x9e3779b97f4a7c15u;
    return (int)(check_mix(k->random) % (uint64_t)n);
}

/* Moves one rank by a few steps, again and again. The rank where the search for one that can move
 * begins is drawn at random. */
static int run_random(struct checker *k)
{
    int status = STRATA_OK;
    for (bool moved = true; moved && !status;) {
        int first = random_below(k, k->ranks), most = 1 + random_below(k, 8);
        moved = false;
        for (int i = 0; i < k->ranks && !moved && !status; i++) {
            status = run_rank(k, &k->rank[(first + i) % k->ranks], most, &moved);
        }
    }
    return status;
}

/* In eager mode sends complete at once, so this checks that each has found its receive. */
static int check_left_over(const struct checker *k)
{
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        const struct strata_pair_table *queues = &k->queues[kind];
        for (size_t i = 0; queues->queued > 0 && i < queues->capacity; i++) {
            const struct strata_pair *pair = &queues->pairs[i];
            if (pair->key && pair->head >= 0) {
                const struct check_message *m = &k->messages[strata_pair_first(queues, pair)];
                struct check_text step = strata_check_step_text(k, m->call, m->rank, m->at);
                return strata_fail(k->message, STRATA_ERR_PLAN,
                                   "call %d, rank %d, %s: rank %d never receives this message",
                                   m->call, m->rank, step.text,
                                   (int)((pair->key - 1) % (uint64_t)k->ranks));
            }
        }
    }
    return STRATA_OK;
}

/* A native step is MPI's own collective, so either all ranks run it or none does. */
static int check_natives(const struct checker *k)
{
    for (int c = 0; c < k->ncalls; c++) {
        if (k->calls[c].natives % k->ranks) {
            return strata_fail(k->message, STRATA_ERR_PLAN,
                               "call %d: %d of %d ranks use MPI's own collective", c,
                               k->calls[c].natives, k->ranks);
        }
    }
    return STRATA_OK;
}

static int run(struct checker *k)
{
    k->random = k->options->seed;
    int schedule = k->options->schedule;
    int status = schedule ? run_skewed(k, schedule == 2) : run_random(k);
    for (int r = 0; r < k->ranks && k->options->ended; r++) {
        k->options->ended[r] = k->rank[r].call >= k->ncalls;
    }
    if (k->options->absent) {
        return status;
    }
    for (int r = 0; r < k->ranks && !status; r++) {
        if (k->rank[r].call < k->ncalls) {
            return strata_check_deadlock(k);
        }
    }
    status = status ? status : check_left_over(k);
    return status ? status : check_natives(k);
}

static int slices_of(const struct strata_limits *l)
{
    return l->threshold ? (int)((l->threshold - 1) / l->slice) + 1 : 0;
}

/* Describes all calls from rank 0's plans. The other ranks' plans agree, or strata_check_shape
 * finds that they do not. */
static int describe_calls(struct checker *k, const struct strata_plan *const *const *calls)
{
    static const int direct_in_8[] = {0, 1, 4, 8};
    k->calls = strata_allocate((size_t)k->ncalls, sizeof(*k->calls));
    if (!k->calls) {
        return STRATA_ERR_MEMORY;
    }
    for (int c = 0; c < k->ncalls; c++) {
        struct check_call *call = &k->calls[c];
        call->plans = calls[c];
        call->common = call->plans[0];
        call->direct_in_8 = k->options->absent
                                ? 0
                                : direct_in_8[check_mix(k->options->seed + 977u * (unsigned)c) & 3];
        bool blocks = call->common && strata_plan_over_blocks(call->common);
        k->clocks = k->clocks || (call->common && strata_check_is_barrier(call->common));
        k->any_items = k->any_items || (call->common && !blocks);
        if (call->common && call->common->exchange.staged) {
            int lanes = call->common->exchange.lanes;
            k->nodes = k->nodes ? k->nodes : call->common->topology;
            k->staged_lanes = lanes > k->staged_lanes ? lanes : k->staged_lanes;
            k->clocks = true;
        }
        if (blocks && call->common->exchange.staged) {
            int cells = call->common->blocks.shared ? 1 : call->common->blocks.slot;
            k->most_cells = cells > k->most_cells ? cells : k->most_cells;
        }
        k->any_flat = k->any_flat || (call->common && !blocks && !call->common->exchange.staged);
    }
    return STRATA_OK;
}

int strata_check_calls(const struct strata_plan *const *const *calls, int ncalls, int ranks,
                       const struct strata_check *options, struct strata_diagnostic *message)
{
    struct checker k = {.options = options, .message = message, .ranks = ranks, .ncalls = ncalls};
    int status = describe_calls(&k, calls);
    if (!status) {
        status = strata_check_shape(&k);
    }
    for (int c = 0; c < ncalls && !status; c++) {
        k.calls[c].slices = slices_of(&k.calls[c].common->limits);
    }
    status = status ? status : strata_check_create(&k);
    status = status ? status : run(&k);
    strata_check_destroy(&k);
    return status == STRATA_ERR_MEMORY ? strata_fail(message, status, "out of memory") : status;
}

/* Whether it makes a difference if input and output are one memory. */
static bool may_be_in_place(const struct strata_plan *plan)
{
    const struct strata_collective_info *info = &strata_collective_info[plan->collective];
    return strata_plan_over_blocks(plan) && plan->collective != STRATA_BCAST &&
           info->input != STRATA_NONE;
}

int strata_check_plan(const struct strata_plan *const *plans, int ranks, unsigned seed,
                      struct strata_diagnostic *message)
{
    const struct strata_plan *const *calls[] = {plans, plans, plans, plans, plans,
                                                plans, plans, plans, plans};
    enum strata_ring_kind ring = plans[0] ? plans[0]->blocks.ring : STRATA_LARGE_RING;
    int several = 1 + (int)strata_check_depth(ring);
    int runs = plans[0] && may_be_in_place(plans[0]) ? 24 : 12;
    for (int i = 0; i < runs; i++) {
        struct strata_check options = {.rendezvous = i & 1,
                                       .in_place = i >= 12,
                                       .schedule = i % 12 / 4,
                                       .seed = seed + (unsigned)i};
        int status = strata_check_calls(calls, i & 2 ? several : 1, ranks, &options, message);
        if (status) {
            return status;
        }
    }
    return STRATA_OK;
}
