/* Follows the messages of a call through the plans of all ranks. */
#include "tools/catalogue/rounds.h"
#include "core/base/memory.h"

/* The arrows of all ranks: sends first, then what receives say is put into them. */
struct following {
    const struct strata_plan *const *plans;
    int ranks;
    struct tool_arrow *arrows;
    int narrows, capacity;
    int *first; /* [ranks + 1] where each rank's sends begin */
    int error;
};

static void add(struct following *f, struct tool_arrow arrow)
{
    if (f->narrows == f->capacity) {
        int capacity = 2 * f->capacity + 64;
        void *arrows = strata_reallocate(f->arrows, (size_t)capacity, sizeof *f->arrows);
        if (!arrows) {
            f->error = STRATA_ERR_MEMORY;
            return;
        }
        f->arrows = arrows;
        f->capacity = capacity;
    }
    f->arrows[f->narrows++] = arrow;
}

/* The first arrow between the two that no receive has met. */
static void meet(struct following *f, int from, int to, int stage)
{
    for (int i = f->first[from]; f->arrows && i < f->first[from + 1]; i++) {
        struct tool_arrow *a = &f->arrows[i];
        if (a->to == to && a->arrives < 0) {
            a->arrives = stage;
            return;
        }
    }
    f->error = f->error ? f->error : STRATA_ERR_PLAN;
}

static void send(struct following *f, int from, int to, int stage, double volume)
{
    add(f, (struct tool_arrow){
               .from = from, .to = to, .stage = stage, .arrives = -1, .volume = volume});
}

/* Direct blocks go to the ranks at the distances of the set, and come from those. */
static void follow_direct(struct following *f, int rank, struct strata_set set, int stage,
                          bool sends)
{
    struct strata_set_iterator it;
    struct strata_run run;
    strata_set_begin(&it, set);
    while (strata_set_next(&it, &run)) {
        for (int d = run.first; d < run.first + run.count; d++) {
            int to = (rank + d) % f->ranks, from = (rank - d + f->ranks) % f->ranks;
            if (d != 0 && sends) {
                send(f, rank, to, stage, 1);
            } else if (d != 0) {
                meet(f, from, rank, stage);
            }
        }
    }
}

/* A rank's sends, or its receives; each wait for what was posted ends a stage. */
static void follow(struct following *f, int rank, bool sends)
{
    const struct strata_plan *plan = f->plans[rank];
    struct strata_cursor cursor;
    const struct strata_step *step;
    double unit = plan->blocks.count > 0 && !strata_collective_info[plan->collective].ranked
                      ? 1.0 / plan->blocks.count
                      : 1;
    bool direct = plan->exchange.lanes == 0; /* else only blocks above the threshold go that way */
    int stage = 0;
    bool posted = false;
    strata_cursor_begin(&cursor, plan);
    for (; (step = strata_cursor_step(&cursor)); strata_cursor_advance(&cursor)) {
        struct strata_set set = strata_cursor_set(&cursor);
        bool directly = step->op == STRATA_STEP_DIRECT && direct;
        posted = posted || strata_step_posts(step) || directly;
        if (strata_step_does(step, STRATA_DOES_WAIT) && posted) {
            stage++;
            posted = false;
        } else if (directly) {
            follow_direct(f, rank, set, stage, sends);
        } else if (strata_step_does(step, STRATA_DOES_SEND) && sends) {
            send(f, rank, step->peer, stage, unit * (double)strata_set_count(set));
        } else if (strata_step_does(step, STRATA_DOES_RECEIVE) && !sends) {
            meet(f, step->peer, rank, stage);
        }
    }
}

/* The round in which each rank's stages begin: after its own last one, and after those whose
 * messages it took in the last one. Repeated until nothing changes. */
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
            int least[] = {*mine + 1, later + 1};
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
    f.first = strata_allocate((size_t)ranks + 1, sizeof *f.first);
    if (!f.first) {
        return STRATA_ERR_MEMORY;
    }
    for (int rank = 0; rank < ranks; rank++) {
        follow(&f, rank, true);
        f.first[rank + 1] = f.narrows;
    }
    for (int rank = 0; rank < ranks; rank++) {
        follow(&f, rank, false);
    }
    int error = number_rounds(&f, rounds);
    strata_release(f.first);
    rounds->arrows = f.arrows;
    rounds->narrows = f.narrows;
    return error;
}

void tool_rounds_release(struct tool_rounds *rounds)
{
    strata_release(rounds->arrows);
}
