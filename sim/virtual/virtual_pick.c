#include "sim/virtual/virtual_pick.h"

static uint64_t draw(struct strata_virtual *w)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return w->random >> 33;
}

static bool can_move(const struct strata_virtual *w, int rank, int ncalls)
{
    const struct strata_virtual_rank *r = &w->rank[rank];
    return !r->broken && r->call < ncalls && r->stuck_at != w->moves;
}

/* The first rank that can move, from `from` on in either direction. */
static int first_from(const struct strata_virtual *w, int from, int step, int ncalls)
{
    int ranks = w->topology->ranks;
    for (int i = 0; i < ranks; i++) {
        int rank = (from + step * i + ranks) % ranks;
        if (can_move(w, rank, ncalls)) {
            return rank;
        }
    }
    return -1;
}

/* Now and then other ranks fall asleep, so that some are far ahead of others. */
static void put_to_sleep(struct strata_virtual *w)
{
    int ranks = w->topology->ranks;
    if (w->picks++ % (4 * (uint64_t)ranks) == 0) {
        for (int rank = 0; rank < ranks; rank++) {
            w->rank[rank].asleep = draw(w) % 4 == 0;
        }
    }
}

static int pick_random(struct strata_virtual *w, int ncalls)
{
    int ranks = w->topology->ranks;
    put_to_sleep(w);
    int from = (int)(draw(w) % (uint64_t)ranks), step = draw(w) % 2 ? 1 : -1;
    for (int i = 0; i < ranks; i++) {
        int rank = (from + step * i + ranks) % ranks;
        if (!w->rank[rank].asleep && can_move(w, rank, ncalls)) {
            return rank;
        }
    }
    return first_from(w, from, step, ncalls);
}

int strata_virtual_pick(struct strata_virtual *w, int ncalls)
{
    switch (w->options.schedule) {
    case 0:
        return pick_random(w, ncalls);
    case 1:
        return first_from(w, 0, 1, ncalls);
    default:
        return first_from(w, w->topology->ranks - 1, -1, ncalls);
    }
}
