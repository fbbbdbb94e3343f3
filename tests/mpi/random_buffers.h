/* Random datatypes and buffers for the MPI tests, with MPI's own pack and unpack as the oracle. */
#ifndef STRATA_TESTS_MPI_RANDOM_BUFFERS_H
#define STRATA_TESTS_MPI_RANDOM_BUFFERS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/random.h"

#define MOST_RANKS 32

/* A committed datatype of `elements` base elements: contiguous, strided, indexed in any order of
 * memory, with gaps, negative lower bounds, resized. Elements of it never overlap. The caller
 * frees. */
MPI_Datatype random_datatype(struct random *r, MPI_Datatype base, int elements);

/* Instead of a number, for now and then: one that is as long as a piece that is read as it lies
 * (intranode/readers_mpi.c). Not to be freed. */
MPI_Datatype random_long_base(void);

/* One side of a call: blocks of a datatype, placed anywhere without overlap. */
struct buffer {
    MPI_Datatype type;
    int ranks;
    int counts[MOST_RANKS], displs[MOST_RANKS];
    unsigned char *memory, *base; /* base: what MPI is given */
    size_t bytes;                 /* of memory */
};

/* Collective: from now on buffers of some ranks, drawn anew each time, may lie in so many bytes of
 * strata_alloc's, until all of them are destroyed and it is given back. */
void buffers_map(size_t bytes);
void buffers_unmap(void);

/* Places the blocks, in any order, with gaps, at negative displacements too (packed one after
 * another when uniform), and fills all of the memory with a pattern. */
void buffer_create(struct buffer *b, struct random *r, bool uniform);
void buffer_destroy(struct buffer *b);

/* The block's stream: bytes that depend on (seed, source, destination, place). */
void buffer_put_stream(struct buffer *b, int block, uint64_t seed, int source, int destination);

/* A second buffer with the same places and contents. */
void buffer_copy(struct buffer *to, const struct buffer *from);
bool buffer_equal(const struct buffer *a, const struct buffer *b);

#endif
