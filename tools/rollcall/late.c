/* For whom others waited. A rank that stands in a call waits for the rank that comes last, or for
 * the root where only that has what it needs. What it takes from then on nobody has caused: moving
 * data, and cores that ranks share. */
#include <stdlib.h>
#include <string.h>

#include "tools/command/words.h"
#include "tools/rollcall/rollcall.h"

/* The calls from one site of a rank in which it came last, and which one algorithm served. */
struct site {
    const struct roll_call *call; /* one of them */
    int rank, calls;
    double waited; /* the seconds that others waited for it */
};

struct late {
    const struct roll_job *job;
    struct site *sites;
    int count, calls;
    double waited, rest; /* rank seconds before and after the last one came */
};

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

static const struct roll_made *find_root(const struct late *l, const struct roll_made *made,
                                         int count)
{
    const struct strata_record *record = l->job->ranks[made->rank].record;
    const struct strata_record_communicator *c = made->call->communicator;
    const uint32_t at = c->members + (uint32_t)made->call->root;
    const struct roll_made *root = NULL;
    const bool known = c->members < STRATA_RECORD_MEMBERS && at < STRATA_RECORD_MEMBERS;
    for (int i = 0; known && i < count; i++) {
        const struct strata_record *other = l->job->ranks[made[i].rank].record;
        root = other->rank == record->member[at] ? &made[i] : root;
    }
    return root;
}

/* The one that others wait for; NULL: it is not known. */
static const struct roll_made *find_cause(const struct late *l, const struct roll_made *made,
                                          int count)
{
    const int kind = made->call->kind;
    if (kind == STRATA_BCAST || kind == STRATA_SCATTER || kind == STRATA_SCATTERV) {
        return find_root(l, made, count);
    }
    const struct roll_made *last = made;
    for (int i = 1; i < count; i++) {
        last = made[i].call->begin > last->call->begin ? &made[i] : last;
    }
    return last;
}

/* Adds what the rank stood in the call before `cause` came, and after. A call that was begun and
 * not waited for cost nothing. */
static double charge(struct late *l, const struct roll_call *call, double cause)
{
    const bool blocks =
        call->form == STRATA_RECORD_BLOCKING || call->form == STRATA_RECORD_DESCRIBED;
    const struct roll_call *stood = blocks ? call : call->wait;
    if (!stood || stood->end <= 0) {
        return 0;
    }
    /* who left before has not waited for it */
    const bool waited = cause > stood->begin && cause < stood->end;
    const double until = waited ? cause : stood->begin;
    l->rest += stood->end - until;
    l->waited += until - stood->begin;
    return until - stood->begin;
}

static struct site *find_site(struct late *l, const struct roll_made *cause)
{
    int i = 0;
    while (i < l->count &&
           (l->sites[i].rank != cause->rank || l->sites[i].call->site != cause->call->site ||
            l->sites[i].call->served != cause->call->served)) {
        i++;
    }
    if (i == l->count) {
        struct site *grown = realloc(l->sites, (size_t)(l->count + 1) * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        l->sites = grown;
        grown[l->count++] = (struct site){.call = cause->call, .rank = cause->rank};
    }
    return &l->sites[i];
}

static void add_call(struct late *l, const struct roll_made *made, int count)
{
    const struct roll_made *cause = is_whole(made, count) ? find_cause(l, made, count) : NULL;
    struct site *site = cause ? find_site(l, cause) : NULL;
    for (int i = 0; site && i < count; i++) {
        site->waited += charge(l, made[i].call, cause->call->begin);
    }
    if (site) {
        site->calls++;
        l->calls++;
    }
}

static int by_waited(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    return (x->waited < y->waited) - (x->waited > y->waited);
}

static void print_row(const struct late *l, const struct site *site)
{
    const struct roll_rank *rank = &l->job->ranks[site->rank];
    char time[32], name[ROLL_TEXT], place[ROLL_TEXT];
    printf("    %9s %4.0f %%  rank %d on %s, last in %d of %d calls: %s at %s%s%s\n",
           tool_seconds(site->waited, time, sizeof time),
           100 * site->waited / (l->waited + l->rest), rank->record->rank, rank->record->host,
           site->calls, l->calls, roll_collective(site->call, name),
           roll_site(rank->record, site->call->site, place), site->call->served ? ", by " : "",
           site->call->served ? site->call->served : "");
}

static void print(const struct late *l)
{
    enum { ROWS = 10 };
    char time[32];
    double others = 0;
    printf("  in the last %d calls ranks stood for %s in all; for whom they waited:\n", l->calls,
           tool_seconds(l->waited + l->rest, time, sizeof time));
    for (int i = 0; i < l->count; i++) {
        if (i < ROWS) {
            print_row(l, &l->sites[i]);
        } else {
            others += l->sites[i].waited;
        }
    }
    if (l->count > ROWS) {
        printf("    %9s %4.0f %%  others\n", tool_seconds(others, time, sizeof time),
               100 * others / (l->waited + l->rest));
    }
    printf("    %9s %4.0f %%  nobody: all had come\n", tool_seconds(l->rest, time, sizeof time),
           100 * l->rest / (l->waited + l->rest));
}

static bool has_one_clock(const struct roll_job *job)
{
    bool one = true;
    for (int i = 1; i < job->count; i++) {
        one = one && job->ranks[i].record->place == job->ranks[0].record->place;
    }
    return one;
}

void roll_late(const struct roll_job *job)
{
    struct late l = {.job = job};
    int count = 0;
    if (!has_one_clock(job)) {
        printf("  who is late is not told: the clocks of several hosts are not set against each "
               "other\n");
        return;
    }
    struct roll_made *made = roll_collect(job, &count);
    for (int i = 0, end; made && i < count; i = end) {
        end = roll_end_of_call(made, i, count);
        add_call(&l, made + i, end - i);
    }
    if (l.sites && l.waited + l.rest > 0) {
        qsort(l.sites, (size_t)l.count, sizeof *l.sites, by_waited);
        print(&l);
    }
    free(made);
    free(l.sites);
}
