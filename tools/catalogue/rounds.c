/* Follows the messages and signals of a call through the plans of all ranks. */
#include "tools/catalogue/rounds.h"
#include "core/base/memory.h"
#include "core/base/pair_table.h"
#include "core/plan/actions.h"

/* A signal of a rank. */
struct signalled {
    int rank, pass, signal, stage;
};

/* The arrows of all ranks. One walk makes them from sends and signals; a second one adds where
 * receives and awaits take them. */
struct following {
    const struct strata_plan *const *plans;
    int ranks;
    struct tool_arrow *arrows;
    int narrows, capacity;
    struct signalled *signals;
    int nsignals, signals_capacity;
    struct strata_pair_table sent; /* arrows that no receive has taken yet */
    int error;
};

/* Makes room for one more entry in a list. */
static bool grow(struct following *f, void **list, int count, int *capacity, size_t size)
{
    int more = 2 * *capacity + 64;
    void *longer = count < *capacity ? *list : strata_reallocate(*list, (size_t)more, size);
    if (!longer) {
        f->error = STRATA_ERR_MEMORY;
        return false;
    }
    *capacity = count < *capacity ? *capacity : more;
    *list = longer;
    return true;
}

static void add(struct following *f, struct tool_arrow arrow)
{
    void *list = f->arrows;
    if (grow(f, &list, f->narrows, &f->capacity, sizeof arrow)) {
        f->arrows = list;
        f->arrows[f->narrows++] = arrow;
    }
}

static void add_signal(struct following *f, struct signalled signal)
{
    void *list = f->signals;
    if (grow(f, &list, f->nsignals, &f->signals_capacity, sizeof signal)) {
        f->signals = list;
        f->signals[f->nsignals++] = signal;
    }
}

static struct strata_pair *pair_of(struct following *f, int from, int to)
{
    return strata_pair_find(&f->sent, (uint64_t)from * (uint64_t)f->ranks + (uint64_t)to);
}

/* Gives the first open arrow between the two ranks to this receive. */
static void meet(struct following *f, int from, int to, int stage)
{
    struct strata_pair *pair = pair_of(f, from, to);
    int arrow = pair ? strata_pair_take(&f->sent, pair) : -1;
    if (arrow >= 0) {
        f->arrows[arrow].arrives = stage;
    } else {
        f->error = f->error ? f->error : pair ? STRATA_ERR_PLAN : STRATA_ERR_MEMORY;
    }
}

static void send(struct following *f, struct tool_arrow arrow)
{
    struct strata_pair *pair = pair_of(f, arrow.from, arrow.to);
    if (!pair || strata_pair_put(&f->sent, pair, f->narrows)) {
        f->error = STRATA_ERR_MEMORY;
        return;
    }
    add(f, arrow);
}

/* The first signal of a rank that is as late as the wanted one. */
static const struct signalled *find_signal(const struct following *f, struct signalled wanted)
{
    for (int i = 0; i < f->nsignals; i++) {
        const struct signalled *s = &f->signals[i];
        if (s->rank == wanted.rank && s->pass == wanted.pass && s->signal >= wanted.signal) {
            return s;
        }
    }
    return NULL;
}

/* Adds an arrow from each local peer that the rank awaits. Returns whether it awaits any. */
static bool await(struct following *f, int rank, int stage, const struct strata_action *a,
                  bool sends)
{
    const struct strata_topology *t = f->plans[rank]->topology;
    struct strata_awaited members = strata_awaited_by(f->plans[rank], a->step);
    bool others = false;
    for (int m = members.first; m < members.end; m++) {
        int peer = strata_topology_rank(t, t->node_of[rank], m);
        others = others || peer != rank;
        if (peer == rank || sends) {
            continue;
        }
        const struct signalled *signal =
            find_signal(f, (struct signalled){peer, a->pass, a->step->count, 0});
        if (signal) {
            add(f, (struct tool_arrow){.from = peer,
                                       .to = rank,
                                       .stage = signal->stage,
                                       .arrives = stage,
                                       .signal = true});
        } else {
            f->error = f->error ? f->error : STRATA_ERR_PLAN;
        }
    }
    return others;
}

/* Walks a rank's plan for its sends and signals, or for its receives and awaits. A stage ends with
 * each await of others, and with each wait for posted messages. */
