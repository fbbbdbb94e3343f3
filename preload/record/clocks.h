/* Sets the clocks of a job's hosts by that of rank 0's. */
#ifndef STRATA_PRELOAD_RECORD_CLOCKS_H
#define STRATA_PRELOAD_RECORD_CLOCKS_H

#include "core/record/record.h"

/* Collective over MPI_COMM_WORLD. Finds out which rank speaks for each clock, and sets the clocks a
 * first time. record: NULL: this rank has no file. */
void recorder_clocks_begin(struct strata_record *record);
/* Sets the clocks a second time, in MPI_Finalize. */
void recorder_clocks_end(void);

#endif
