#include "api/call/trial.h"

#include <stdio.h>
#include <string.h>

#include "api/attach/settings.h"
#include "api/call/run.h"
#include "api/call/sizes.h"
#include "api/process/agree.h"
#include "hier/registry.h"
#include "hier/tuning.h"

/* The survey: calls by the plan, then by MPI's own. The first ones of each set things up, and are
 * not counted. */
enum { SURVEY_PLAN = 4, SURVEY_NATIVE = 3, SURVEY_COUNTED = 2 };
/* A series has four parts. Long calls vary less, and cost more. */
enum { PARTS = STRATA_TRIAL_FIGURES, LONG_CALLS = 3 };
static const double LONG = 2e-3;
/* No rank waits for a rank that is fewer calls behind. */
enum { LATER = 8 };
/* A remembered call takes up to half a microsecond less than a call of a trial. */
static const double SHORTEST = 3e-6;
/* After the survey: MPI's own may be slower by this factor, for two calls of each are few. */
static const double PROMISING = 1.5;
/* By costs: MPI's own may be slower by this factor. Costs are wrong by less, and a call of MPI's
 * own may take a thousand times as long on many ranks. */
static const double CONCEIVABLE = 4;

static bool moves(enum strata_collective collective)
{
    return collective != STRATA_BARRIER && !strata_collective_reduces(collective);
}

/* Whether the sizes are those of calls, and not a first guess. */
static bool knows_sizes(const struct strata_plan_key *key)
{
    return !strata_sizes_agree(key->collective) || key->most > 0;
}

void strata_trial_prepare(const struct strata_group *g, struct strata_selection_entry *e)
{
    const struct strata_selection *s = &e->selection;
    bool due = g->settings->config.trial && g->settings->shadows == 0 && g->ranks > 1 && e->plan &&
               !s->forced && !e->key.once && moves(e->key.collective) && knows_sizes(&e->key) &&
               s->native > 0 && s->native < CONCEIVABLE * s->seconds;
    e->trial.stage = due ? STRATA_TRIAL_SURVEY : STRATA_TRIAL_OVER;
}

/* Whether MPI's own makes the next call. */
static bool is_native_turn(const struct strata_trial *t)
{
    return (t->stage == STRATA_TRIAL_SURVEY && t->calls >= SURVEY_PLAN) ||
           (t->stage == STRATA_TRIAL_SERIES && t->calls / t->each % 2 == 1);
}

/* The middle one, or the smaller of two. */
static double middle(double *seconds, int n)
{
    for (int i = 1; i < n; i++) {
        double one = seconds[i];
        int at = i;
        for (; at > 0 && seconds[at - 1] > one; at--) {
            seconds[at] = seconds[at - 1];
        }
        seconds[at] = one;
    }
    return seconds[(n - 1) / 2];
}

static void note_survey(struct strata_trial *t, double seconds)
{
    int own = t->calls >= SURVEY_PLAN;
    int rest = (own ? SURVEY_PLAN + SURVEY_NATIVE : SURVEY_PLAN) - ++t->calls;
    if (rest < SURVEY_COUNTED) {
        t->seconds[rest] = seconds;
    }
    if (rest == 0) {
        t->figure[own] = middle(t->seconds, SURVEY_COUNTED);
    }
    if (t->calls == SURVEY_PLAN + SURVEY_NATIVE) {
        t->stage = STRATA_TRIAL_SURVEYED;
        t->calls = 0;
    }
}

static void note_series(struct strata_trial *t, double seconds)
{
    t->seconds[t->calls++ % t->each] = seconds;
    if (t->calls % t->each == 0) {
        t->figure[t->calls / t->each - 1] = middle(t->seconds, t->each);
    }
    if (t->calls == PARTS * t->each) {
        t->stage = STRATA_TRIAL_TOLD;
        t->calls = 0;
    }
}

static void note(struct strata_trial *t, double seconds)
{
    if (t->stage == STRATA_TRIAL_SURVEY) {
        note_survey(t, seconds);
    } else if (t->stage == STRATA_TRIAL_SERIES) {
        note_series(t, seconds);
    }
}

/* From now on MPI's own serves calls with this entry. No rank remembers one of them. */
static void take_native(struct strata_selection_entry *e, double part)
{
    struct strata_selection *s = &e->selection;
    snprintf(s->why, sizeof s->why, "MPI's own: timed beside %s, it took %.2f of the time",
             e->algorithm, part);
    s->seconds = s->native;
    s->choice = (struct strata_choice){.algorithm = strata_registry_find("native")};
    snprintf(e->algorithm, sizeof e->algorithm, "%s", s->choice.algorithm->name);
    e->plan = NULL;
}

