#define _GNU_SOURCE
#include "intranode/readers.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/plan/formats.h"
#include "intranode/mapped.h"

/* The most bytes that the kernel reads in one call. */
#define MOST_READ ((size_t)0x7ffff000)
/* Each piece takes the kernel a third of a microsecond, beside its bytes
 * (docs/performance/long-blocks.md). */
#define LEAST_PIECE 16384

/* The offer of a member. */
struct offer {
    int64_t process;
    uint64_t address, number; /* where its number lies, and which it is */
};

struct peer {
    pid_t process;
    int world;
    bool here; /* a thread of this process */
};

struct strata_readers {
    struct strata_peer_memory peers;
    struct peer peer[]; /* by member */
};

/* Local peers read it while a communicator is attached. It is the same for all communicators,
 * because threads may attach theirs at once. */
static uint64_t number;

static void draw_number(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    pthread_mutex_lock(&lock);
    if (number == 0) {
        number = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 20;
    }
    pthread_mutex_unlock(&lock);
}

static struct offer *offer_of(const struct strata_node_memory *memory, int member)
{
    const struct strata_ring *ring = &memory->ring[STRATA_LARGE_RING];
    return (struct offer *)(void *)(strata_ring_slot(ring, member, 0) + STRATA_SHARED_HEAD);
}

static bool has_room(const struct strata_node_memory *memory)
{
    const struct strata_ring *ring = &memory->ring[STRATA_LARGE_RING];
    return ring->slot_bytes >= STRATA_SHARED_HEAD + sizeof(struct offer);
}

void strata_readers_offer(const struct strata_node_memory *memory)
{
    if (!has_room(memory)) {
        return;
    }
    draw_number();
    *offer_of(memory, memory->ring[STRATA_LARGE_RING].me) =
        (struct offer){getpid(), (uint64_t)(uintptr_t)&number, number};
}

static int error_of(int error)
{
    switch (error) {
    case EFAULT:
        return STRATA_ERR_ARGUMENT;
    case ESRCH:
        return STRATA_ERR_TRANSPORT;
    default: /* the kernel lacks memory for this read; a local peer may still copy the block */
        return STRATA_ERR_UNSUPPORTED;
    }
}

/* The remaining ranges: the first one from its byte `skip` on, and those behind it. */
struct rest {
    const struct strata_range *range;
    size_t count, skip;
};

/* As much as one call may read; returns how many vectors, and in *bytes how long. */
static size_t next_vectors(const struct rest *rest, struct iovec *there, size_t *bytes)
{
    size_t n = 0, skip = rest->skip;
    *bytes = 0;
    while (n < rest->count && n < STRATA_MOST_EXPOSED && *bytes < MOST_READ) {
        const struct strata_range *range = &rest->range[n];
        size_t length = range->bytes - skip, room = MOST_READ - *bytes;
        length = length < room ? length : room;
        there[n++] = (struct iovec){(void *)(uintptr_t)(range->address + skip), length};
        *bytes += length;
        skip = 0;
    }
    return n;
}

static void pass(struct rest *rest, size_t bytes)
{
    rest->skip += bytes;
    while (rest->count > 0 && rest->skip >= rest->range->bytes) {
        rest->skip -= rest->range->bytes;
        rest->range++;
        rest->count--;
    }
}

/* Threads of one process read each other's memory where it lies. */
static int read_here(const struct strata_range *range, size_t count, unsigned char *to)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to, (const void *)(uintptr_t)range[i].address, range[i].bytes);
        to += range[i].bytes;
    }
    return STRATA_OK;
}

/* A read that ends early goes on where it ended. */
static int read_process(pid_t process, struct rest rest, void *into)
{
    struct iovec there[STRATA_MOST_EXPOSED];
    unsigned char *to = into;
    for (pass(&rest, 0); rest.count > 0;) {
        size_t bytes, vectors = next_vectors(&rest, there, &bytes);
        struct iovec here = {to, bytes};
        ssize_t got = process_vm_readv(process, &here, 1, there, vectors, 0);
        if (got <= 0) {
            return got < 0 ? error_of(errno) : STRATA_ERR_ARGUMENT;
        }
        to += got;
        pass(&rest, (size_t)got);
    }
    return STRATA_OK;
}

static int read_peer(const struct strata_peer_memory *peers, int member,
                     const struct strata_range *range, size_t count, void *into)
{
    const struct strata_readers *readers = (const void *)peers;
    return readers->peer[member].here
               ? read_here(range, count, into)
               : read_process(readers->peer[member].process, (struct rest){range, count, 0}, into);
}

static const void *reach(const struct strata_peer_memory *peers, int member, uint64_t address,
                         size_t bytes)
{
    const struct strata_readers *readers = (const void *)peers;
    return readers->peer[member].here
               ? (const void *)(uintptr_t)address
               : strata_mapped_find(readers->peer[member].world, address, bytes);
}

/* Process numbers may be those of another namespace, so they do not tell alone. */
static bool is_here(const struct offer *offer)
{
    return offer->process == getpid() && offer->address == (uint64_t)(uintptr_t)&number &&
           offer->number == number;
}

static bool can_read(const struct offer *offer)
{
    if (is_here(offer)) {
        return true;
    }
    uint64_t found = 0;
    const struct strata_range number_there = {offer->address, sizeof found};
    return read_process((pid_t)offer->process, (struct rest){&number_there, 1, 0}, &found) ==
               STRATA_OK &&
           found == offer->number;
}

struct strata_readers *strata_readers_create(const struct strata_node_memory *memory,
                                             const int *world)
{
    int members = memory->ring[STRATA_LARGE_RING].members, member = 0;
    size_t bytes = sizeof(struct strata_readers) + (size_t)members * sizeof(struct peer);
    struct strata_readers *readers = has_room(memory) ? strata_allocate(1, bytes) : NULL;
    if (!readers) {
        return NULL;
    }
    readers->peers = (struct strata_peer_memory){LEAST_PIECE, reach, read_peer};
    while (member < members && can_read(offer_of(memory, member))) {
        const struct offer *offer = offer_of(memory, member);
        readers->peer[member] = (struct peer){(pid_t)offer->process, world[member], false};
        readers->peer[member].here = member != memory->ring[STRATA_LARGE_RING].me && is_here(offer);
        member++;
    }
    if (member < members) {
        strata_readers_destroy(readers);
        return NULL;
    }
    return readers;
}

void strata_readers_destroy(struct strata_readers *readers)
{
    strata_release(readers);
}

const struct strata_peer_memory *strata_readers_peers(const struct strata_readers *readers)
{
    return &readers->peers;
}
