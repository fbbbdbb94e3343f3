/* The messages of recorded.c. */
#include "recorded_messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The ranks as a ring, in which each has a next and a last one. */
struct turn {
    MPI_Comm comm;
    int rank, ranks, next, last;
};

static struct turn take_turn(MPI_Comm comm)
{
    struct turn t = {.comm = comm};
    MPI_Comm_rank(comm, &t.rank);
    MPI_Comm_size(comm, &t.ranks);
    t.next = (t.rank + 1) % t.ranks;
    t.last = (t.rank + t.ranks - 1) % t.ranks;
    return t;
}

static void stand(void)
{
    for (;;) {
        pause();
    }
}

static void must_be(const struct turn *t, int came, const char *what)
{
    if (came != t->last) {
        printf("wrong %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* GCC warns where MPICH's statuses are ignored. */
static void wait_for_two(MPI_Request requests[2])
{
    MPI_Status statuses[2];
    MPI_Waitall(2, requests, statuses);
}

/* By requests that begin at once, and by persistent ones. */
static void pass_requests(const struct turn *t)
{
    int sent = t->rank, came[2];
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Irecv(&came[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, t->comm, &requests[0]);
    MPI_Issend(&sent, 1, MPI_INT, t->next, 1, t->comm, &requests[1]);
    MPI_Recv_init(&came[1], 1, MPI_INT, t->last, 2, t->comm, &requests[2]);
    MPI_Send_init(&sent, 1, MPI_INT, t->next, 2, t->comm, &requests[3]);
    MPI_Startall(2, requests + 2);
    MPI_Waitall(4, requests, statuses);
    MPI_Request_free(&requests[2]);
    MPI_Request_free(&requests[3]);
    must_be(t, came[0], "message from any rank");
    must_be(t, came[1], "message of a persistent request");
}

static void pass_both(const struct turn *t)
{
    int sent = t->rank, came;
    MPI_Sendrecv(&sent, 1, MPI_INT, t->next, 3, &came, 1, MPI_INT, t->last, MPI_ANY_TAG, t->comm,
                 MPI_STATUS_IGNORE);
    must_be(t, came, "message of a sendrecv");
    MPI_Sendrecv(&sent, 1, MPI_INT, MPI_PROC_NULL, 3, &came, 1, MPI_INT, MPI_PROC_NULL, 3, t->comm,
                 MPI_STATUS_IGNORE);
}

/* Room for messages that wait in the sender's own memory. */
static void attach(void)
{
    static char room[4 * (64 + MPI_BSEND_OVERHEAD)];
    static bool attached;
    if (!attached) {
        MPI_Buffer_attach(room, sizeof room);
        attached = true;
    }
}

/* By probes that take them out of the others. */
static void pass_matched(const struct turn *t)
{
    int sent = t->rank, came[2], found = 0;
    MPI_Message message;
    MPI_Request requests[2];
    attach();
    MPI_Bsend(&sent, 1, MPI_INT, t->next, 4, t->comm);
    MPI_Ibsend(&sent, 1, MPI_INT, t->next, 5, t->comm, &requests[0]);
    MPI_Mprobe(MPI_ANY_SOURCE, 4, t->comm, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&came[0], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    while (!found) {
        MPI_Improbe(t->last, 5, t->comm, &found, &message, MPI_STATUS_IGNORE);
    }
    MPI_Imrecv(&came[1], 1, MPI_INT, &message, &requests[1]);
    for (int left = 2, index; left > 0; left--) {
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    }
    must_be(t, came[0], "matched message");
    must_be(t, came[1], "matched message of a request");
}

/* By what MPI has from version 4 on: both at once, and in two parts. */
static void pass_newer(const struct turn *t)
{
#if MPI_VERSION >= 4
    int both = t->rank, sent[2] = {t->rank, t->rank}, came[2];
    MPI_Request requests[2];
    MPI_Isendrecv_replace(&both, 1, MPI_INT, t->next, 6, t->last, 6, t->comm, &requests[0]);
    MPI_Isendrecv(&sent[0], 1, MPI_INT, t->next, 7, &came[0], 1, MPI_INT, t->last, 7, t->comm,
                  &requests[1]);
    wait_for_two(requests);
    must_be(t, both, "message of a sendrecv that does not block");
    must_be(t, came[0], "message of two that do not block");
    MPI_Psend_init(sent, 2, 1, MPI_INT, t->next, 8, t->comm, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(came, 2, 1, MPI_INT, t->last, 8, t->comm, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 1, requests[0]);
    for (int arrived = 0; !arrived;) {
        MPI_Parrived(requests[1], 1, &arrived);
    }
    wait_for_two(requests);
    must_be(t, came[1], "message in parts");
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#else
    (void)t;
#endif
}

void pass_around(MPI_Comm ring)
{
    const struct turn t = take_turn(ring);
    pass_requests(&t);
    pass_both(&t);
    pass_matched(&t);
    pass_newer(&t);
}

static MPI_Comm early;
static MPI_Request sending = MPI_REQUEST_NULL;

void begin_early(void)
{
    static int sent;
    MPI_Comm_dup(MPI_COMM_WORLD, &early);
    if (take_turn(early).rank == 0) {
        MPI_Isend(&sent, 1, MPI_INT, 1, 0, early, &sending);
    }
}

void end_early(void)
{
    int came;
    if (take_turn(early).rank == 1) {
        MPI_Recv(&came, 1, MPI_INT, 0, 0, early, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
    MPI_Comm_free(&early);
}

static void fault_recv(const struct turn *t, bool faulty)
{
    int came;
    if (faulty) {
        MPI_Recv(&came, 1, MPI_INT, t->next, 7, t->comm, MPI_STATUS_IGNORE); /* line of recv */
    }
}

/* The first of two messages comes. */
static void fault_waitall(const struct turn *t, bool faulty)
{
    int one = 1, came[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&came[0], 1, MPI_INT, t->last, 8, t->comm, &requests[0]);
    MPI_Irecv(&came[1], 1, MPI_INT, t->last, 9, t->comm, &requests[1]);
    MPI_Send(&one, 1, MPI_INT, t->next, 8, t->comm);
    MPI_Barrier(t->comm);
    if (faulty) {
        MPI_Waitall(2, requests, statuses); /* line of waitall */
    }
}

static void fault_cycle(const struct turn *t, bool faulty)
{
    int one = 1;
    (void)faulty;
    MPI_Ssend(&one, 1, MPI_INT, t->next, 5, t->comm); /* line of cycle */
}

/* Any of two messages would do, so neither sender is to blame. */
static void fault_any(const struct turn *t, bool faulty)
{
    int came[2], index;
    MPI_Request requests[2];
    if (faulty) {
        MPI_Irecv(&came[0], 1, MPI_INT, t->next, 8, t->comm, &requests[0]);
        MPI_Irecv(&came[1], 1, MPI_INT, t->last, 9, t->comm, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE); /* line of any */
    }
}

/* A request that is older is not the one that is tested. */
static void fault_tested(const struct turn *t, bool faulty)
{
    int came[2], done;
    MPI_Request older, request;
    if (faulty) {
        MPI_Irecv(&came[0], 1, MPI_INT, t->rank, 8, t->comm, &older);
        MPI_Irecv(&came[1], 1, MPI_INT, t->next, 9, t->comm, &request); /* line of tested */
        do {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        } while (!done);
    }
}

static int say_nothing(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_PROC_NULL;
    status->MPI_TAG = 0;
    return MPI_SUCCESS;
}

static int free_nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel_nothing(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

/* A message that has come is waited for beside something that never does, and that the recorder
 * does not know. */
static void fault_beside(const struct turn *t, bool faulty)
{
    int one = 1, came;
    MPI_Request requests[2];
    MPI_Irecv(&came, 1, MPI_INT, t->last, 8, t->comm, &requests[0]);
    MPI_Send(&one, 1, MPI_INT, t->next, 8, t->comm);
    MPI_Barrier(t->comm);
    if (faulty) {
        MPI_Grequest_start(say_nothing, free_nothing, cancel_nothing, NULL, &requests[1]);
        wait_for_two(requests);
    }
}

static void fault_matched(const struct turn *t, bool faulty)
{
    int one = 1, came;
    MPI_Message message;
    attach();
    MPI_Bsend(&one, 1, MPI_INT, t->next, 8, t->comm);
    MPI_Mprobe(t->last, MPI_ANY_TAG, t->comm, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&came, 1, MPI_INT, &message, MPI_STATUS_IGNORE); /* line of matched */
    if (faulty) {
        stand();
    }
}

static void fault_buffered(const struct turn *t, bool faulty)
{
    int one = 1;
    attach();
    if (faulty) {
        MPI_Bsend(&one, 1, MPI_INT, t->next, 8, t->comm); /* line of buffered */
        stand();
    }
}

/* Both at once, without a request where MPI has none for that. */
static void fault_exchange(const struct turn *t, bool faulty)
{
    const int from = t->next, to = t->last;
    int one = 1;
    MPI_Status status;
    if (!faulty) {
        return;
    }
#if MPI_VERSION >= 4
    MPI_Request request;
    MPI_Isendrecv_replace(&one, 1, MPI_INT, to, 8, from, 9, t->comm, &request);
    MPI_Wait(&request, &status); /* line of exchange */
#else
    MPI_Sendrecv_replace(&one, 1, MPI_INT, to, 8, from, 9, t->comm, &status); /* line of exchange */
#endif
}

/* A message in two parts, or a common one where MPI has none of these. */
static void fault_parts(const struct turn *t, bool faulty)
{
    int came[2];
    MPI_Request request;
    if (faulty) {
#if MPI_VERSION >= 4
        MPI_Precv_init(came, 2, 1, MPI_INT, t->next, 9, t->comm, MPI_INFO_NULL, &request);
#else
        MPI_Recv_init(came, 2, MPI_INT, t->next, 9, t->comm, &request);
#endif
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* line of parts */
    }
}

/* From the last rank of the other ones: those whose numbers are even, and those that are odd. */
static void fault_across(const struct turn *t, bool faulty)
{
    int came, others;
    MPI_Comm half, across;
    MPI_Comm_split(t->comm, t->rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, t->comm, 1 - t->rank % 2, 9, &across);
    MPI_Comm_remote_size(across, &others);
    if (faulty) {
        MPI_Recv(&came, 1, MPI_INT, others - 1, 7, across, MPI_STATUS_IGNORE); /* line of across */
    }
}

/* All others wait for the faulty rank. */
static void fault_unsent(const struct turn *t, bool faulty)
{
    const int at = faulty ? t->rank : t->ranks;
    int least;
    MPI_Allreduce(&at, &least, 1, MPI_INT, MPI_MIN, t->comm);
    if (faulty) {
        stand();
    }
    MPI_Probe(least, 3, t->comm, MPI_STATUS_IGNORE); /* line of unsent */
}

static const struct {
    const char *name;
    void (*make)(const struct turn *t, bool faulty);
} faults[] = {{"recv", fault_recv},         {"waitall", fault_waitall},   {"cycle", fault_cycle},
              {"any", fault_any},           {"tested", fault_tested},     {"beside", fault_beside},
              {"matched", fault_matched},   {"buffered", fault_buffered}, {"parts", fault_parts},
              {"exchange", fault_exchange}, {"across", fault_across},     {"unsent", fault_unsent}};
enum { FAULTS = sizeof faults / sizeof *faults };

bool wait_for_message(const char *name, bool faulty)
{
    const struct turn t = take_turn(MPI_COMM_WORLD);
    int i = 0;
    while (i < FAULTS && strcmp(faults[i].name, name) != 0) {
        i++;
    }
    if (i < FAULTS) {
        faults[i].make(&t, faulty);
    }
    return i < FAULTS;
}
