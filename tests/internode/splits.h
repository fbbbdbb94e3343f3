/* Cases of splitting: colours and keys of many kinds, the groups of MPI_Comm_split, and a run of
 * all ranks as virtual ranks. */
#ifndef STRATA_TESTS_INTERNODE_SPLITS_H
#define STRATA_TESTS_INTERNODE_SPLITS_H

#include "internode/split/split.h"
#include "sim/virtual/virtual_stations.h"
#include "tests/random.h"

/* Each rank's value is text, whatever its kind. */
struct split_case {
    int ranks;
    struct strata_field colour, key; /* without values */
    size_t *colour_at, *key_at;      /* [ranks + 1] places in `text` */
    unsigned char *text;
    unsigned char *undefined; /* [ranks] */
    const char *kinds[2];     /* of colour and key, for messages */
    /* The address of each of the chain's ranks, and the rank at each address. NULL: equal
     * numbers. */
    int *address, *rank_at; /* [ranks] and back */
    const struct strata_split_method *method;
    int items;
    uint64_t seed;
    bool rendezvous;
    int failing_rank;
    long allocations;
    int bad_rank; /* passes a value of a wrong size; -1: no rank does */
    /* [ranks] the results, by address. */
    struct strata_chain_links *groups, *right;
    struct strata_usage *usage;
    int *status;
};

enum { SPLIT_KINDS = 12, SPLIT_KEY_KINDS = 6 };

/* Draws a case; `kind` and `key_kind` select the kinds of colours and keys. */
void split_case_init(struct split_case *c, int ranks, int kind, int key_kind, uint64_t seed);
void split_case_fini(struct split_case *c);

/* Finds the right groups by a plain sort. */
void split_case_solve(struct split_case *c);
/* Runs all ranks. Returns the status of the run. */
int split_case_run(struct split_case *c, struct strata_diagnostic *message);
/* The address of a rank with a wrong group; -1: none. */
int split_case_wrong(const struct split_case *c);
/* Whether the method supports the case. */
bool split_case_applies(const struct split_case *c, const struct strata_split_method *method);

#endif
