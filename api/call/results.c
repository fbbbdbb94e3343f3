#include "api/call/results.h"

#include <pthread.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "include/strata.h"

/* What a rank found when it made memory. The greatest of all ranks counts. */
enum finding { DONE, NOT_TOGETHER, NO_MEMORY };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct strata_kept_result *results; /* the results of all communicators */

/* Takes the result off the list, if it is in the list. */
static void unlink_result(const struct strata_kept_result *result)
{
    struct strata_kept_result **link = &results;
    while (*link && *link != result) {
        link = &(*link)->next;
    }
    if (*link) {
        *link = result->next;
    }
}

static void destroy(struct strata_kept_result *result)
{
    strata_twice_mapped_end(&result->memory);
    strata_release(result);
}

/* The first result of the communicator in `list` that has this index; -1: any index. */
static struct strata_kept_result *next_of(struct strata_kept_result *list,
                                          const struct strata_state *state, int index)
{
    while (list && (list->owner != state || (index >= 0 && list->index != index))) {
        list = list->next;
    }
    return list;
}

uint64_t strata_results_free(const struct strata_state *state)
{
    uint64_t held = 0;
    pthread_mutex_lock(&lock);
    for (struct strata_kept_result *r = results; (r = next_of(r, state, -1)); r = r->next) {
        held |= r->given && r->index >= 0 ? UINT64_C(1) << r->index : 0;
    }
    pthread_mutex_unlock(&lock);
    return ~held;
}

/* The smallest kept result that is large enough. The first one counts, so all ranks find the
 * same. */
static struct strata_kept_result *find_kept(const struct strata_state *state, uint64_t free,
                                            bool shared, size_t bytes)
{
    struct strata_kept_result *best = NULL;
    for (int index = 0; index < STRATA_MOST_RESULTS; index++) {
        struct strata_kept_result *r = free >> index & 1 ? next_of(results, state, index) : NULL;
        bool fits = r && r->shared == shared && r->memory.bytes >= bytes;
        best = fits && (!best || r->memory.bytes < best->memory.bytes) ? r : best;
    }
    return best;
}

/* A place for a new result. It is the place of a kept result that is too short, which is destroyed,
 * or else an empty place. */
static int take_place(const struct strata_state *state, uint64_t free, bool shared)
{
    int empty = -1;
    for (int index = STRATA_MOST_RESULTS - 1; index >= 0; index--) {
        struct strata_kept_result *r = free >> index & 1 ? next_of(results, state, index) : NULL;
        if (r && r->shared == shared) {
            unlink_result(r);
            destroy(r);
            return index;
        }
        empty = !r && free >> index & 1 ? index : empty;
    }
    return empty;
}

static size_t whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes / page + 1) * page;
}

static enum finding finding_of(int error)
{
    return error == STRATA_OK ? DONE : error == STRATA_ERR_UNSUPPORTED ? NOT_TOGETHER : NO_MEMORY;
}

static int worst_of_all(MPI_Comm comm, enum finding *found)
{
    int mine = *found, worst = NO_MEMORY;
    int error = strata_allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, comm);
    *found = (enum finding)worst;
    return error;
}

static int make_file(size_t bytes, struct strata_open_file *file)
{
    int error = strata_open_file_create(bytes, file);
    return error == STRATA_OK ? strata_open_file_fill(file, bytes) : error;
}

/* The first member of each node makes a file, and tells its members where the file is. */
static int map_together(const struct strata_state *state, struct strata_kept_result *result,
                        size_t bytes, enum finding *found)
{
    const struct strata_group *g = state->group;
    const struct strata_topology *t = g->topology;
    struct strata_open_file mine = {.number = -1};
    struct strata_open_file *all = strata_allocate((size_t)g->ranks, sizeof *all);
    int first = strata_topology_rank(t, t->node_of[g->rank], 0), error;
    *found = all ? *found : NO_MEMORY;
    if (*found == DONE && first == g->rank) {
        *found = finding_of(make_file(bytes, &mine));
    }
    error = worst_of_all(state->comm, found);
    if (error == MPI_SUCCESS && *found == DONE) {
        error =
            strata_allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, state->comm);
    }
    if (error == MPI_SUCCESS && *found == DONE) {
        *found = finding_of(strata_twice_mapped_find(&result->memory, &all[first], bytes));
        error = worst_of_all(state->comm, found);
    }
    strata_open_file_close(&mine);
    strata_release(all);
    return error;
}

