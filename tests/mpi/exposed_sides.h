/* What tests of long blocks that are exposed in calls through the nodes have in common: buffers
 * that lie anywhere, or in memory that local peers have mapped; and a system that allows ranks to
 * read each other's memory, or denies it after some calls, to all of them or to one, or always did.
 * Needs _GNU_SOURCE before the first include. */
#ifndef STRATA_TESTS_MPI_EXPOSED_SIDES_H
#define STRATA_TESTS_MPI_EXPOSED_SIDES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/deny.h"

static int rank, ranks;

static inline struct strata_report report_of(void)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    return report;
}

/* One int of every two. */
static inline MPI_Datatype sides_gaps(void)
{
    MPI_Datatype gaps;
    MPI_Type_create_resized(MPI_INT, 0, 8, &gaps);
    MPI_Type_commit(&gaps);
    return gaps;
}

struct exposed_sides {
    int **buffer[3]; /* two sides, and what MPI's own gives */
    size_t bytes;    /* of each */
    const char *collectives[2], *row[2];
    void (*compare)(bool exposes), (*compare_wrong)(void);
};

/* One side out of memory that local peers have mapped, and on all ranks but rank 0 the other one,
 * too. */
static inline void sides_mapped(const struct exposed_sides *t, bool exposes)
{
    int *plain[2], *mapped[2];
    for (int i = 0; i < 2; i++) {
        plain[i] = *t->buffer[i];
        succeed(strata_alloc(t->bytes, MPI_COMM_WORLD, &mapped[i]));
        *t->buffer[i] = i == 1 || rank > 0 ? mapped[i] : plain[i];
    }
    t->compare(exposes);
    for (int i = 1; i >= 0; i--) {
        succeed(strata_free(mapped[i]));
        *t->buffer[i] = plain[i];
    }
}

/* The program's word: "off", nothing is exposed; "late", reading is denied after some calls; "one":
 * to rank 1. */
static inline int sides_run(const struct exposed_sides *t, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const bool late = strcmp(word, "late") == 0, one = strcmp(word, "one") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 3; i++) {
        *t->buffer[i] = malloc(t->bytes);
        REQUIRE(*t->buffer[i]);
    }
    for (int i = 0; i < 2; i++) {
        succeed(strata_comm_force(MPI_COMM_WORLD, t->collectives[i], t->row[i]));
    }
    t->compare(strcmp(word, "off") != 0);
    t->compare_wrong();
    if (late || (one && rank == 1)) {
        deny_reading(EPERM);
    }
    if (late || one) {
        t->compare(true);
    }
    sides_mapped(t, strcmp(word, "off") != 0);
    for (int i = 0; i < 3; i++) {
        free(*t->buffer[i]);
    }
    MPI_Finalize();
    return 0;
}

#endif
