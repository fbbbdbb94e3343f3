/* Chooses the algorithm of a persistent call by measuring. */
#ifndef STRATA_API_REQUEST_MEASURE_H
#define STRATA_API_REQUEST_MEASURE_H

#include "api/request/request.h"

enum strata_measured { STRATA_MEASURE_OFF, STRATA_MEASURE_MOVES, STRATA_MEASURE_ALL };

/* The level that this rank asks for: in the call's info, or else by STRATA_INIT_MEASURE.
 * MPI_ERR_INFO_VALUE, and a text: the info holds another word. */
int strata_measure_asked(const struct strata_call *call, MPI_Info info, int *level,
                         const char **text);

/* Collective, with the level on which all ranks have agreed. Times the call's candidates on memory
 * of Strata's own, and makes the fastest one the choice of the described call. Changes nothing
 * where there is no choice, or where a rank has no memory for the measurement. Returns an MPI error
 * code, raised already; all ranks go on, or none does. */
int strata_request_measure(struct strata_call *call, int level, struct strata_described *described);

#endif
