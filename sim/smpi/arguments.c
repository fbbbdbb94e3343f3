/* Makes the buffers of a call: the lengths and contents of its blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/smpi/simulate.h"

static void *get(size_t bytes)
{
    void *memory = calloc(bytes > 0 ? bytes : 1, 1);
    if (!memory) {
        fprintf(stderr, "simulate: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        abort();
    }
    return memory;
}

static int length_of(const struct arguments *a, long bytes, int from, int to)
{
    const struct strata_pattern_shape shape = {bytes, a->ranks, a->options->seed};
    return (int)strata_pattern_length(a->options->pattern, &shape, from, to);
}

static void lay_out(struct side *side, const struct arguments *a, enum shape shape, bool sends,
                    long bytes)
{
    side->count = shape == SHAPE_NONE || shape == SHAPE_VECTOR || shape == SHAPE_PAIR
                      ? (int)bytes
                      : length_of(a, bytes, a->rank, a->rank);
    side->bytes = shape == SHAPE_NONE ? 0 : (size_t)side->count;
    if (shape != SHAPE_EACH && shape != SHAPE_PAIR) {
        return;
    }
    side->counts = get((size_t)a->ranks * sizeof(int));
    side->displs = get((size_t)a->ranks * sizeof(int));
    side->bytes = 0;
    for (int i = 0; i < a->ranks; i++) {
        int from = shape == SHAPE_EACH || !sends ? i : a->rank;
        int to = shape == SHAPE_EACH || sends ? i : a->rank;
        side->counts[i] = length_of(a, bytes, from, to);
        side->displs[i] = (int)side->bytes;
        side->bytes += (size_t)side->counts[i];
    }
}

void arguments_create(struct arguments *a, const struct options *options, long bytes)
{
    const struct operation *o = options->operation;
    *a = (struct arguments){.options = options, .root = options->root, .op = MPI_BXOR};
    MPI_Comm_rank(MPI_COMM_WORLD, &a->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &a->ranks);
    lay_out(&a->send, a, o->send, true, bytes);
    lay_out(&a->recv, a, o->recv, false, bytes);
    a->types = get((size_t)a->ranks * sizeof(MPI_Datatype));
    for (int i = 0; i < a->ranks; i++) {
        a->types[i] = MPI_BYTE;
    }
    a->send.buffer = get(a->send.bytes);
    a->recv.buffer = get(a->recv.bytes);
}

static void fill(unsigned char *buffer, size_t bytes, int rank)
{
    for (size_t i = 0; i < bytes; i++) {
        buffer[i] = (unsigned char)(strata_pattern_mix((unsigned long)rank << 32 ^ i) >> 8);
    }
}

void arguments_fill(struct arguments *a)
{
    memset(a->recv.buffer, 0xa5, a->recv.bytes);
    fill(a->send.buffer, a->send.bytes, a->rank);
    if (a->options->operation->send == SHAPE_NONE && a->rank == a->root) {
        fill(a->recv.buffer, a->recv.bytes, a->rank); /* a bcast sends from it */
    }
}

const unsigned char *arguments_result(const struct arguments *a, size_t *bytes)
{
    bool mine = !a->options->operation->at_root_receives || a->rank == a->root;
    *bytes = mine ? a->recv.bytes : 0;
    return a->recv.buffer;
}

void arguments_destroy(struct arguments *a)
{
    free(a->send.buffer);
    free(a->send.counts);
    free(a->send.displs);
    free(a->recv.buffer);
    free(a->recv.counts);
    free(a->recv.displs);
    free(a->types);
}
