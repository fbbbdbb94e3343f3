/* Uses of calls in real programs, as users report them. Many have no section of their own. */
#define _GNU_SOURCE /* MAP_NORESERVE, setitimer */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "buffers.h"

/* Section 6.8: most ranks get nothing, and a block without elements has no datatype, though Open
 * MPI wants one. In place the sent side has neither counts nor places. */
static void try_no_types(void)
{
    int sent[8] = {0}, taken[8] = {0}, at[8] = {0}, class;
    MPI_Datatype none[8], some[8], nothing;
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    struct call call = {.collective = ALLTOALLW, .sent = 5};
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int r = 0; r < 8; r++) {
        none[r] = some[r] = is_mpich() ? MPI_DATATYPE_NULL : nothing;
    }
    none[to] = some[from] = MPI_INT;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int times = 0; times < 6; times++) {
        sent[to] = taken[from] = times % 2 ? 0 : 5;
        fill_buffers(&call);
        int error = MPI_Alltoallw(sent_room + BEGIN, sent, at, none, taken_room + BEGIN, taken, at,
                                  some, MPI_COMM_WORLD);
        MPI_Error_class(error, &class);
        print_case(&call, "6.8", "no elements, no datatype", class);
    }
    MPI_Type_free(&nothing);
    for (int r = 0; r < 8; r++) {
        taken[r] = 1 + (rank + r) % 3;
        at[r] = 16 * r;
        some[r] = MPI_INT;
    }
    for (int times = 0; times < 4; times++) {
        fill_buffers(&call);
        int error = times % 2
                        ? MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, taken_room + BEGIN, taken,
                                        at, some, MPI_COMM_WORLD)
                        : MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL,
                                        taken_room + BEGIN, taken, at, MPI_INT, MPI_COMM_WORLD);
        MPI_Error_class(error, &class);
        print_case(&call, "6.8", "in place, without what is not significant", class);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Datatypes are made, used and freed, and their handles come again. */
static void try_churn(int types)
{
    struct call call = {.collective = BCAST, .sent = 1};
    uint64_t sum = 0;
    fill_buffers(&call);
    for (int i = 0; i < types; i++) {
        MPI_Datatype type;
        call.collective = i % 16 == 0 ? ALLGATHER : BCAST;
        call.root = i % ranks;
        MPI_Type_vector(1 + i % 5, 1 + i % 3, 3 + i % 4, i % 2 ? MPI_INT : MPI_SHORT, &type);
        MPI_Type_commit(&type);
        call.sent_type = call.taken_type = type;
        sent_room[BEGIN] = (char)i;
        make_call(&call);
        sum = sum * 31 + (unsigned char)taken_room[BEGIN + i % 32];
        MPI_Type_free(&type);
    }
    call.sent_type = call.taken_type = MPI_INT;
    print_case(&call, "5.1.9", "thousands of datatypes", (int)sum);
}

static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
    (void)signal;
    signals++;
}

/* A signal comes each millisecond, as from profilers; system calls are not restarted. */
static void try_signals(bool all)
{
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    struct sigaction counts = {.sa_handler = count_signal}, before;
    static const int lengths[] = {3, 1900, 20000};
    sigaction(SIGALRM, &counts, &before);
    for (int c = BARRIER; c < COLLECTIVES; c++) {
        for (int i = 0; i < (all ? 3 : 2); i++) {
            struct call call = {.collective = c, .sent = lengths[i]};
            fill_buffers(&call);
            setitimer(ITIMER_REAL, &often, NULL);
            for (int times = 0; times < 4; times++) {
                make_call(&call);
            }
            setitimer(ITIMER_REAL, &never, NULL); /* a signal may cost a line */
            print_case(&call, info[c].section, "with a signal each millisecond", 0);
        }
    }
    sigaction(SIGALRM, &before, NULL);
}

/* Numbers lie on addresses that are no multiples of their size. */
static void try_odd_places(void)
{
    const struct {
        MPI_Datatype type;
        int shift, count;
    } odd[] = {{MPI_INT, 1, 1500}, {MPI_DOUBLE, 3, 7}, {MPI_SHORT, 1, 40}};

    for (int c = BCAST; c < COLLECTIVES; c++) {
        for (int i = 0; i < 3; i++) {
            struct call call = {.collective = c,
                                .sent = odd[i].count,
                                .sent_type = odd[i].type,
                                .taken_type = odd[i].type,
                                .shift = odd[i].shift};
            try_call(&call, NULL, "on odd addresses");
        }
    }
}

