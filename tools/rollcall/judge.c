/* Who is missing in a job that stands still. */
#include <stdlib.h>
#include <string.h>

#include "tools/command/words.h"
#include "tools/rollcall/waits.h"

/* Whether it is not by waiting for others that the rank does not come, or for nobody in particular.
 * Where all have ended, they are taken as they were. */
static bool is_end(const struct roll_job *job, int rank)
{
    const struct roll_rank *r = &job->ranks[rank];
    const struct roll_call *message = roll_message_of(r);
    if (r->state == ROLL_UNHEARD) { /* nobody knows */
        return false;
    }
    return !r->open || r->any || r->open->kind == STRATA_RECORD_FINALIZE ||
           (message && message->other.rank == STRATA_RECORD_ANYBODY) ||
           (!job->ended && r->state <= ROLL_STOPPED);
}

/* Says who is missing in the call of rank i, if i is the first rank in it. */
static int say_missing(const struct roll_waits *w, int i)
{
    const struct roll_job *job = w->job;
    const struct roll_call *call = job->ranks[i].open;
    const struct roll_group *g = w->group[i];
    bool wait[job->count], missing[job->count], first = true;
    char text[ROLL_TEXT];
    int ends = 0, waits = 0;
    memset(wait, 0, sizeof wait);
    memset(missing, 0, sizeof missing);
    for (int k = 0; k < g->count; k++) {
        const int m = g->members[k].rank;
        wait[m] = w->group[m] == g && job->ranks[m].open->order == call->order;
        missing[m] = g->members[k].begun < call->order && m != i && is_end(job, m);
        ends += missing[m];
        waits += wait[m];
        first = first && !(wait[m] && m < i);
    }
    if (!first || ends == 0) {
        return 0;
    }
    printf("  wrong: ");
    roll_print_ranks(job, missing);
    printf(" missing in %s, in which ", roll_call_text(roll_awaited(call), text));
    roll_print_ranks(job, wait);
    printf(" wait%s\n", waits == 1 ? "s" : "");
    return 1;
}

/* Whether the rank stands in a call to which another one has not come. */
static bool waits_for_any(const struct roll_waits *w, int rank)
{
    const struct roll_group *g = w->group[rank];
    bool waits = false;
    for (int k = 0; g && !waits && k < g->count; k++) {
        waits = g->members[k].rank != rank && g->members[k].begun < w->job->ranks[rank].open->order;
    }
    return waits;
}

/* Ranks that wait for others, none of whom can come: of no call an end is missing. */
static int say_crossed(const struct roll_waits *w)
{
    const struct roll_job *job = w->job;
    bool crossed[job->count];
    int many = 0;
    for (int i = 0; i < job->count; i++) {
        crossed[i] = !is_end(job, i) && waits_for_any(w, i);
        many += crossed[i];
    }
    if (many > 0) {
        printf("  wrong: ");
        roll_print_ranks(job, crossed);
        printf(" wait for each other, in calls on communicators in another order\n");
    }
    return many > 0;
}

/* Says for whom ranks wait, and only where nothing else is wrong, which wait for each other. */
static int say_waits(const struct roll_job *job, int wrong)
{
    struct roll_waits w;
    if (!roll_find_waits(job, &w)) {
        return wrong;
    }
    for (int i = 0; i < job->count; i++) {
        wrong += w.group[i] ? say_missing(&w, i) : 0;
    }
    wrong += roll_judge_messages(&w);
    wrong += wrong == 0 ? say_crossed(&w) : 0;
    roll_free_waits(&w);
    return wrong;
}

static int say_state(const struct roll_job *job, enum roll_state state, const char *sentence)
{
    bool chosen[job->count];
    int many = 0;
    for (int i = 0; i < job->count; i++) {
        chosen[i] = job->ranks[i].state == state;
        many += chosen[i];
    }
    if (many > 0) {
        printf("  wrong: ");
        roll_print_ranks(job, chosen);
        printf(" %s %s\n", many == 1 ? "is" : "are", sentence);
    }
    return many > 0;
}

static bool any_open(const struct roll_job *job)
{
    bool found = false;
    for (int i = 0; i < job->count; i++) {
        found = found || job->ranks[i].open;
    }
    return found;
}

int roll_judge(const struct roll_job *job, bool still)
{
    int wrong = job->ended ? 0 : say_state(job, ROLL_GONE, "gone: no such process is left");
    wrong += say_state(job, ROLL_STOPPED, "stopped: a signal or a debugger did it");
    wrong += say_state(job, ROLL_UNHEARD, "not heard any more, and shown as last heard");
    wrong += roll_disagreements(job, "  ");
    wrong = still ? say_waits(job, wrong) : wrong;
    if (still && wrong == 0 && any_open(job)) {
        printf("  wrong: it stands still, and no reason is seen\n");
        wrong++;
    }
    return wrong;
}
