#include "api/call/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/attach/settings.h"
#include "api/call/plans.h"
#include "api/call/problem.h"
#include "api/call/run.h"
#include "api/call/sizes.h"
#include "api/process/agree.h"
#include "api/process/process.h"
#include "api/process/recorded.h"
#include "hier/registry.h"
#include "hier/tuning.h"

/* Times are whole nanoseconds. Sums of these are exact, so all ranks get the same sum, also where
 * MPI adds up in another order on each rank. */

/* The survey: calls by the choice, then by each rival. The first ones of each set things up, and
 * are not counted. */
enum { SURVEY_FIRST = 4, SURVEY_RIVAL = 3, SURVEY_COUNTED = 2 };
/* A series has four parts. Long calls vary less, and cost more. */
enum { PARTS = 4, LONG_CALLS = 3 };
static const double LONG = 2e6;
/* No rank waits for a rank that is fewer calls behind. */
enum { LATER = 8 };
/* No call lasts longer. */
static const double MOST_SECONDS = 1e6;
/* A remembered call takes up to half a microsecond less than a call of a trial, or than a call of
 * MPI's own during which requests move. */
static const double SHORTEST = 10e3;
/* After the survey: a rival may be slower by this factor, for two calls of each are few. */
static const double PROMISING = 1.5;
/* By costs: where a rival is slower by more than LIKELY, the choice first makes so many calls that
 * one of the rival takes a quarter of their time, if costs are right. Costs are not wrong by more
 * than CONCEIVABLE, and a call of MPI's own may take a thousand times as long on many ranks. */
static const double LIKELY = 4, CONCEIVABLE = 16, CHOICE_FIRST = 4;

/* A rival that wins has a trial of its own, after at most so many wins in a row. */
enum { ROUNDS = 3 };
/* Calls after which a trial begins again, at the earliest. They take SPREAD times as long as what
 * the trial cost: so trials cost no more than a hundredth of the calls' time. */
enum { AGAIN = 8192 };
static const double SPREAD = 100;
/* No call of a rival costs more, as a part of the choice's time: MPI's own may take a thousand
 * times as long on many ranks. */
static const double MOST_TIMES = 1000;

/* On simulated clusters there are no trials: the figures of a simulation are those of the plan. */
#ifdef STRATA_SIMULATED
enum { SIMULATED = 1 };
#else
enum { SIMULATED = 0 };
#endif

/* Whether early calls of this kind try rivals. Ranks that agree on sizes have the same entry even
 * if one of them gives a wrong length, so they count the same calls of a trial. Left folds of all
 * plans have the same bits. */
static bool is_tried(const struct strata_group *g, const struct strata_plan_key *key)
{
    const enum strata_collective collective = key->collective;
    const char *trial = g->settings->config.trial;
    const bool agreed = strata_sizes_agree(collective) || strata_collective_one_knows(collective);
    const bool same = key->left_fold || !strata_collective_reduces(collective);
    return !SIMULATED && collective != STRATA_BARRIER && strcmp(trial, "off") != 0 &&
           (agreed || (same && strcmp(trial, "all") == 0) || strcmp(trial, "reductions") == 0);
}

/* Whether the sizes are those of calls, and not a first guess. */
static bool knows_sizes(const struct strata_plan_key *key)
{
    return !strata_sizes_agree(key->collective) || key->most > 0;
}

/* Under the preload library MPI's own, once chosen, takes buffers in the memory of devices. */
void strata_trial_prepare(const struct strata_group *g, struct strata_selection_entry *e)
{
    const struct strata_selection *s = &e->selection;
    const bool due = !g->thread && is_tried(g, &e->key) && g->settings->shadows == 0 &&
                     g->ranks > 1 && !s->forced && !e->key.once && knows_sizes(&e->key) &&
                     s->native > 0 && (e->plan || !strata_process_here.preloaded);
    e->trial.stage = e->key.forced.weight == STRATA_TRIED ? STRATA_TRIAL_OTHERS
                     : due                                ? STRATA_TRIAL_SURVEY
                                                          : STRATA_TRIAL_OVER;
    e->trial.first = SURVEY_FIRST;
}

