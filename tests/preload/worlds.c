/* A program that knows nothing of Strata and calls collectives with processes of another
 * MPI_COMM_WORLD, or without one.
 *   worlds spawn           with two processes that it starts
 *   worlds spawn without   these lack the preload library
 *   worlds session         in a session of MPI-4, without MPI_Init
 * Prints "all right", or what is wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/preload/expect.h"

enum { CHILDREN = 2, CALLS = 5, MOST = 16, SKIPPED = 77 };

static int is_short; /* above 0: Strata has memory for so many objects less one */
static int denied;

/* Replaces the C library's calloc, which also has this name. */
void *__libc_calloc(size_t count, size_t size);
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the header's are reserved */
__attribute__((visibility("default"))) void *calloc(size_t count, size_t size)
{
    Dl_info caller;
    if (is_short && dladdr(__builtin_return_address(0), &caller) &&
        strstr(caller.dli_fname, "libstrata") && --is_short == 0) {
        is_short = 1;
        denied++;
        return NULL;
    }
    return __libc_calloc(count, size);
}

/* Makes more than one call, so that Strata would serve the later ones. */
static void call(MPI_Comm comm, const char *what)
{
    int rank, ranks;
    int from[MOST], to[MOST];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < CALLS; i++) {
        int value = rank + i, sum = 0, right = ranks * (ranks - 1) / 2 + ranks * i;
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
        EXPECT(what, sum, ==, right);
        for (int r = 0; r < ranks; r++) {
            from[r] = 100 * rank + r;
        }
        MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, comm);
        for (int r = 0; r < ranks; r++) {
            EXPECT(what, to[r], ==, 100 * r + rank);
        }
        MPI_Barrier(comm);
    }
}

/* Rank 0 has no memory to record the communicator in the second call, and none to set it up in the
 * third. */
static void call_short(MPI_Comm all, int one)
{
    MPI_Comm comm;
    int sum, ranks;
    MPI_Comm_dup(all, &comm);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < CALLS; i++) {
        is_short = one && i < 3 ? i : 0;
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, comm);
        is_short = 0;
        EXPECT("a sum where one rank has no memory", sum, ==, i * ranks);
    }
    EXPECT("memory is denied", !one || denied > 1, ==, 1);
    MPI_Comm_free(&comm);
}

/* Parents and children make the same calls. */
static void call_together(MPI_Comm others, int children)
{
    MPI_Comm all;
    int rank, value = 1, sum = 0, those;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_remote_size(others, &those);
    for (int i = 0; i < CALLS; i++) {
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, others);
        EXPECT("a sum of the other world", sum, ==, those);
    }
    MPI_Intercomm_merge(others, children, &all);
    call(all, "calls of two worlds");
    call_short(all, !children && rank == 0);
    call(MPI_COMM_WORLD, "calls of one world");
    say_all_right(all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&others);
}

/* Returns false where MPI starts no processes. */
static bool spawn(char *program, int without)
{
    static char env[] = "env", no[] = "-u", library[] = "LD_PRELOAD", child[] = "child";
    char *with_library[] = {child, NULL};
    char *without_library[] = {no, library, program, child, NULL};
    MPI_Comm children;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int error =
        MPI_Comm_spawn(without ? env : program, without ? without_library : with_library, CHILDREN,
                       MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (error != MPI_SUCCESS) {
        return false;
    }
    call_together(children, 0);
    return true;
}

static void run(int argc, char **argv)
{
    MPI_Comm parents;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL) {
        call_together(parents, 1);
    } else if (!spawn(argv[0], argc > 2)) {
        printf("not run, because MPI_Comm_spawn of this MPI starts no processes\n");
        MPI_Finalize();
        exit(SKIPPED);
    }
    MPI_Finalize();
}

#ifdef SESSIONS
static void run_in_session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "worlds", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    call(comm, "calls in a session");
    MPI_Comm_rank(comm, &rank);
    say_all_right(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}
#else
static void run_in_session(void)
{
    fprintf(stderr, "worlds: this MPI has no sessions\n");
    exit(EXIT_FAILURE);
}
#endif

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "session") == 0) {
        run_in_session();
    } else {
        run(argc, argv);
    }
    return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
