/* What goes on beside calls that block: requests that plans serve. */
#ifndef STRATA_API_REQUEST_BESIDE_H
#define STRATA_API_REQUEST_BESIDE_H

#include <stdbool.h>

/* Whether any is under way in this process. */
bool strata_beside_open(void);
/* Moves all of them, unless another thread is at it. */
void strata_beside_move(void);

/* Ends the thread that moves them, if there is one. In MPI_Finalize. */
void strata_beside_end(void);

#endif
