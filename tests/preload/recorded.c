/* A program with a fault, for tests/preload/rollcall.sh. So many right calls, which a seed draws,
 * come before it.
 *   recorded FAULT RANK CALLS SEED [MOST]     the fault is of this rank, late by MOST us at most
 * With the faults "none", "kept", "checked" and "longest" the program ends well. */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorded_messages.h"

static int rank, ranks;
static MPI_Comm twin, half, ring;
static MPI_Request sums = MPI_REQUEST_NULL; /* persistent, where MPI has that */
static int summand, total;

static void stand(void)
{
    for (;;) {
        pause();
    }
}

static int call_last(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key, (void)value, (void)extra;
    return MPI_Barrier(comm);
}

/* A call by a callback while its communicator is freed; communicators of rank 0 alone, more than
 * the recorder has rows. */
static void make_and_free(void)
{
    enum { MORE_THAN_ROWS = 150 };
    MPI_Comm comm;
    int key;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_last, &key, NULL);
    MPI_Comm_set_attr(comm, key, NULL);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    for (int i = 0; rank == 0 && i < MORE_THAN_ROWS; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
}

/* Describes a sum, or does it at once where MPI cannot. */
static void describe(void)
{
#if MPI_VERSION >= 4
    MPI_Allreduce_init(&summand, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sums);
#else
    MPI_Allreduce(&summand, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
}

/* Starts the sum. */
static void start(void)
{
#if MPI_VERSION >= 4
    MPI_Start(&sums);
#else
    MPI_Iallreduce(&summand, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &sums);
#endif
}

/* One of large counts where MPI has that. */
static void broadcast(int *mine, int root, MPI_Comm comm)
{
#if MPI_VERSION >= 4
    MPI_Bcast_c(mine, 4, MPI_INT, root, comm);
#else
    MPI_Bcast(mine, 4, MPI_INT, root, comm);
#endif
}

static void test_until_done(MPI_Request *request)
{
    for (int done = 0; !done;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
}

/* Two that are begun before they are completed. */
static void begin_two(MPI_Comm comm)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int mine[4] = {rank}, all[4];
    MPI_Ibarrier(comm, &requests[0]);
    MPI_Iallreduce(mine, all, 4, MPI_INT, MPI_MAX, comm, &requests[1]);
    requests[2] = MPI_REQUEST_NULL;
    MPI_Waitall(3, requests, statuses);
}

/* One right call on one of three communicators. */
static void right(unsigned draw)
{
    const MPI_Comm comms[] = {MPI_COMM_WORLD, twin, half};
    const MPI_Comm comm = comms[draw % 3];
    int size, mine[4] = {rank, 1, 2, 3}, all[4 * 64];
    MPI_Comm_size(comm, &size);
    const int root = (int)(draw / 3 % (unsigned)size);
    switch (draw / 64 % 11) {
    case 0:
        MPI_Barrier(comm);
        break;
    case 1:
        broadcast(mine, root, comm);
        break;
    case 2:
        MPI_Allreduce(mine, all, 4, MPI_INT, MPI_MAX, comm);
        break;
    case 3:
        MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, comm);
        break;
    case 4:
        MPI_Gather(mine, 3, MPI_INT, all, 3, MPI_INT, root, comm);
        break;
    case 5:
        begin_two(comm);
        break;
    case 6:
        start();
        MPI_Wait(&sums, MPI_STATUS_IGNORE);
        break;
    case 7:
        MPI_Neighbor_allgather(mine, 2, MPI_INT, all, 2, MPI_INT, ring);
        break;
    case 8: {
        MPI_Request request;
        MPI_Ibcast(mine, 4, MPI_INT, root, comm, &request);
        test_until_done(&request);
        break;
    }
    case 9:
        pass_around(ring);
        break;
    default:
        MPI_Reduce(mine, all, 1, MPI_INT, MPI_SUM, root, comm);
    }
}

/* Calls to which the faulty rank comes late, by 10 us to 10 ms. Says by how much in all. */
static int most_late = 10000;
static void come_late(int faulty)
{
    enum { CALLS = 60, LEAST = 10 };
    int one = 1, sum;
    double late = 0; /* also where another process had the core meanwhile */
    for (int i = 0; i < CALLS; i++) {
        const long delay = LEAST + random() % (i % 3 ? most_late / 100 : most_late);
        const double begin = MPI_Wtime();
        while (faulty && (MPI_Wtime() - begin) * 1e6 < (double)delay) {
        }
        late += MPI_Wtime() - begin;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line of late */
    }
    if (faulty) {
        printf("late by %.1f ms\n", late * 1e3);
        (void)fflush(stdout);
    }
}

/* One call to which the faulty rank comes so late that none is longer, and then more calls than the
 * recorder keeps. */
