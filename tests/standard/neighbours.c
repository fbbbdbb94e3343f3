/* Sections 6.1, 6.12 and 6.14: the program's other messages and calls around a collective. */
#include "standard.h"

/* 6.1: collective messages match no point-to-point receive, whatever it accepts. */
static void try_wildcards(void)
{
    for (int c = BARRIER; c < COLLECTIVES; c++) {
        struct call call = {.collective = c, .sent = 50};
        int got = -1, mine = 1000 + rank;
        MPI_Request request;
        MPI_Status status;
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        fill_buffers(&call);
        make_call(&call);
        MPI_Send(&mine, 1, MPI_INT, (rank + 1) % ranks, 17, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        print_case(&call, "6.1", "with a receive of any source and tag open",
                   got + 10000 * status.MPI_TAG + 1000000 * status.MPI_SOURCE);
    }
}

/* 6.12: "nonblocking collective operations can be outstanding" around blocking ones. */
static void try_outstanding(void)
{
    for (int c = BARRIER; c < COLLECTIVES; c++) {
        struct call call = {.collective = c, .sent = 50};
        int mine = rank + 1, all = 0, first = rank == 1 ? 55 : 0;
        MPI_Request requests[2];
        MPI_Status statuses[2];
        MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
        MPI_Ibcast(&first, 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[1]);
        fill_buffers(&call);
        make_call(&call);
        MPI_Waitall(2, requests, statuses);
        print_case(&call, "6.12", "with nonblocking collectives outstanding", all + 100 * first);
    }
}

/* 6.14: the order of calls on two communicators is the program's, not the order of handles. */
static void try_two(void)
{
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int c = BARRIER; c < COLLECTIVES; c++) {
        struct call here = {.collective = c, .sent = 20},
                    there = {.collective = c, .sent = 70, .comm = other};
        fill_buffers(&here);
        make_call(&here);
        make_call(&there);
        make_call(&here);
        make_call(&there);
        print_case(&here, "6.14", "on two communicators in turn", 0);
    }
    MPI_Comm_free(&other);
}

/* A rank sends messages, to itself or to others, that are received after the collective. */
static void try_sends(void)
{
    for (int c = BARRIER; c < COLLECTIVES; c++) {
        struct call call = {.collective = c, .sent = 300};
        static int out[40000], in[40000];
        MPI_Request request;
        out[0] = rank;
        out[39999] = 7 * rank;
        MPI_Isend(out, 40000, MPI_INT, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &request);
        fill_buffers(&call);
        make_call(&call);
        MPI_Recv(in, 40000, MPI_INT, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        print_case(&call, "3.7.4", "before a long message is received that was sent before it",
                   in[0] + 100 * in[39999]);
    }
}

void try_neighbours(void)
{
    try_wildcards();
    try_outstanding();
    try_two();
    try_sends();
}
