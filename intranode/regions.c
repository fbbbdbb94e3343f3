#include "intranode/regions.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/error.h"
#include "intranode/backing.h"

/* The line before a region's memory. */
struct region {
    _Alignas(STRATA_REGION_LINE) uint64_t bytes; /* bytes of memory after this line */
    uint64_t next;     /* offset of the next free region's line; 0: none */
    _Atomic int users; /* processes that still hold it; 0: free */
};

struct strata_regions {
    _Alignas(STRATA_REGION_LINE) pthread_mutex_t mutex;
    uint64_t first; /* free region; 0: none */
};

static struct region *region_at(struct strata_regions *head, uint64_t offset)
{
    return (void *)((unsigned char *)head + offset);
}

static uint64_t round_up(size_t bytes)
{
    return ((uint64_t)bytes + STRATA_REGION_LINE - 1) / STRATA_REGION_LINE * STRATA_REGION_LINE;
}

/* A process may die in a section, and its job may go on. The list may then be half changed, so it
 * is given up: what is free now is given to nobody. */
static void lock(struct strata_regions *head)
{
    if (pthread_mutex_lock(&head->mutex) == EOWNERDEAD) {
        head->first = 0;
        pthread_mutex_consistent(&head->mutex);
    }
}

static void unlock(struct strata_regions *head)
{
    pthread_mutex_unlock(&head->mutex);
}

static int init_mutex(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t kind;
    int error = pthread_mutexattr_init(&kind);
    if (error == 0) {
        error = pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED) ||
                pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST) ||
                pthread_mutex_init(mutex, &kind);
        pthread_mutexattr_destroy(&kind);
    }
    return error == 0 ? STRATA_OK : STRATA_ERR_MEMORY;
}

size_t strata_regions_bytes(size_t bytes)
{
    return sizeof(struct strata_regions) + sizeof(struct region) + (size_t)round_up(bytes);
}

int strata_regions_init(struct strata_regions *head, size_t bytes)
{
    int status = strata_backing_commit(head, sizeof *head + sizeof(struct region));
    if (!status) {
        *head = (struct strata_regions){.first = sizeof *head};
        *region_at(head, head->first) = (struct region){.bytes = round_up(bytes)};
        status = init_mutex(&head->mutex);
    }
    return status;
}

/* Cuts `bytes` off the beginning of a free region; the rest becomes a free region in its place. */
static void split(struct strata_regions *head, uint64_t *link, uint64_t bytes)
{
    struct region *region = region_at(head, *link);
    if (region->bytes - bytes <= sizeof *region) {
        *link = region->next; /* the rest would hold nothing */
        return;
    }
    uint64_t rest = *link + sizeof *region + bytes;
    *region_at(head, rest) =
        (struct region){.bytes = region->bytes - bytes - sizeof *region, .next = region->next};
    region->bytes = bytes;
    *link = rest;
}

/* The link to the first free region of at least `bytes`; NULL: there is none. */
static uint64_t *find(struct strata_regions *head, uint64_t bytes)
{
    for (uint64_t *link = &head->first; *link; link = &region_at(head, *link)->next) {
        if (region_at(head, *link)->bytes >= bytes) {
            return link;
        }
    }
    return NULL;
}

/* Takes a region off the list; its line, its memory and the next line are backed. */
static int take_locked(struct strata_regions *head, uint64_t bytes, int users,
                       const struct strata_region_advice *advice, uint64_t *line)
{
    uint64_t *link = find(head, bytes);
    if (!link) {
        return STRATA_ERR_CAPACITY;
    }
    struct region *region = region_at(head, *link);
    uint64_t behind = region->bytes - bytes < sizeof *region ? 0 : sizeof *region;
    if (advice) {
        advice->advise(advice->context, region + 1, bytes);
    }
    int status = strata_backing_commit(region, sizeof *region + bytes + behind);
    if (!status) {
        *line = *link;
        split(head, link, bytes);
        atomic_store_explicit(&region->users, users, memory_order_relaxed);
    }
    return status;
}

int strata_regions_take(struct strata_regions *head, size_t bytes, size_t zeroed, int users,
                        const struct strata_region_advice *advice, uint64_t *offset)
{
    assert(users > 0 && zeroed <= bytes);
    if (bytes > SIZE_MAX - STRATA_REGION_LINE) {
        return STRATA_ERR_CAPACITY;
    }
    uint64_t line = 0;
    lock(head);
    int status = take_locked(head, round_up(bytes), users, advice, &line);
    unlock(head);
    if (!status) {
        *offset = line + sizeof(struct region);
        memset((unsigned char *)head + *offset, 0, zeroed);
    }
    return status;
}

/* Joins a free region with the next free one when they touch. */
static void join(struct strata_regions *head, uint64_t line)
{
    struct region *region = region_at(head, line);
    if (region->next && line + sizeof *region + region->bytes == region->next) {
        const struct region *next = region_at(head, region->next);
        region->bytes += sizeof *next + next->bytes;
        region->next = next->next;
    }
}

static void give_back(struct strata_regions *head, uint64_t line)
{
    uint64_t before = 0;
    uint64_t *link = &head->first;
    while (*link && *link < line) {
        before = *link;
        link = &region_at(head, before)->next;
    }
    region_at(head, line)->next = *link;
    *link = line;
    join(head, line);
    if (before) {
        join(head, before);
    }
}

void strata_regions_drop(struct strata_regions *head, uint64_t offset)
{
    uint64_t line = offset - sizeof(struct region);
    struct region *region = region_at(head, line);
    int users = atomic_fetch_sub_explicit(&region->users, 1, memory_order_acq_rel);
    assert(users > 0);
    if (users == 1) { /* the last one; the others' uses came before, by acquire and release */
        lock(head);
        give_back(head, line);
        unlock(head);
    }
}

size_t strata_regions_largest(struct strata_regions *head)
{
    uint64_t largest = 0;
    lock(head);
    for (uint64_t line = head->first; line; line = region_at(head, line)->next) {
        uint64_t bytes = region_at(head, line)->bytes;
        largest = bytes > largest ? bytes : largest;
    }
    unlock(head);
    return (size_t)largest;
}
