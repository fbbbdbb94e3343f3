/* Repeated nonblocking calls reuse the requests of earlier calls. Everything that can differ behind
 * the same arguments changes, and the results are compared. Calls that need no memory find none.
 *
 * run: 2,3
 * run: 4 STRATA_TOPO=node:2
 * run: 2 -- threads
 * run: 3 STRATA_TOPO=node:2,1 -- threads */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "api/attach/sequence.h"
#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "api/request/request.h"
#include "core/base/memory.h"
#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

enum { MOST_RANKS = 8, EACH = 4, ROOM = MOST_RANKS * EACH, OPEN = 24 };

static int rank, ranks, round_number;
static int send[ROOM], memory[2][ROOM], *recv = memory[0], counts[MOST_RANKS], others[MOST_RANKS],
                                        displs[MOST_RANKS];

static const struct strata_sequence *sequence_of(MPI_Comm comm)
{
    return strata_state_find(strata_process(), comm)->sequence;
}

static void begin_round(void)
{
    round_number++;
    fill_numbers(send, ROOM, round_number, rank, 0);
    memset(recv, 0xff, ROOM * sizeof *recv);
}

static void await(struct strata_request *request)
{
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE(!request);
}

static void sum(MPI_Comm comm, int count)
{
    struct strata_request *request;
    begin_round();
    succeed(strata_iallreduce(send, recv, count, MPI_INT, MPI_SUM, comm, &request));
    await(request);
    for (int i = 0; i < ROOM; i++) {
        REQUIRE_CMP(recv[i], ==, i < count ? sum_of_numbers(round_number, 0, ranks, 0, i) : -1);
    }
}

/* Rank r receives counts[r] numbers from each rank, from its place on. */
static void exchange(MPI_Comm comm, const int *sent)
{
    struct strata_request *request;
    int mine[MOST_RANKS];
    begin_round();
    for (int peer = 0; peer < ranks; peer++) {
        mine[peer] = sent[rank];
    }
    succeed(strata_ialltoallv(send, sent, displs, MPI_INT, recv, mine, displs, MPI_INT, comm,
                              &request));
    memset(mine, 0xFF, sizeof mine); /* the program may change its arrays again */
    await(request);
    for (int i = 0; i < ranks * EACH; i++) {
        bool came = i % EACH < sent[rank];
        REQUIRE_CMP(recv[i], ==,
                    came ? number_of(round_number, i / EACH, 0, rank * EACH + i % EACH) : -1);
    }
}

/* Other buffers each time, in place or not. */
static void test_buffers(MPI_Comm comm)
{
    enum { CALLS = 40, APART = 3 };
    static int in[CALLS * APART], out[CALLS * APART];
    struct strata_request *request;
    for (int i = 0; i < CALLS; i++) {
        int *from = &in[i * APART], *to = &out[i * APART];
        bool place = i % 5 == 4;
        round_number++;
        for (int j = 0; j < APART; j++) {
            from[j] = to[j] = number_of(round_number, rank, 0, j);
        }
        succeed(strata_iallreduce(place ? MPI_IN_PLACE : from, to, 2, MPI_INT, MPI_MAX, comm,
                                  &request));
        await(request);
        REQUIRE_CMP(to[0], ==, number_of(round_number, ranks - 1, 0, 0));
        REQUIRE_CMP(to[1], ==, number_of(round_number, ranks - 1, 0, 1));
        REQUIRE_CMP(to[2], ==, number_of(round_number, rank, 0, 2));
        REQUIRE_CMP(from[1], ==, number_of(round_number, rank, 0, 1));
    }
}

static void draw_counts(int *array, int more)
{
    for (int peer = 0; peer < MOST_RANKS; peer++) {
        array[peer] = (peer + more) % EACH;
        displs[peer] = peer * EACH;
    }
}

/* The arrays hold other numbers behind the same pointers, or the same numbers behind other
 * pointers. */
static void test_arrays(MPI_Comm comm)
{
    for (int i = 0; i < 12; i++) {
        draw_counts(counts, i / 3);
        draw_counts(others, i / 3);
        exchange(comm, i % 2 ? counts : others);
    }
}

/* Ranks change their buffers in different calls: these make a request, and the others have one. */
static void test_own_memory(MPI_Comm comm)
{
    for (int i = 0; i < 12; i++) {
        recv = memory[i % (rank + 2) % 2];
        exchange(comm, counts);
        sum(comm, 1 + i % 2);
    }
    recv = memory[0];
}

