/* Ranks fail one after the other, by kill -9 somewhere in a call (faulting.c), and the others go
 * on: each of them gets an error of a failed rank, they shrink the communicator, and plans serve
 * the new one at once. Half of the times every survivor revokes the communicator first. The other
 * times nobody does, so each survivor must notice by itself.
 *
 *   survive SEED
 *   survive SEED revoked   no rank fails: one revokes the communicator between two calls
 *   survive asked          does nothing
 *
 * A rank that has not ended after 40 seconds prints where it stands, and stands on.
 *
 * All exit with 77 where MPI has no User Level Failure Mitigation. */
#include <execinfo.h>
#include <limits.h>
#include <mpi.h>
#include <signal.h>
#if defined OPEN_MPI && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/strata.h"
#include "tests/random.h"
#include "tests/reliability/faulting.h"

#pragma weak faulting_arm

#ifndef OMPI_HAVE_MPI_EXT_FTMPI
int main(void)
{
    printf("not run, because this MPI is no Open MPI whose ranks survive a failed one (from "
           "version 5 on)\n");
    return 77;
}
#else

/* The last call is strata_alloc. No rank dies in it: MPI_Comm_split of Open MPI 5.0.7 may then wait
 * for ever, whatever the others revoke. */
enum { MOST = 16, LONG = 20000, CALLS = 6, SURVIVED = CALLS - 1, LEAST = 3 };

static int from[MOST * LONG], to[MOST * LONG];
static int salt;
static int here = -1; /* this rank, in the last communicator */
static const char *volatile doing = "starts";

/* By functions that a signal handler may call, once backtrace has been called before. */
static void tell(int signal)
{
    void *frames[40];
    (void)signal;
    dprintf(STDERR_FILENO, "rank %d stands still: it %s\n", here, doing);
    backtrace_symbols_fd(frames, backtrace(frames, 40), STDERR_FILENO);
}

static void tell_later(void)
{
    enum { LATE = 40 };
    void *frame;
    backtrace(&frame, 1); /* loads what it needs */
    signal(SIGALRM, tell);
    alarm(LATE);
}

static void lose(const char *what, int got, int wanted)
{
    fprintf(stderr, "lost: %s: %d, not %d\n", what, got, wanted);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted) {
        lose(what, got, wanted);
    }
}

/* Memory that the others have mapped, too. A rank that has it gives it back, also where another one
 * fails meanwhile. */
static int share(MPI_Comm comm, int length)
{
    int *memory = NULL;
    int error = strata_alloc(length * (MPI_Aint)sizeof *memory, comm, &memory);
    if (error == MPI_SUCCESS) {
        memory[length - 1] = salt;
        error = strata_barrier(comm);
        expect("memory of all", memory[length - 1], salt);
        expect("the code of giving it back", strata_free(memory), MPI_SUCCESS);
    }
    return error;
}

/* A call of one of several collectives; its result is looked at. Returns MPI's code. */
static int call(int which, MPI_Comm comm, int length)
{
    int rank, ranks, error;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    here = rank;
    const int root = salt % ranks;
    for (int i = 0; i < length * ranks; i++) {
        from[i] = salt + rank + i % length;
        to[i] = which == 2 && rank == root ? salt + i : -1;
    }
    switch (which) {
    case 0:
        error = strata_allreduce(from, to, length, MPI_INT, MPI_SUM, comm);
        for (int i = 0; error == MPI_SUCCESS && i < length; i++) {
            expect("a sum", to[i], ranks * (salt + i) + ranks * (ranks - 1) / 2);
        }
        break;
    case 1:
        error = strata_alltoall(from, length, MPI_INT, to, length, MPI_INT, comm);
        for (int i = 0; error == MPI_SUCCESS && i < length * ranks; i++) {
            expect("an exchange", to[i], salt + i / length + i % length);
        }
        break;
    case 2:
        error = strata_bcast(to, length, MPI_INT, root, comm);
        for (int i = 0; error == MPI_SUCCESS && i < length; i++) {
            expect("a broadcast", to[i], salt + i);
        }
        break;
    case 3:
        error = strata_allgather(from, length, MPI_INT, to, length, MPI_INT, comm);
        for (int i = 0; error == MPI_SUCCESS && i < length * ranks; i++) {
            expect("a gathering", to[i], salt + i / length + i % length);
        }
        break;
    case 4:
        error = strata_barrier(comm);
        break;
    default:
        error = share(comm, length);
        break;
    }
    salt++;
    return error;
}

