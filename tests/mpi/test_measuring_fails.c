/* While two ranks time messages to measure their host, MPI refuses a message to one of them, or one
 * is so late that the other gives up. All ranks leave the communicator to MPI's own, no rank waits
 * for ever, and a message that comes late reaches nobody. A later communicator is attached. Memory
 * to which MPI may still write stays. Where MPI refuses its own collective, which is measured, too,
 * a rank makes no further one that could meet it, and the call of the program's fails as MPI's
 * would.
 *
 * run: 2,3 ASAN_OPTIONS=detect_leaks=0 -- refused
 * run: 2,3 ASAN_OPTIONS=detect_leaks=0 -- late
 * run: 2,3 ASAN_OPTIONS=detect_leaks=0 -- collective */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "api/attach/group.h"
#include "api/attach/state.h"
#include "api/life/life.h"
#include "tests/mpi/attached.h"

static int rank, ranks;
static bool victim;
static int until_fault; /* messages to other ranks; 0: no fault comes */
static bool late;       /* the fault: the message is late, and not refused */
static bool
    refuses; /* MPI's own reductions to one rank, on all ranks, none of which is in one then */
static int refused;      /* of these */
static double hurry = 1; /* how fast the clock goes that the library reads */

double PMPI_Wtime(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return hurry * ((double)time.tv_sec + 1e-9 * (double)time.tv_nsec);
}

/* Whether this message, which only measuring sends, is refused. The other rank's clock goes fast
 * from its own message on. */
static bool fails(int peer, int tag)
{
    if (peer == rank || tag != 0 || until_fault == 0 || --until_fault > 0) {
        return false;
    }
    if (late && victim) {
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
    hurry = late && !victim ? 10000 : 1;
    return victim && !late;
}

/* The program's definitions precede the MPI library's, which are the next ones. */
#define MESSAGE(name, memory)                                                                      \
    int name(memory buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,        \
             MPI_Request *request)                                                                 \
    {                                                                                              \
        int (*real)(memory, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);                 \
        void *symbol = dlsym(RTLD_NEXT, #name);                                                    \
        memcpy(&real, &symbol, sizeof real);                                                       \
        return fails(peer, tag) ? MPI_ERR_OTHER                                                    \
                                : real(buffer, count, type, peer, tag, comm, request);             \
    }
MESSAGE(PMPI_Isend, const void *)
MESSAGE(PMPI_Irecv, void *)

int PMPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm)
{
    int (*real)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
    void *symbol = dlsym(RTLD_NEXT, "PMPI_Reduce");
    memcpy(&real, &symbol, sizeof real);
    refused += refuses;
    return refuses ? MPI_ERR_OTHER : real(from, to, count, type, op, root, comm);
}

int PMPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    int (*real)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    void *symbol = dlsym(RTLD_NEXT, "PMPI_Allreduce");
    memcpy(&real, &symbol, sizeof real);
    REQUIRE(refused == 0); /* others may be in the reduction that was refused here */
    return real(from, to, count, type, op, comm);
}

static void sum(MPI_Comm comm)
{
    int all = 0;
    succeed(strata_allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(all, ==, ranks * (ranks - 1) / 2);
}

/* Attaches a communicator with a fault at the n-th message of the last rank, or of rank 0. Returns
 * whether the fault came. All ranks find the same. */
static bool attach(int n, bool last)
{
    victim = rank == (last ? ranks - 1 : 0);
    until_fault = n;
    hurry = 1;
    MPI_Comm comm = new_communicator();
    int came = victim && until_fault == 0;
    until_fault = 0;
    hurry = 1;
    MPI_Allreduce(MPI_IN_PLACE, &came, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE_CMP(strata_state_find(strata_process(), comm)->group != NULL, ==, !came);
    REQUIRE_CMP(strstr(report_of(comm).why, "MPI refused something") != NULL, ==, came);
    sum(comm);
    sum(comm);
    MPI_Comm_free(&comm);
    return came;
}

/* Attaches a communicator while MPI refuses its own reductions. Returns whether it was asked. */
static bool attach_without_reductions(void)
{
    MPI_Comm comm;
    int all = 0, class = MPI_SUCCESS;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    refuses = true;
    int error = strata_allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, comm);
    const bool came = refused > 0;
    refuses = false;
    refused = 0;
    MPI_Error_class(error, &class);
    REQUIRE_CMP(class, ==, came ? MPI_ERR_OTHER : MPI_SUCCESS);
    sum(comm);
    MPI_Comm_free(&comm);
    return came;
}

/* A rank that shares its core measures nothing. */
static bool measures(void)
{
    MPI_Comm comm = new_communicator();
    const bool alone = strata_state_find(strata_process(), comm)->group->sharing.ranks == 0;
    int all = alone;
    MPI_Comm_free(&comm);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    enum { FAR = 7 };
    int came = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    late = strcmp(argv[1], "late") == 0;
    if (strcmp(argv[1], "collective") == 0) {
        came += attach_without_reductions();
    } else if (late) {
        came += attach(3, false) + attach(4, true);
    } else {
        for (int n = 1; attach(n, n % 2 == 1); n += n < FAR ? 1 : FAR) {
            came++;
        }
    }
    REQUIRE_CMP(came > 0, ==, measures());
    MPI_Finalize();
    return 0;
}
