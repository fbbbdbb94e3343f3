/* The machine of communicators on one host is the same on all their ranks, whichever ranks measured
 * before. The user's machine takes precedence.
 *
 * run: 2
 * run: 2 STRATA_MACHINE=gigabit
 * run: 3 STRATA_MACHINE=host:copy=9e-11,alpha=5e-7
 * run: 2 STRATA_MACHINE=auto:alpha=x
 * run: 4 STRATA_TOPO=node:2
 * run: 4 STRATA_TOPO=node:2 -- file
 * run: 2 -- file
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/attach/group.h"
#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "include/strata.h"
#include "tests/mpi/require.h"

static const struct strata_group *attached(MPI_Comm comm)
{
    succeed(strata_comm_attach(comm, NULL));
    return strata_state_find(strata_process(), comm)->group;
}

static bool named(const struct strata_machine *m, const char *name)
{
    return strncmp(m->name, name, strlen(name)) == 0;
}

/* A measured figure lies near the description, or does not count. */
static void must_be_credible(const struct strata_machine *m)
{
    const struct strata_machine *host = strata_machine_host();
    REQUIRE_CMP(m->copy, >, host->copy / 10);
    REQUIRE_CMP(m->copy, <, 10 * host->copy);
    REQUIRE_CMP(m->reduce, >, host->reduce / 10);
    REQUIRE_CMP(m->reduce, <, 10 * host->reduce);
    REQUIRE_CMP(m->signal, >, host->signal / 10);
    REQUIRE_CMP(m->signal, <, 10 * host->signal);
    REQUIRE_CMP(m->alpha, >=, 0);
    REQUIRE_CMP(m->alpha, <, 10e-6);
    REQUIRE_CMP(m->beta, >=, 0);
    REQUIRE_CMP(m->beta, <, 10 * host->beta);
    REQUIRE_CMP(m->beta_fetch, >=, 0);
    REQUIRE_CMP(m->beta_fetch, <, 10 * host->copy);
    REQUIRE_CMP(m->beta_mapped, >=, 0);
    REQUIRE_CMP(m->beta_mapped, <=, m->copy);
    REQUIRE_CMP(m->line, >=, 0);
    REQUIRE_CMP(m->line, <=, m->signal);
    REQUIRE_CMP(m->copy_short, >=, 0);
    REQUIRE_CMP(m->copy_short, <=, m->copy);
    REQUIRE_CMP(m->ports, ==, 0);
    REQUIRE_CMP(m->turn, ==, host->turn);
}

/* Requires the same machine on all ranks, and returns it. */
static struct strata_machine must_agree(MPI_Comm comm)
{
    const struct strata_group *g = attached(comm);
    struct strata_machine first = g->machine;
    int measured = g->measured;
    MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, comm);
    MPI_Bcast(&measured, 1, MPI_INT, 0, comm);
#define REQUIRE_SAME(field, meaning) REQUIRE(first.field == g->machine.field);
    STRATA_MACHINE_TABLE(REQUIRE_SAME)
#undef REQUIRE_SAME
    REQUIRE_TEXT(first.name, g->machine.name);
    REQUIRE_CMP(measured, ==, g->measured);
    REQUIRE(!measured || g->sharing.ranks == 0);
    return first;
}

/* Rank 0 alone has a file. */
static void write_machine(int rank, char *path)
{
    if (rank == 0) {
        int fd = mkstemp(path);
        REQUIRE_CMP(fd, >=, 0);
        dprintf(fd, "host = a\ndate = b\nmpi = c\ncommand = d\nmachine = gigabit\n"
                    "alpha = 1.25e-5\nend\n");
        close(fd);
        setenv("STRATA_MACHINE", path, 1);
    }
}

/* One host is measured, whatever the file says. */
static void must_be_of_file(const struct strata_machine *m, bool emulated)
{
    if (emulated) {
        REQUIRE(named(m, "gigabit"));
        REQUIRE_CMP(m->alpha, ==, 1.25e-5);
        REQUIRE_CMP(m->beta, ==, strata_machine_at(1)->beta);
    } else {
        REQUIRE(named(m, "host"));
        must_be_credible(m);
    }
}

/* The user's figures take precedence. Emulated nodes stand for the nodes of a cluster. */
static void must_be_told(const struct strata_machine *m, bool emulated)
{
    const char *told = getenv("STRATA_MACHINE");
    if (told && strncmp(told, "gigabit", 7) == 0) {
        REQUIRE(named(m, "gigabit"));
        REQUIRE_CMP(m->beta, ==, strata_machine_at(1)->beta);
    } else if (emulated) {
        REQUIRE(named(m, "cluster"));
    } else if (told && strncmp(told, "host:", 5) == 0) {
        REQUIRE(named(m, "host"));
        REQUIRE_CMP(m->copy, ==, 9e-11);
        REQUIRE_CMP(m->alpha, ==, 5e-7);
    } else {
        REQUIRE(named(m, "host"));
        must_be_credible(m);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm part;
    int rank;
    const bool file = argc > 1, emulated = getenv("STRATA_TOPO") != NULL;
    char path[] = "/tmp/strata.XXXXXX";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (file) {
        write_machine(rank, path);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &part); /* rank 0 has not measured, others have */
    must_agree(part);
    struct strata_machine world = must_agree(MPI_COMM_WORLD);
    (file ? must_be_of_file : must_be_told)(&world, emulated);
    if (file && rank == 0) {
        unlink(path);
    }
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
