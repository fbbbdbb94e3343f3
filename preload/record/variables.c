/* What the recorder counts, as performance variables of MPI's tool interface. They stand behind
 * those that MPI has when it is first asked how many there are: indices must not change, so what
 * MPI adds later comes behind them. All of MPI's own are passed on. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "include/strata.h"
#include "preload/record/counts.h"

/* ROW(name, field of the counts, class, description). A timer is a double of seconds, a counter an
 * unsigned long long. */
#define VARIABLES(ROW)                                                                             \
    ROW("strata_collectives", collectives, COUNTER,                                                \
        "collectives that this rank has made and ended")                                           \
    ROW("strata_collectives_by_strata", by_strata, COUNTER,                                        \
        "those of them that a plan of Strata served")                                              \
    ROW("strata_collectives_by_mpi", by_mpi, COUNTER,                                              \
        "those of them that MPI's own collective served")                                          \
    ROW("strata_time_in_collectives", standing, TIMER,                                             \
        "seconds that this rank stood in blocking collectives")                                    \
    ROW("strata_time_in_waits", waiting, TIMER,                                                    \
        "seconds that this rank stood in waits for recorded requests")

static const struct variable {
    const char *name, *description;
    _Atomic uint64_t *count;
    int class;
} variables[] = {
#define ROW(name, field, class_, description)                                                      \
    {name, description, &recorder_counts.field, MPI_T_PVAR_CLASS_##class_},
    VARIABLES(ROW)
#undef ROW
};
enum { COUNT = sizeof variables / sizeof *variables };

/* A handle of ours. MPI's are other addresses. */
struct handle {
    struct handle *next;
    MPI_T_pvar_session session;
    const struct variable *variable;
};
static struct handle *handles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards handles and first */
static int first = -1;                                   /* index of ours; -1: not known yet */
static struct strata_record_stamp loaded;

/* The nanoseconds are of a clock that nobody sets, other than those of a file. */
static struct strata_record_stamp stamp(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (struct strata_record_stamp){strata_record_ticks(),
                                        (int64_t)time.tv_sec * 1000000000 + time.tv_nsec};
}

#define FUNCTIONS(ROW)                                                                             \
    ROW(pvar_get_num)                                                                              \
    ROW(pvar_get_info)                                                                             \
    ROW(pvar_get_index)                                                                            \
    ROW(pvar_session_free)                                                                         \
    ROW(pvar_handle_alloc)                                                                         \
    ROW(pvar_handle_free)                                                                          \
    ROW(pvar_start)                                                                                \
    ROW(pvar_stop)                                                                                 \
    ROW(pvar_read)                                                                                 \
    ROW(pvar_write)                                                                                \
    ROW(pvar_reset)                                                                                \
    ROW(pvar_readreset)                                                                            \
    ROW(category_get_pvars)
#define NEXT(name) static __typeof__(MPI_T_##name) *next_##name;
FUNCTIONS(NEXT)
#define FOUND(name) {"MPI_T_" #name, (void **)&next_##name},
static const struct recorder_next next[] = {FUNCTIONS(FOUND)};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
    loaded = stamp();
}

/* The index of ours, once MPI says how many it has. A tool may ask before find_next has run. */
static int find_first(int *first_)
{
    int number = 0;
    if (!next_pvar_get_num) {
        find_next();
    }
    const int error = next_pvar_get_num(&number);
    pthread_mutex_lock(&lock);
    first = first < 0 && error == MPI_SUCCESS ? number : first;
    *first_ = first;
    pthread_mutex_unlock(&lock);
    return error;
}

/* Ours, or NULL with MPI's own index. */
static const struct variable *find(int *index, int *error)
{
    int ours = 0;
    *error = find_first(&ours);
    if (*error != MPI_SUCCESS || *index < ours) {
        return NULL;
    }
    if (*index < ours + COUNT) {
        return &variables[*index - ours];
    }
    *index -= COUNT;
    return NULL;
}

STRATA_PUBLIC int MPI_T_pvar_get_num(int *number)
{
    int ours;
    int error = find_first(&ours);
    error = error == MPI_SUCCESS ? next_pvar_get_num(number) : error;
    if (error == MPI_SUCCESS) {
        *number += COUNT;
    }
    return error;
}

/* As MPI gives text: as much as there is room for, and the length that is needed. */
static void give_text(const char *text, char *room, int *length)
{
    if (length) {
        if (room && *length > 0) {
            snprintf(room, (size_t)*length, "%s", text);
        }
        *length = (int)strlen(text) + 1;
    }
}

