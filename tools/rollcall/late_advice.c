/* One sentence of advice that follows from who came late. */
#include "tools/rollcall/late.h"

/* What others waited for the rank. */
static double of_rank(const struct roll_delays *d, int rank)
{
    double waited = 0;
    for (int i = 0; i < d->count; i++) {
        waited += d->causes[i].rank == rank ? d->causes[i].waited : 0;
    }
    return waited;
}

/* The rank for which others waited longest, and how long they did for the next one. */
static int find_latest(const struct roll_delays *d, double *most, double *next)
{
    int latest = 0;
    *most = *next = 0;
    for (int rank = 0; rank < d->job->count; rank++) {
        const double waited = of_rank(d, rank);
        if (waited > *most) {
            *next = *most;
            *most = waited;
            latest = rank;
        } else if (waited > *next) {
            *next = waited;
        }
    }
    return latest;
}

/* The first cause of the rank is its longest. */
static const struct roll_cause *first_of(const struct roll_delays *d, int rank)
{
    const struct roll_cause *found = d->causes;
    while (found->rank != rank) {
        found++;
    }
    return found;
}

static void say_rank(const struct roll_delays *d, int rank, double waited, const char *prefix)
{
    const struct strata_record *record = d->job->ranks[rank].record;
    const struct roll_cause *first = first_of(d, rank);
    char place[ROLL_TEXT];
    if (first->waited > waited / 2) {
        printf("%sadvice: rank %d is late at %s: give it less of the work before that call\n",
               prefix, record->rank, roll_site(record, first->call->site, place));
    } else {
        printf("%sadvice: rank %d is late in many places: give it less work, or look at what else "
               "runs on its core of %s\n",
               prefix, record->rank, record->host);
    }
}

/* Nothing is said where ranks stood in collectives for less than a tenth of their time. One rank is
 * named where others waited for it twice as long as for any other. */
void roll_advise(const struct roll_delays *d, const char *prefix)
{
    static const double least = 0.1, twice = 2;
    const double time = (d->end - d->begin) * d->job->count;
    double most, next;
    const int latest = find_latest(d, &most, &next);
    if (d->waited + d->rest < least * time) {
        return;
    }
    if (d->rest > d->waited) {
        printf("%sadvice: the calls themselves take the time, and not the wait for a rank: send "
               "less, or start fewer ranks where they share cores\n",
               prefix);
    } else if (most > twice * next) {
        say_rank(d, latest, most, prefix);
    } else {
        printf("%sadvice: ranks are late in turn: give each a core of its own, and the same work "
               "between two calls\n",
               prefix);
    }
}
