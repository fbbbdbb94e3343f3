/* The hosts of tests/hosts/hosts.sh are one kernel, whose counter all ranks read. So the clocks by
 * which `strata rollcall` reads their files must show the same time at the same ticks, within the
 * error that it tells.
 *   clocks_agree CLOCKS LEAST FOLDER     so many clocks, each set LEAST times at least */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/rollcall/rollcall.h"

enum { POINTS = 11 };

/* From the time on at which all ranks had begun a call to that at which one ended. */
struct span {
    uint64_t begin, end;
};

/* The ticks at which the call began. */
static uint64_t begin_of(const struct roll_rank *rank, int call)
{
    const uint64_t number = rank->calls[call].number;
    return rank->record->entry[number % STRATA_RECORD_ENTRIES].begin;
}

static struct span span_of(const struct roll_job *job)
{
    struct span s = {0, UINT64_MAX};
    for (int i = 0; i < job->count; i++) {
        const struct roll_rank *rank = &job->ranks[i];
        const uint64_t begin = begin_of(rank, 0), end = begin_of(rank, rank->count - 1);
        s.begin = begin > s.begin ? begin : s.begin;
        s.end = end < s.end ? end : s.end;
    }
    return s;
}

/* Compares with the first rank's. Clocks that were set once may part later. Returns the largest
 * difference, in seconds. */
static double difference(const struct roll_job *job, int rank, struct span s, int settings)
{
    double most = 0;
    for (unsigned i = 0; i < (settings > 1 ? POINTS : 1); i++) {
        const uint64_t at = s.begin + (s.end - s.begin) / (POINTS - 1) * i;
        const double apart = fabs(roll_seconds(&job->ranks[rank].clock, at) -
                                  roll_seconds(&job->ranks[0].clock, at));
        most = apart > most ? apart : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    const char *wrong = NULL;
    struct roll_rank *ranks = NULL;
    struct roll_job job = {0};
    const int count = argc > 3 ? roll_read((const char *const *)argv + 3, &ranks, &wrong) : 0;
    double most = 0;
    if (count <= 0 || !roll_next_job(ranks, count, 0, &job)) {
        printf("no job\n");
        return EXIT_FAILURE;
    }
    const struct roll_agreement found = roll_agreement(&job);
    for (int i = 0; i < job.count; i++) {
        const double apart = difference(&job, i, span_of(&job), found.settings);
        most = apart > most ? apart : most;
    }
    printf("%d clocks, set %d times: at most %.2f us apart, and %.2f us are told\n", found.clocks,
           found.settings, most * 1e6, found.error * 1e6);
    const bool right = found.clocks == atoi(argv[1]) && found.settings >= atoi(argv[2]) &&
                       most <= found.error + 1e-6; /* double has no finer seconds since 1970 */
    roll_free(ranks, count);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
