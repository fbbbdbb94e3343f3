/* The calls of a page. */
#include <stdlib.h>

#include "tools/rollcall/page.h"

/* Measures the call that the ranks in `made` made. Returns false where it cost nothing. */
static bool measure(const struct roll_page *page, const struct roll_made *made, int count,
                    struct roll_whole *whole)
{
    const struct roll_made *cause = roll_awaited_one(page->job, made, count);
    bool any = false;
    *whole = (struct roll_whole){.made = made, .cause = cause, .count = count};
    for (int i = 0; cause && i < count; i++) {
        struct roll_stay stay;
        if (roll_stay_of(made[i].call, cause->call->begin, &stay)) {
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

int roll_page(const struct roll_job *job, FILE *file)
{
    int count = 0;
    struct roll_made *made = roll_collect(job, &count);
    struct roll_page page = {.job = job};
    page.calls = malloc((size_t)count * sizeof *page.calls + 1);
    for (int i = 0, end; made && page.calls && i < count; i = end) {
        struct roll_whole *whole = &page.calls[page.count];
        end = roll_end_of_call(made, i, count);
        if (measure(&page, made + i, end - i, whole)) {
            page.waited += whole->waited;
            page.moved += whole->moved;
            page.count++;
        }
    }
    if (page.count > 0) {
        roll_page_draw(&page, file);
    }
    free(page.calls);
    free(made);
    return page.count;
}
