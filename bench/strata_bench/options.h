/* The command line. Every rank reads the same words and comes to the same result; those that begin
 * with
 * --benchmark_ are for Google Benchmark, which takes them on rank 0. */
#ifndef STRATA_BENCH_STRATA_BENCH_OPTIONS_H
#define STRATA_BENCH_STRATA_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_SIZES 32

struct options {
    const char *collectives, *forms, *patterns,
        *algorithms;               /* words with commas between, or "all" */
    int bytes[MOST_SIZES], nbytes; /* of a block; of a rank's blocks if total */
    bool total, help;
    bool mapped; /* buffers are strata_alloc's */
    bool report; /* Google Benchmark's report on the console instead of our table */
    int batches, seed, tests;
    double seconds; /* of a batch, about */
};

/* Ends with a row without a name. */
struct option {
    const char *name, *value, *allowed, *meaning;
    bool (*set)(struct options *o, const char *text); /* false: not what is allowed */
};
extern const struct option option_table[];

/* False with a sentence in message. */
bool options_read(struct options *o, int argc, char **argv, char *message, size_t size);
/* help.c. What Google Benchmark would end the program for, in the middle of a run or without an
 * error. */
bool options_check_reports(int argc, char **argv, char *message, size_t size);
void options_help(void);

/* The next word of a list with commas between, or false: then list is NULL. Words can be empty.
 * A part without a colon that sets a parameter, such as "radix=2" in
 * "modified:mode=pack,radix=2", belongs to the word before. */
bool options_word(const char **list, char *word, size_t size);

#endif