/* A rival that costs so much joins the trial, if costs are not too sure that it is slower. */
static void join(struct strata_selection_entry *e, struct strata_choice rival, double seconds)
{
    struct strata_trial *t = &e->trial;
    const double factor = seconds / e->selection.seconds;
    const bool likely = factor < LIKELY, late = 4e9 * e->selection.seconds >= SHORTEST;
    if (likely || (late && factor < CONCEIVABLE)) {
        const int first = likely ? SURVEY_FIRST : (int)(CHOICE_FIRST * factor);
        t->first = first > t->first ? first : t->first;
        t->rival[t->rivals++] = rival;
    }
}

/* The choice serves calls from now on. The trial begins again after so many of them, where no rank
 * remembers calls that MPI may refuse; 0: it does not. */
static void end(struct strata_selection_entry *e, int64_t again)
{
    struct strata_trial *t = &e->trial;
    t->stage = STRATA_TRIAL_OVER;
    t->calls = 0;
    t->first = SURVEY_FIRST;
    t->won = 0;
    t->figure[STRATA_TRIAL_COST] = 0;
    e->asks = !e->plan;
    e->left = e->plan || e->moving ? again : 0;
}

/* Calls of which each takes so long, over which the cost of trials is spread. */
static int64_t spread(double cost, double time)
{
    const double calls = time > 0 ? SPREAD * cost / time : 0;
    return calls > AGAIN ? (int64_t)fmin(calls, 1e15) : AGAIN;
}

/* A rival became the choice of this entry, as the `won`-th in a row of trials that cost so much.
 * The trial goes on with all others, for the rivals were compared by two calls each. */
static void go_on(struct strata_selection_entry *e, int won, double cost, double time)
{
    end(e, spread(cost, time));
    if (won < ROUNDS) {
        e->trial.stage = STRATA_TRIAL_SURVEY;
        e->trial.won = won;
        e->trial.figure[STRATA_TRIAL_COST] = cost;
    }
}

/* Before the choice makes its last call of the survey. Most kinds of call are made less often. */
static void find_rivals(const struct strata_group *g, struct strata_selection_entry *e)
{
    struct strata_problem problem = strata_problem_of(g, &e->key, false);
    struct strata_rival plan[STRATA_RIVALS];
    problem.mapped = e->mapped;
    const int plans = strata_rivals(&e->selection.choice, &problem, &g->machine, plan);
    if (e->plan && !e->key.left_fold) {
        join(e, (struct strata_choice){.algorithm = strata_registry_find("native")},
             e->selection.native);
    }
    for (int i = 0; i < plans; i++) {
        join(e, plan[i].choice, plan[i].seconds);
    }
    if (e->trial.rivals == 0) {
        end(e, 0);
    }
}

