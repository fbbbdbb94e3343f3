/* For whom others waited. A rank that stands in a call waits for the rank that comes last, or for
 * the root where only that has what it needs. What it takes from then on nobody has caused: moving
 * data, and cores that ranks share. */
#include <stdlib.h>
#include <string.h>

#include "tools/command/words.h"
#include "tools/rollcall/late.h"

/* All ranks of the communicator made the call, the same one, and have left it. In a neighbourhood
 * ranks wait for their neighbours alone. */
static bool is_whole(const struct roll_made *made, int count)
{
    bool whole = (uint32_t)count == made->call->communicator->ranks && count > 1 &&
                 made->call->kind < STRATA_COLLECTIVE_COUNT;
    for (int i = 0; i < count; i++) {
        whole = whole && made[i].call->kind == made->call->kind && made[i].call->end > 0;
    }
    return whole;
}

static const struct roll_made *find_root(const struct roll_job *job, const struct roll_made *made,
                                         int count)
{
    const struct strata_record *record = job->ranks[made->rank].record;
    const struct strata_record_communicator *c = made->call->communicator;
    const uint32_t at = c->members + (uint32_t)made->call->root;
    const struct roll_made *root = NULL;
    const bool known = c->members < STRATA_RECORD_MEMBERS && at < STRATA_RECORD_MEMBERS;
    for (int i = 0; known && i < count; i++) {
        const struct strata_record *other = job->ranks[made[i].rank].record;
        root = other->rank == record->member[at] ? &made[i] : root;
    }
    return root;
}

bool roll_waits_for_root(const struct roll_call *call)
{
    return call->kind == STRATA_BCAST || call->kind == STRATA_SCATTER ||
           call->kind == STRATA_SCATTERV;
}

const struct roll_made *roll_awaited_one(const struct roll_job *job, const struct roll_made *made,
                                         int count)
{
    if (!is_whole(made, count)) {
        return NULL;
    }
    if (roll_waits_for_root(made->call)) {
        return find_root(job, made, count);
    }
    const struct roll_made *last = made;
    for (int i = 1; i < count; i++) {
        last = made[i].call->begin > last->call->begin ? &made[i] : last;
    }
    return last;
}

bool roll_stay_of(const struct roll_call *call, double cause, struct roll_stay *stay)
{
    const bool blocks =
        call->form == STRATA_RECORD_BLOCKING || call->form == STRATA_RECORD_DESCRIBED;
    const struct roll_call *stood = blocks ? call : call->wait;
    if (!stood || stood->end <= 0) {
        return false;
    }
    /* who left before has not waited for it */
    const bool waited = cause > stood->begin && cause < stood->end;
    *stay = (struct roll_stay){stood->begin, waited ? cause : stood->begin, stood->end};
    return true;
}

static struct roll_cause *find_site(struct roll_delays *l, const struct roll_made *cause)
{
    int i = 0;
    while (i < l->count &&
           (l->causes[i].rank != cause->rank || l->causes[i].call->site != cause->call->site ||
            l->causes[i].call->served != cause->call->served)) {
        i++;
    }
    if (i == l->count) {
        struct roll_cause *grown = realloc(l->causes, (size_t)(l->count + 1) * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        l->causes = grown;
        grown[l->count++] = (struct roll_cause){.call = cause->call, .rank = cause->rank};
    }
    return &l->causes[i];
}

static void add_call(struct roll_delays *l, const struct roll_made *made, int count)
{
    const struct roll_made *cause = roll_awaited_one(l->job, made, count);
    struct roll_cause *site = cause ? find_site(l, cause) : NULL;
    for (int i = 0; site && i < count; i++) {
        const struct roll_call *call = made[i].call;
        struct roll_stay stay;
        if (roll_stay_of(call, cause->call->begin, &stay)) {
            site->waited += stay.until - stay.begin;
            l->waited += stay.until - stay.begin;
            l->rest += stay.end - stay.until;
        }
        l->begin = l->begin <= 0 || call->begin < l->begin ? call->begin : l->begin;
        l->end = call->end > l->end ? call->end : l->end;
    }
    if (site) {
        site->calls++;
        l->calls++;
    }
}

static int by_waited(const void *a, const void *b)
{
    const struct roll_cause *x = a, *y = b;
    return (x->waited < y->waited) - (x->waited > y->waited);
}

/* Begins a row with the time and its share of all. */
static void put_time(const struct roll_delays *l, const char *prefix, double seconds)
{
    char time[32];
    printf("%s  %9s %4.0f %%  ", prefix, tool_seconds(seconds, time, sizeof time),
           100 * seconds / (l->waited + l->rest));
}

static void print_row(const struct roll_delays *l, const char *prefix,
                      const struct roll_cause *site)
{
    const struct roll_rank *rank = &l->job->ranks[site->rank];
    char name[ROLL_TEXT], place[ROLL_TEXT];
    put_time(l, prefix, site->waited);
    printf("rank %d on %s, last in %d of %d calls: %s at %s%s%s\n", rank->record->rank,
           rank->record->host, site->calls, l->calls, roll_collective(site->call, name),
           roll_site(rank->record, site->call->site, place), site->call->served ? ", by " : "",
           site->call->served ? site->call->served : "");
}

static void print(const struct roll_delays *l, const char *prefix)
{
    enum { ROWS = 10 };
    char time[32];
    double others = 0;
    printf("%sin the last %d calls ranks stood for %s in all; for whom they waited:\n", prefix,
           l->calls, tool_seconds(l->waited + l->rest, time, sizeof time));
    for (int i = 0; i < l->count; i++) {
        if (i < ROWS) {
            print_row(l, prefix, &l->causes[i]);
        } else {
            others += l->causes[i].waited;
        }
    }
    if (l->count > ROWS) {
        put_time(l, prefix, others);
        printf("others\n");
    }
    put_time(l, prefix, l->rest);
    printf("nobody: all had come\n");
}

static void find_late(struct roll_delays *l)
{
    int count = 0;
    struct roll_made *made = roll_collect(l->job, false, &count);
    for (int i = 0, end; made && i < count; i = end) {
        end = roll_end_of_call(made, i, count);
        add_call(l, made + i, end - i);
    }
    free(made);
    if (l->causes) {
        qsort(l->causes, (size_t)l->count, sizeof *l->causes, by_waited);
    }
}

void roll_late(const struct roll_job *job, const char *prefix)
{
    struct roll_delays l = {.job = job};
    const struct roll_agreement clocks = roll_agreement(job);
    char agreement[ROLL_TEXT];
    roll_agreement_text(job, agreement);
    if (clocks.clocks > 1 && clocks.settings == 0) {
        printf("%swho is late is not told: %s\n", prefix, agreement);
        return;
    }
    find_late(&l);
    if (l.causes && l.waited + l.rest > 0) {
        print(&l, prefix);
        if (agreement[0]) {
            printf("%s%s\n", prefix, agreement);
        }
        roll_advise(&l, prefix);
        roll_longest(job, prefix);
    } else {
        printf(
            "%swho is late is not known: no collective of several ranks was made by all of them\n",
            prefix);
    }
    free(l.causes);
}
