/* Parting members. All ranks hear each thread's colour and key, sort them alike, and so agree on
 * the parts without another word. */
#include <stdlib.h>
#include <string.h>

#include "api/attach/members.h"
#include "api/process/agree.h"
#include "core/base/memory.h"

/* What is told of a thread; threads are sorted by these words in turn. */
enum word {
    PART, /* in which it was */
    COLOUR,
    KEY,
    NUMBER, /* in the part in which it was */
    RANK,
    INDEX,
    WORDS
};
typedef int told[WORDS];

struct dealing {
    struct strata_members *members;
    told *threads;      /* [total] of all ranks */
    int *count, *place; /* [ranks] of a part: threads of each rank, and its number in the part */
};

static void tell(const struct strata_members *m, const struct strata_members_order *order,
                 told *mine)
{
    for (int t = 0; t < m->threads; t++) {
        const struct strata_thread *was = order->of ? order->of->all[t] : NULL;
        const struct strata_members_part *part = was ? was->part : NULL;
        int *word = mine[t];
        word[PART] = part ? part->number : 0;
        word[COLOUR] = was && !part ? MPI_UNDEFINED : order->colours ? order->colours[t] : 0;
        word[KEY] = order->keys ? order->keys[t] : 0;
        word[NUMBER] = part ? was->number : 0;
        word[RANK] = m->base->rank;
        word[INDEX] = t;
    }
}

static int compare(const void *left, const void *right)
{
    const int *a = left, *b = right;
    int word = 0;
    while (word < INDEX && a[word] == b[word]) {
        word++;
    }
    return (a[word] > b[word]) - (a[word] < b[word]);
}

/* The first thread behind `first` that is of another part. */
static int end_of(const struct dealing *d, int first)
{
    const int total = d->members->first_of[d->members->base->ranks];
    const int *of = d->threads[first];
    int end = first + 1;
    while (end < total && d->threads[end][PART] == of[PART] &&
           d->threads[end][COLOUR] == of[COLOUR]) {
        end++;
    }
    return end;
}

static void count_ranks(struct dealing *d, struct strata_members_part *p, int first)
{
    const int ranks = d->members->base->ranks;
    memset(d->count, 0, (size_t)ranks * sizeof *d->count);
    for (int e = first; e < first + p->total; e++) {
        const int threads = ++d->count[d->threads[e][RANK]];
        p->most = threads > p->most ? threads : p->most;
    }
    p->threads = d->count[d->members->base->rank];
    for (int r = 0; r < ranks; r++) {
        d->place[r] = p->ranks;
        p->ranks += d->count[r] > 0;
    }
}

static bool allocate(struct strata_members_part *p)
{
    const size_t words = 2 * (size_t)p->total + 16;
    pthread_mutex_init(&p->meeting.lock, NULL);
    p->comms = strata_allocate(1, sizeof *p->comms);
    p->on = strata_allocate((size_t)p->ranks, sizeof *p->on);
    p->at = strata_allocate((size_t)p->total, sizeof *p->at);
    p->all = strata_allocate((size_t)p->threads, sizeof(struct strata_thread *));
    p->meeting.words[0] = strata_allocate(words, sizeof(int64_t));
    p->meeting.words[1] = strata_allocate(words, sizeof(int64_t));
    return p->comms && p->on && p->at && p->all && p->meeting.words[0] && p->meeting.words[1];
}

/* Says where the part's endpoints are, and which of them are this rank's threads. */
static void fill(struct dealing *d, struct strata_members_part *p, int first)
{
    const struct strata_members *m = d->members;
    for (int r = 0; r < m->base->ranks; r++) {
        if (d->count[r] > 0) {
            p->on[d->place[r]] = r;
        }
        d->count[r] = 0;
    }
    for (int e = 0; e < p->total; e++) {
        const int *thread = d->threads[first + e], rank = thread[RANK];
        p->at[e] = (struct strata_endpoint){d->place[rank], d->count[rank]++};
        if (rank == m->base->rank) {
            struct strata_thread *mine = m->all[thread[INDEX]];
            p->all[p->at[e].tag] = mine;
            mine->part = p;
            mine->number = e;
        }
    }
}

