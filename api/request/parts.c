#include "api/request/parts.h"

#include <stdio.h>

#include "api/process/process.h"
#include "core/base/memory.h"
#include "include/strata.h"

/* The lock of parts guards the list and what happens to its calls. A thread that has it takes no
 * other lock and calls no MPI. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct strata_parts *first;
static atomic_int listed; /* written under the lock, and read without it */

struct strata_parts *strata_parts_create(int count, int calls)
{
    struct strata_parts *parts =
        strata_allocate(1, sizeof *parts + (size_t)calls * sizeof *parts->part);
    if (parts) {
        parts->count = count;
        parts->calls = calls;
        parts->main = pthread_self();
        PMPI_Query_thread(&parts->level);
        for (int p = 0; p < calls; p++) {
            parts->part[p].comm = MPI_COMM_NULL;
        }
    }
    return parts;
}

void strata_parts_destroy(struct strata_parts *parts)
{
    for (int p = 0; parts && p < parts->calls; p++) {
        if (parts->part[p].call) {
            parts->destroy(parts->part[p].call);
        }
        strata_private_communicator_free(&parts->part[p].comm);
    }
    strata_release(parts);
}

static bool is_ready(const struct strata_part *part)
{
    /* pairs with strata_part_ready: who begins the call sees what the thread has written */
    return atomic_load_explicit(&part->ready, memory_order_acquire);
}

int strata_parts_missing(const struct strata_parts *parts)
{
    int p = 0;
    while (p < parts->count && is_ready(&parts->part[p])) {
        p++;
    }
    return p < parts->count ? p : -1;
}

bool strata_parts_any(void)
{
    return atomic_load_explicit(&listed, memory_order_relaxed) > 0;
}

static void count(int more)
{
    int now = atomic_load_explicit(&listed, memory_order_relaxed);
    atomic_store_explicit(&listed, now + more, memory_order_relaxed);
}

static void list(struct strata_parts *parts)
{
    parts->next = first;
    parts->link = &first;
    if (first) {
        first->link = &parts->next;
    }
    first = parts;
    count(1);
}

static void take_out(struct strata_parts *parts)
{
    *parts->link = parts->next;
    if (parts->next) {
        parts->next->link = parts->link;
    }
    parts->link = NULL;
    count(-1);
}

void strata_parts_start(struct strata_parts *parts)
{
    pthread_mutex_lock(&lock);
    for (int p = 0; p < parts->calls; p++) {
        struct strata_part *part = &parts->part[p];
        atomic_store_explicit(&part->ready, p >= parts->count, memory_order_relaxed);
        part->begun = part->over = false;
    }
    parts->request->code = MPI_SUCCESS;
    strata_request_enter(parts->request, STRATA_REQUEST_PARTS);
    list(parts);
    pthread_mutex_unlock(&lock);
}

/* Takes a call that is to begin, and its request; or NULL. */
static struct strata_part *take_ready(struct strata_parts **of)
{
    struct strata_part *taken = NULL;
    pthread_mutex_lock(&lock);
    for (struct strata_parts *parts = first; parts && !taken; parts = parts->next) {
        for (int p = 0; p < parts->calls && !taken; p++) {
            struct strata_part *part = &parts->part[p];
            taken = !part->begun && is_ready(part) ? part : NULL;
        }
        *of = parts;
    }
    if (taken) {
        taken->begun = true;
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

/* The first error of the parts is the request's. */
static void end(struct strata_part *part, struct strata_request *request, int code,
                const char *text)
{
    part->over = true;
    if (code != MPI_SUCCESS && request->code == MPI_SUCCESS) {
        request->code = code;
        request->text = text;
    }
}

/* Whether all calls of a request are over. */
static bool all_over(struct strata_parts *parts)
{
    bool all = true;
    for (int p = 0; p < parts->calls; p++) {
        struct strata_part *part = &parts->part[p];
        struct strata_request *call = part->call;
        if (part->begun && !part->over && strata_request_phase(call) == STRATA_REQUEST_COMPLETE) {
            strata_request_enter(call, STRATA_REQUEST_INACTIVE);
            end(part, parts->request, call->code, call->sequence ? call->text : NULL);
        }
        all = all && part->over;
    }
    return all;
}

static void complete(void)
{
    pthread_mutex_lock(&lock);
    for (struct strata_parts *parts = first, *next; parts; parts = next) {
        next = parts->next;
        if (all_over(parts)) {
            take_out(parts);
            strata_request_enter(parts->request, STRATA_REQUEST_COMPLETE); /* last: another thread
                                                                              may free it then */
        }
    }
    pthread_mutex_unlock(&lock);
}

void strata_parts_move(void)
{
    struct strata_parts *parts;
    for (struct strata_part *part = take_ready(&parts); part; part = take_ready(&parts)) {
        const int error = parts->begin(part->call); /* raised already */
        if (error != MPI_SUCCESS) {
            pthread_mutex_lock(&lock);
            end(part, parts->request, error, NULL);
            pthread_mutex_unlock(&lock);
        }
    }
    complete();
}

int strata_parts_raise(const struct strata_parts *parts)
{
    const struct strata_request *r = parts->request;
    return r->text ? strata_raise(parts->part[0].comm, r->code, "alltoallv", r->text) : r->code;
}

/* Whether this thread may call MPI in strata_part_ready. */
static bool may_begin(const struct strata_parts *parts)
{
    return parts->level == MPI_THREAD_MULTIPLE ||
           (parts->level != MPI_THREAD_SERIALIZED && pthread_equal(parts->main, pthread_self()));
}

/* A thread that may not call MPI calls no error handler, either. */
static int refuse(const struct strata_parts *parts, int class, const char *text)
{
    if (may_begin(parts)) {
        return strata_raise(parts->part[0].comm, class, "part_ready", text);
    }
    fprintf(stderr, "strata: part_ready, rank %d of MPI_COMM_WORLD: %s\n",
            strata_process_here.world_rank, text);
    return class;
}

int strata_part_ready(struct strata_request *request, int part)
{
    struct strata_parts *parts = request ? request->parts : NULL;
    if (!parts) {
        return strata_raise(MPI_COMM_NULL, MPI_ERR_REQUEST, "part_ready", "no request with parts");
    }
    if (strata_request_phase(request) != STRATA_REQUEST_PARTS) {
        return refuse(parts, MPI_ERR_REQUEST, "the request is not under way");
    }
    if (part < 0 || part >= parts->count) {
        return refuse(parts, MPI_ERR_ARG, "the request has no such part");
    }
    /* pairs with is_ready */
    if (atomic_exchange_explicit(&parts->part[part].ready, true, memory_order_acq_rel)) {
        return refuse(parts, MPI_ERR_ARG, "the part was ready already");
    }
    if (may_begin(parts)) {
        strata_parts_move();
    }
    return MPI_SUCCESS;
}
