/* Calls by MPI's names and by Strata's own, recorded: what the recorder's file says of each must be
 * what strata_comm_report says, or what is forced.
 *   served SEED CALLS     with allreduce=dpml and bcast=native forced, STRATA_RECORD a folder */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/preload/own_record.h"

enum { COMMS = 3, MOST = 4096, RANKS = 8 };

static const struct strata_record *record;
static MPI_Comm comms[COMMS];
static int calls[COMMS]; /* by MPI's names */
static int wrong, rank, plans, natives;
static double from[MOST * RANKS], into[MOST * RANKS];
static struct strata_request *kept[COMMS]; /* persistent */

/* The last call must be of this kind and form, and served as expected, of which the beginning is
 * enough. */
static void expect(int call, int kind, int form, const char *expected)
{
    const struct strata_record_entry *e =
        &record->entry[(record->next - 1) % STRATA_RECORD_ENTRIES];
    const char *served = e->served == STRATA_RECORD_UNTOLD   ? "untold"
                         : e->served == STRATA_RECORD_NATIVE ? "native"
                                                             : record->algorithm[e->served].name;
    const int kind_here = (int)(e->what >> 16 & 0xff), form_here = (int)(e->what >> 40 & 0xff);
    plans += e->served >= STRATA_RECORD_FIRST_ALGORITHM;
    natives += e->served == STRATA_RECORD_NATIVE;
    if (kind_here != kind || form_here != form ||
        strncmp(served, expected, strlen(expected)) != 0) {
        printf("rank %d, call %d: kind %d, form %d by %s, but expected kind %d, form %d by %s\n",
               rank, call, kind_here, form_here, served, kind, form, expected);
        wrong++;
    }
}

static void expect_reported(int call, int kind, int form, MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(comm, &report);
    expect(call, kind, form, report.algorithm);
}

static void call_mpi(int call, int comm, unsigned draw)
{
    const int count = draw % 2 ? 3 : 700;
    MPI_Request request;
    /* half of the ranks have a node each, where dpml does not apply */
    const char *plan = ++calls[comm] > 1 && comm < 2 ? "dpml" : "native";
    switch (draw / 2 % 4) {
    case 0:
        MPI_Bcast(into, count, MPI_DOUBLE, 0, comms[comm]);
        expect(call, STRATA_BCAST, STRATA_RECORD_BLOCKING, "native");
        break;
    case 1:
        calls[comm]--; /* Strata does not see it */
        MPI_Iallreduce(from, into, count, MPI_DOUBLE, MPI_SUM, comms[comm], &request);
        expect(call, STRATA_ALLREDUCE, STRATA_RECORD_NONBLOCKING, "native");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Allreduce(from, into, count, draw % 3 ? MPI_DOUBLE : MPI_FLOAT, MPI_SUM, comms[comm]);
        expect(call, STRATA_ALLREDUCE, STRATA_RECORD_BLOCKING, plan);
    }
}

static void call_own(int call, MPI_Comm comm, unsigned draw)
{
    static const int counts[] = {1, 3, 40, 500, MOST};
    const int count = counts[draw % 5];
    const void *result = NULL;
    switch (draw / 8 % 8) {
    case 0:
        strata_bcast(into, count, MPI_DOUBLE, 0, comm);
        expect_reported(call, STRATA_BCAST, STRATA_RECORD_OWN, comm);
        break;
    case 1:
        strata_alltoall(from, count, MPI_DOUBLE, into, count, MPI_DOUBLE, comm);
        expect_reported(call, STRATA_ALLTOALL, STRATA_RECORD_OWN, comm);
        break;
    case 2:
        strata_allgather_c(from, count, MPI_DOUBLE, into, count, MPI_DOUBLE, comm);
        expect_reported(call, STRATA_ALLGATHER, STRATA_RECORD_OWN, comm);
        break;
    case 3:
        strata_allgather_shared(from, count, MPI_DOUBLE, &result, count, MPI_DOUBLE, comm);
        expect_reported(call, STRATA_RECORD_ALLGATHER_SHARED, STRATA_RECORD_OWN, comm);
        strata_shared_release(result);
        break;
    case 4:
        strata_scatter(from, count, MPI_DOUBLE, into, count, MPI_DOUBLE, 0, comm);
        expect_reported(call, STRATA_SCATTER, STRATA_RECORD_OWN, comm);
        break;
    default:
        strata_allreduce(from, into, count, draw % 3 ? MPI_DOUBLE : MPI_INT, MPI_MAX, comm);
        expect_reported(call, STRATA_ALLREDUCE, STRATA_RECORD_OWN, comm);
    }
}

