/* Lists of open MPI requests: posted one by one, tested together, given up together. */
#ifndef STRATA_INTERNODE_MPI_REQUESTS_MPI_H
#define STRATA_INTERNODE_MPI_REQUESTS_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/engine/transport.h"
#include "internode/mpi/lengths_mpi.h"

/* What is known of an open request besides its handle. */
struct strata_request_entry {
    bool receive;
    bool exact;            /* a receive that must bring `bytes` bytes, no fewer */
    int peer;              /* an endpoint */
    size_t bytes;          /* expected */
    unsigned char *buffer; /* of a receive of plain bytes; else NULL */
    unsigned char *spare;  /* takes, in its place, a message of `came` bytes */
    size_t came;
};

/* Open requests, and holes where completed ones were. */
struct strata_request_list {
    MPI_Request *requests;
    struct strata_request_entry *entries; /* [capacity] */
    int *indices;                         /* [capacity] for MPI_Testsome */
    MPI_Status *statuses;                 /* [capacity] the same */
    int used, capacity, open;
    bool exact; /* since the list was empty: a length that its tag does not tell for certain */
    bool quiet; /* MPI_COMM_WORLD returns errors because of it */
    struct strata_difference difference; /* the first, in this call */
    struct strata_tags tags;
    unsigned fruitless; /* tests since something was complete */
    unsigned looked;    /* how often an entry was looked after */
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
/* Counts it in. */
void strata_requests_add(struct strata_request_list *list, struct strata_request_entry entry);
/* Moves what is still open to the front, in order. */
void strata_requests_compact(struct strata_request_list *list);

/* requests_test_mpi.c, or requests_test_smpi.c on simulated clusters.
 *
 * Takes out what is complete; on simulated clusters blocks until something is. Returns MPI's code:
 * a receive that brought fewer or more bytes than it must is MPI_ERR_TRUNCATE and complete; another
 * error comes first. */
int strata_requests_test(struct strata_request_list *list);
/* Lets MPI work where nothing is open: tests *idle, a request that never completes, which the first
 * call makes and strata_requests_end_idle ends. */
void strata_requests_progress(MPI_Request *idle);
void strata_requests_end_idle(MPI_Request *idle);

/* Gives what is on its way a fifth of the patience, then cancels open receives and lets open sends
 * complete; returns when none is open, or after `patience` seconds, when the rest is left to MPI: a
 * peer that failed as well never receives what it was sent, and nobody sees MPI's late read of the
 * buffer. */
void strata_requests_abandon(struct strata_request_list *list, double patience);

#endif
