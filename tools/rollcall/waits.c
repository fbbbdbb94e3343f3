/* One look at the file of each member of a communicator finds how far it has come there, so as many
 * ranks as a job has are judged without looking from each of them at all others. */
#include "tools/rollcall/waits.h"

#include <stdlib.h>

static bool all_are_members(const struct roll_group *g)
{
    return g->communicator->ranks == (uint32_t)g->record->ranks;
}

static bool knows_members(const struct roll_group *g)
{
    return all_are_members(g) || roll_lists_members(g->communicator);
}

/* Finds or adds the group of the call in which a rank stands. */
static struct roll_group *add_group(struct roll_waits *w, const struct roll_rank *rank)
{
    const struct roll_group own = {.record = rank->record,
                                   .communicator = rank->open->communicator};
    struct roll_group *g = w->groups;
    while (g < w->groups + w->count && !roll_same_communicator(g->communicator, own.communicator)) {
        g++;
    }
    if (g == w->groups + w->count) {
        w->count++;
        *g = own;
    } else if (!knows_members(g)) {
        *g = own;
    }
    return g;
}

/* How many calls a rank has begun on a communicator of another rank's file. */
static uint64_t begun(const struct roll_rank *rank, const struct strata_record_communicator *c)
{
    const uint32_t row = roll_row_of(rank->record, c);
    return row > 0 ? rank->begun_calls[row] : 0;
}

int roll_find_rank(const struct roll_job *job, int rank)
{
    int low = 0, high = job->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (job->ranks[middle].record->rank < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < job->count && job->ranks[low].record->rank == rank ? low : -1;
}

static void add_member(const struct roll_job *job, struct roll_group *g, int rank)
{
    if (rank >= 0) {
        g->members[g->count++] =
            (struct roll_member){rank, begun(&job->ranks[rank], g->communicator)};
    }
}

/* Returns false where there is no memory. */
static bool find_members(const struct roll_job *job, struct roll_group *g)
{
    const bool all = all_are_members(g);
    const uint32_t ranks = knows_members(g) ? g->communicator->ranks : 0;
    g->members = malloc((all ? (uint32_t)job->count : ranks) * sizeof *g->members + 1);
    for (int i = 0; g->members && all && i < job->count; i++) {
        add_member(job, g, i);
    }
    for (uint32_t i = 0; g->members && !all && i < ranks; i++) {
        add_member(job, g, roll_find_rank(job, g->record->member[g->communicator->members + i]));
    }
    return g->members;
}

bool roll_find_waits(const struct roll_job *job, struct roll_waits *w)
{
    const size_t count = (size_t)job->count;
    *w = (struct roll_waits){.job = job,
                             .groups = calloc(count, sizeof *w->groups),
                             .group = calloc(count, sizeof *w->group)};
    bool room = w->groups && w->group;
    for (int i = 0; room && i < job->count; i++) {
        const bool calls =
            job->ranks[i].open && !job->ranks[i].any && !roll_message_of(&job->ranks[i]);
        w->group[i] = calls ? add_group(w, &job->ranks[i]) : NULL;
    }
    for (int k = 0; room && k < w->count; k++) {
        room = find_members(job, &w->groups[k]);
    }
    if (!room) {
        roll_free_waits(w);
    }
    return room;
}

void roll_free_waits(struct roll_waits *w)
{
    for (int k = 0; w->groups && k < w->count; k++) {
        free(w->groups[k].members);
    }
    free(w->groups);
    free(w->group);
}
