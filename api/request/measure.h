/* The choice of a persistent call's algorithm by measuring. */
#ifndef STRATA_API_REQUEST_MEASURE_H
#define STRATA_API_REQUEST_MEASURE_H

#include "api/request/request.h"

enum strata_measured { STRATA_MEASURE_OFF, STRATA_MEASURE_MOVES, STRATA_MEASURE_ALL };

/* What this rank asks for: by the call's info, or else by STRATA_INIT_MEASURE. MPI_ERR_INFO_VALUE,
 * and a text, where the info says something else. */
int strata_measure_asked(const struct strata_call *call, MPI_Info info, int *level,
                         const char **text);

/* Collective, with the level that all ranks have agreed on: times the candidates of the call on
 * memory of its own, and makes the fastest the described call's. It stays as it was where there is
 * nothing to choose, or where a rank has no memory for that. Returns an MPI error code, raised
 * already, alike whether all ranks go on. */
int strata_request_measure(struct strata_call *call, int level, struct strata_described *described);

#endif
