#include "api/call/trial.h"

#include <stdio.h>
#include <string.h>

#include "api/attach/settings.h"
#include "api/call/run.h"
#include "api/call/sizes.h"
#include "api/process/agree.h"
#include "api/process/process.h"
#include "hier/registry.h"
#include "hier/tuning.h"

/* Times are whole nanoseconds. Sums of these are exact, so all ranks get the same sum, also where
 * MPI adds up in another order on each rank. */

/* The survey: calls by the plan, then by MPI's own. The first ones of each set things up, and are
 * not counted. */
enum { SURVEY_PLAN = 4, SURVEY_NATIVE = 3, SURVEY_COUNTED = 2 };
/* A series has four parts. Long calls vary less, and cost more. */
enum { PARTS = STRATA_TRIAL_FIGURES, LONG_CALLS = 3 };
static const double LONG = 2e6;
/* No rank waits for a rank that is fewer calls behind. */
enum { LATER = 8 };
/* No call lasts longer. */
static const double MOST_SECONDS = 1e6;
/* A remembered call takes up to half a microsecond less than a call of a trial, or than a call of
 * MPI's own during which requests move. */
static const double SHORTEST = 10e3;
/* After the survey: MPI's own may be slower by this factor, for two calls of each are few. */
static const double PROMISING = 1.5;
/* By costs: where MPI's own is slower by more than LIKELY, the plan first makes so many calls that
 * one of MPI's own takes a quarter of their time, if costs are right. Costs are not wrong by more
 * than CONCEIVABLE, and a call of MPI's own may take a thousand times as long on many ranks. */
static const double LIKELY = 4, CONCEIVABLE = 16, PLAN_FIRST = 4;

/* On simulated clusters there are no trials: the figures of a simulation are those of the plan. */
#ifdef STRATA_SIMULATED
enum { SIMULATED = 1 };
#else
enum { SIMULATED = 0 };
#endif

/* Whether early calls of this collective try MPI's own. Ranks that agree on sizes have the same
 * entry even if one of them gives a wrong length, so they count the same calls of a trial. */
static bool is_tried(const struct strata_group *g, enum strata_collective collective)
{
    const char *trial = g->settings->config.trial;
    bool moves = collective != STRATA_BARRIER && !strata_collective_reduces(collective);
    bool agreed = strata_sizes_agree(collective) || strata_collective_one_knows(collective);
    return !SIMULATED && moves && strcmp(trial, "off") != 0 &&
           (agreed || strcmp(trial, "all") == 0);
}

/* Whether the sizes are those of calls, and not a first guess. */
static bool knows_sizes(const struct strata_plan_key *key)
{
    return !strata_sizes_agree(key->collective) || key->most > 0;
}

void strata_trial_prepare(const struct strata_group *g, struct strata_selection_entry *e)
{
    const struct strata_selection *s = &e->selection;
    bool due = !g->thread && is_tried(g, e->key.collective) && g->settings->shadows == 0 &&
               g->ranks > 1 && e->plan && !s->forced && !e->key.once && knows_sizes(&e->key) &&
               s->native > 0 && s->native < CONCEIVABLE * s->seconds;
    bool likely = s->native < LIKELY * s->seconds;
    bool later = due && !likely && 4e9 * s->seconds >= SHORTEST;
    e->trial.stage = later           ? STRATA_TRIAL_LATER
                     : due && likely ? STRATA_TRIAL_SURVEY
                                     : STRATA_TRIAL_OVER;
    e->trial.each = later ? (int)(PLAN_FIRST * s->native / s->seconds) : 0;
}

/* Whether MPI's own makes the next call. */
static bool is_native_turn(const struct strata_trial *t)
{
    return (t->stage == STRATA_TRIAL_SURVEY && t->calls >= SURVEY_PLAN) ||
           (t->stage == STRATA_TRIAL_SERIES && t->calls / t->each % 2 == 1);
}

/* A clock may be set back. */
static double nanoseconds(double seconds)
{
    return seconds > 0 && seconds < MOST_SECONDS ? (double)(int64_t)(seconds * 1e9) : 0;
}

/* The middle one, or the smaller of two. */
static double middle(double *times, int n)
{
    for (int i = 1; i < n; i++) {
        double one = times[i];
        int at = i;
        for (; at > 0 && times[at - 1] > one; at--) {
            times[at] = times[at - 1];
        }
        times[at] = one;
    }
    return times[(n - 1) / 2];
}

