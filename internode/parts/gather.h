/* What allgathers are made of, and what ends as one: blocks of the output, one of each rank, as
 * messages. */
#ifndef STRATA_INTERNODE_PARTS_GATHER_H
#define STRATA_INTERNODE_PARTS_GATHER_H

#include "core/plan/builder.h"

/* How an allgather begins: my block, from the input to its place in the output. */
void strata_gather_begin(struct strata_builder *b, int ranks, int rank);

/* The blocks of ranks first .. first+count-1; numbers may be beyond either end: they wrap around.
 */
struct strata_box strata_gather_blocks(int ranks, int64_t first, int count);

/* A message for `rank` (numbers wrap), or from it. In iteration i of a repeat its blocks are those
 * i * shift further on. */
void strata_gather_send(struct strata_builder *b, int64_t rank, struct strata_box blocks,
                        int shift);
void strata_gather_recv(struct strata_builder *b, int64_t rank, struct strata_box blocks,
                        int shift);

/* All blocks to everybody round a ring of all ranks. */
void strata_gather_ring(struct strata_builder *b, int ranks, int rank);

/* The least x with radix^x >= size. */
int strata_log_rounds(int size, int radix);

#endif
