/* The table of the longest calls of a run, filled by threads: it has just these calls. A call that
 * ends before it begins, by clocks of two cores, is none of them, and an entry that another call
 * has by now is not counted. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "preload/record/counts.h"

enum { THREADS = 4, CALLS = 20000, LAST = THREADS * CALLS };

static struct strata_record file = {.bytes = sizeof file};
struct strata_record *recorder_record = &file;
static int wrong;

static void must(bool holds, const char *what)
{
    if (!holds) {
        printf("wrong: %s\n", what);
        wrong++;
    }
}

static void keep(struct strata_record_entry *entry, uint64_t number, uint64_t begin, uint64_t end)
{
    const struct recorder_call call = {entry, number};
    entry->number = number;
    entry->begin = begin;
    entry->end = end;
    entry->what = STRATA_RECORD_WHAT(1, STRATA_ALLREDUCE, 0, 0);
    entry->order = number;
    must(recorder_keep(call, 7) == 7, "the error");
}

/* Each length from 1 to LAST is some thread's, in an order that mixes long and short ones. */
static void *make_calls(void *first)
{
    struct strata_record_entry entry = {0};
    for (uint64_t i = (uint64_t)(uintptr_t)first; i < LAST; i += THREADS) {
        const uint64_t length = i * 7919 % LAST + 1; /* a prime, so that none comes twice */
        keep(&entry, length, 1000, 1000 + length);
    }
    return NULL;
}

static void fill(void)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, make_calls, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void judge(void)
{
    bool there[STRATA_RECORD_LONGEST] = {false};
    for (int i = 0; i < STRATA_RECORD_LONGEST; i++) {
        const struct strata_record_entry *e = &file.longest[i];
        const uint64_t below = LAST - e->number;
        must(below < STRATA_RECORD_LONGEST && !there[below], "another call, or one twice");
        must(e->end - e->begin == e->number && e->order == e->number, "of two calls");
        there[below < STRATA_RECORD_LONGEST ? below : 0] = true;
    }
}

int main(void)
{
    struct strata_record_entry entry = {0};
    keep(&entry, 1, 2000, 1000);
    fill();
    judge();
    recorder_count_begin();
    keep(&entry, 2, 2000, 1000);
    keep(&entry, 3, 1000, 1050);
    entry.end = 0;
    entry.number = 5;
    recorder_keep((struct recorder_call){&entry, 4}, 0);
    must(recorder_counts.collectives == 2 && recorder_counts.standing == 50, "counts");
    printf("%s\n", wrong ? "wrong" : "all right");
    return wrong > 0;
}
