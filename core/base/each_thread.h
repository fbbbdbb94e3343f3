/* Stands before a variable that each thread has for itself. The initial-exec model finds the
 * variable fastest, in the memory that a program's threads begin with. A simulator loads the
 * program once for each rank, and that memory has no room for so many copies. */
#ifndef STRATA_CORE_BASE_EACH_THREAD_H
#define STRATA_CORE_BASE_EACH_THREAD_H

#ifdef STRATA_SIMULATED
#define STRATA_EACH_THREAD _Thread_local
#else
#define STRATA_EACH_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
#endif

#endif
