/* The parts of allgathers, and of algorithms that end with one: messages of the output's blocks,
 * one block for each rank. */
#ifndef STRATA_INTERNODE_PARTS_GATHER_H
#define STRATA_INTERNODE_PARTS_GATHER_H

#include "core/plan/builder.h"

/* The beginning of an allgather: copies the rank's own block from the input to the output. */
void strata_gather_begin(struct strata_builder *b, int ranks, int rank);

/* The blocks of ranks first .. first+count-1, modulo the number of ranks. */
struct strata_box strata_gather_blocks(int ranks, int64_t first, int count);

/* A message to or from `rank`, modulo the number of ranks. In iteration i of a repeat it carries
 * the blocks i * shift further on. */
void strata_gather_send(struct strata_builder *b, int64_t rank, struct strata_box blocks,
                        int shift);
void strata_gather_recv(struct strata_builder *b, int64_t rank, struct strata_box blocks,
                        int shift);

/* Sends all blocks to all ranks round a ring. */
void strata_gather_ring(struct strata_builder *b, int ranks, int rank);

/* The least x with radix^x >= size. */
int strata_log_rounds(int size, int radix);
/* The skips of circulant graphs: `ranks` halved and rounded up `level` times. */
int strata_circulant_skip(int ranks, int level);

#endif
