/* Lists of open MPI requests: posted one by one, tested together, given up together. */
#ifndef STRATA_INTERNODE_MPI_REQUESTS_MPI_H
#define STRATA_INTERNODE_MPI_REQUESTS_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/engine/transport.h"
#include "internode/mpi/lengths_mpi.h"

/* An open request, its handle apart. */
struct strata_request_entry {
    bool receive;
    bool exact;            /* a receive that must bring `bytes` bytes, no fewer */
    bool is_void;          /* a void message (internode/mpi/lengths_mpi.h) */
    int peer;              /* an endpoint */
    size_t bytes;          /* expected */
    unsigned char *buffer; /* of a receive of plain bytes; else NULL */
    unsigned char *spare;  /* memory for a message of `came` bytes that came instead */
    size_t came;
};

/* Open requests, and holes where completed ones were. */
struct strata_request_list {
    MPI_Request *requests;
    struct strata_request_entry *entries; /* [capacity] */
    int *indices;                         /* [capacity] for MPI_Testsome */
    MPI_Status *statuses;                 /* [capacity] likewise */
    int used, capacity, open;
    bool exact; /* since the list was empty, a message came whose tag does not determine its
                   length */
    bool quiet; /* while set, MPI_COMM_WORLD returns errors on behalf of this list */
    bool told;  /* a rank has told that messages of this call differ */
    struct strata_difference difference; /* the first one of this call */
    struct strata_tags tags;
    unsigned fruitless; /* tests since a request completed */
    unsigned looked;    /* entries examined so far */
};

/* Grows the list; STRATA_OK, or STRATA_ERR_MEMORY with the list as it was. */
int strata_requests_grow(struct strata_request_list *list, int capacity);
static inline int strata_requests_reserve(struct strata_request_list *list, int capacity)
{
    return capacity <= list->capacity ? STRATA_OK : strata_requests_grow(list, capacity);
}
void strata_requests_fini(struct strata_request_list *list); /* no request is open */

/* Where MPI may put the next request; NULL when the list is full. */
MPI_Request *strata_requests_next(struct strata_request_list *list);
/* Adds the request that was posted there. */
void strata_requests_add(struct strata_request_list *list, struct strata_request_entry entry);
/* Moves the open requests to the front, in order. */
void strata_requests_compact(struct strata_request_list *list);
/* The same after an error, with which MPI may have told nothing of what is open. */
void strata_requests_recount(struct strata_request_list *list);

/* In requests_test_mpi.c; on simulated clusters in requests_test_smpi.c. Removes the requests that
 * are complete; on simulated clusters it blocks until one is. Returns MPI's error code:
 * MPI_ERR_TRUNCATE where a receive brought fewer or more bytes than it must, which then counts as
 * complete; another error takes precedence. */
int strata_requests_test(struct strata_request_list *list);
/* Lets MPI make progress where no request is open: tests *idle, a request that never completes. The
 * first call makes it, and strata_requests_end_idle ends it. */
void strata_requests_progress(MPI_Request *idle);
void strata_requests_end_idle(MPI_Request *idle);

/* Waits a fifth of `patience` for messages under way, then cancels open receives and waits for open
 * sends. Returns when no request is open, or after `patience` seconds. The rest is then left to
 * MPI: a peer that failed too never receives its message, and MPI's late read of the buffer shows
 * nowhere. */
void strata_requests_abandon(struct strata_request_list *list, double patience);

#endif
