/* The communicators of a recorded program, and its predefined datatypes and operators. */
#ifndef STRATA_PRELOAD_RECORD_COMMUNICATORS_H
#define STRATA_PRELOAD_RECORD_COMMUNICATORS_H

#include "preload/record/recorder.h"

/* From now on the calls are written into this file. Enters MPI_COMM_WORLD. */
void recorder_communicators_begin(struct strata_record *record);
/* Keeps where the program's code lies now, for the sites of calls. */
void recorder_keep_modules(struct strata_record *record);

#endif