/* The rival that makes the next call; -1: the choice does. */
static int whose_turn(const struct strata_trial *t)
{
    if (t->stage == STRATA_TRIAL_SURVEY) {
        return t->calls < t->first ? -1 : (t->calls - t->first) / SURVEY_RIVAL;
    }
    return t->stage == STRATA_TRIAL_SERIES && t->calls / t->each % 2 == 1 ? t->best : -1;
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
    const int turn = whose_turn(t) + 1;
    const int rest = t->first + SURVEY_RIVAL * turn - ++t->calls;
    if (rest < SURVEY_COUNTED) {
        t->times[rest] = time;
    }
    if (rest == 0) {
        t->figure[turn] = middle(t->times, SURVEY_COUNTED);
    }
    if (rest == 0 && turn == t->rivals) {
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

/* A rival's call took so long, its plan's making included, where the choice would have taken less.
 * A call in which the rank waited for one that came a second late has no such cost. */
static void note_cost(struct strata_trial *t, double time)
{
    const double own = t->figure[0], more = fmin(time, MOST_TIMES * own) - own;
    t->figure[STRATA_TRIAL_COST] += more;
    strata_process_here.trials_cost += (int64_t)more;
}

/* Counts a call, which took so long. A call before which the trial ended is none of a trial's: a
 * rank repeats it outside of trials if MPI's own refused it there. */
static void note(struct strata_plan_table *plans, struct strata_trial *t, double time)
{
    plans->told_calls += plans->telling && t->stage != STRATA_TRIAL_OVER;
    if (t->stage == STRATA_TRIAL_SURVEY) {
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
    const double *figure = e->trial.figure;
    snprintf(s->why, sizeof s->why, "MPI's own: timed beside %s, it took %.2f of the time",
             e->algorithm, part);
    s->seconds = s->native;
    s->choice = (struct strata_choice){.algorithm = strata_registry_find("native")};
    snprintf(e->algorithm, sizeof e->algorithm, "%s", s->choice.algorithm->name);
    e->plan = NULL;
    e->moving = moves_requests();
    e->trial.rivals = 0; /* all are plans from now on */
    go_on(e, e->trial.won + 1, figure[STRATA_TRIAL_COST], part * figure[0]);
}

static struct strata_plan_key key_of_rival(const struct strata_selection_entry *e, int rival)
{
    struct strata_plan_key key = e->key;
    key.forced = e->trial.rival[rival];
    return key;
}

/* From now on the rival's entry serves the calls of this one, which is dropped. Where the rival's
 * was, on all ranks, nothing changes. */
static void take_plan(struct strata_plan_table *plans, struct strata_selection_entry *e,
                      double part)
{
    const struct strata_plan_key key = key_of_rival(e, e->trial.best);
    struct strata_selection_entry *rival = strata_plan_table_find(plans, &key);
    const double *figure = e->trial.figure;
    if (!rival || !rival->plan) {
        end(e, spread(figure[STRATA_TRIAL_COST], figure[0]));
        return;
    }
    snprintf(rival->selection.why, sizeof rival->selection.why,
             "timed beside %s, it took %.2f of the time", e->algorithm, part);
    go_on(rival, e->trial.won + 1, figure[STRATA_TRIAL_COST], part * figure[0]);
    strata_plan_table_replace(plans, e, rival);
}

static void find_best(struct strata_trial *t)
{
    t->best = 0;
    for (int i = 1; i < t->rivals; i++) {
        t->best = t->figure[1 + i] < t->figure[1 + t->best] ? i : t->best;
    }
}

static bool is_native(const struct strata_choice *choice)
{
    return choice->algorithm->level == STRATA_MPI;
}

static void decide_survey(struct strata_selection_entry *e)
{
    struct strata_trial *t = &e->trial;
    const double own = t->figure[0];
    find_best(t);
    if (own >= SHORTEST && t->figure[1 + t->best] < PROMISING * own) {
        t->stage = STRATA_TRIAL_SERIES;
        t->each = own < LONG ? STRATA_TRIAL_CALLS : LONG_CALLS;
        t->calls = 0;
    } else {
        end(e, own >= SHORTEST ? spread(t->figure[STRATA_TRIAL_COST], own) : 0);
    }
}

/* The entry may be dropped. */
static void decide_series(struct strata_plan_table *plans, struct strata_selection_entry *e)
{
    const struct strata_trial *t = &e->trial;
    const double *own = t->figure, *rival = t->figure + 1;
    const double part = (rival[0] + rival[2]) / (own[0] + own[2]);
    const bool wins = part < STRATA_CLEARLY_LESS && rival[0] < own[0] && rival[2] < own[2];
    if (!wins) {
        end(e, spread(t->figure[STRATA_TRIAL_COST], own[0]));
    } else if (is_native(&t->rival[t->best])) {
        take_native(e, part);
    } else {
        take_plan(plans, e, part);
    }
}

/* The times in `figure` are the same on all ranks now. */
static void decide(struct strata_plan_table *plans, struct strata_selection_entry *e)
{
    if (e->trial.stage == STRATA_TRIAL_SURVEYED) {
        decide_survey(e);
    } else {
        decide_series(plans, e);
    }
}

/* Where each rank waits for all, the ranks add up their times. */
static int agree_now(struct strata_group *g, struct strata_selection_entry *e)
{
    int error = strata_group_agree(g, e->trial.figure, STRATA_TRIAL_FIGURES, MPI_DOUBLE, MPI_SUM);
    for (int i = 0; i < STRATA_TRIAL_FIGURES; i++) {
        e->trial.figure[i] = floor(e->trial.figure[i] / g->ranks);
    }
    decide(&g->plans, e);
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
        decide(&g->plans, e);
    }
    return error;
}

/* Before a call: agrees on times, if it is time. The ranks tell each other those of one trial at a
 * time, and look in a call of any trial, for calls of the same kind may never come. Returns MPI's
 * code. The call's entry may be another one after that. */
static int agree(struct strata_group *g, struct strata_call *c)
{
    const struct strata_plan_key key = c->entry->key;
    int error = MPI_SUCCESS;
    if (g->plans.telling && g->plans.told_calls >= LATER) {
        error = look_what_was_told(g);
        c->entry = strata_plan_table_find(&g->plans, &key);
    }
    const enum strata_trial_stage stage = c->entry->trial.stage;
    if (error != MPI_SUCCESS || (stage != STRATA_TRIAL_SURVEYED && stage != STRATA_TRIAL_TOLD)) {
        return error;
    }
    if (strata_collective_waits(key.collective)) {
        error = agree_now(g, c->entry);
        c->entry = strata_plan_table_find(&g->plans, &key);
        return error;
    }
    return g->plans.telling ? MPI_SUCCESS : begin_telling(g, c->entry);
}

/* Ends the trial before a call by a rival for whose plan the table has no room. */
static void end_without_room(struct strata_group *g, struct strata_selection_entry *e)
{
    const int rival = whose_turn(&e->trial);
    if (rival >= 0 && !is_native(&e->trial.rival[rival])) {
        const struct strata_plan_key key = key_of_rival(e, rival);
        if (!strata_plan_table_tries(&g->plans, &key, g->ranks)) {
            end(e, AGAIN); /* the ranks have not agreed on its cost */
        }
    }
}

/* Finds the entry of the rival that makes the call. */
static int find_rival(struct strata_call *c, int rival)
{
    const struct strata_plan_key key = key_of_rival(c->entry, rival);
    struct strata_diagnostic message;
    message.text[0] = '\0';
    const int error = strata_plans_find(c->state->group, &key, c->signature, &c->entry, &message);
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), message.text);
}