static void test_choices(MPI_Comm comm)
{
    static const char *const rows[] = {"recursive_doubling", "auto", "native", NULL};
    for (int i = 0; i < 4; i++) {
        for (int bits = 0; bits < 2; bits++) {
            succeed(strata_comm_force(comm, "allreduce", bits ? NULL : rows[i]));
            succeed(strata_comm_same_bits(comm, bits));
            sum(comm, 2);
            sum(comm, 2);
            bool mpis = !bits && rows[i] && strcmp(rows[i], "native") == 0;
            REQUIRE(strcmp(report_of(comm).algorithm, "mpi") != 0 || mpis);
        }
    }
    succeed(strata_comm_same_bits(comm, 0));
}

/* Blocking calls bring other figures, and these select other plans. */
static void test_figures(MPI_Comm comm)
{
    static int long_send[MOST_RANKS << 12], long_recv[MOST_RANKS << 12];
    int many[MOST_RANKS], places[MOST_RANKS];
    for (int i = 0; i < 6; i++) {
        for (int peer = 0; peer < ranks; peer++) {
            many[peer] = i % 2 ? 1 : 1 << 12;
            places[peer] = peer << 12;
        }
        exchange(comm, counts);
        exchange(comm, counts);
        succeed(strata_alltoallv(long_send, many, places, MPI_INT, long_recv, many, places, MPI_INT,
                                 comm));
    }
}

/* More open calls than are kept. */
static void test_many_open(MPI_Comm comm)
{
    struct strata_request *requests[OPEN];
    int came[OPEN];
    for (int i = 0; i < 4; i++) {
        begin_round();
        for (int j = 0; j < OPEN; j++) {
            succeed(strata_iallreduce(&send[j], &came[j], 1, MPI_INT, MPI_MAX, comm, &requests[j]));
        }
        succeed(strata_waitall(OPEN, requests, MPI_STATUSES_IGNORE));
        for (int j = 0; j < OPEN; j++) {
            REQUIRE_CMP(came[j], ==, number_of(round_number, ranks - 1, 0, j));
        }
        REQUIRE_CMP(sequence_of(comm)->kept.count, <=, STRATA_SEQUENCE_DEPTH);
    }
}

/* The same call again while the previous one is open. */
static void test_twice_open(MPI_Comm comm)
{
    struct strata_request *requests[4];
    int all[2][MOST_RANKS];
    for (int i = 0; i < 6; i++) {
        begin_round();
        memset(all, 0xFF, sizeof all);
        for (int j = 0; j < 2; j++) { /* all but the root have the same arguments */
            succeed(strata_ibarrier(comm, &requests[j]));
            succeed(strata_igather(send, 1, MPI_INT, rank ? NULL : all[j], 1, MPI_INT, 0, comm,
                                   &requests[2 + j]));
        }
        succeed(strata_waitall(4, requests, MPI_STATUSES_IGNORE));
        for (int from = 0; from < ranks && rank == 0; from++) {
            REQUIRE_CMP(all[0][from], ==, number_of(round_number, from, 0, 0));
            REQUIRE_CMP(all[1][from], ==, number_of(round_number, from, 0, 0));
        }
        REQUIRE_CMP(sequence_of(comm)->kept.count, >=, 2);
    }
}

/* Calls with derived types, or with the program's operator, are not kept. */
static void test_derived(MPI_Comm comm)
{
    MPI_Datatype two;
    struct strata_request *request;
    for (int i = 0; i < 4; i++) {
        MPI_Type_contiguous(2, MPI_INT, &two);
        MPI_Type_commit(&two);
        begin_round();
        int had = sequence_of(comm)->kept.count;
        succeed(strata_iallgather(send, 1, two, recv, 1, two, comm, &request));
        MPI_Type_free(&two);
        await(request);
        REQUIRE_CMP(sequence_of(comm)->kept.count, ==, had);
        for (int from = 0; from < ranks; from++) {
            REQUIRE_CMP(recv[2 * from], ==, number_of(round_number, from, 0, 0));
            REQUIRE_CMP(recv[2 * from + 1], ==, number_of(round_number, from, 0, 1));
        }
    }
}

/* From the third one on, a short call inside a node takes no memory, and the report names its
 * algorithm. */
static void test_memory(MPI_Comm comm)
{
    struct strata_report had = report_of(comm);
    for (int i = 0; i < 6; i++) {
        strata_memory_fail_after(i > 2 && had.nodes == 1 ? 0 : -1);
        sum(comm, 3);
        strata_memory_fail_after(-1);
    }
    REQUIRE_CMP(report_of(comm).calls, ==, had.calls + 6);
    REQUIRE_CMP(sequence_of(comm)->kept.count, >, 0);
}