static void follow(struct following *f, int rank, bool sends)
{
    const struct strata_plan *plan = f->plans[rank];
    struct strata_actions walk;
    const struct strata_action *a;
    double unit = plan->blocks.count > 0 && !strata_collective_info[plan->collective].ranked
                      ? 1.0 / plan->blocks.count
                      : 1;
    bool direct = plan->exchange.lanes == 0; /* else only blocks above the threshold */
    int stage = 0;
    bool posted = false;
    strata_actions_begin(&walk, plan, direct);
    while (f->error == STRATA_OK && (a = strata_actions_next(&walk))) {
        double volume = a->unit == STRATA_UNIT_DIRECT ? 1 : unit * (double)strata_set_count(a->set);
        posted = posted || strata_action_posts(a);
        if (a->kind == STRATA_ACT_WAIT && posted) {
            stage++;
            posted = false;
        } else if (a->kind == STRATA_ACT_SEND && sends) {
            send(f,
                 (struct tool_arrow){
                     .from = rank, .to = a->peer, .stage = stage, .arrives = -1, .volume = volume});
        } else if (a->kind == STRATA_ACT_RECV && !sends) {
            meet(f, a->peer, rank, stage);
        } else if (a->kind == STRATA_ACT_SIGNAL && sends) {
            add_signal(f, (struct signalled){rank, a->pass, a->step->count, stage});
        } else if (a->kind == STRATA_ACT_AWAIT) {
            stage += await(f, rank, stage, a, sends);
        }
    }
}

/* Finds the round in which each stage of each rank begins: after the rank's previous stage, and
 * after the stages that sent what the previous stage received. Repeats until nothing changes. */
static void find_rounds(struct following *f, int *begin, int stages)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < f->narrows; i++) {
            const struct tool_arrow *a = &f->arrows[i];
            int *mine = &begin[a->from * stages + a->stage];
            int *theirs = &begin[a->to * stages + a->arrives];
            int later = *mine > *theirs ? *mine : *theirs;
            int *after[] = {mine, theirs};
            int least[] = {*mine + !a->signal, later + 1};
            for (int side = 0; side < 2; side++) {
                if (after[side][1] < least[side]) {
                    after[side][1] = least[side];
                    changed = true;
                }
            }
        }
        for (int i = 0; i < f->ranks * stages - 1; i++) {
            if ((i + 1) % stages != 0 && begin[i + 1] < begin[i]) {
                begin[i + 1] = begin[i];
                changed = true;
            }
        }
    }
}

static int number_rounds(struct following *f, struct tool_rounds *rounds)
{
    int stages = 0;
    for (int i = 0; i < f->narrows; i++) {
        const struct tool_arrow *a = &f->arrows[i];
        stages = a->stage + 2 > stages ? a->stage + 2 : stages;
        stages = a->arrives + 2 > stages ? a->arrives + 2 : stages;
        f->error = f->error == STRATA_OK && a->arrives < 0 ? STRATA_ERR_PLAN : f->error;
    }
    int *begin = strata_allocate((size_t)f->ranks * (size_t)stages + 1, sizeof *begin);
    if (!begin || f->error != STRATA_OK) {
        strata_release(begin);
        return f->error != STRATA_OK ? f->error : STRATA_ERR_MEMORY;
    }
    find_rounds(f, begin, stages);
    rounds->rounds = 0;
    for (int i = 0; i < f->narrows; i++) {
        struct tool_arrow *a = &f->arrows[i];
        a->round = begin[a->from * stages + a->stage];
        a->end = begin[a->to * stages + a->arrives + 1];
        rounds->rounds = a->end > rounds->rounds ? a->end : rounds->rounds;
    }
    strata_release(begin);
    return STRATA_OK;
}

int tool_rounds_find(const struct strata_plan *const *plans, int ranks, struct tool_rounds *rounds)
{
    struct following f = {.plans = plans, .ranks = ranks};
    for (int i = 0; i < 2 * ranks; i++) {
        follow(&f, i % ranks, i < ranks);
    }
    int error = number_rounds(&f, rounds);
    strata_pair_table_fini(&f.sent);
    strata_release(f.signals);
    rounds->arrows = f.arrows;
    rounds->narrows = f.narrows;
    return error;
}

void tool_rounds_release(struct tool_rounds *rounds)
{
    strata_release(rounds->arrows);
}
