#include "tests/mpi/forcing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/algorithms.h"
#include "tests/mpi/exposed_ways.h"
#include "tests/mpi/require.h"

static const char *only; /* " collective:row ..." of the wanted rows; NULL: all */

static bool is_wanted(enum strata_collective collective, const struct strata_algorithm *row)
{
    char text[96];
    snprintf(text, sizeof text, " %s:%s ", strata_collective_name(collective),
             row ? row->name : "auto");
    return !only || strstr(only, text);
}

/* Forces an algorithm; NULL: the cost decides. */
static void force(MPI_Comm comm, enum strata_collective collective,
                  const struct strata_algorithm *row, const int *parameter)
{
    char text[96] = "auto";
    if (row) {
        strata_algorithm_name(row, parameter, text, sizeof text);
    }
    succeed(strata_comm_force(comm, strata_collective_name(collective), text));
}

/* Draws each parameter: open, as selection tries it, or small. */
static void draw_parameters(struct random *r, const struct strata_algorithm *row, int *value)
{
    for (int i = 0; i < STRATA_PARAMETERS && row->parameters[i].name; i++) {
        const struct strata_parameter *p = &row->parameters[i];
        bool open = p->automatic == 0 && random_one_in(r, 3);
        value[i] = open ? 0 : random_between(r, p->least, algorithm_most_drawn(p, 6));
    }
}

/* Whether the algorithm, "name" or "name:parameter=...", has this name. */
static bool is_named(const char *algorithm, const char *name)
{
    size_t length = strlen(name);
    return strncmp(algorithm, name, length) == 0 &&
           (algorithm[length] == '\0' || algorithm[length] == ':');
}

/* Whether a plan served the last call. If not, the report must state why. */
static bool served(MPI_Comm comm, const struct strata_algorithm *row)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    if (!row || is_named(report.algorithm, row->name)) {
        return strcmp(report.algorithm, "native") != 0;
    }
    bool explained = is_named(report.algorithm, "native") && strstr(report.why, "MPI's own: ");
    if (!explained) {
        fprintf(stderr, "forced %s, served by %s: %s\n", row->name, report.algorithm, report.why);
    }
    REQUIRE(explained);
    return false;
}

/* Whether the row serves some operands only; the row of the call is then unknown. */
static bool is_choosy(const struct strata_algorithm *row)
{
    return !row || strstr(row->restrictions, "operands without gaps");
}

static void counted(MPI_Comm comm, enum strata_collective collective, uint64_t seed, bool plain,
                    forced_call *call)
{
    const struct strata_report before = ways_before(comm);
    call(comm, collective, seed, plain);
    ways_after(comm, &before);
}

/* Returns the number of calls. */
static int force_algorithm(MPI_Comm comm, enum strata_collective collective,
                           const struct strata_algorithm *row, int calls, uint64_t seed,
                           forced_call *call)
{
    struct random r = {seed};
    int made = 0, by_plans = 0, rank;
    if (!is_wanted(collective, row)) {
        return 0;
    }
    for (int i = 0; i < calls; i++) {
        int parameter[STRATA_PARAMETERS] = {0};
        if (row) {
            draw_parameters(&r, row, parameter);
        }
        force(comm, collective, row, parameter);
        uint64_t own = random_next(&r);
        counted(comm, collective, own, true, call);
        made++;
        if (served(comm, row)) {
            /* Otherwise MPI's own would get the other operands. */
            counted(comm, collective, own, is_choosy(row), call);
            made++;
            bool again = served(comm, row);
            REQUIRE(again || is_choosy(row));
            by_plans += 1 + again;
        }
    }
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        printf("%-20s %-20s %d of %d calls by plans\n", strata_collective_name(collective),
               row ? row->name : "auto", by_plans, made);
    }
    return made;
}

/* Returns the number of calls. */
static int force_all(enum strata_collective collective, int calls, uint64_t seed, forced_call *call)
{
    const struct strata_algorithm *row;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int made = force_algorithm(comm, collective, NULL, calls, random_mix(seed), call);
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (algorithm_serves(row, collective)) {
            uint64_t own = random_mix(seed + 1000003u * (uint64_t)(i + 1));
            made += force_algorithm(comm, collective, row, calls, own, call);
        }
    }
    MPI_Comm_free(&comm);
    return made;
}

void force_main(int argc, char **argv, int calls, bool reductions, forced_call *call)
{
    int rank, made = 0;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        calls = strcmp(argv[i], "--calls") == 0 ? atoi(argv[i + 1]) : calls;
        seed = strcmp(argv[i], "--seed") == 0 ? strtoull(argv[i + 1], NULL, 10) : seed;
        only = strcmp(argv[i], "--only") == 0 ? argv[i + 1] : only;
    }
    ways_refuse(seed);
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        enum strata_collective collective = (enum strata_collective)c;
        if (strata_collective_reduces(collective) == reductions) {
            made += force_all(collective, calls, random_mix(seed + (uint64_t)c), call);
        }
    }
    ways_print();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("%d calls right, seed %llu\n", made, (unsigned long long)seed);
    }
}
