/* Members of a node read each other's own memory (readers_mpi.c: by process_vm_readv; simulated
 * ranks do not). Whether the system allows it is tried, never concluded: process numbers may belong
 * to another namespace, and capabilities, security modules and filters of system calls decide. Each
 * member offers a number of its own, and its local peers read it. */
#ifndef STRATA_INTRANODE_READERS_H
#define STRATA_INTRANODE_READERS_H

#include "core/engine/node_memory.h"

struct strata_readers;

/* Local: writes this member's offer to its slot of memory that no member uses yet. */
void strata_readers_offer(const struct strata_node_memory *memory);
/* Local. Call it when all members have offered, and before any member goes on. NULL where a local
 * peer's memory cannot be read, or there is no memory to remember the peers. world: [members] their
 * ranks in MPI_COMM_WORLD, by which intranode/mapped.h knows them. */
struct strata_readers *strata_readers_create(const struct strata_node_memory *memory,
                                             const int *world);
void strata_readers_destroy(struct strata_readers *readers); /* accepts NULL */
const struct strata_peer_memory *strata_readers_peers(const struct strata_readers *readers);

#endif