static void request_own(int call, int comm, unsigned draw)
{
    const int count = draw % 2 ? 1 : 600;
    struct strata_request *request = NULL;
    switch (draw / 2 % 4) {
    case 0:
        strata_start(&kept[comm]);
        expect_reported(call, STRATA_ALLTOALL, STRATA_RECORD_STARTED | STRATA_RECORD_OWN,
                        comms[comm]);
        strata_wait(&kept[comm], MPI_STATUS_IGNORE);
        return;
    case 1:
        strata_iallreduce(from, into, count, MPI_DOUBLE, MPI_SUM, comms[comm], &request);
        expect_reported(call, STRATA_ALLREDUCE, STRATA_RECORD_NONBLOCKING | STRATA_RECORD_OWN,
                        comms[comm]);
        break;
    default:
        strata_ialltoall(from, count, MPI_DOUBLE, into, count, MPI_DOUBLE, comms[comm], &request);
        expect_reported(call, STRATA_ALLTOALL, STRATA_RECORD_NONBLOCKING | STRATA_RECORD_OWN,
                        comms[comm]);
    }
    const uint64_t begun = record->next - 1;
    strata_waitall(1, &request, MPI_STATUSES_IGNORE);
    if (record->entry[begun % STRATA_RECORD_ENTRIES].end == 0 || record->next != begun + 2) {
        printf("rank %d, call %d: its wait has not ended it\n", rank, call);
        wrong++;
    }
}

/* A thread that may call MPI only in turn, by its handle. */
static void call_in_turn(int call)
{
    struct strata_members *members = NULL;
    MPI_Comm handle;
    strata_members_create(MPI_COMM_WORLD, 1, &members);
    strata_members_comm(members, 0, &handle);
    for (int i = 0; i < 3; i++) {
        strata_allreduce(from, into, 3, MPI_DOUBLE, MPI_SUM, handle);
        expect_reported(call, STRATA_ALLREDUCE, STRATA_RECORD_OWN, handle);
    }
    strata_members_free(&members);
}

int main(int argc, char **argv)
{
    const int most = argc > 2 ? atoi(argv[2]) : 100;
    int all = 0, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    record = find_own_record();
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comms[2]);
    for (int c = 0; c < COMMS; c++) {
        strata_alltoall_init(from, 2, MPI_DOUBLE, into, 2, MPI_DOUBLE, comms[c], MPI_INFO_NULL,
                             &kept[c]);
    }
    srandom((unsigned)(argc > 1 ? atoi(argv[1]) : 1));
    for (int call = 0, comm = 0; record && call < most; call++) {
        const unsigned draw = (unsigned)random();
        comm = draw / 4096 % 3 ? comm : (int)(draw % COMMS); /* some in a row on each */
        for (unsigned again = 0; again <= draw / 1024 % 4; again++) {
            if (draw / 256 % 4 == 0) {
                call_mpi(call, comm, draw / 16384);
            } else if (draw / 256 % 4 == 1) {
                request_own(call, comm, draw / 16384);
            } else {
                call_own(call, comms[comm], draw / 16384);
            }
        }
    }
    for (int c = 0; c < COMMS; c++) {
        strata_request_free(&kept[c]);
    }
    if (record) {
        call_in_turn(most);
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && record && all == 0 && plans > 0 && natives > 0) {
        printf("all right: %d calls by plans, %d by MPI's own\n", plans, natives);
    }
    MPI_Finalize();
    return 0;
}
