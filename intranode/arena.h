/* Memory that the processes of a physical host share, divided among communicators (arena_mpi.c). It
 * is created once (collective) and never freed before MPI_Finalize, because delete callbacks are
 * not synchronised. Single processes take and drop regions under a lock in the memory itself. A
 * region returns to the free list when each of its users has dropped it. */
#ifndef STRATA_INTRANODE_ARENA_H
#define STRATA_INTRANODE_ARENA_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strata_arena;
struct strata_region_advice;

/* Collective over host, the processes of one physical host. The caller keeps host, a private
 * duplicate, as long as the arena lives. bytes is the same on all. Where rank 0 says `spread`, the
 * pages lie in all NUMA domains in turn (strata_pages_spread). Fails alike on every rank, and
 * leaks nothing: STRATA_ERR_CAPACITY when /dev/shm has too few free bytes (a touch would be SIGBUS)
 * or one process cannot map what the others can, else STRATA_ERR_MEMORY or STRATA_ERR_TRANSPORT. */
int strata_arena_create(MPI_Comm host, size_t bytes, bool spread, struct strata_arena **arena);
/* At finalize only. Collective over the same processes in simulated clusters. */
void strata_arena_destroy(struct strata_arena *arena);

/* A number that is the same for all processes of an arena and differs between arenas of a process.
 */
uint64_t strata_arena_id(const struct strata_arena *arena);

/* Local, and safe from any process or thread. `users` processes will drop the region. The memory's
 * first `zeroed` bytes are zeroed. `advice` (intranode/regions.h) may be NULL. STRATA_ERR_CAPACITY
 * when no free region is large enough. */
int strata_arena_take(struct strata_arena *arena, size_t bytes, size_t zeroed, int users,
                      const struct strata_region_advice *advice, uint64_t *offset);
void strata_arena_drop(struct strata_arena *arena, uint64_t offset);
void *strata_arena_at(const struct strata_arena *arena, uint64_t offset);
/* The bytes of the largest region that could be taken now. */
size_t strata_arena_largest(struct strata_arena *arena);

#endif