/* The times in `figure` are the same on all ranks now. */
static void decide(struct strata_selection_entry *e)
{
    struct strata_trial *t = &e->trial;
    const double *plan = t->figure, *native = t->figure + 1;
    bool goes_on =
        t->stage == STRATA_TRIAL_SURVEYED && plan[0] >= SHORTEST && native[0] < PROMISING * plan[0];
    double part = (native[0] + native[2]) / (plan[0] + plan[2]);
    bool wins = t->stage == STRATA_TRIAL_TOLD && part < STRATA_CLEARLY_LESS &&
                native[0] < plan[0] && native[2] < plan[2];
    t->stage = goes_on ? STRATA_TRIAL_SERIES : STRATA_TRIAL_OVER;
    t->each = plan[0] < LONG ? STRATA_TRIAL_CALLS : LONG_CALLS;
    t->calls = 0;
    if (wins) {
        take_native(e, part);
    }
}

/* Where each rank waits for all, the ranks add up their times. */
static int agree_now(struct strata_call *c, struct strata_selection_entry *e)
{
    int error = strata_agree(e->trial.figure, STRATA_TRIAL_FIGURES, MPI_DOUBLE, MPI_SUM,
                             c->state->group->comm);
    for (int i = 0; i < STRATA_TRIAL_FIGURES; i++) {
        e->trial.figure[i] /= c->state->ranks;
    }
    decide(e);
    return error;
}

/* Elsewhere a rank may be ahead of others, and the call lasts as long as on the slowest rank. The
 * function begins to tell the times, unless the ranks tell each other those of another trial. */
static int begin_telling(struct strata_call *c, struct strata_selection_entry *e)
{
    struct strata_group *g = c->state->group;
    struct strata_telling *t = &g->telling[STRATA_TELL_TRIAL];
    int error = MPI_SUCCESS;
    if (g->plans.told) {
        return MPI_SUCCESS;
    }
    if (t->request != MPI_REQUEST_NULL) { /* of an entry that was dropped */
        error = strata_finish_moving_requests(MPI_SUCCESS, &t->request);
    }
    g->plans.told = e;
    g->plans.told_calls = 0;
    memcpy(t->seconds, e->trial.figure, sizeof t->seconds);
    return error == MPI_SUCCESS ? PMPI_Iallreduce(MPI_IN_PLACE, t->seconds, STRATA_TRIAL_FIGURES,
                                                  MPI_DOUBLE, MPI_MAX, g->comm, &t->request)
                                : error;
}

static int look_what_was_told(struct strata_call *c, struct strata_selection_entry *e)
{
    struct strata_group *g = c->state->group;
    struct strata_telling *t = &g->telling[STRATA_TELL_TRIAL];
    int error = strata_finish_moving_requests(MPI_SUCCESS, &t->request);
    memcpy(e->trial.figure, t->seconds, sizeof t->seconds);
    g->plans.told = NULL;
    decide(e);
    return error;
}

/* Before a call: agrees on the times, if it is time. Returns MPI's code. */
static int agree(struct strata_call *c)
{
    struct strata_plan_table *plans = &c->state->group->plans;
    struct strata_selection_entry *e = c->entry;
    const struct strata_trial *t = &e->trial;
    plans->told_calls++;
    if (t->stage != STRATA_TRIAL_SURVEYED && t->stage != STRATA_TRIAL_TOLD) {
        return MPI_SUCCESS;
    }
    if (strata_collective_waits(e->key.collective)) {
        return agree_now(c, e);
    }
    if (plans->told != e) {
        return begin_telling(c, e);
    }
    return plans->told_calls < LATER ? MPI_SUCCESS : look_what_was_told(c, e);
}

int strata_trial_run(struct strata_call *c, int (*native)(struct strata_call *c))
{
    struct strata_selection_entry *e = c->entry;
    int error = agree(c);
    if (error != MPI_SUCCESS) {
        return strata_call_raise(c, MPI_ERR_OTHER, "the ranks could not agree");
    }
    bool own = is_native_turn(&e->trial);
    double begin = PMPI_Wtime();
    if (own) {
        c->entry = NULL;
        c->why = "timed beside the plan";
    }
    error = own || !e->plan ? native(c) : strata_call_run(c);
    note(&e->trial, PMPI_Wtime() - begin);
    return error;
}
