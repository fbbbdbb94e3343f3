/* Writes each call into the file of core/record/record.h. This library stands before the preload
 * library and hands each call on, so a program that is not recorded runs without any of it. */
#ifndef STRATA_PRELOAD_RECORD_RECORDER_H
#define STRATA_PRELOAD_RECORD_RECORDER_H

#include <mpi.h>
#include <stddef.h>

#include "core/base/each_thread.h"
#include "core/record/record.h"

/* The file. It is never NULL: without one it is memory that nobody reads. Hidden, so that one
 * instruction finds it. */
extern struct strata_record *recorder_record __attribute__((visibility("hidden")));
/* Its entries, from which calls find all that they need of it. */
extern struct strata_record_entry *recorder_ring __attribute__((visibility("hidden")));
static inline struct strata_record *recorder_of(struct strata_record_entry *ring)
{
    return (struct strata_record *)((char *)ring - offsetof(struct strata_record, entry));
}

/* A call that lasts for more ticks than these is one of the longest so far. */
extern _Atomic uint64_t recorder_least __attribute__((visibility("hidden")));
struct recorder_call;
/* Keeps a call that has ended and is longer, if it is a blocking collective. Returns the error, so
 * that the call need not keep it meanwhile. */
int recorder_keep(struct recorder_call call, int error);

/* What the calls of one function by one communicator, datatype and operator share. Each thread
 * keeps the last one of each function, so that such a call takes few instructions. The handle in
 * the communicator's row changes when the communicator is freed. */
struct recorder_shape {
    struct strata_record_communicator *communicator;
    MPI_Datatype type;
    MPI_Op op;
    uint64_t what; /* of struct strata_record_entry */
};
struct recorder_thread {
    struct strata_record_entry *open; /* the last one that was written */
    struct recorder_shape shapes[STRATA_RECORD_PLACES];
};
extern STRATA_EACH_THREAD struct recorder_thread recorder_here;

/* The site of a call in Fortran, which comes by a function of this library's own. */
extern STRATA_EACH_THREAD void *recorder_site;

/* The communicator that this thread is freeing. */
extern STRATA_EACH_THREAD MPI_Comm recorder_freed;
/* From now on another communicator may have this handle. */
void recorder_lose(MPI_Comm comm);

/* Makes the shape of a place. */
void recorder_prepare(int place, MPI_Comm comm, MPI_Datatype type, MPI_Op op);

/* Compare a word that others may write, where it stands: compilers load what is atomic first. */
static inline bool recorder_is(const _Atomic uint64_t *word, uint64_t value)
{
#if defined __x86_64__
    bool is;
    __asm__ volatile("cmpq %2, %1" : "=@cce"(is) : "m"(*word), "r"(value) : "memory");
    return is;
#else
    return atomic_load_explicit(word, memory_order_acquire) == value;
#endif
}
static inline bool recorder_is_below(const _Atomic uint64_t *word, uint64_t value)
{
#if defined __x86_64__
    bool below;
    __asm__ volatile("cmpq %2, %1" : "=@ccb"(below) : "m"(*word), "r"(value) : "memory");
    return below;
#else
    return atomic_load_explicit(word, memory_order_relaxed) < value;
#endif
}

static inline uint64_t recorder_since(const _Atomic uint64_t *begin, uint64_t end)
{
#if defined __x86_64__
    __asm__ volatile("subq %1, %0" : "+r"(end) : "m"(*begin));
    return end;
#else
    return end - atomic_load_explicit(begin, memory_order_relaxed);
#endif
}

/* The row of a call like the last one of its place, or NULL. */
static inline struct strata_record_communicator *recorder_knows(int place, MPI_Comm comm,
                                                                MPI_Datatype type, MPI_Op op)
{
    const struct recorder_shape *shape = &recorder_here.shapes[place];
    struct strata_record_communicator *row = shape->communicator;
    const bool known = __builtin_expect(
        recorder_is(&row->handle, (uintptr_t)comm) && shape->type == type && shape->op == op, 1);
    if (!row) {
        __builtin_unreachable();
    }
    return known ? row : NULL;
}

/* The row of the shape that was made last. */
static inline struct strata_record_communicator *recorder_row(int place)
{
    return recorder_here.shapes[place].communicator;
}

#define RECORDER_SET(field, value) atomic_store_explicit(&(field), (value), memory_order_relaxed)

