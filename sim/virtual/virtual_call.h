/* One rank's call in a world of virtual ranks, for the functions that run them. Private to sim/. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_CALL_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_CALL_H

#include "sim/virtual/virtual_run.h"
#include "sim/virtual/virtual_world.h"

/* As strata_virtual_run's arguments. */
struct strata_virtual_job {
    struct strata_virtual *world;
    struct strata_virtual_call *calls;
    int ncalls;
    struct strata_diagnostic *message;
    const struct strata_transport *transport; /* its self is a rank's mailbox */
};

/* Before the first rank's first call. */
void strata_virtual_prepare(const struct strata_virtual_job *job);
/* Begins a rank's next call: STRATA_OK when its engine may advance, or an error. strata_virtual_end
 * ends the call either way, with that error or the engine's status. */
int strata_virtual_begin(const struct strata_virtual_job *job, int rank);
void strata_virtual_end(const struct strata_virtual_job *job, int rank, int status);
/* Remembers the first error. */
int strata_virtual_fail(const struct strata_virtual_job *job, int error, const char *text);
/* Whether all ranks have made all calls. */
bool strata_virtual_finished(const struct strata_virtual_job *job);
/* Reports messages that no rank received, as an error. If ranks never ended, resets the world. */
void strata_virtual_conclude(const struct strata_virtual_job *job);

#endif
