/* Declarations that the files of strata split share. */
#ifndef STRATA_TOOLS_SPLIT_SPLIT_TRIAL_H
#define STRATA_TOOLS_SPLIT_SPLIT_TRIAL_H

#include "internode/split/split.h"
#include "sim/virtual/virtual_stations.h"
#include "tools/command/command.h"

/* One splitting of virtual ranks, as the command line asks for it. */
struct split_trial {
    const char *method;
    struct strata_split_input choice; /* the method, parsed */
    int ranks;
    int groups; /* the number of colours; 0: all differ; -1: no colours */
    int text;   /* the length of a colour in bytes; 0: colours are integers */
    bool keys;  /* random integer keys, which reorder the ranks */
    bool rendezvous;
    uint64_t seed;
    const struct strata_virtual_clock *clock; /* NULL: no time is kept */
};

/* Sums and maxima over the ranks. */
struct split_figures {
    double seconds; /* until the last rank has ended */
    uint64_t rounds, messages, messages_all, bytes, bytes_all;
    size_t memory;
};

/* Runs the splitting and checks the place of every rank. Returns STRATA_ERR_PLAN where one is
 * wrong. */
int split_trial_run(const struct split_trial *trial, struct split_figures *figures,
                    struct strata_diagnostic *message);

#endif