/* A communicator is freed while its calls are open, and another one takes its place, often with the
 * same handle. */
static void test_freed(void)
{
    for (int i = 0; i < 4; i++) {
        MPI_Comm comm = new_communicator();
        struct strata_request *request;
        REQUIRE_CMP(sequence_of(comm)->kept.count, ==, 0);
        sum(comm, 2);
        sum(comm, 2);
        begin_round();
        succeed(strata_iallreduce(send, recv, 2, MPI_INT, MPI_SUM, comm, &request));
        MPI_Comm_free(&comm);
        await(request);
    }
}

/* The first persistent call brings the node memory, which plans may use from then on. */
static void test_rooms(MPI_Comm comm)
{
    struct strata_request *request;
    sum(comm, 3);
    sum(comm, 3);
    succeed(strata_barrier_init(comm, MPI_INFO_NULL, &request));
    succeed(strata_request_free(&request));
    sum(comm, 3);
}

/* One thread starts calls on a communicator, and others wait for them. So one takes kept requests
 * while the others return them. */
enum { WAITERS = 3, AHEAD = 4 * WAITERS, CALLS = 15000, LENGTHS = 5 };

static MPI_Comm shared;
static struct place {
    sem_t room, open;
    struct strata_request *request;
    int mine[LENGTHS], most[LENGTHS];
} places[AHEAD];

static void *start_calls(void *argument)
{
    for (int i = 0; i < CALLS; i++) {
        struct place *p = &places[i % AHEAD];
        sem_wait(&p->room);
        for (int j = 0; j < LENGTHS; j++) {
            p->mine[j] = i + j + rank;
        }
        succeed(strata_iallreduce(p->mine, p->most, 1 + i % LENGTHS, MPI_INT, MPI_MAX, shared,
                                  &p->request));
        sem_post(&p->open);
    }
    return argument;
}

/* Waits for every WAITERS-th call. */
static void *await_calls(void *argument)
{
    const int *first = argument;
    for (int i = *first; i < CALLS; i += WAITERS) {
        struct place *p = &places[i % AHEAD];
        sem_wait(&p->open);
        await(p->request);
        for (int j = 0; j <= i % LENGTHS; j++) {
            REQUIRE_CMP(p->most[j], ==, i + j + ranks - 1);
        }
        sem_post(&p->room);
    }
    return argument;
}

/* Requires that all kept requests are there, once each. */
static void require_whole(const struct strata_sequence *s)
{
    int kept = 0;
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        for (const struct strata_bound_call *b = s->kept.of[c]; b && kept <= s->kept.count;
             b = b->next) {
            kept++;
        }
    }
    REQUIRE_CMP(kept, >, 0);
    REQUIRE_CMP(kept, ==, s->kept.count);
    REQUIRE_CMP(kept, <=, STRATA_SEQUENCE_DEPTH);
    REQUIRE_CMP(s->requests, ==, 0);
}

static void test_threads(void)
{
    pthread_t starter, waiters[WAITERS];
    int first[WAITERS];
    shared = new_communicator();
    for (int i = 0; i < AHEAD; i++) {
        sem_init(&places[i].room, 0, 1);
        sem_init(&places[i].open, 0, 0);
    }
    for (int i = 0; i < WAITERS; i++) {
        first[i] = i;
        REQUIRE_CMP(pthread_create(&waiters[i], NULL, await_calls, &first[i]), ==, 0);
    }
    REQUIRE_CMP(pthread_create(&starter, NULL, start_calls, NULL), ==, 0);
    pthread_join(starter, NULL);
    for (int i = 0; i < WAITERS; i++) {
        pthread_join(waiters[i], NULL);
    }
    require_whole(sequence_of(shared));
    REQUIRE_CMP(report_of(shared).calls, ==, CALLS);
    MPI_Comm_free(&shared);
}

int main(int argc, char **argv)
{
    const bool threads = argc > 1 && strcmp(argv[1], "threads") == 0;
    int granted;
    MPI_Comm comm;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    draw_counts(counts, 1);
    draw_counts(others, 1);
    comm = new_communicator();
    test_rooms(comm);
    test_memory(comm);
    test_arrays(comm);
    test_buffers(comm);
    test_own_memory(comm);
    test_choices(comm);
    test_figures(comm);
    test_many_open(comm);
    test_twice_open(comm);
    test_derived(comm);
    test_freed();
    if (threads && granted == MPI_THREAD_MULTIPLE) {
        test_threads();
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