static void come_late_once(int faulty)
{
    enum { CALLS = 3000, LATE = 300000 };
    int one = 1, sum;
    if (faulty) {
        usleep(LATE);
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line of longest */
    for (int i = 0; i < CALLS; i++) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
}

static bool ends_well(const char *name)
{
    return strcmp(name, "longest") == 0 || strcmp(name, "none") == 0 || strcmp(name, "kept") == 0 ||
           strcmp(name, "checked") == 0;
}

/* The same of calls that do not block. */
static void begin_fault(const char *name, int faulty)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int one[2] = {1, 1}, sum[128];
    if (strcmp(name, "wait") == 0 && !faulty) {
        MPI_Iallreduce(one, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* line of wait */
    } else if (strcmp(name, "test") == 0 && !faulty) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request); /* line of test */
        test_until_done(&request);
    } else if (strcmp(name, "started") == 0 && !faulty) {
        start(); /* line of started */
        MPI_Wait(&sums, MPI_STATUS_IGNORE);
    } else if (strcmp(name, "mixed") == 0 && faulty) {
        MPI_Barrier(MPI_COMM_WORLD); /* line of mixed */
    } else if (strcmp(name, "mixed") == 0) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    } else if (strcmp(name, "lengths") == 0) {
        MPI_Iallreduce(one, sum, faulty ? 2 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                       &request); /* line of lengths */
    } else if (strcmp(name, "neighbors") == 0 && faulty) {
        MPI_Neighbor_alltoall(one, 1, MPI_INT, sum, 1, MPI_INT, ring); /* line of neighbors */
    } else if (strcmp(name, "neighbors") == 0) {
        MPI_Neighbor_allgather(one, 1, MPI_INT, sum, 1, MPI_INT, ring);
    } else if (strcmp(name, "crossed") == 0) {
        MPI_Ibarrier(faulty ? twin : MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* line of crossed */
    }
    if (faulty && !ends_well(name) && strcmp(name, "crossed") != 0) {
        stand();
    }
}

/* The faulty rank does the first thing, the others do the second one. */
static void fault(const char *name, int at)
{
    const int faulty = rank == at;
    int one[2] = {1, 1}, sum[2];
    if (strcmp(name, "missing") == 0 && faulty) {
        stand();
    } else if (strcmp(name, "loop") == 0 && faulty) {
        for (volatile bool on = true; on;) {
        }
    } else if (strcmp(name, "stopped") == 0 && faulty) {
        raise(SIGSTOP);
    } else if (strcmp(name, "killed") == 0 && faulty) {
        raise(SIGKILL);
    } else if (strcmp(name, "finalize") == 0 && faulty) {
        MPI_Finalize(); /* line of finalize */
        exit(0);
    } else if (strcmp(name, "collective") == 0 && faulty) {
        MPI_Barrier(MPI_COMM_WORLD); /* line of collective */
        stand();
    } else if (strcmp(name, "root") == 0 && faulty) {
        MPI_Bcast(one, 1, MPI_INT, 1, MPI_COMM_WORLD); /* line of root */
        stand();
    } else if (strcmp(name, "root") == 0) {
        MPI_Bcast(one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (strcmp(name, "operator") == 0 && faulty) {
        MPI_Allreduce(one, sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* line of operator */
        stand();
    } else if (strcmp(name, "type") == 0 && faulty) {
        MPI_Allreduce(one, sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); /* line of type */
        stand();
    } else if (strcmp(name, "count") == 0 && faulty) {
        MPI_Allreduce(one, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line of count */
        stand();
    } else if (strcmp(name, "communicator") == 0 && faulty) {
        MPI_Allreduce(one, sum, 1, MPI_INT, MPI_SUM, twin); /* line of communicator */
    } else if (strcmp(name, "order") == 0 && faulty) {
        MPI_Barrier(twin); /* line of order */
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (strcmp(name, "late") == 0 || strcmp(name, "kept") == 0) {
        come_late(faulty);
    } else if (strcmp(name, "longest") == 0) {
        come_late_once(faulty);
    } else if (strcmp(name, "checked") == 0) {
        const MPI_Datatype type = faulty ? MPI_FLOAT : MPI_INT;
        MPI_Allreduce(one, sum, 1, type, MPI_MAX, MPI_COMM_WORLD); /* line of checked */
        come_late(faulty);
    } else if (strcmp(name, "order") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(twin);
    }
    if (!wait_for_message(name, faulty)) {
        begin_fault(name, faulty);
    }
    if (!ends_well(name)) {
        MPI_Allreduce(one, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line of the others */
        stand();
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    make_and_free();
    begin_early();
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring);
    describe();
    srandom((unsigned)(argc > 4 ? atoi(argv[4]) : 1));
    most_late = argc > 5 ? atoi(argv[5]) : most_late;
    for (int i = 0; argc > 3 && i < atoi(argv[3]); i++) {
        right((unsigned)random());
    }
    fault(argc > 1 ? argv[1] : "none", argc > 2 ? atoi(argv[2]) : 0);
    end_early();
    MPI_Comm_free(&twin);
    MPI_Comm_free(&half);
    MPI_Comm_free(&ring);
    if (sums != MPI_REQUEST_NULL) {
        MPI_Request_free(&sums);
    }
    MPI_Finalize();
    if (rank == 0) {
        printf("all right\n");
    }
    return 0;
}