/* Calls of so many kinds, until a rank fails, or so many calls. */
static int call_on(MPI_Comm comm, int kinds, struct random *r, int most)
{
    int error = MPI_SUCCESS;
    doing = "makes calls";
    for (int i = 0; error == MPI_SUCCESS && i < most; i++) {
        const int which = random_below(r, kinds);
        error = call(which, comm, random_one_in(r, 4) ? LONG / 2 : random_between(r, 1, 200));
        if (i > 100000) {
            lose("calls without a failed rank", i, 0);
        }
    }
    return error;
}

/* A communicator that was just made is attached at its first call, and a plan serves it. */
static void look(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    int ranks;
    MPI_Comm_size(comm, &ranks);
    doing = "makes the first call";
    expect("the code of the first call", call(0, comm, 3), MPI_SUCCESS);
    expect("the code of a report", strata_comm_report(comm, &report), MPI_SUCCESS);
    expect("the standing", (int)report.standing, (int)STRATA_STANDING_ATTACHED);
    if (ranks > 1 && strcmp(report.algorithm, "native") == 0) {
        fprintf(stderr, "%s\n", report.why);
        lose("a plan serves", 0, 1);
    }
}

static void end(MPI_Comm comm, int survived)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        printf("all right: %d\n", survived);
        fflush(stdout);
    }
    doing = "ends";
    MPI_Barrier(comm);
    _exit(0); /* Open MPI 5.0.7 may hang in MPI_Finalize after a failure, without Strata too */
}

/* One rank leaves the others, who wait for it or are in MPI. Nobody else ends their calls. */
static void survive_revocation(MPI_Comm comm, struct random *r)
{
    enum { ROUNDS = 4 };
    int rank, ranks;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm next;
        int class = MPI_SUCCESS;
        const int revoker = random_below(r, ranks), most = random_between(r, 0, 40);
        struct random calls = *r;
        MPI_Error_class(call_on(comm, CALLS, &calls, rank == revoker ? most : INT_MAX), &class);
        doing = "revokes and shrinks";
        if (rank == revoker) {
            MPIX_Comm_revoke(comm);
        } else {
            expect("the class of the error", class, MPIX_ERR_REVOKED);
        }
        expect("shrinking", MPIX_Comm_shrink(comm, &next), MPI_SUCCESS);
        MPI_Comm_set_errhandler(next, MPI_ERRORS_RETURN);
        MPI_Comm_free(&comm);
        comm = next;
        random_next(r);
        salt = 100 * i;
        look(comm);
        MPI_Barrier(comm); /* none revokes it before all have looked */
    }
    end(comm, ROUNDS);
}

static void survive(MPI_Comm comm, struct random *r)
{
    int ranks, rank, failures = 0;
    MPI_Comm_size(comm, &ranks);
    while (ranks > LEAST) {
        MPI_Comm next;
        int class = MPI_SUCCESS;
        MPI_Comm_rank(comm, &rank);
        const int victim = random_below(r, ranks);
        const int step =
            random_one_in(r, 3) ? random_between(r, 1, 60) : random_between(r, 1, 3000);
        if (random_one_in(r, 2)) {
            look(comm);
        }
        if (rank == victim) {
            faulting_arm("kill", step);
        }
        const bool revoke = random_one_in(r, 2);
        struct random calls = *r;
        MPI_Error_class(call_on(comm, SURVIVED, &calls, INT_MAX), &class);
        if (class != MPIX_ERR_PROC_FAILED && !(revoke && class == MPIX_ERR_REVOKED)) {
            lose("the class of the error", class, MPIX_ERR_PROC_FAILED);
        }
        doing = revoke ? "revokes and shrinks" : "shrinks";
        if (revoke) {
            MPIX_Comm_revoke(comm);
        }
        expect("shrinking", MPIX_Comm_shrink(comm, &next), MPI_SUCCESS);
        MPI_Comm_set_errhandler(next, MPI_ERRORS_RETURN);
        MPI_Comm_free(&comm);
        comm = next;
        MPI_Comm_size(comm, &ranks);
        failures++;
        random_next(r);
        salt = 100 * failures;
        look(comm);
    }
    end(comm, failures);
}

int main(int argc, char **argv)
{
    struct random r = {random_mix(argc > 1 ? strtoull(argv[1], NULL, 10) : 1)};
    MPI_Comm comm;
    if (argc > 1 && strcmp(argv[1], "asked") == 0) {
        return 0;
    }
    tell_later();
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    /* A rank of Open MPI 6.0.0rc2 crashes in MPI_Comm_dup when another one revokes the new
     * communicator meanwhile, with MPI alone too. */
    MPI_Barrier(comm);
    (argc > 2 ? survive_revocation : survive)(comm, &r);
    return 1;
}
#endif
