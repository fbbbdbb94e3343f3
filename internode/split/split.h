/* Splitting a chain by colours and keys that are any bytes, with any order on them.
 *
 * A. Moody, D. H. Ahn, B. R. de Supinski, "Exascale Algorithms for Generalized MPI_Comm_split",
 * EuroMPI 2011. Groups and their order are those of MPI_Comm_split: one group for each colour, in
 * it ranks by key, and by their rank in the chain where keys are equal. */
#ifndef STRATA_INTERNODE_SPLIT_SPLIT_H
#define STRATA_INTERNODE_SPLIT_SPLIT_H

#include "core/base/error.h"
#include "internode/chain/chain_links.h"

/* Whether a field is an integer, as the radix method requires. */
enum strata_integer { STRATA_NO_INTEGER, STRATA_INT32, STRATA_INT64 };

/* A rank's colour or key. */
struct strata_field {
    bool enabled; /* false: equal on all ranks */
    const void *bytes;
    size_t size;
    int (*compare)(const void *a, size_t a_size, const void *b, size_t b_size, void *context);
    /* Equal values have equal hashes in each round; unequal ones should differ in some. NULL:
     * none. */
    uint64_t (*hash)(const void *bytes, size_t size, unsigned round, void *context);
    void *context;
    enum strata_integer integer;
};

struct strata_split_method;

struct strata_split_input {
    struct strata_field colour, key;
    bool undefined;                           /* this rank is in no group */
    const struct strata_split_method *method; /* NULL: automatic */
    int items;                                /* cheng's parameter; 0: automatic */
    int status; /* an error that this rank has already; all ranks then return one */
};

/* What all ranks know and agree about. */
struct strata_split_shape {
    int ranks, items;
    size_t item, total; /* bytes of the largest item, and of all items */
    bool colour, key, hash, undefined, integers, whole;
    uint64_t colour_bits, key_bits; /* bits in which some integers differ */
};

struct strata_split {
    struct strata_station *station;
    const struct strata_chain_links *chain; /* the chain to split */
    const struct strata_split_input *input;
    struct strata_split_shape shape;
    size_t before;         /* bytes of the items of lower ranks */
    unsigned char *memory; /* as the method asked for; aligned to 16 */
    bool same_colour;      /* the colour is the same in this part of the chain, so items carry
                              none */
};

/* One row of the table: a file in internode/split/ defines it, methods.h lists it. */
struct strata_split_method {
    const char *name, *summary;
    const char *rounds, *memory; /* formulas, for readers */
    /* NULL, or the reason why it cannot serve. */
    const char *(*refuse)(const struct strata_split_shape *shape);
    /* Bytes of memory for a rank; rank 0 needs most. */
    size_t (*workspace)(const struct strata_split_shape *shape, int rank);
    /* This rank's place in its group; all ranks of the chain call it. */
    int (*run)(struct strata_split *split, struct strata_chain_links *group);
};

/* Collective over the chain. An error on one rank before the method's first message becomes an
 * error of all ranks; message (may be NULL) says why on the rank that has it. */
int strata_split_run(struct strata_station *station, const struct strata_chain_links *chain,
                     const struct strata_split_input *input, struct strata_chain_links *group,
                     struct strata_diagnostic *message);

/* This rank's value of an integer field, mapped to unsigned in the same order. */
uint64_t strata_split_integer(const struct strata_split *split, const struct strata_field *field);

#endif
