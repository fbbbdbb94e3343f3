/* Virtual ranks as threads, which the system schedules. Signals order the data that ranks share in
 * the node's memory, or a thread sanitizer reports it. Messages are handed over under a lock; calls
 * without messages never take it. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/memory.h"
#include "sim/virtual/virtual_call.h"
#include "sim/virtual/virtual_transport.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define LOCKED(call)                                                                               \
    pthread_mutex_lock(&lock);                                                                     \
    int result = strata_transport_virtual.call;                                                    \
    pthread_mutex_unlock(&lock);                                                                   \
    return result

static int reserve(void *self, int lane_requests, int direct_requests)
{
    return strata_transport_virtual.reserve(self, lane_requests, direct_requests);
}

static int receive(void *self, int peer, void *buffer, size_t capacity)
{
    LOCKED(recv(self, peer, buffer, capacity));
}

static int send(void *self, int peer, const void *buffer, size_t bytes)
{
    LOCKED(send(self, peer, buffer, bytes));
}

static int receive_exactly(void *self, int peer, void *buffer, size_t bytes)
{
    LOCKED(recv_exactly(self, peer, buffer, bytes));
}

static int send_exactly(void *self, int peer, const void *buffer, size_t bytes)
{
    LOCKED(send_exactly(self, peer, buffer, bytes));
}

static int send_void(void *self, int peer)
{
    LOCKED(send_void(self, peer));
}

static int receive_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    LOCKED(recv_block(self, peer, layout, block));
}

static int send_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    LOCKED(send_block(self, peer, layout, block));
}

static int test(void *self, enum strata_traffic kind, int *open)
{
    LOCKED(test(self, kind, open));
}

static int settle(void *self, int *open)
{
    LOCKED(settle(self, open));
}

static void abandon(void *self)
{
    pthread_mutex_lock(&lock);
    strata_transport_virtual.abandon(self);
    pthread_mutex_unlock(&lock);
}

static const struct strata_transport transport_locked = {
    .reserve = reserve,
    .recv = receive,
    .send = send,
    .recv_exactly = receive_exactly,
    .send_exactly = send_exactly,
    .send_void = send_void,
    .recv_block = receive_block,
    .send_block = send_block,
    .test = test,
    .settle = settle,
    .abandon = abandon,
};

struct walker {
    const struct strata_virtual_job *job;
    int rank;
    uint64_t random;
    pthread_t thread;
};

/* A thread that yields to a program that burns the core gets it back after a slice of some
 * milliseconds, one that slept at once. So after some looks it sleeps. */
enum { LOOKS = 4 };

static void let_others_run(int looks)
{
    if (looks < LOOKS) {
        sched_yield();
    } else {
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    }
}

/* Now and then a rank is late. */
static void dally(struct walker *w)
{
    w->random = w->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    for (unsigned turns = w->random >> 60 == 0 ? (unsigned)(w->random >> 56 & 15) : 0; turns;
         turns--) {
        let_others_run(LOOKS);
    }
}

static int run_call(struct walker *w)
{
    struct strata_virtual *world = w->job->world;
    struct strata_virtual_rank *r = &world->rank[w->rank];
    struct strata_mailbox *box = &world->mail->boxes[w->rank];
    int looks = 0, status = strata_virtual_begin(w->job, w->rank);
    while (status == STRATA_OK && (status = strata_engine_advance(&r->x)) == STRATA_PENDING) {
        status = STRATA_OK;
        if (strata_mailbox_open(box) > 0) {
            pthread_mutex_lock(&lock);
            strata_mailbox_deliver(box);
            pthread_mutex_unlock(&lock);
        }
        let_others_run(looks++);
    }
    return status;
}

static void *walk(void *argument)
{
    struct walker *w = argument;
    while (w->job->world->rank[w->rank].call < w->job->ncalls) {
        int status = run_call(w);
        if (status == STRATA_OK) { /* else it writes shared data */
            strata_virtual_end(w->job, w->rank, status);
        } else {
            pthread_mutex_lock(&lock);
            strata_virtual_end(w->job, w->rank, status);
            pthread_mutex_unlock(&lock);
        }
        dally(w);
    }
    return NULL;
}

/* The threads that have begun wait for the others for ever, so without one of the threads the run
 * cannot go on. */
static void begin(struct walker *w)
{
    if (pthread_create(&w->thread, NULL, walk, w) != 0) {
        abort();
    }
}

int strata_virtual_run_threads(struct strata_virtual *world, struct strata_virtual_call *calls,
                               int ncalls, struct strata_diagnostic *message)
{
    const int ranks = world->topology->ranks;
    struct strata_virtual_job job = {world, calls, ncalls, message, &transport_locked};
    struct walker *walkers = strata_allocate((size_t)ranks, sizeof *walkers);
    if (!walkers) {
        return STRATA_ERR_MEMORY;
    }
    strata_virtual_prepare(&job);
    for (int rank = 0; rank < ranks; rank++) {
        walkers[rank] = (struct walker){.job = &job, .rank = rank};
        walkers[rank].random = world->random + (uint64_t)rank * UINT64_C(0x9e3779b97f4a7c15);
        begin(&walkers[rank]);
    }
    for (int rank = 0; rank < ranks; rank++) {
        pthread_join(walkers[rank].thread, NULL);
    }
    strata_release(walkers);
    strata_virtual_conclude(&job);
    return world->error;
}
