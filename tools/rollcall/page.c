/* The calls of a page. */
#include <stdlib.h>

#include "tools/command/words.h"
#include "tools/rollcall/page.h"

/* Whether no rank leaves before all have come, or before the root has in a call of which the root's
 * part is absent. */
static bool holds_all(const struct roll_call *call)
{
    switch (call->kind) {
    case STRATA_REDUCE:
    case STRATA_GATHER:
    case STRATA_GATHERV:
    case STRATA_SCAN:
    case STRATA_EXSCAN:
        return false;
    default:
        return true;
    }
}

/* Whether all ranks of the communicator are there, and each still has its row: then what lacks in
 * one of the longest calls was shorter. Calls come in the order of communicators, so the last
 * answer is often the next one. */
static bool all_have(struct roll_page *page, const struct strata_record_communicator *c)
{
    uint32_t have = 0;
    if (!page->asked || !roll_same_communicator(page->asked, c)) {
        for (int i = 0; i < page->job->count; i++) {
            have += roll_row_of(page->job->ranks[i].record, c) > 0;
        }
        page->asked = c;
        page->all_have = have == c->ranks;
    }
    return page->all_have;
}

/* Whether it is one of the longest calls of the run, of which some ranks have kept nothing. All
 * others have left it. */
static bool is_in_part(struct roll_page *page, const struct roll_made *made, int count)
{
    bool longest = false, one = holds_all(made->call);
    for (int i = 0; i < count; i++) {
        const struct roll_rank *rank = &page->job->ranks[made[i].rank];
        longest = longest || (made[i].call >= rank->longest &&
                              made[i].call < rank->longest + rank->longest_count);
        one = one && made[i].call->kind == made->call->kind && made[i].call->end > 0;
    }
    return one && longest && (uint32_t)count < made->call->communicator->ranks &&
           all_have(page, made->call->communicator);
}

/* Finds for whom the ranks waited. Returns false where that is not known. */
static bool find_cause(struct roll_page *page, struct roll_whole *whole)
{
    whole->cause = roll_awaited_one(page->job, whole->made, whole->count);
    if (whole->cause) {
        whole->came = whole->cause->call->begin;
    } else if (is_in_part(page, whole->made, whole->count)) {
        whole->absent = (int)whole->made->call->communicator->ranks - whole->count;
        whole->came = whole->made->call->end;
        for (int i = 1; i < whole->count; i++) {
            const double end = whole->made[i].call->end;
            whole->came = end < whole->came ? end : whole->came;
        }
    }
    return whole->cause || whole->absent > 0;
}

/* Returns false where the call cost nothing, or who came last is not known. */
static bool measure(struct roll_page *page, struct roll_whole *whole)
{
    bool any = false;
    const bool known = find_cause(page, whole);
    for (int i = 0; known && i < whole->count; i++) {
        struct roll_stay stay;
        if (roll_stay_of(whole->made[i].call, whole->came, &stay)) {
            const double moved = stay.end - stay.until;
            whole->waited += stay.until - stay.begin;
            whole->moved = moved > whole->moved ? moved : whole->moved;
            whole->begin = !any || stay.begin < whole->begin ? stay.begin : whole->begin;
            whole->end = stay.end > whole->end ? stay.end : whole->end;
            any = true;
        }
    }
    return any && whole->end > whole->begin;
}

/* Measures all calls. Returns what page->calls points into, for free. */
static struct roll_made *measure_all(struct roll_page *page)
{
    int count = 0;
    struct roll_made *made = roll_collect(page->job, true, &count);
    page->calls = malloc((size_t)count * sizeof *page->calls + 1);
    for (int i = 0, end; made && page->calls && i < count; i = end) {
        struct roll_whole *whole = &page->calls[page->count];
        end = roll_end_of_call(made, i, count);
        *whole = (struct roll_whole){.made = made + i, .count = end - i};
        if (measure(page, whole)) {
            page->waited += whole->waited;
            page->moved += whole->moved;
            page->count++;
        }
    }
    return made;
}

/* "rank 2, which stood there for less time", where it is known which is absent. */
static const char *absent_text(const struct roll_job *job, const struct roll_whole *whole,
                               char text[64])
{
    const struct strata_record_communicator c = *whole->made->call->communicator;
    const bool known = whole->absent == 1 && roll_lists_members(&c);
    const int32_t *member = job->ranks[whole->made->rank].record->member + (known ? c.members : 0);
    snprintf(text, 64, "one of %d rank%s that stood there for less time", whole->absent,
             tool_plural(whole->absent));
    for (uint32_t i = 0; known && i < c.ranks; i++) {
        int k = 0;
        while (k < whole->count && job->ranks[whole->made[k].rank].record->rank != member[i]) {
            k++;
        }
        if (k == whole->count) {
            snprintf(text, 64, "rank %d, which stood there for less time", member[i]);
        }
    }
    return text;
}

const char *roll_cause_text(const struct roll_job *job, const struct roll_whole *whole, char *text)
{
    const struct roll_made *one = whole->cause ? whole->cause : whole->made;
    const struct strata_record *record = job->ranks[one->rank].record;
    const char *served = one->call->served;
    char site[ROLL_TEXT], absent[64], last[80];
    if (whole->cause) {
        snprintf(last, sizeof last, "%s: rank %d", roll_waits_for_root(one->call) ? "root" : "last",
                 record->rank);
    } else {
        snprintf(last, sizeof last, "last: %s", absent_text(job, whole, absent));
    }
    snprintf(text, ROLL_TEXT, "%s, at %.90s%s%.60s", last, roll_site(record, one->call->site, site),
             served ? "; served by " : "", served ? served : "");
    return text;
}

int roll_page(const struct roll_job *job, FILE *file)
{
    struct roll_page page = {.job = job};
    struct roll_made *made = measure_all(&page);
    if (page.count > 0 && file) {
        roll_page_draw(&page, file);
    }
    free(page.calls);
    free(made);
    return page.count;
}

static int by_length(const void *a, const void *b)
{
    const struct roll_whole *x = a, *y = b;
    const double p = x->end - x->begin, q = y->end - y->begin;
    return (p < q) - (p > q);
}

static void print_call(const struct roll_job *job, const char *prefix,
                       const struct roll_whole *whole)
{
    const struct roll_rank *rank = &job->ranks[whole->made->rank];
    const double after = whole->begin - roll_seconds(&rank->clock, rank->record->stamps[1].ticks);
    char length[32], when[32], text[ROLL_TEXT];
    printf("%s  %9s  %s after MPI_Init: ", prefix,
           tool_seconds(whole->end - whole->begin, length, sizeof length),
           tool_seconds(after > 0 ? after : 0, when, sizeof when));
    printf("%s; ", roll_call_text(whole->made->call, text));
    printf("%s\n", roll_cause_text(job, whole, text));
}

void roll_longest(const struct roll_job *job, const char *prefix)
{
    enum { ROWS = 5 };
    struct roll_page page = {.job = job};
    struct roll_made *made = measure_all(&page);
    if (page.count > 0) {
        qsort(page.calls, (size_t)page.count, sizeof *page.calls, by_length);
        printf("%sthe longest calls of the run:\n", prefix);
    }
    for (int i = 0; i < page.count && i < ROWS; i++) {
        print_call(job, prefix, &page.calls[i]);
    }
    free(page.calls);
    free(made);
}
