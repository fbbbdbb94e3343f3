/* Cases of splitting for tests: colours and keys of many kinds, what MPI_Comm_split would give,
 * and all ranks run as virtual ranks. */
#ifndef STRATA_TESTS_INTERNODE_SPLITS_H
#define STRATA_TESTS_INTERNODE_SPLITS_H

#include "internode/split/split.h"
#include "sim/virtual/virtual_stations.h"
#include "tests/random.h"

/* Every rank's value is a text. */
struct split_case {
    int ranks;
    struct strata_field colour, key; /* without values */
    size_t *colour_at, *key_at;      /* [ranks + 1] where in text */
    unsigned char *text;
    unsigned char *undefined; /* [ranks] */
    const char *kinds[2];     /* of colour and key, for messages */
    /* Where the chain's ranks are: address of each, or NULL: their own numbers. */
    int *address, *rank_at; /* [ranks] and back */
    const struct strata_split_method *method;
    int items;
    uint64_t seed;
    bool rendezvous;
    int failing_rank;
    long allocations;
    int bad_rank; /* hands in a value of a wrong size; -1: none */
    /* Results, by address */
    struct strata_chain_links *groups, *right;
    struct strata_usage *usage;
    int *status;
};

enum { SPLIT_KINDS = 12, SPLIT_KEY_KINDS = 6 };

/* Draws a case; kind and key_kind choose what colours and keys are like. */
void split_case_init(struct split_case *c, int ranks, int kind, int key_kind, uint64_t seed);
void split_case_fini(struct split_case *c);

/* The right groups, by a plain sort. */
void split_case_solve(struct split_case *c);
/* All ranks; the status of the run. */
int split_case_run(struct split_case *c, struct strata_diagnostic *message);
/* The address of a rank whose group is wrong; -1: none. */
int split_case_wrong(const struct split_case *c);
/* Whether the method is for such a case. */
bool split_case_applies(const struct split_case *c, const struct strata_split_method *method);

#endif
