#include "api/explain/saved.h"

#include <math.h>

#include "core/base/student.h"

/* The mean of some calls. */
struct mean {
    double seconds; /* of a call */
    double squared; /* the square of half the width of its 95 % interval */
};

static struct mean mean_of(const struct strata_later *l)
{
    const double n = (double)l->calls, seconds = l->seconds / n;
    const double variance = (l->squares - n * seconds * seconds) / (n - 1);
    const double t = strata_student(n - 1);
    return (struct mean){seconds, variance > 0 ? t * t * variance / n : 0};
}

/* A class of calls of a communicator. */
struct class
{
    const struct strata_explained_communicator *communicator;
    const struct strata_explained *calls;
};

/* Calls that MPI's own made where a plan was on trial beside it, perhaps on another communicator of
 * as many ranks on as many nodes. */
static bool beside(const struct class *plan, const struct strata_explained_communicator *k,
                   const struct strata_explained *e)
{
    return (e->tried || (e->chosen && !e->plan)) && k->ranks == plan->communicator->ranks &&
           k->nodes == plan->communicator->nodes && e->collective == plan->calls->collective &&
           e->bucket == plan->calls->bucket;
}

static struct strata_later all_beside(const struct strata_explain *all, const struct class *plan)
{
    struct strata_later sum = {.calls = 0};
    for (const struct strata_explained_communicator *k = all->communicators; k; k = k->next) {
        for (const struct strata_explained *e = k->calls; e; e = e->next) {
            if (beside(plan, k, e)) {
                strata_explained_add_later(&sum, &e->later);
            }
        }
    }
    return sum;
}

static void compare(const struct strata_explain *all, const struct class *plan,
                    struct strata_saved *s)
{
    const struct strata_explained *e = plan->calls;
    const struct strata_later tried = all_beside(all, plan);
    if (tried.calls < 2 || e->later.calls < 2) {
        return;
    }
    const struct mean by_plan = mean_of(&e->later), native = mean_of(&tried);
    const double calls = (double)e->calls;
    s->seconds += calls * native.seconds - e->seconds;
    s->interval += calls * calls * (by_plan.squared + native.squared);
    s->compared += e->seconds;
    s->calls += e->calls;
}

struct strata_saved strata_explain_saved(const struct strata_explain *all)
{
    struct strata_saved s = {.calls = 0};
    for (const struct strata_explained_communicator *k = all->communicators; k; k = k->next) {
        for (const struct strata_explained *e = k->calls; e; e = e->next) {
            if (e->plan && e->form == STRATA_BLOCKING) {
                compare(all, &(struct class){k, e}, &s);
            }
        }
    }
    s.interval = sqrt(s.interval);
    return s;
}