/* Drafts the part that begins there, if it has threads of this rank. */
static int draft(struct dealing *d, int first, int end, int number)
{
    struct strata_members *m = d->members;
    struct strata_members_part part = {.members = m, .number = number, .total = end - first};
    count_ranks(d, &part, first);
    if (part.threads == 0) {
        return STRATA_OK;
    }
    struct strata_members_part *p = &m->parts[m->nparts++];
    *p = part;
    if (!allocate(p)) {
        return STRATA_ERR_MEMORY;
    }
    fill(d, p, first);
    return STRATA_OK;
}

static int draft_all(struct dealing *d)
{
    const int total = d->members->first_of[d->members->base->ranks];
    int number = 0, error = STRATA_OK;
    qsort(d->threads, (size_t)total, sizeof *d->threads, compare);
    for (int first = 0, end; first < total && error == STRATA_OK; first = end) {
        end = end_of(d, first);
        if (d->threads[first][COLOUR] != MPI_UNDEFINED) {
            error = draft(d, first, end, number++);
        }
    }
    return error;
}

/* Each rank makes those of its parts in the order of their numbers, so no two ranks wait for each
 * other in different ones. A failure in one part leaves out none, for others may come to it. */
static int make_comms(struct strata_members *m)
{
    int error = MPI_SUCCESS;
    for (int i = 0; i < m->nparts; i++) {
        struct strata_members_part *p = &m->parts[i];
        const int made = strata_communicator_of(m->comm, p->ranks, p->on, p->comms);
        if (made == MPI_SUCCESS) {
            p->ncomms = 1;
            PMPI_Comm_set_errhandler(p->comms[0], MPI_ERRORS_RETURN);
        }
        error = made == MPI_SUCCESS ? error : made;
    }
    return error == MPI_SUCCESS ? STRATA_OK : STRATA_ERR_TRANSPORT;
}

/* Hears all threads' words, and drafts this rank's parts. Fails on all ranks or on none. */
static int hear_and_draft(struct dealing *d, const struct strata_members_order *order)
{
    struct strata_members *m = d->members;
    const int ranks = m->base->ranks, total = m->first_of[ranks];
    const bool room = d->threads && d->count && d->place && m->parts;
    int error = strata_members_worst(room ? STRATA_OK : STRATA_ERR_MEMORY, m->comm);
    if (error != STRATA_OK || !room) {
        return error;
    }
    tell(m, order, d->threads + m->first_of[m->base->rank]);
    if (strata_agree(d->threads, WORDS * total, MPI_INT, MPI_SUM, m->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    return strata_members_worst(draft_all(d), m->comm);
}

int strata_members_divide(struct strata_members *m, const struct strata_members_order *order)
{
    const size_t ranks = (size_t)m->base->ranks, total = (size_t)m->first_of[ranks];
    struct dealing d = {.members = m,
                        .threads = strata_allocate(total, sizeof *d.threads),
                        .count = strata_allocate(ranks, sizeof *d.count),
                        .place = strata_allocate(ranks, sizeof *d.place)};
    m->parts = strata_allocate((size_t)m->threads, sizeof *m->parts);
    int error = hear_and_draft(&d, order);
    strata_release(d.threads);
    strata_release(d.count);
    strata_release(d.place);
    return error == STRATA_OK ? strata_members_worst(make_comms(m), m->comm) : error;
}

void strata_members_part_fini(struct strata_members_part *p, bool left)
{
    for (int i = 0; i < p->ncomms && !left; i++) {
        left = strata_message_is_there(p->comms[i]);
    }
    for (int i = 0; i < p->ncomms && !left; i++) {
        strata_private_communicator_free(&p->comms[i]);
    }
    strata_release(p->comms);
    strata_release(p->on);
    strata_release(p->at);
    strata_release(p->all);
    strata_release(p->meeting.words[0]);
    strata_release(p->meeting.words[1]);
}
