/* Helpers of the tests of long blocks that calls through the nodes expose. Buffers lie anywhere, or
 * in memory that local peers have mapped. The system lets ranks read each other's memory, denies it
 * after some calls to all ranks or to one, or denies it from the start. Needs _GNU_SOURCE before
 * the first include. */
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

/* Elements of one int, with a gap as long behind each. */
static inline MPI_Datatype sides_gaps(void)
{
    MPI_Datatype gaps;
    MPI_Type_create_resized(MPI_INT, 0, 8, &gaps);
    MPI_Type_commit(&gaps);
    return gaps;
}

struct exposed_sides {
    int **buffer[3]; /* two sides, and the results of MPI's own call */
    size_t bytes;    /* of each buffer */
    const char *collectives[2], *row[2];
    void (*compare)(bool exposes), (*compare_wrong)(void);
};

/* Puts one side into memory that local peers have mapped; on all ranks except rank 0 the other
 * side, too. */
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

/* Runs the test by the program's argument. "off": nothing is exposed. "late": reading is denied
 * after some calls. "one": reading is denied to rank 1. */
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
