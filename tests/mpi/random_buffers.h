/* Random datatypes and buffers for the MPI tests; MPI's own pack and unpack are the reference. */
#ifndef STRATA_TESTS_MPI_RANDOM_BUFFERS_H
#define STRATA_TESTS_MPI_RANDOM_BUFFERS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/random.h"

#define MOST_RANKS 32

/* A committed datatype of `elements` base elements: contiguous, strided, or indexed in any order of
 * memory, with gaps, negative lower bounds, resized. Its elements never overlap. The caller frees
 * it. */
MPI_Datatype random_datatype(struct random *r, MPI_Datatype base, int elements);

/* A base element for occasional use, as long as a piece that is read in place
 * (intranode/readers_mpi.c). The caller does not free it. */
MPI_Datatype random_long_base(void);

/* One side of a call: blocks of a datatype, in any places that do not overlap. */
struct buffer {
    MPI_Datatype type;
    int ranks;
    int counts[MOST_RANKS], displs[MOST_RANKS];
    unsigned char *memory, *base; /* base: the address for MPI */
    size_t bytes;                 /* of `memory` */
};

/* Collective: from now on some ranks' buffers, drawn anew each time, may lie in so many bytes of
 * strata_alloc's memory. The memory is freed when all of them are destroyed. */
void buffers_map(size_t bytes);
void buffers_unmap(void);

/* Places the blocks in any order, with gaps and negative displacements, or packed one after another
 * when uniform. Fills all memory with a pattern. */
void buffer_create(struct buffer *b, struct random *r, bool uniform);
void buffer_destroy(struct buffer *b);

/* Writes the block's stream; its bytes depend on seed, source, destination and place. */
void buffer_put_stream(struct buffer *b, int block, uint64_t seed, int source, int destination);

/* Makes a second buffer with the same places and contents. */
void buffer_copy(struct buffer *to, const struct buffer *from);
bool buffer_equal(const struct buffer *a, const struct buffer *b);

#endif