static void note_survey(struct strata_trial *t, double time)
{
    int own = t->calls >= SURVEY_PLAN;
    int rest = (own ? SURVEY_PLAN + SURVEY_NATIVE : SURVEY_PLAN) - ++t->calls;
    if (rest < SURVEY_COUNTED) {
        t->times[rest] = time;
    }
    if (rest == 0) {
        t->figure[own] = middle(t->times, SURVEY_COUNTED);
    }
    if (t->calls == SURVEY_PLAN + SURVEY_NATIVE) {
        t->stage = STRATA_TRIAL_SURVEYED;
        t->calls = 0;
    }
}

static void note_series(struct strata_trial *t, double time)
{
    t->times[t->calls++ % t->each] = time;
    if (t->calls % t->each == 0) {
        t->figure[t->calls / t->each - 1] = middle(t->times, t->each);
    }
    if (t->calls == PARTS * t->each) {
        t->stage = STRATA_TRIAL_TOLD;
        t->calls = 0;
    }
}

/* Counts a call, which took so long. */
static void note(struct strata_plan_table *plans, struct strata_trial *t, double time)
{
    plans->told_calls += plans->telling;
    if (t->stage == STRATA_TRIAL_LATER && ++t->calls == t->each) {
        t->stage = STRATA_TRIAL_SURVEY;
        t->calls = 0;
    } else if (t->stage == STRATA_TRIAL_SURVEY) {
        note_survey(t, time);
    } else if (t->stage == STRATA_TRIAL_SERIES) {
        note_series(t, time);
    }
}

/* A plan moves the requests of all communicators while it waits. Where plans serve requests, in
 * programs that call Strata, MPI's own has to do so, too. */
static bool moves_requests(void)
{
    return !strata_process_here.preloaded;
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
    e->moving = moves_requests();
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
static int agree_now(struct strata_group *g, struct strata_selection_entry *e)
{
    int error = strata_group_agree(g, e->trial.figure, STRATA_TRIAL_FIGURES, MPI_DOUBLE, MPI_SUM);
    for (int i = 0; i < STRATA_TRIAL_FIGURES; i++) {
        e->trial.figure[i] /= g->ranks;
    }
    decide(e);
    return error;
}

/* Elsewhere a rank may be ahead of others, and the call lasts as long as on the slowest rank. */
static int begin_telling(struct strata_group *g, struct strata_selection_entry *e)
{
    struct strata_telling *t = &g->telling[STRATA_TELL_TRIAL];
    g->plans.told = e;
    g->plans.telling = true;
    g->plans.told_calls = 0;
    memcpy(t->times, e->trial.figure, sizeof t->times);
    return PMPI_Iallreduce(MPI_IN_PLACE, t->times, STRATA_TRIAL_FIGURES, MPI_DOUBLE, MPI_MAX,
                           g->comm, &t->request);
}

static int look_what_was_told(struct strata_group *g)
{
    struct strata_telling *t = &g->telling[STRATA_TELL_TRIAL];
    struct strata_selection_entry *e = g->plans.told;
    int error = strata_group_finish(g, MPI_SUCCESS, &t->request);
    g->plans.told = NULL;
    g->plans.telling = false;
    if (e) {
        memcpy(e->trial.figure, t->times, sizeof t->times);
        decide(e);
    }
    return error;
}

/* Before a call: agrees on times, if it is time. The ranks tell each other those of one trial at a
 * time, and look in a call of any trial, for calls of the same kind may never come. Returns MPI's
 * code. */
static int agree(struct strata_group *g, struct strata_selection_entry *e)
{
    const struct strata_trial *t = &e->trial;
    int error =
        g->plans.telling && g->plans.told_calls >= LATER ? look_what_was_told(g) : MPI_SUCCESS;
    if (error != MPI_SUCCESS ||
        (t->stage != STRATA_TRIAL_SURVEYED && t->stage != STRATA_TRIAL_TOLD)) {
        return error;
    }
    if (strata_collective_waits(e->key.collective)) {
        return agree_now(g, e);
    }
    return g->plans.telling ? MPI_SUCCESS : begin_telling(g, e);
}

int strata_trial_run(struct strata_call *c, int (*native)(struct strata_call *c))
{
    struct strata_group *g = c->state->group;
    struct strata_selection_entry *e = c->entry;
    int error = agree(g, e);
    if (error != MPI_SUCCESS) { /* this rank does not know what the others do from now on */
        strata_group_break(g);
        return strata_call_raise(c, MPI_ERR_OTHER, "the ranks could not agree");
    }
    bool own = is_native_turn(&e->trial);
    double begin = PMPI_Wtime();
    if (own) {
        c->entry = NULL;
        c->why = "timed beside the plan";
        c->moving = moves_requests();
    }
    error = own || !e->plan ? native(c) : strata_call_run(c);
    if (!c->refused) { /* a rank repeats a call that is refused, perhaps */
        note(&g->plans, &e->trial, nanoseconds(PMPI_Wtime() - begin));
    }
    return error;
}
