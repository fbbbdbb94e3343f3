/* Members of a node read each other's own memory (readers_mpi.c: by process_vm_readv; simulated
 * ranks do not).
 *
 * Whether the system lets them is tried, never concluded: identifiers of processes may be of
 * another namespace, and what is allowed is a matter of capabilities, of security modules and of
 * filters of system calls. Each member offers a number of its own, and its mates read it. */
#ifndef STRATA_INTRANODE_READERS_H
#define STRATA_INTRANODE_READERS_H

#include "core/engine/node_memory.h"

struct strata_readers;

/* Local: puts what mates need into my slot of memory that nobody uses yet. */
void strata_readers_offer(const struct strata_node_memory *memory);
/* Local, when all members have offered, and before anybody goes on: NULL where a mate's memory
 * cannot be read, or there is no memory to remember the mates.
 *   world  [members] their ranks in MPI_COMM_WORLD, by which intranode/mapped.h knows them. */
struct strata_readers *strata_readers_create(const struct strata_node_memory *memory,
                                             const int *world);
void strata_readers_destroy(struct strata_readers *readers); /* accepts NULL */
const struct strata_mates *strata_readers_mates(const struct strata_readers *readers);

#endif
