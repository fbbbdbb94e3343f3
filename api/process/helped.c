/* Opens OpenMP teams for calls, and measures what that takes. */
#include "api/process/helping.h"
#include "intranode/team.h"

/* A team that is open. */
struct opened {
    struct strata_helpers helpers;
    _Atomic uint64_t ended;
    void (*work)(void *argument);
    void *argument;
};

static void take_part(void *argument, int thread, int threads)
{
    struct opened *o = argument;
    if (thread > 0) {
        strata_help(&o->helpers, o->helpers.way, &o->ended, 1,
                    "for the call that opened a team of threads");
        return;
    }
    struct strata_helpers *outer = strata_helpers_here;
    o->helpers.coming = threads - 1;
    strata_helpers_here = &o->helpers;
    o->work(o->argument);
    strata_helpers_here = outer;
    atomic_store_explicit(&o->ended, 1, memory_order_release);
    strata_thread_bell_ring(&o->helpers.bell); /* the team closes when all have seen it */
}

void strata_helped(const struct strata_helping *helping, void (*work)(void *argument),
                   void *argument)
{
    struct opened o = {.work = work, .argument = argument};
    strata_helpers_init(&o.helpers, helping->gain.least_bytes);
    strata_team_open(helping->threads, take_part, &o);
}

enum { OPENINGS = 5, PAUSE = 100000 /* ns; a program's threads are not always at hand */ };

static void nothing(void *argument)
{
    (void)argument;
}

static void open_and_close(void *helping)
{
    strata_helped(helping, nothing, NULL);
}

double strata_helped_opening(struct strata_helping *helping)
{
    return strata_median_time(open_and_close, helping, OPENINGS, PAUSE);
}
