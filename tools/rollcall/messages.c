/* Who waits for a message of whom. A rank that waits for another one, which waits for a third one,
 * says nothing of its own: the last one is what is wrong, or a cycle is. */
#include <stdlib.h>
#include <string.h>

#include "tools/rollcall/waits.h"

const struct roll_call *roll_message_of(const struct roll_rank *rank)
{
    const struct roll_call *call = rank->open && !rank->any ? roll_awaited(rank->open) : NULL;
    return call && roll_is_message(call) ? call : NULL;
}

/* The message that the rank itself waits for, and does not because it is stopped or gone. Where all
 * have ended, they are taken as they were. */
static const struct roll_call *stands_in(const struct roll_job *job, int rank)
{
    const struct roll_rank *r = &job->ranks[rank];
    return !job->ended && r->state <= ROLL_STOPPED ? NULL : roll_message_of(r);
}

/* The rank of MPI_COMM_WORLD for which one waits; -1: it may be any, or is not known. */
static int awaited_rank(const struct roll_call *message)
{
    return message->other.rank == STRATA_RECORD_NOBODY ? message->to.world : message->other.world;
}

/* The index of the rank for which one waits in a message; -1: for none, or that left no file. */
static int next_of(const struct roll_job *job, int rank)
{
    const struct roll_call *message = stands_in(job, rank);
    const int world = message ? awaited_rank(message) : -1;
    return world < 0 ? -1 : roll_find_rank(job, world);
}

/* Whether the rank is the first one of a cycle. */
static bool begins_cycle(const struct roll_job *job, int rank)
{
    int at = next_of(job, rank);
    for (int steps = 0; at > rank && steps < job->count; steps++) {
        at = next_of(job, at);
    }
    return at == rank;
}

static const char *site_of(const struct roll_rank *rank, char *text)
{
    return roll_site(rank->record, rank->open->site, text);
}

static void print_rank(const struct roll_job *job, int rank)
{
    bool chosen[job->count];
    memset(chosen, 0, sizeof chosen);
    chosen[rank] = true;
    roll_print_ranks(job, chosen);
}

/* A rank may also wait for itself. */
static void say_cycle(const struct roll_job *job, int first)
{
    bool chosen[job->count];
    char text[ROLL_TEXT], site[ROLL_TEXT];
    const char *comma = ": ";
    int at = first;
    memset(chosen, 0, sizeof chosen);
    do {
        chosen[at] = true;
        at = next_of(job, at);
    } while (at != first);
    printf("  wrong: ");
    roll_print_ranks(job, chosen);
    printf(next_of(job, first) == first ? " waits for itself" : " wait for each other");
    do {
        const struct roll_rank *r = &job->ranks[at];
        printf("%srank %d in %s, at %s", comma, r->record->rank,
               roll_call_text(roll_message_of(r), text), site_of(r, site));
        comma = "; ";
        at = next_of(job, at);
    } while (at != first);
    printf("\n");
}

/* Whether the other one stands in a collective to which this rank has not come. */
static bool is_awaited(const struct roll_waits *w, int rank, int other)
{
    const struct roll_group *g = w->group[other];
    bool found = false;
    for (int k = 0; g && k < g->count; k++) {
        found = found || (g->members[k].rank == rank &&
                          g->members[k].begun < w->job->ranks[other].open->order);
    }
    return found;
}

/* What one rank waits for, and where, and whether that is to be said. */
struct saying {
    bool due;
    int other; /* the rank of MPI_COMM_WORLD */
    char text[ROLL_TEXT], site[ROLL_TEXT];
};

static void prepare(const struct roll_job *job, int rank, struct saying *s)
{
    const struct roll_call *message = stands_in(job, rank);
    const int other = next_of(job, rank);
    s->other = message ? awaited_rank(message) : -1;
    s->due = s->other >= 0 && (other < 0 || next_of(job, other) < 0);
    if (s->due) {
        roll_call_text(message, s->text);
        site_of(&job->ranks[rank], s->site);
    }
}

static bool are_alike(const struct saying *a, const struct saying *b)
{
    return a->due && b->due && a->other == b->other && strcmp(a->text, b->text) == 0 &&
           strcmp(a->site, b->site) == 0;
}

/* Says it of all ranks that wait alike. */
static void say_wait(const struct roll_waits *w, struct saying *all, int first)
{
    const struct roll_job *job = w->job;
    const struct saying said = all[first];
    const int other = roll_find_rank(job, said.other);
    bool chosen[job->count], awaited = other >= 0;
    char text[ROLL_TEXT];
    int many = 0;
    for (int i = 0; i < job->count; i++) {
        chosen[i] = are_alike(&all[i], &said);
        awaited = awaited && (!chosen[i] || is_awaited(w, i, other));
        all[i].due = all[i].due && !chosen[i];
        many += chosen[i];
    }
    printf("  wrong: ");
    roll_print_ranks(job, chosen);
    printf(" wait%s in %s, at %s; ", many == 1 ? "s" : "", said.text, said.site);
    if (other < 0) {
        printf("rank %d left no file\n", said.other);
        return;
    }
    print_rank(job, other);
    printf(" is %s%s\n", roll_place(&job->ranks[other], text),
           !awaited    ? ""
           : many == 1 ? ", and waits there for it"
                       : ", and waits there for them");
}

int roll_judge_messages(const struct roll_waits *w)
{
    const struct roll_job *job = w->job;
    struct saying *all = calloc((size_t)job->count, sizeof *all);
    int wrong = 0;
    for (int i = 0; all && i < job->count; i++) {
        prepare(job, i, &all[i]);
    }
    for (int i = 0; all && i < job->count; i++) {
        if (begins_cycle(job, i)) {
            say_cycle(job, i);
            wrong++;
        } else if (all[i].due) {
            say_wait(w, all, i);
            wrong++;
        }
    }
    free(all);
    return wrong;
}
