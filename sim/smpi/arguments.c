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

/* Splitmix64, which mixes any input well. */
static unsigned long mix(unsigned long x)
{
    x += 0x9e3779b97f4a7c15UL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebUL;
    return x ^ x >> 31;
}

/* One block of a pattern: `bytes` is the longest, and `drawn` a random number of its own. */
struct block {
    long bytes;
    int ranks, from, to;
    unsigned long seed, drawn;
};

static long fixed(const struct block *b)
{
    return b->bytes;
}

static long uniform(const struct block *b)
{
    return 1 + (long)(b->drawn % (unsigned long)b->bytes);
}

/* Each rank sends to one rank, and to 1 % of all others. */
static long sparse(const struct block *b)
{
    const unsigned long certain = mix(mix(b->seed) + (unsigned long)b->from);
    return certain % (unsigned long)b->ranks == (unsigned long)b->to || b->drawn % 100 == 0
               ? b->bytes
               : 0;
}

static long hot_receiver(const struct block *b)
{
    return b->to == b->ranks / 2 ? b->bytes : b->bytes / 16;
}

/* Of a density in proportion to 1/x^2 between 1 and bytes, by the inverse of its distribution. */
static long power_law(const struct block *b)
{
    const double part = (double)(b->drawn >> 11) * 0x1p-53;
    return (long)(1 / (1 - part * (1 - 1. / (double)b->bytes)));
}

static const struct {
    const char *name;
    long (*length)(const struct block *block);
} patterns[PATTERNS] = {[PATTERN_FIXED] = {"fixed", fixed},
                        [PATTERN_UNIFORM] = {"uniform", uniform},
                        [PATTERN_SPARSE] = {"sparse", sparse},
                        [PATTERN_HOT_RECEIVER] = {"hot_receiver", hot_receiver},
                        [PATTERN_POWER_LAW] = {"power_law", power_law}};

enum pattern pattern_find(const char *name)
{
    int i = 0;
    while (i < PATTERNS && strcmp(patterns[i].name, name) != 0) {
        i++;
    }
    return (enum pattern)i;
}

/* All ranks compute the same length without messages. */
static int length_of(const struct arguments *a, long bytes, int from, int to)
{
    const unsigned long seed = a->options->seed;
    const unsigned long pair = (unsigned long)from << 32 | (unsigned long)to;
    const struct block block = {bytes, a->ranks, from, to, seed, mix(mix(seed) ^ pair)};
    return bytes > 0 ? (int)patterns[a->options->pattern].length(&block) : 0;
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
        buffer[i] = (unsigned char)(mix((unsigned long)rank << 32 ^ i) >> 8);
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
