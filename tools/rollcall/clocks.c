/* Turns the ranks' ticks into seconds of one clock, that of rank 0's host. Ranks of one kernel have
 * one counter, so their times can be compared to the tick. What their leader has written of rank
 * 0's clock sets them beside those of other hosts (preload/record/clocks.c). */
#include <math.h>

#include "tools/command/words.h"
#include "tools/rollcall/rollcall.h"

static const double billion = 1e9;

bool roll_is_here(const struct strata_record *record)
{
    static uint64_t here;
    here = here ? here : strata_record_place();
    return record->place == here;
}

/* Between two settings the clock runs from one to the other, and outside as the host's own. */
double roll_seconds(const struct roll_clock *clock, uint64_t ticks)
{
    const bool behind = (int64_t)(ticks - clock->last.ticks) > 0;
    const bool between = !behind && (int64_t)(ticks - clock->first.ticks) > 0;
    const struct strata_record_stamp *from = behind ? &clock->last : &clock->first;
    return (double)from->nanoseconds / billion +
           (double)(int64_t)(ticks - from->ticks) * (between ? clock->between : clock->own);
}

static double rate(struct strata_record_stamp first, struct strata_record_stamp last)
{
    return ((double)last.nanoseconds - (double)first.nanoseconds) / billion /
           (double)(last.ticks - first.ticks);
}

/* The host's own clock, by the longest time of which it is known. */
static struct roll_clock own_clock(const struct roll_rank *rank)
{
    const struct strata_record *record = rank->record;
    const struct strata_record_stamp first = record->stamps[0];
    const struct strata_record_stamp last = rank->sent ? rank->sent->now
                                            : roll_is_here(record)
                                                ? strata_record_now()
                                                : record->stamps[record->ended ? 2 : 1];
    return (struct roll_clock){.first = first, .last = first, .own = rate(first, last)};
}

static struct roll_clock measure(const struct roll_rank *rank)
{
    const struct strata_record *record = rank->record;
    struct roll_clock clock = own_clock(rank);
    const uint32_t settings = atomic_load_explicit(&record->settings, memory_order_acquire);
    for (uint32_t i = 0; i < settings && i < 2; i++) {
        const struct strata_record_setting *s = &record->setting[i];
        const double error = (double)s->error / billion;
        clock.error = error > clock.error ? error : clock.error;
        clock.last = (struct strata_record_stamp){s->ticks, s->nanoseconds};
        clock.first = i == 0 ? clock.last : clock.first;
        clock.settings++;
    }
    clock.between = clock.settings > 1 ? rate(clock.first, clock.last) : clock.own;
    return clock;
}

/* The first rank of a place is its leader, and a rank is often at the place of the one before. */
void roll_set_clocks(struct roll_rank *ranks, int count)
{
    for (int i = 0; i < count; i++) {
        int k = i - 1;
        while (k >= 0 && ranks[k].record->job == ranks[i].record->job &&
               ranks[k].record->place != ranks[i].record->place) {
            k--;
        }
        const bool found = k >= 0 && ranks[k].record->job == ranks[i].record->job;
        ranks[i].clock = found ? ranks[k].clock : measure(&ranks[i]);
    }
}

/* By this host's clock, as the rank's of it is set; HUGE_VAL: no rank's file is of it. */
static double now_here(const struct roll_rank *ranks, int count)
{
    for (int i = 0; i < count; i++) {
        if (!ranks[i].sent && roll_is_here(ranks[i].record)) {
            return roll_seconds(&ranks[i].clock, strata_record_ticks());
        }
    }
    return HUGE_VAL;
}

double roll_now(const struct roll_rank *ranks, int count)
{
    double now = now_here(ranks, count);
    for (int i = 0; i < count; i++) {
        const struct roll_sent *sent = ranks[i].sent;
        if (sent && ranks[i].state != ROLL_UNHEARD) {
            now = fmin(now, roll_seconds(&ranks[i].clock, sent->now.ticks));
        }
    }
    return now < HUGE_VAL ? now : (double)strata_record_now().nanoseconds / billion;
}

/* Whether the rank is the first one of its place in the job. */
static bool is_first(const struct roll_job *job, int rank)
{
    int k = rank - 1;
    while (k >= 0 && job->ranks[k].record->place != job->ranks[rank].record->place) {
        k--;
    }
    return k < 0;
}

struct roll_agreement roll_agreement(const struct roll_job *job)
{
    struct roll_agreement found = {.settings = 2};
    double most = 0, next = 0;
    for (int i = 0; i < job->count; i++) {
        const struct roll_clock *clock = &job->ranks[i].clock;
        if (is_first(job, i)) {
            found.clocks++;
            found.settings = clock->settings < found.settings ? clock->settings : found.settings;
            next = clock->error > most ? most : clock->error > next ? clock->error : next;
            most = clock->error > most ? clock->error : most;
        }
    }
    found.error = most + next;
    return found;
}

const char *roll_agreement_text(const struct roll_job *job, char *text)
{
    const struct roll_agreement found = roll_agreement(job);
    char time[32];
    text[0] = '\0';
    if (found.clocks > 1 && found.settings > 0) {
        snprintf(text, ROLL_TEXT, "the clocks of %d hosts %s within %s%s", found.clocks,
                 found.settings > 1 ? "agree" : "agreed",
                 tool_seconds(found.error, time, sizeof time),
                 found.settings > 1 ? "" : " when the job began");
    } else if (found.clocks > 1) {
        snprintf(text, ROLL_TEXT, "the clocks of %d hosts are not set against each other",
                 found.clocks);
    }
    return text;
}