/* Makes the call as it is the turn: by the choice, or by a rival. */
static int make(struct strata_call *c, int (*native)(struct strata_call *c), int rival)
{
    const bool timed = rival >= 0, own = timed && is_native(&c->entry->trial.rival[rival]);
    const int error = timed && !own ? find_rival(c, rival) : MPI_SUCCESS;
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (own) {
        c->entry = NULL;
        c->why = STRATA_TIMED_BESIDE;
        c->moving = moves_requests();
    }
    if (!c->entry || !c->entry->plan) {
        return native(c);
    }
    if (strata_record_served) {
        strata_record_served(c->signature->comm, c->signature->collective, c->entry->algorithm);
    }
    return strata_call_run(c);
}

int strata_trial_run(struct strata_call *c, int (*native)(struct strata_call *c))
{
    struct strata_group *g = c->state->group;
    struct strata_selection_entry *e = NULL; /* lives on while another call may drop it */
    int error = agree(g, c);
    if (error != MPI_SUCCESS) { /* this rank does not know what the others do from now on */
        strata_group_break(g);
        return strata_call_raise(c, MPI_ERR_OTHER, "the ranks could not agree");
    }
    strata_selection_entry_hold(&e, c->entry);
    if (e->trial.stage == STRATA_TRIAL_SURVEY && e->trial.calls == SURVEY_FIRST - 1 &&
        e->trial.rivals == 0) {
        find_rivals(g, e);
    }
    end_without_room(g, e);
    const int rival = whose_turn(&e->trial);
    const double begin = PMPI_Wtime();
    error = make(c, native, rival);
    if (!c->refused) { /* a rank repeats a call that is refused, perhaps */
        const double time = nanoseconds(PMPI_Wtime() - begin);
        if (rival >= 0) {
            note_cost(&e->trial, time);
        }
        note(&g->plans, &e->trial, time);
    }
    strata_selection_entry_hold(&e, NULL);
    return error;
}
