/* Writes each call into the file of core/record/record.h. This library stands before the preload
 * library and hands each call on, so a program that is not recorded runs without any of it. */
#ifndef STRATA_PRELOAD_RECORD_RECORDER_H
#define STRATA_PRELOAD_RECORD_RECORDER_H

#include <mpi.h>

#include "core/base/each_thread.h"
#include "core/record/record.h"

/* The file. It is never NULL: without one it is memory that nobody reads. */
extern struct strata_record *recorder_record;

/* What the calls of one function by one communicator, datatype and operator share. Each thread
 * keeps the last one of each function, so that such a call takes few instructions. The handle in
 * the communicator's row changes when the communicator is freed. */
struct recorder_shape {
    struct strata_record_communicator *communicator;
    MPI_Datatype type;
    MPI_Op op;
    uint64_t what; /* of struct strata_record_entry */
};
extern STRATA_EACH_THREAD struct recorder_shape recorder_shapes[STRATA_RECORD_KINDS];

/* The site of a call in Fortran, which comes by a function of this library's own. */
extern STRATA_EACH_THREAD void *recorder_site;

/* The communicator that this thread is freeing. */
extern STRATA_EACH_THREAD MPI_Comm recorder_freed;
/* From now on another communicator may have this handle. */
void recorder_lose(MPI_Comm comm);

/* Makes the shape. */
void recorder_prepare(int kind, MPI_Comm comm, MPI_Datatype type, MPI_Op op);

static inline bool recorder_knows(int kind, MPI_Comm comm, MPI_Datatype type, MPI_Op op)
{
    const struct recorder_shape *shape = &recorder_shapes[kind];
    return atomic_load_explicit(&shape->communicator->handle, memory_order_acquire) ==
               (uintptr_t)comm &&
           shape->type == type && shape->op == op;
}

#define RECORDER_SET(field, value) atomic_store_explicit(&(field), (value), memory_order_relaxed)

/* Writes an entry, which lasts. */
static inline struct strata_record_entry *recorder_write(uint64_t what, uint64_t order,
                                                         uint64_t count, int root, const void *site)
{
    struct strata_record *record = recorder_record;
    const uint64_t number = atomic_fetch_add_explicit(&record->number, 1, memory_order_relaxed) + 1;
    struct strata_record_entry *e = &record->entry[number % STRATA_RECORD_ENTRIES];
    RECORDER_SET(e->number, 0);
    atomic_thread_fence(memory_order_release);
    RECORDER_SET(e->end, 0);
    RECORDER_SET(e->site, (uintptr_t)site);
    RECORDER_SET(e->count, count);
    RECORDER_SET(e->order, order);
    RECORDER_SET(e->root, root);
    RECORDER_SET(e->what, what);
    RECORDER_SET(e->begin, strata_record_ticks());
    atomic_store_explicit(&e->number, number, memory_order_release);
    return e;
}

/* Writes that a call of the shape that was made last has begun. */
static inline struct strata_record_entry *recorder_enter(int kind, enum strata_record_form form,
                                                         uint64_t count, int root, const void *site)
{
    const struct recorder_shape *shape = &recorder_shapes[kind];
    return recorder_write(shape->what | STRATA_RECORD_FORM(form), ++shape->communicator->calls,
                          count, root, site);
}

/* Writes that the call has ended. */
static inline void recorder_leave(struct strata_record_entry *e)
{
    atomic_store_explicit(&e->end, strata_record_ticks(), memory_order_release);
}

/* Begins and ends the file. */
void recorder_begin(void);
void recorder_end(void);

/* Called by each file that defines functions of MPI's, before the program begins: finds those that
 * calls are handed on to. */
struct recorder_next {
    const char *name;
    void **next;
};
void recorder_find_next(const struct recorder_next *rows, int count);

#endif
