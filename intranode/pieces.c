#include "intranode/pieces.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/error.h"
#include "intranode/backing.h"

/* The line before a piece's memory. */
struct piece {
    _Alignas(STRATA_PIECE_LINE) uint64_t bytes; /* of memory after this line */
    uint64_t next;                              /* offset of the next free piece's line; 0: none */
    _Atomic int users;                          /* processes that still hold it; 0: free */
};

struct strata_pieces {
    _Alignas(STRATA_PIECE_LINE) _Atomic int locked;
    uint64_t first; /* free piece; 0: none */
};

static struct piece *piece_at(struct strata_pieces *head, uint64_t offset)
{
    return (void *)((unsigned char *)head + offset);
}

static uint64_t round_up(size_t bytes)
{
    return ((uint64_t)bytes + STRATA_PIECE_LINE - 1) / STRATA_PIECE_LINE * STRATA_PIECE_LINE;
}

/* Sections are short and a process that dies in one takes its job along, so a spin lock that gives
 * the core away will do. */
static void lock(struct strata_pieces *head)
{
    while (atomic_exchange_explicit(&head->locked, 1, memory_order_acquire)) {
        sched_yield();
    }
}

static void unlock(struct strata_pieces *head) /* pairs with the acquire in lock */
{
    atomic_store_explicit(&head->locked, 0, memory_order_release);
}

size_t strata_pieces_bytes(size_t bytes)
{
    return sizeof(struct strata_pieces) + sizeof(struct piece) + (size_t)round_up(bytes);
}

int strata_pieces_init(struct strata_pieces *head, size_t bytes)
{
    int status = strata_backing_commit(head, sizeof *head + sizeof(struct piece));
    if (!status) {
        *head = (struct strata_pieces){.first = sizeof *head};
        *piece_at(head, head->first) = (struct piece){.bytes = round_up(bytes)};
    }
    return status;
}

/* Cuts `bytes` off the begin of a free piece; what follows becomes a free piece in its place. */
static void split(struct strata_pieces *head, uint64_t *link, uint64_t bytes)
{
    struct piece *piece = piece_at(head, *link);
    if (piece->bytes - bytes <= sizeof *piece) {
        *link = piece->next; /* the rest would hold nothing */
        return;
    }
    uint64_t rest = *link + sizeof *piece + bytes;
    *piece_at(head, rest) =
        (struct piece){.bytes = piece->bytes - bytes - sizeof *piece, .next = piece->next};
    piece->bytes = bytes;
    *link = rest;
}

/* The link to the first free piece of at least `bytes`; NULL: there is none. */
static uint64_t *find(struct strata_pieces *head, uint64_t bytes)
{
    for (uint64_t *link = &head->first; *link; link = &piece_at(head, *link)->next) {
        if (piece_at(head, *link)->bytes >= bytes) {
            return link;
        }
    }
    return NULL;
}

/* Takes a piece off the list; its line, its memory and the next line are backed. */
static int take_locked(struct strata_pieces *head, uint64_t bytes, int users, uint64_t *line)
{
    uint64_t *link = find(head, bytes);
    if (!link) {
        return STRATA_ERR_CAPACITY;
    }
    struct piece *piece = piece_at(head, *link);
    uint64_t behind = piece->bytes - bytes < sizeof *piece ? 0 : sizeof *piece;
    int status = strata_backing_commit(piece, sizeof *piece + bytes + behind);
    if (!status) {
        *line = *link;
        split(head, link, bytes);
        atomic_store_explicit(&piece->users, users, memory_order_relaxed);
    }
    return status;
}

int strata_pieces_take(struct strata_pieces *head, size_t bytes, size_t zeroed, int users,
                       uint64_t *offset)
{
    assert(users > 0 && zeroed <= bytes);
    if (bytes > SIZE_MAX - STRATA_PIECE_LINE) {
        return STRATA_ERR_CAPACITY;
    }
    uint64_t line = 0;
    lock(head);
    int status = take_locked(head, round_up(bytes), users, &line);
    unlock(head);
    if (!status) {
        *offset = line + sizeof(struct piece);
        memset((unsigned char *)head + *offset, 0, zeroed);
    }
    return status;
}

/* Joins a free piece with the next free one when they touch. */
static void join(struct strata_pieces *head, uint64_t line)
{
    struct piece *piece = piece_at(head, line);
    if (piece->next && line + sizeof *piece + piece->bytes == piece->next) {
        const struct piece *next = piece_at(head, piece->next);
        piece->bytes += sizeof *next + next->bytes;
        piece->next = next->next;
    }
}

static void give_back(struct strata_pieces *head, uint64_t line)
{
    uint64_t before = 0;
    uint64_t *link = &head->first;
    while (*link && *link < line) {
        before = *link;
        link = &piece_at(head, before)->next;
    }
    piece_at(head, line)->next = *link;
    *link = line;
    join(head, line);
    if (before) {
        join(head, before);
    }
}

void strata_pieces_drop(struct strata_pieces *head, uint64_t offset)
{
    uint64_t line = offset - sizeof(struct piece);
    struct piece *piece = piece_at(head, line);
    int users = atomic_fetch_sub_explicit(&piece->users, 1, memory_order_acq_rel);
    assert(users > 0);
    if (users == 1) { /* the last one; the others' uses came before, by acquire and release */
        lock(head);
        give_back(head, line);
        unlock(head);
    }
}

size_t strata_pieces_room(struct strata_pieces *head)
{
    uint64_t largest = 0;
    lock(head);
    for (uint64_t line = head->first; line; line = piece_at(head, line)->next) {
        uint64_t bytes = piece_at(head, line)->bytes;
        largest = bytes > largest ? bytes : largest;
    }
    unlock(head);
    return (size_t)largest;
}