/* Blocks lie 700 MB apart: displacements count few elements, and more than 2^31 bytes. The memory
 * is reserved, not touched. */
static void try_far_blocks(void)
{
    const MPI_Aint apart = 700000000;
    const size_t all = (size_t)apart * (size_t)ranks;
    char *sent =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *taken =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int one[8], at[8];
    MPI_Datatype far;
    if (sent == MAP_FAILED || taken == MAP_FAILED) {
        printf("rank %d: no room for blocks far apart\n", rank);
        return;
    }
    MPI_Type_create_resized(MPI_INT, 0, apart, &far);
    MPI_Type_commit(&far);
    for (int times = 0; times < 12; times++) {
        uint64_t sum = 0;
        for (int r = 0; r < ranks; r++) {
            one[r] = 1;
            at[r] = r;
            *(int *)(void *)(sent + r * apart) = 1 + 100 * rank + 10 * r + times;
        }
        switch (times % 4) {
        case 0:
            MPI_Alltoallv(sent, one, at, far, taken, one, at, far, MPI_COMM_WORLD);
            break;
        case 1:
            MPI_Allgatherv(sent, 1, far, taken, one, at, far, MPI_COMM_WORLD);
            break;
        case 2:
            MPI_Gatherv(sent, 1, far, taken, one, at, far, 1, MPI_COMM_WORLD);
            break;
        default:
            MPI_Scatterv(sent, one, at, far, taken, 1, far, 0, MPI_COMM_WORLD);
        }
        for (int r = 0; r < ranks; r++) {
            sum = sum * 1000003 + (unsigned)*(int *)(void *)(taken + r * apart);
        }
        print_value("5.1", "blocks far apart", sum);
    }
    MPI_Type_free(&far);
    munmap(sent, all);
    munmap(taken, all);
}

/* A rank that has returned computes, without calls of MPI, until the others have returned too. */
static void try_computation(bool all)
{
    MPI_Comm host;
    MPI_Win window;
    int *returned, *mine, on_host, unit;
    static const int lengths[] = {3, 1900, 20000};
    MPI_Aint bytes;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &on_host);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, host, &mine, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &returned);
    *mine = 0;
    for (int c = BARRIER; c < COLLECTIVES; c++) {
        for (int i = 0; i < (all ? 3 : 1); i++) {
            struct call call = {.collective = c, .sent = lengths[i]};
            MPI_Barrier(host);
            __atomic_store_n(mine, 0, __ATOMIC_RELEASE);
            MPI_Barrier(MPI_COMM_WORLD);
            fill_buffers(&call);
            make_call(&call);
            __atomic_store_n(mine, 1, __ATOMIC_RELEASE);
            for (int r = 0; r < on_host; r++) {
                while (!__atomic_load_n(&returned[r], __ATOMIC_ACQUIRE)) {
                    sched_yield();
                }
            }
            print_case(&call, "3.5", "ranks that returned call nothing until all have", 0);
        }
    }
    MPI_Win_free(&window);
    MPI_Comm_free(&host);
}

/* Leaves work for MPI_Finalize: a receive without a message, collectives that have begun and are
 * not complete, a persistent request. */
static void leave_open(void)
{
    static int never, first, all, mine, kept;
    static MPI_Request open[4];
    MPI_Irecv(&never, 1, MPI_INT, (rank + 1) % ranks, 4711, MPI_COMM_WORLD, &open[0]);
    MPI_Ibcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD, &open[1]);
    MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &open[2]);
    MPI_Recv_init(&kept, 1, MPI_INT, MPI_ANY_SOURCE, 4712, MPI_COMM_WORLD, &open[3]);
}

void try_programs(bool all)
{
    try_no_types();
    try_churn(all ? 30000 : 500);
    try_signals(all);
    try_odd_places();
    try_far_blocks();
    try_computation(all);
    leave_open(); /* the last */
}
