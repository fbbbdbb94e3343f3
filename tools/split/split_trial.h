/* strata split: what its files share. */
#ifndef STRATA_TOOLS_SPLIT_SPLIT_TRIAL_H
#define STRATA_TOOLS_SPLIT_SPLIT_TRIAL_H

#include "internode/split/split.h"
#include "sim/virtual/virtual_stations.h"
#include "tools/command/command.h"

/* One splitting of virtual ranks, as the options say. */
struct split_trial {
    const char *method;
    struct strata_split_input choice; /* the method, parsed */
    int ranks;
    int groups; /* different colours; 0: all different; -1: no split */
    int text;   /* bytes of a colour; 0: it is an integer */
    bool keys;  /* random integers: ranks are reordered */
    bool rendezvous;
    uint64_t seed;
};

/* Sums and maxima over the ranks. */
struct split_figures {
    uint64_t rounds, messages, messages_all, bytes, bytes_all;
    size_t memory;
};

/* Runs it and checks every rank's place; STRATA_ERR_PLAN where one is wrong. */
int split_trial_run(const struct split_trial *trial, struct split_figures *figures,
                    struct strata_diagnostic *message);

#endif
