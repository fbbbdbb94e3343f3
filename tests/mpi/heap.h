/* Counts the bytes of heap that this process has taken since heap_count and not given back: those
 * of Strata and the test itself, and those of the MPI and all others. With sanitizers it counts
 * nothing, as they have a heap of their own, and look for leaks there. */
#ifndef STRATA_TESTS_MPI_HEAP_H
#define STRATA_TESTS_MPI_HEAP_H

enum heap { HEAP_OWN, HEAP_OTHERS };

void heap_count(void);
long heap_kib(enum heap whose);

#endif
