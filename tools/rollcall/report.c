/* What is said of a job. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/words.h"
#include "tools/rollcall/rollcall.h"

/* Numbers the hosts, and returns how many there are. A rank's host is often that of the rank before
 * it. */
static int number_hosts(struct roll_rank *ranks, int count)
{
    int hosts = 0;
    for (int i = 0; i < count; i++) {
        const char *name = ranks[i].record->host;
        int other = i - 1;
        while (other >= 0 && strcmp(ranks[other].record->host, name) != 0) {
            other--;
        }
        ranks[i].host = other >= 0 ? ranks[other].host : hosts++;
    }
    return hosts;
}

void roll_find_times(struct roll_job *job)
{
    double active = 0;
    job->ended = job->well = true;
    for (int i = 0; i < job->count; i++) {
        active = job->ranks[i].active > active ? job->ranks[i].active : active;
        job->ended = job->ended && job->ranks[i].state <= ROLL_GONE;
        job->well = job->well && job->ranks[i].state == ROLL_ENDED;
    }
    job->still = roll_now(job->ranks, job->count) - active;
}

static void print_head(const struct roll_job *job, bool still)
{
    const struct strata_record *first = job->ranks[0].record;
    char time[32];
    printf("job %llx: %d of %d ranks of %s on ", (unsigned long long)first->job, job->count,
           first->ranks, first->program);
    if (job->hosts > 1) {
        printf("%d hosts", job->hosts);
    } else {
        printf("%s", first->host);
    }
    if (job->ended) {
        printf(", which has ended%s\n", job->well ? " well" : "");
    } else if (still) {
        printf(", which stands still for %s\n", tool_seconds(job->still, time, sizeof time));
    } else {
        printf(", which goes on\n");
    }
}

/* Ranks at one place have one line. */
static void print_places(const struct roll_job *job)
{
    char(*places)[ROLL_TEXT] = malloc((size_t)job->count * sizeof *places);
    bool said[job->count], here[job->count];
    memset(said, 0, sizeof said);
    for (int i = 0; places && i < job->count; i++) {
        roll_place(&job->ranks[i], places[i]);
    }
    for (int i = 0; places && i < job->count; i++) {
        if (said[i]) {
            continue;
        }
        for (int k = 0; k < job->count; k++) {
            here[k] = strcmp(places[i], places[k]) == 0;
            said[k] = said[k] || here[k];
        }
        printf("  ");
        roll_print_ranks(job, here);
        printf(": %s\n", places[i]);
    }
    free(places);
}

/* Ranks that left no file on the hosts that have others. Those of a host that is not heard may have
 * some. */
static int say_absent(const struct roll_job *job)
{
    int there[job->hosts], wrong = 0;
    memset(there, 0, sizeof there);
    for (int i = 0; i < job->count; i++) {
        there[job->ranks[i].host] += job->ranks[i].state == ROLL_UNHEARD ? INT_MAX / job->count : 1;
    }
    for (int i = 0, host = 0; i < job->count; i++) {
        const struct strata_record *record = job->ranks[i].record;
        const int absent = record->ranks_here - there[job->ranks[i].host];
        if (job->ranks[i].host == host && host++ < job->hosts && absent > 0) {
            printf("  wrong: %d rank%s on %s left no file: ended, or not recorded\n", absent,
                   tool_plural(absent), record->host);
            wrong++;
        }
    }
    return wrong;
}

int roll_report(const struct roll_job *job, double after)
{
    const bool still = !job->well && (job->ended || job->still >= after);
    print_head(job, still);
    print_places(job);
    return say_absent(job) + roll_judge(job, still);
}

static bool is_meant(const struct roll_job *job, int pid)
{
    bool found = pid == 0;
    for (int i = 0; i < job->count; i++) {
        found = found || roll_descends(&job->ranks[i], pid);
    }
    return found;
}

bool roll_next_job(struct roll_rank *ranks, int count, int pid, struct roll_job *job)
{
    int first = job->ranks ? (int)(job->ranks - ranks) + job->count : 0;
    for (int end; first < count; first = end) {
        end = first + 1;
        while (end < count && ranks[end].record->job == ranks[first].record->job) {
            end++;
        }
        *job = (struct roll_job){.ranks = ranks + first,
                                 .count = end - first,
                                 .hosts = number_hosts(ranks + first, end - first)};
        if (is_meant(job, pid)) {
            roll_find_times(job);
            return true;
        }
    }
    return false;
}
