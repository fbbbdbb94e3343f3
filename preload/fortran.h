/* What the preload library does for Fortran's bindings before MPI begins. */
#ifndef STRATA_PRELOAD_FORTRAN_H
#define STRATA_PRELOAD_FORTRAN_H

#include <mpi.h>

/* Lets Open MPI's library for mpi_f08 call the preloaded collectives. */
#ifdef OPEN_MPI
void preload_redirect_fortran(void);
#else
static inline void preload_redirect_fortran(void)
{
}
#endif

/* The recorder takes Fortran's calls by the same functions, and notes where they come from. */
#ifdef STRATA_RECORDER
#include "preload/record/recorder.h"
#define PRELOAD_SITE (recorder_site = __builtin_return_address(0))
#define PRELOAD_DONE (recorder_site = NULL)
#else
#define PRELOAD_SITE ((void)0)
#define PRELOAD_DONE ((void)0)
#endif

#endif
