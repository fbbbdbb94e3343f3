/* Messages of the program recorded.c. */
#ifndef STRATA_TESTS_PRELOAD_RECORDED_MESSAGES_H
#define STRATA_TESTS_PRELOAD_RECORDED_MESSAGES_H

#include <mpi.h>
#include <stdbool.h>

/* Right ones around the ring, by calls of all kinds. */
void pass_around(MPI_Comm ring);
/* Between these two lasts a message from rank 0 to rank 1, on a communicator of all ranks that has
 * no collective. */
void begin_early(void);
void end_early(void);

/* Makes a fault of messages, in which the faulty rank waits for ever, or all wait for it. Returns
 * false where there is none of this name. */
bool wait_for_message(const char *name, bool faulty);

#endif
