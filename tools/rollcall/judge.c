/* Who is missing in a job that stands still. */
#include <stdlib.h>
#include <string.h>

#include "tools/command/words.h"
#include "tools/rollcall/rollcall.h"

/* How many calls a rank has begun on a communicator of another rank's file. */
static uint64_t begun(const struct roll_rank *rank, const struct strata_record_communicator *c)
{
    const struct strata_record *record = rank->record;
    for (uint32_t i = 1; i < record->communicators && i < STRATA_RECORD_COMMUNICATORS; i++) {
        if (roll_same_communicator(&record->communicator[i], c)) {
            return rank->begun_calls[i];
        }
    }
    return 0;
}

static bool is_member(const struct strata_record *record,
                      const struct strata_record_communicator *c, int rank)
{
    bool found = c->ranks == (uint32_t)record->ranks; /* all ranks are */
    for (uint32_t i = 0; !found && i < c->ranks && c->members < STRATA_RECORD_MEMBERS - i; i++) {
        found = found || record->member[c->members + i] == rank;
    }
    return found;
}

/* Whether rank i stands in a call to which rank m has not come. */
static bool awaits(const struct roll_job *job, int i, int m)
{
    const struct roll_call *call = job->ranks[i].open;
    const struct strata_record *other = job->ranks[m].record;
    return call && i != m && is_member(job->ranks[i].record, call->communicator, other->rank) &&
           begun(&job->ranks[m], call->communicator) < call->order;
}

/* Whether it is not by waiting for others that the rank does not come. Where all have ended, they
 * are taken as they were. */
static bool is_end(const struct roll_job *job, int rank)
{
    const struct roll_rank *r = &job->ranks[rank];
    return !r->open || r->open->kind == STRATA_RECORD_FINALIZE ||
           (!job->ended && r->state <= ROLL_STOPPED);
}

/* Whether the rank waits, by whatever others, for one that is an end. */
static bool reaches_end(const struct roll_job *job, int rank)
{
    bool reached[job->count], changed = true, end = false;
    memset(reached, 0, sizeof reached);
    reached[rank] = true;
    while (changed && !end) {
        changed = false;
        for (int i = 0; i < job->count; i++) {
            for (int m = 0; reached[i] && m < job->count; m++) {
                if (!reached[m] && awaits(job, i, m)) {
                    reached[m] = changed = true;
                    end = end || is_end(job, m);
                }
            }
        }
    }
    return end;
}

static bool in_same_call(const struct roll_call *a, const struct roll_call *b)
{
    return a && b && a->order == b->order &&
           roll_same_communicator(a->communicator, b->communicator);
}

/* Says who is missing in the call of rank i, if i is the first rank in it. */
static int say_missing(const struct roll_job *job, int i)
{
    const struct roll_call *call = job->ranks[i].open;
    bool wait[job->count], missing[job->count];
    char text[ROLL_TEXT];
    int ends = 0, waits = 0;
    for (int m = 0; m < job->count; m++) {
        wait[m] = in_same_call(job->ranks[m].open, call);
        missing[m] = awaits(job, i, m) && is_end(job, m);
        ends += missing[m];
        waits += wait[m];
        if (wait[m] && m < i) {
            return 0;
        }
    }
    if (ends > 0) {
        printf("  wrong: ");
        roll_print_ranks(job, missing);
        printf(" missing in %s, in which ", roll_call_text(roll_awaited(call), text));
        roll_print_ranks(job, wait);
        printf(" wait%s\n", waits == 1 ? "s" : "");
    }
    return ends > 0;
}

/* Ranks that wait for others, none of whom can come. */
static int say_crossed(const struct roll_job *job)
{
    bool crossed[job->count];
    int many = 0;
    for (int i = 0; i < job->count; i++) {
        bool waits = false;
        for (int m = 0; m < job->count; m++) {
            waits = waits || awaits(job, i, m);
        }
        crossed[i] = waits && !is_end(job, i) && !reaches_end(job, i);
        many += crossed[i];
    }
    if (many > 0) {
        printf("  wrong: ");
        roll_print_ranks(job, crossed);
        printf(" wait for each other, in calls on communicators in another order\n");
    }
    return many > 0;
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
    wrong += roll_disagreements(job);
    for (int i = 0; still && i < job->count; i++) {
        wrong += job->ranks[i].open ? say_missing(job, i) : 0;
    }
    wrong += still && wrong == 0 ? say_crossed(job) : 0;
    if (still && wrong == 0 && any_open(job)) {
        printf("  wrong: it stands still, and no reason is seen\n");
        wrong++;
    }
    return wrong;
}
