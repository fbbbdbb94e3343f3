/* What goes on beside calls that block: requests that plans serve. */
#ifndef STRATA_API_REQUEST_OPEN_REQUESTS_H
#define STRATA_API_REQUEST_OPEN_REQUESTS_H

#include <stdbool.h>

/* Whether any is under way in this process. */
bool strata_requests_any(void);
/* Moves all of them, unless another thread is at it. */
void strata_requests_move(void);

/* Ends the thread that moves them, if there is one. In MPI_Finalize. */
void strata_requests_end_thread(void);

#endif
