/* The command line. Every rank reads the same words, with the same result. Options that begin with
 * --benchmark_ are Google Benchmark's, which takes them on rank 0. */
#ifndef STRATA_BENCH_STRATA_BENCH_OPTIONS_H
#define STRATA_BENCH_STRATA_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_SIZES 32

struct options {
    const char *collectives, *forms, *patterns,
        *algorithms;               /* words with commas between, or "all" */
    int bytes[MOST_SIZES], nbytes; /* of a block; with `total` of all blocks of a rank */
    bool total, help;
    bool mapped; /* buffers are strata_alloc's */
    bool report; /* the console shows Google Benchmark's report, not our table */
    int batches, seed, tests;
    double seconds; /* about the length of a batch */
};

/* Ended by a row without a name. */
struct option {
    const char *name, *value, *allowed, *meaning;
    bool (*set)(struct options *o, const char *text); /* returns false where the value is wrong */
};
extern const struct option option_table[];

/* Returns false with a sentence in message. */
bool options_read(struct options *o, int argc, char **argv, char *message, size_t size);
/* help.c: refuses options for which Google Benchmark would end the program in the middle of a run
 * or without an error. */
bool options_check_reports(int argc, char **argv, char *message, size_t size);
void options_help(void);

/* Reads the next word of a list with commas; words can be empty. Returns false where the list is
 * NULL, its state after the last word. A part without a colon that sets a parameter belongs to the
 * word before, such as "radix=2" in "modified:mode=pack,radix=2". */
bool options_word(const char **list, char *word, size_t size);

#endif
