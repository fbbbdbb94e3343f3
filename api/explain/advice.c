/* The most helpful advice, from rank 0's calls and its place. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <string.h>

#include "api/explain/explain_say.h"
#include "api/explain/shm_limit.h"
#include "api/explain/threads.h"

/* Some of rank 0's calls: all of them, or those that one cause slows down. */
struct part {
    double calls, seconds;
};
struct shares {
    struct part all, late, small, crowded;
    double waiting, waited; /* seconds of waiting in calls that plans served; all seconds of
                               these calls */
    const struct strata_explained_communicator *most; /* the communicator with the most processes
                                                         on this host */
};

static void add_to(struct part *part, const struct strata_explained *e)
{
    part->calls += (double)e->calls;
    part->seconds += e->seconds;
}

static void add_call(struct shares *s, const struct strata_explained *e)
{
    add_to(&s->all, e);
    s->waiting += e->waiting;
    s->waited += e->plan ? e->seconds : 0;
    if (strncmp(e->why, "STRATA_ATTACH_AFTER=", strlen("STRATA_ATTACH_AFTER=")) == 0) {
        add_to(&s->late, e);
    }
    if (e->roomless || e->passes > 1 || strstr(e->why, "fit in the staging budget")) {
        add_to(&s->small, e);
    }
    if (e->crowded) {
        add_to(&s->crowded, e);
    }
}

static struct shares add_up(const struct strata_process *process)
{
    struct shares s = {.waiting = 0};
    for (const struct strata_explained_communicator *k = process->explain.communicators; k;
         k = k->next) {
        for (const struct strata_explained *e = k->calls; e; e = e->next) {
            add_call(&s, e);
        }
        s.most = !s.most || k->here > s.most->here ? k : s.most;
    }
    return s;
}

/* A tenth of the calls, or of their time, is worth an advice. */
static bool much(const struct shares *s, const struct part *part)
{
    return part->calls > 0.1 * s->all.calls || part->seconds > 0.1 * s->all.seconds;
}

/* Whether each rank could have a core, and this rank may run on all of them. */
static bool unbound(const struct strata_explained_communicator *k)
{
    cpu_set_t set;
    return k && k->here > 1 && k->cpus >= k->here && sched_getaffinity(0, sizeof set, &set) == 0 &&
           CPU_COUNT(&set) == k->cpus;
}

/* The first advice that applies. Advice about some calls comes before advice about all. */
void strata_explain_advise(const struct strata_process *process, char *text, size_t size)
{
    struct shares s = add_up(process);
    text[0] = '\0';
    if (2 * s.late.calls > s.all.calls) {
        snprintf(text, size,
                 "%.0f of %.0f calls came before their communicator was set up; "
                 "STRATA_ATTACH_AFTER=1 sets it up at the first",
                 s.late.calls, s.all.calls);
    } else if (much(&s, &s.small)) {
        char limit[240];
        strata_shm_limit_say(&process->limit, process->config.budget, limit, sizeof limit);
        snprintf(text, size, "the node's memory is too small for %.0f of %.0f calls: %s",
                 s.small.calls, s.all.calls, limit);
    } else if (much(&s, &s.crowded)) {
        char waits[64] = "";
        if (s.waited > 0) {
            snprintf(waits, sizeof waits, ", and plans wait for %.0f %% of their time",
                     100 * s.waiting / s.waited);
        }
        snprintf(text, size,
                 "%d ranks of this host share %d processing unit%s%s: start fewer ranks, and "
                 "threads in place of them",
                 s.most->here, s.most->cpus, s.most->cpus == 1 ? "" : "s", waits);
    } else if (s.most && strata_threads_crowd(strata_config_openmp_threads(), s.most->here,
                                              s.most->cpus, text, size)) {
        return;
    } else if (unbound(s.most)) {
        snprintf(text, size,
                 "ranks are not bound, each may run on any of %d processing units: mpirun "
                 "--bind-to core (Open MPI), -bind-to core (MPICH)",
                 s.most->cpus);
    }
}
