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

#endif