static int map_alone(const struct strata_state *state, struct strata_kept_result *result,
                     size_t bytes, enum finding *found)
{
    if (*found == DONE) {
        *found = finding_of(strata_twice_mapped_alone(&result->memory, bytes));
    }
    return worst_of_all(state->comm, found);
}

static int make_memory(struct strata_state *state, struct strata_kept_result *result, bool shared,
                       size_t bytes)
{
    static const int class[] = {MPI_SUCCESS, MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_NO_MEM};
    struct strata_kept_result none = {.index = -1};
    enum finding found = result ? DONE : NO_MEMORY;
    int error;
    result = result ? result : &none;
    error = shared ? map_together(state, result, bytes, &found)
                   : map_alone(state, result, bytes, &found);
    return error == MPI_SUCCESS ? class[found] : error;
}

/* The communicator goes. Unreleased results stay until they are released. */
static void leave(const struct strata_state *state)
{
    struct strata_kept_result *next;
    pthread_mutex_lock(&lock);
    for (struct strata_kept_result *r = next_of(results, state, -1); r; r = next) {
        next = next_of(r->next, state, -1);
        r->owner = NULL;
        if (!r->given) {
            unlink_result(r);
            destroy(r);
        }
    }
    pthread_mutex_unlock(&lock);
}

int strata_results_find(struct strata_state *state, uint64_t free, bool shared, size_t bytes,
                        struct strata_kept_result **result)
{
    struct strata_kept_result *new;
    int index = -1, error;
    bytes = whole_pages(bytes);
    pthread_mutex_lock(&lock);
    *result = find_kept(state, free, shared, bytes);
    index = *result ? -1 : take_place(state, free, shared);
    pthread_mutex_unlock(&lock);
    if (*result) {
        return MPI_SUCCESS;
    }
    new = strata_allocate(1, sizeof *new);
    error = make_memory(state, new, shared, bytes);
    if (error != MPI_SUCCESS || !new) {
        if (new) {
            destroy(new);
        }
        return error;
    }
    new->owner = state;
    new->index = index;
    new->shared = shared;
    state->results.leave = leave;
    pthread_mutex_lock(&lock);
    new->next = results;
    results = new;
    pthread_mutex_unlock(&lock);
    *result = new;
    return MPI_SUCCESS;
}

const void *strata_results_give(struct strata_kept_result *result, size_t lead)
{
    result->given = result->memory.read + lead;
    return result->given;
}

size_t strata_results_bytes(const struct strata_state *state)
{
    size_t bytes = 0;
    pthread_mutex_lock(&lock);
    for (struct strata_kept_result *r = results; (r = next_of(r, state, -1)); r = r->next) {
        bytes += r->shared ? r->memory.bytes : 0;
    }
    pthread_mutex_unlock(&lock);
    return bytes;
}

int strata_shared_release(const void *result)
{
    struct strata_kept_result *r;
    pthread_mutex_lock(&lock);
    for (r = results; r && (!result || r->given != result);) {
        r = r->next;
    }
    if (r) {
        r->given = NULL;
    }
    if (r && (!r->owner || r->index < 0)) {
        unlink_result(r);
        destroy(r);
    }
    pthread_mutex_unlock(&lock);
    return r ? MPI_SUCCESS
             : strata_raise(MPI_COMM_NULL, MPI_ERR_ARG, "shared_release",
                            "this is no result that is unreleased");
}
