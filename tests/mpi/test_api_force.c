/* Algorithms forced for one communicator: each communicator has its own, also of one group.
 *
 * run: 1
 * run: 3
 * run: 4 STRATA_TOPO=node:2 STRATA_ALLTOALLV=pairwise:window=2
 * timeout: 120
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "strata.h"
#include "tests/mpi/require.h"

#define BLOCK 3 /* ints */

/* An alltoall or alltoallv of short blocks, whose results are checked. */
static void exchange(MPI_Comm comm, bool uniform)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int *block = calloc(2 * (BLOCK + 1) * (size_t)ranks, sizeof *block);
    REQUIRE(block);
    int *send = block, *recv = send + BLOCK * ranks, *counts = recv + BLOCK * ranks,
        *displs = counts + ranks;
    for (int i = 0; i < ranks; i++) {
        counts[i] = BLOCK;
        displs[i] = BLOCK * i;
        for (int j = 0; j < BLOCK; j++) {
            send[BLOCK * i + j] = 1000 * rank + 10 * i + j;
        }
    }
    int error = uniform ? strata_alltoall(send, BLOCK, MPI_INT, recv, BLOCK, MPI_INT, comm)
                        : strata_alltoallv(send, counts, displs, MPI_INT, recv, counts, displs,
                                           MPI_INT, comm);
    succeed(error);
    for (int i = 0; i < BLOCK * ranks; i++) {
        REQUIRE_CMP(recv[i], ==, 1000 * (i / BLOCK) + 10 * rank + i % BLOCK);
    }
    free(block);
}

/* Checks the algorithm of a call; NULL: any. Returns the report. */
static struct strata_report run(MPI_Comm comm, bool uniform, const char *algorithm)
{
    struct strata_report report = {.size = sizeof report};
    exchange(comm, uniform);
    succeed(strata_comm_report(comm, &report));
    if (algorithm && strcmp(report.algorithm, algorithm) != 0) {
        fprintf(stderr, "%s ran, not %s: %s\n", report.algorithm, algorithm, report.why);
        REQUIRE(false);
    }
    return report;
}

static void force(MPI_Comm comm, const char *collective, const char *choice)
{
    succeed(strata_comm_force(comm, collective, choice));
}

/* Two communicators of one group are forced to different algorithms before and after they
 * attach. */
static void test_apart(void)
{
    MPI_Comm one, other, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    force(one, "alltoall", "bruck_index:radix=2");
    for (int round = 0; round < 3; round++) {
        struct strata_report report = run(one, true, "bruck_index:radix=2");
        REQUIRE_TEXT(report.why, "forced by strata_comm_force");
        if (round == 0) {
            run(other, true, NULL);
            force(other, "alltoall", "modified:mode=zero_copy,radix=2");
        }
        run(other, true, "modified:mode=zero_copy,radix=2");
    }
    MPI_Comm_dup(one, &copy);
    REQUIRE(!strstr(run(copy, true, NULL).why, "strata_comm_force"));
    REQUIRE(!strstr(run(one, false, NULL).why, "strata_comm_force")); /* another collective */
    MPI_Comm_free(&copy);
    MPI_Comm_free(&other);
    MPI_Comm_free(&one);
}

/* A forced algorithm is changed, left to the cost, to MPI, and back to the environment. */
static void test_changes(void)
{
    const char *variable = getenv("STRATA_ALLTOALLV");
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    run(comm, false, variable);
    force(comm, "alltoallv", "sloav:radix=3");
    run(comm, false, "sloav:radix=3");
    force(comm, "alltoallv", "sloav");
    REQUIRE(strstr(run(comm, false, NULL).why, "strata_comm_force, open parameters by cost"));
    force(comm, "alltoallv", "auto");
    REQUIRE(strstr(run(comm, false, NULL).why, "cheapest of"));
    force(comm, "alltoallv", "native");
    run(comm, false, "native");
    force(comm, "alltoallv", NULL);
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report)); /* still of the last call */
    REQUIRE_TEXT(report.why, "forced by strata_comm_force");
    report = run(comm, false, variable);
    REQUIRE(!variable || strcmp(report.why, "forced by STRATA_ALLTOALLV") == 0);
    MPI_Comm_free(&comm);
}

static void test_refusals(void)
{
    static const char *const wrong[][2] = {
        {"alltoal", "native"},           {"alltoall", "brook"},
        {"alltoall", "sloav:radix=1"},   {"alltoall", "modified:mode=zero"},
        {"allgather", "pairwise"},       {"alltoall", ""},
        {"alltoall", "pairwise:step=1"}, {NULL, "native"},
    };
    MPI_Comm comm;
    int rank, ranks;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    force(comm, "alltoall", "linear:window=2");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        REQUIRE_CMP(strata_comm_force(comm, wrong[i][0], wrong[i][1]), ==, MPI_ERR_ARG);
    }
    if (ranks > 1) { /* not the same on all ranks, or wrong on one */
        const char *mine = rank == 1 ? "linear:window=3" : "linear:window=4";
        REQUIRE_CMP(strata_comm_force(comm, "alltoall", mine), ==, MPI_ERR_ARG);
        mine = rank == 1 ? "linear:window" : "linear:window=4";
        REQUIRE_CMP(strata_comm_force(comm, "alltoall", mine), ==, MPI_ERR_ARG);
        REQUIRE_CMP(strata_comm_force(comm, "alltoall", rank ? NULL : "auto"), ==, MPI_ERR_ARG);
        REQUIRE_CMP(strata_comm_force(comm, "alltoall", rank ? "bruck" : "prefer:bruck"), ==,
                    MPI_ERR_ARG);
        REQUIRE_CMP(strata_comm_force(comm, rank ? "alltoall" : "alltoallv", "native"), ==,
                    MPI_ERR_ARG);
    }
    run(comm, true, "linear:window=2"); /* nothing was changed */
    REQUIRE_CMP(strata_comm_force(MPI_COMM_NULL, "alltoall", "native"), ==, MPI_ERR_COMM);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comm);
}

/* Every name in the list can be forced, stands there once, and the list ends. */
static void test_list(void)
{
    MPI_Comm comm;
    int count = 0, native = 0;
    const char *name;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (; (name = strata_algorithm_at("allgather", count)); count++) {
        force(comm, "allgather", name);
        native += strcmp(name, "native") == 0;
        for (int i = 0; i < count; i++) {
            REQUIRE(strcmp(name, strata_algorithm_at("allgather", i)) != 0);
        }
    }
    REQUIRE_CMP(count, >, 2);
    REQUIRE_CMP(native, ==, 1);
    REQUIRE(!strata_algorithm_at("allgather", count + 1));
    REQUIRE(!strata_algorithm_at("allgather", -1));
    REQUIRE(!strata_algorithm_at("allgathers", 0));
    REQUIRE(!strata_algorithm_at(NULL, 0));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    test_apart();
    test_changes();
    test_refusals();
    test_list();
    if (rank == 0) {
        printf("each communicator runs what it was forced to\n");
    }
    MPI_Finalize();
    return 0;
}
