/* The cases that the options ask for, such as alltoallv/uniform/8/auto, and for nonblocking calls
 * alltoallv/uniform/8/auto/nonblocking. */
#ifndef STRATA_BENCH_STRATA_BENCH_CASES_H
#define STRATA_BENCH_STRATA_BENCH_CASES_H

#include "bench/strata_bench/exchange.h"
#include "bench/strata_bench/forms.h"
#include "bench/strata_bench/options.h"

struct bench_case {
    enum form form;
    const struct collective *collective;
    const struct pattern *pattern;
    int bytes;
    char algorithm[96];
    bool named; /* the user named the algorithm: the case fails where another one runs */
    char name[192];
};

struct cases {
    struct bench_case *list;
    int count;
};

/* Returns false with a sentence in message where a name is unknown or no case is left. */
bool cases_create(struct cases *cases, const struct options *o, int ranks, char *message,
                  size_t size);
void cases_destroy(struct cases *cases);
/* Whether the library accepts every choice. Collective. */
bool cases_check(const struct cases *cases, MPI_Comm comm, char *message, size_t size);

/* check_cases.c, for cases_create: whether every name and size exists. */
bool cases_check_options(const struct options *o, int ranks, char *message, size_t size);
bool cases_named(const char *list, const char *name);
bool cases_listed(const char *list, const char *name); /* whether the list has the name, or "all" */
/* Whether the collective has the algorithm. Every collective has "auto". */
bool cases_has(const struct collective *c, const char *choice);

#endif
