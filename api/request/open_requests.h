/* What moves open requests beside blocking calls. */
#ifndef STRATA_API_REQUEST_OPEN_REQUESTS_H
#define STRATA_API_REQUEST_OPEN_REQUESTS_H

#include <stdbool.h>

/* Whether any request of this process is open. */
bool strata_requests_any(void);
/* Moves all open requests, unless another thread does. */
void strata_requests_move(void);

/* Ends the thread that moves requests, if there is one. In MPI_Finalize. */
void strata_requests_end_thread(void);

#endif