static void give(int *place, int value)
{
    if (place) {
        *place = value;
    }
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
STRATA_PUBLIC int MPI_T_pvar_get_info(int index, char *name, int *name_length, int *verbosity,
                                      int *class, MPI_Datatype *type, MPI_T_enum *enumtype,
                                      char *description, int *description_length, int *bind,
                                      int *readonly, int *continuous, int *atomic)
{
    int error;
    const struct variable *v = find(&index, &error);
    if (!v) {
        return error != MPI_SUCCESS
                   ? error
                   : next_pvar_get_info(index, name, name_length, verbosity, class, type, enumtype,
                                        description, description_length, bind, readonly, continuous,
                                        atomic);
    }
    give_text(v->name, name, name_length);
    give_text(v->description, description, description_length);
    give(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    give(class, v->class);
    if (type) {
        *type = v->class == MPI_T_PVAR_CLASS_TIMER ? MPI_DOUBLE : MPI_UNSIGNED_LONG_LONG;
    }
    if (enumtype) {
        *enumtype = MPI_T_ENUM_NULL;
    }
    give(bind, MPI_T_BIND_NO_OBJECT);
    give(readonly, 1);
    give(continuous, 1);
    give(atomic, 0);
    return MPI_SUCCESS;
}

STRATA_PUBLIC int MPI_T_pvar_get_index(const char *name, int class, int *index)
{
    int ours;
    int error = find_first(&ours);
    for (int i = 0; error == MPI_SUCCESS && name && index && i < COUNT; i++) {
        if (strcmp(variables[i].name, name) == 0 && variables[i].class == class) {
            *index = ours + i;
            return MPI_SUCCESS;
        }
    }
    error = next_pvar_get_index(name, class, index);
    if (error == MPI_SUCCESS && index && *index >= ours) {
        *index += COUNT;
    }
    return error;
}

/* A handle of ours, which stays the tool's until it frees it; NULL: it is MPI's. */
static struct handle *ours(MPI_T_pvar_handle handle)
{
    pthread_mutex_lock(&lock);
    struct handle *h = handles;
    while (h && (void *)h != (void *)handle) {
        h = h->next;
    }
    pthread_mutex_unlock(&lock);
    return h;
}

/* Frees the handles of a session: `one` of them, or with NULL all. */
static void drop(MPI_T_pvar_session session, const struct handle *one)
{
    pthread_mutex_lock(&lock);
    for (struct handle **at = &handles; *at;) {
        struct handle *h = *at;
        if (one ? h == one : h->session == session) {
            *at = h->next;
            free(h);
        } else {
            at = &h->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

STRATA_PUBLIC int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                                          MPI_T_pvar_handle *handle, int *count)
{
    int error;
    const struct variable *v = find(&index, &error);
    if (!v) {
        return error != MPI_SUCCESS ? error
                                    : next_pvar_handle_alloc(session, index, object, handle, count);
    }
    if (session == MPI_T_PVAR_SESSION_NULL) {
        return MPI_T_ERR_INVALID_SESSION;
    }
    struct handle *h = malloc(sizeof *h);
    if (!h) {
        return MPI_T_ERR_MEMORY;
    }
    recorder_count_begin();
    pthread_mutex_lock(&lock);
    *h = (struct handle){handles, session, v};
    handles = h;
    pthread_mutex_unlock(&lock);
    *handle = (MPI_T_pvar_handle)(void *)h;
    *count = 1;
    return MPI_SUCCESS;
}

STRATA_PUBLIC int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    const struct handle *h = handle ? ours(*handle) : NULL;
    if (!h) {
        return next_pvar_handle_free(session, handle);
    }
    drop(session, h);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

STRATA_PUBLIC int MPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    if (session) {
        drop(*session, NULL);
    }
    return next_pvar_session_free(session);
}

/* Ours always count, and nobody may set them. */
STRATA_PUBLIC int MPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return ours(handle) ? MPI_T_ERR_PVAR_NO_STARTSTOP : next_pvar_start(session, handle);
}

STRATA_PUBLIC int MPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return ours(handle) ? MPI_T_ERR_PVAR_NO_STARTSTOP : next_pvar_stop(session, handle);
}

STRATA_PUBLIC int MPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                                   const void *value)
{
    return ours(handle) ? MPI_T_ERR_PVAR_NO_WRITE : next_pvar_write(session, handle, value);
}

STRATA_PUBLIC int MPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return ours(handle) ? MPI_T_ERR_PVAR_NO_WRITE : next_pvar_reset(session, handle);
}

STRATA_PUBLIC int MPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                                       void *value)
{
    return ours(handle) ? MPI_T_ERR_PVAR_NO_ATOMIC : next_pvar_readreset(session, handle, value);
}

/* MPI's categories have none of ours. It may set fewer indices than there is room for. */
STRATA_PUBLIC int MPI_T_category_get_pvars(int category, int length, int indices[])
{
    int ours = 0, no_name = 0, no_text = 0, set = 0, others[2];
    int error = find_first(&ours);
    error = error == MPI_SUCCESS ? next_category_get_pvars(category, length, indices) : error;
    if (error == MPI_SUCCESS) {
        error = PMPI_T_category_get_info(category, NULL, &no_name, NULL, &no_text, &others[0], &set,
                                         &others[1]);
    }
    for (int i = 0; error == MPI_SUCCESS && i < length && i < set; i++) {
        indices[i] += indices[i] >= ours ? COUNT : 0;
    }
    return error;
}

/* By what both clocks have shown since this library was loaded. */
static double seconds(uint64_t ticks)
{
    const struct strata_record_stamp now = stamp();
    const double passed = (double)(now.ticks - loaded.ticks);
    return passed > 0
               ? (double)ticks * 1e-9 * (double)(now.nanoseconds - loaded.nanoseconds) / passed
               : 0;
}

STRATA_PUBLIC int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *value)
{
    const struct handle *h = ours(handle);
    if (!h) {
        return next_pvar_read(session, handle, value);
    }
    const uint64_t count = atomic_load_explicit(h->variable->count, memory_order_relaxed);
    if (h->variable->class == MPI_T_PVAR_CLASS_TIMER) {
        *(double *)value = seconds(count);
    } else {
        *(unsigned long long *)value = count;
    }
    return MPI_SUCCESS;
}