/* An entry and its number: other threads may write over it in the meantime. */
struct recorder_call {
    struct strata_record_entry *entry;
    uint64_t number;
};

/* Takes the next entry. Its fields are written between this and recorder_publish, each when it is
 * at hand, so that few registers hold them. The compiler is kept from finding each field from the
 * file's beginning. */
static inline struct recorder_call recorder_take(void)
{
    struct strata_record_entry *ring = recorder_ring;
    const uint64_t number =
        atomic_fetch_add_explicit(&recorder_of(ring)->next, 1, memory_order_relaxed);
    struct strata_record_entry *e = &ring[number % STRATA_RECORD_ENTRIES];
    __asm__("" : "+r"(e));
    RECORDER_SET(e->number, 0);
    atomic_thread_fence(memory_order_release);
    RECORDER_SET(e->end, 0);
    return (struct recorder_call){e, number};
}

/* The call has begun, and its entry may be read. */
static inline void recorder_publish(struct recorder_call call)
{
    RECORDER_SET(call.entry->begin, strata_record_ticks());
    atomic_store_explicit(&call.entry->number, call.number, memory_order_release);
    recorder_here.open = call.entry;
}

/* What an entry says of a call's blocks: its `count`, and STRATA_RECORD_LENGTHS. */
struct recorder_lengths {
    uint64_t count, what;
};
static inline struct recorder_lengths recorder_many(uint64_t count)
{
    return (struct recorder_lengths){count, 0};
}
/* No count is negative, so what has 32 bits needs no sign. */
static inline struct recorder_lengths recorder_few(int count)
{
    return recorder_many((uint32_t)count);
}
static inline struct recorder_lengths recorder_listed(struct recorder_lengths lengths)
{
    return lengths;
}

/* Writes that a call of the row and of the shape that was made last has begun. What serves it is
 * known as far as it was of the last one. */
static inline void recorder_enter(struct recorder_call call, struct strata_record_communicator *row,
                                  int kind, int form, struct recorder_lengths lengths, int root)
{
    const int place = STRATA_RECORD_PLACE(kind, form);
    const bool blocks = (form & ~STRATA_RECORD_OWN) == STRATA_RECORD_BLOCKING;
    struct strata_record_entry *e = call.entry;
    RECORDER_SET(e->count, lengths.count);
    RECORDER_SET(e->root, root);
    row->calls++;
    __asm__("" : "+m"(row->calls)); /* one instruction adds in memory */
    RECORDER_SET(e->order, row->calls);
    RECORDER_SET(e->served, blocks ? atomic_load_explicit(&row->served[place], memory_order_relaxed)
                            : form & STRATA_RECORD_OWN ? STRATA_RECORD_UNTOLD
                                                       : STRATA_RECORD_NATIVE);
    RECORDER_SET(e->what,
                 recorder_here.shapes[place].what | STRATA_RECORD_FORM(form) | lengths.what);
    recorder_publish(call);
}

/* The same, behind the entry's taking: the site is read when it is written. */
#define RECORDER_ENTER(row, kind, form, lengths, root, site_)                                      \
    recorder_take();                                                                               \
    RECORDER_SET(call.entry->site, (uintptr_t)(site_));                                            \
    recorder_enter(call, row, kind, form, lengths, root)

/* Writes that the call has ended. Returns the error. */
static inline int recorder_leave(struct recorder_call call, int error)
{
    if (__builtin_expect(recorder_is(&call.entry->number, call.number), 1)) {
        const uint64_t end = strata_record_ticks();
        atomic_store_explicit(&call.entry->end, end, memory_order_release);
        if (__builtin_expect(
                recorder_is_below(&recorder_least, recorder_since(&call.entry->begin, end)), 0)) {
            return recorder_keep(call, error);
        }
    }
    return error;
}

/* Whether messages are recorded, too. */
extern bool recorder_waits __attribute__((visibility("hidden")));

/* Begins and ends the file: behind MPI_Init, and behind an MPI_Finalize that has ended well. */
void recorder_begin(void);
void recorder_end(void);

/* Called by each file that defines functions of MPI's or Strata's: finds those that calls are
 * handed on to. Of MPI's, before the program begins. */
struct recorder_next {
    const char *name;
    void **next;
};
void recorder_find_next(const struct recorder_next *rows, int count);
/* Of Strata's, when one is first called: also in a library that was loaded later. */
void recorder_find_own(const struct recorder_next *rows, int count);

#endif
