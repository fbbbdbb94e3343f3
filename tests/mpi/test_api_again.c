/* Repeats a call with the same arguments, behind which something else has changed: freed
 * communicators, datatypes and operators whose handles are used again, contents of arrays and
 * buffers, a new choice of strata_comm_force.
 *
 * run: 2,3 STRATA_MACHINE=host:signal=1e-8
 * run: 4 STRATA_TOPO=node:2
 * run: 2 STRATA_ALLGATHER=native STRATA_ALLTOALLV=native STRATA_ALLREDUCE=native STRATA_BCAST=native
 * run: 2 -- threads
 * run: 2 -- turns
 * timeout: 240 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

#define ROUNDS 40
#define MOST   16 /* ranks */
#define ROOM   64

/* The same memory in all calls. */
static int out[ROOM], in[MOST * ROOM];
static int handled, handled_class;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    handled++;
    MPI_Error_class(*code, &handled_class);
}

static void begin_round(int round, int rank)
{
    fill_numbers(out, ROOM, round, rank, 0);
    memset(in, 0xff, sizeof in);
}

/* Gathers an int of each rank. */
static void gather_all(MPI_Comm comm, int round)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    begin_round(round, rank);
    succeed(strata_allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(in[i], ==, number_of(round, i, 0, 0));
    }
}

/* Counts how often a handle came again. Address sanitizers keep memory from being reused. */
static void require_reused(int reused)
{
#ifndef __SANITIZE_ADDRESS__
    REQUIRE_CMP(reused, >, 0);
#else
    (void)reused;
#endif
}

/* Communicators of the same ranks in one order and in the other. */
static void test_communicators(void)
{
    MPI_Comm before = MPI_COMM_NULL;
    int rank, reused = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, 0, round % 2 ? rank : -rank, &comm);
        reused += comm == before;
        gather_all(comm, round);
        gather_all(comm, round + 1);
        before = comm;
        MPI_Comm_free(&comm);
    }
    require_reused(reused);
    succeed(strata_barrier(MPI_COMM_WORLD));
}

/* On an intercommunicator each side gets the ints of the other side. */
static void gather_others(MPI_Comm inter, int round, bool low, int others)
{
    int rank;
    MPI_Comm_rank(inter, &rank);
    begin_round(round + low, rank);
    succeed(strata_allgather(out, 1, MPI_INT, in, 1, MPI_INT, inter));
    for (int i = 0; i < others; i++) {
        REQUIRE_CMP(in[i], ==, number_of(round + !low, i, 0, 0));
    }
}

static void test_intercommunicators(void)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < ROUNDS; round += 4) {
        bool low = rank == 0;
        MPI_Comm half, inter, both;
        MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? 1 : 0, 7, &inter);
        gather_others(inter, round, low, low ? ranks - 1 : 1);
        gather_others(inter, round + 2, low, low ? ranks - 1 : 1);
        MPI_Comm_free(&inter);
        MPI_Comm_dup(MPI_COMM_WORLD, &both);
        gather_all(both, round);
        MPI_Comm_free(&both);
        MPI_Comm_free(&half);
    }
}

/* Gathers ints of all ranks. The type of each round sets their number and distance. */
static void test_datatypes(MPI_Comm comm)
{
    MPI_Datatype before = MPI_DATATYPE_NULL;
    int rank, ranks, reused = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int round = 0; round < ROUNDS; round++) {
        int count = 2 + round % 2, apart = 1 + round % 3;
        MPI_Datatype type;
        MPI_Type_vector(count, 1, apart, MPI_INT, &type);
        MPI_Type_commit(&type);
        reused += type == before;
        for (int again = 0; again < 2; again++) {
            int *to = in + again; /* elsewhere, so that only the types are the same */
            begin_round(round + again, rank);
            succeed(strata_allgather(out, 1, type, to, count, MPI_INT, comm));
            for (int i = 0; i < count * ranks; i++) {
                int expected = number_of(round + again, i / count, 0, i % count * apart);
                REQUIRE_CMP(to[i], ==, expected);
            }
        }
        before = type;
        MPI_Type_free(&type);
    }
    require_reused(reused);
}

static void broadcast(MPI_Comm comm, MPI_Datatype type, int count, int apart, int round)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    begin_round(round, rank == 0 ? 0 : 7);
    succeed(strata_bcast(out, 1, type, 0, comm));
    for (int i = 0; i < ROOM; i++) {
        bool sent = i % apart == 0 && i / apart < count;
        REQUIRE_CMP(out[i], ==, number_of(round, sent || rank == 0 ? 0 : 7, 0, i));
    }
}

/* All arguments stay the same, except the meaning of the handle. */
static void test_layouts(MPI_Comm comm)
{
    for (int round = 0; round < ROUNDS; round++) {
        int count = round % 2 ? 5 : 10, apart = round % 2 ? 2 : 1;
        MPI_Datatype type;
        MPI_Type_vector(count, 1, apart, MPI_INT, &type);
        MPI_Type_commit(&type);
        broadcast(comm, type, count, apart, round);
        broadcast(comm, type, count, apart, round + 1);
        MPI_Type_free(&type);
    }
}

static void add(void *from, void *into, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((int *)into)[i] += ((int *)from)[i];
    }
}

/* An operator that keeps the lowest rank's value. */
static void keep_first(void *from, void *into, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(into, from, (size_t)*count * sizeof(int));
}

/* Each round has another operator, which commutes or does not. */
static void test_operators(MPI_Comm comm)
{
    MPI_Op before = MPI_OP_NULL;
    int rank, ranks, reused = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Op op;
        bool adds = round % 2 == 0;
        MPI_Op_create(adds ? add : keep_first, adds, &op);
        reused += op == before;
        for (int again = 0; again < 2; again++) {
            begin_round(round + again, rank);
            succeed(strata_allreduce(out, in, 2, MPI_INT, op, comm));
            for (int i = 0; i < 2; i++) {
                REQUIRE_CMP(in[i], ==, sum_of_numbers(round + again, 0, adds ? ranks : 1, 0, i));
            }
        }
        before = op;
        MPI_Op_free(&op);
    }
    require_reused(reused);
}

/* In place and not, in turn: the earlier contents must not matter. */
static void test_in_place(MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int round = 0; round < ROUNDS; round++) {
        bool in_place = round / 2 % 2;
        begin_round(round, rank);
        in[rank] = out[0];
        succeed(strata_allgather(in_place ? MPI_IN_PLACE : out, 1, MPI_INT, in, 1, MPI_INT, comm));
        for (int i = 0; i < ranks; i++) {
            REQUIRE_CMP(in[i], ==, number_of(round, i, 0, 0));
        }
    }
}

/* A forced algorithm holds from the next call on, and every call counts once. */
static void test_force(MPI_Comm comm)
{
    static const char *const choices[] = {"native", "ring", NULL, "bruck", "native"};
    for (int round = 0; round < ROUNDS; round++) {
        const char *choice = choices[round / 3 % 5];
        struct strata_report before = report_of(comm), after;
        if (round % 3 == 0) {
            succeed(strata_comm_force(comm, "allgather", choice));
        }
        gather_all(comm, round);
        after = report_of(comm);
        REQUIRE_CMP(after.calls + after.calls_native, ==, before.calls + before.calls_native + 1);
        if (choice) {
            REQUIRE_CMP(strncmp(after.algorithm, choice, strlen(choice)), ==, 0);
            REQUIRE_CMP(after.calls_native > before.calls_native, ==, !strcmp(choice, "native"));
        }
    }
    succeed(strata_comm_force(comm, "allgather", NULL));
}

/* A value that changes in each round at first, and then stays for some rounds, so that tapes are
 * made. */
static int slowly(int round)
{
    return round < ROUNDS / 2 ? round : round / 6;
}

/* The same arrays with changing contents. */
static void exchange(MPI_Comm comm, int round, int count)
{
    static int counts[MOST], displs[MOST];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    begin_round(round, rank);
    for (int i = 0; i < ranks; i++) {
        counts[i] = count;
        displs[i] = i * 4;
    }
    int error = strata_alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, comm);
    REQUIRE(error == MPI_SUCCESS ? count >= 0 || handled > 0 : count < 0);
    for (int i = 0; i < ranks * count; i++) {
        int from = i / count, element = i % count;
        REQUIRE_CMP(in[4 * from + element], ==, number_of(round, from, 0, 4 * rank + element));
    }
}

static void test_arrays(MPI_Comm comm)
{
    for (int round = 0; round < ROUNDS; round++) {
        exchange(comm, round, 1 + slowly(round) / 3 % 4);
    }
    handled = 0;
    exchange(comm, 0, -1);
    REQUIRE_CMP(handled, ==, 1);
    REQUIRE_CMP(handled_class, ==, MPI_ERR_COUNT);
    exchange(comm, 1, 3);
    REQUIRE_CMP(handled, ==, 1);
}

/* An allgatherv with other counts and places in each round, or from the memory of the result, which
 * is as in place. Rank 0's block has a count of its own. */
static void gather_varying(MPI_Comm comm, int round, int first, bool same)
{
    static int counts[MOST], displs[MOST];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks; i++) {
        counts[i] = i ? 2 : first;
        displs[i] = (ranks - 1 - i) * 8 + (same ? 0 : slowly(round) % 3);
    }
    int *own = same ? in + displs[rank] : out;
    begin_round(round, rank);
    memcpy(own, out, 8 * sizeof *own);
    int error = strata_allgatherv(own, counts[rank], MPI_INT, in, counts, displs, MPI_INT, comm);
    REQUIRE(error == MPI_SUCCESS ? first >= 0 || handled > 0 : first < 0);
    for (int i = 0; i < ranks && first >= 0; i++) {
        for (int element = 0; element < counts[i]; element++) {
            REQUIRE_CMP(in[displs[i] + element], ==, number_of(round, i, 0, element));
        }
    }
}

/* The same in place, where only the arrays tell where a rank's own block is, and how long. */
static void gather_in_place(MPI_Comm comm, int round)
{
    static int counts[MOST], displs[MOST];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks; i++) {
        counts[i] = i ? 4 : 7 - slowly(round) % 2;
        displs[i] = i * 12 + slowly(round) / 2 % 4;
    }
    begin_round(round, rank);
    memcpy(in + displs[rank], out, 8 * sizeof *out);
    succeed(
        strata_allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, displs, MPI_INT, comm));
    for (int i = 0; i < ranks; i++) {
        for (int element = 0; element < counts[i]; element++) {
            REQUIRE_CMP(in[displs[i] + element], ==, number_of(round, i, 0, element));
        }
    }
}

static void test_places(MPI_Comm comm)
{
    for (int round = 0; round < ROUNDS; round++) {
        gather_in_place(comm, round);
    }
    for (int round = 0; round < ROUNDS; round++) {
        gather_varying(comm, round, 1 + slowly(round) / 4 % 4, slowly(round) % 7 == 6);
    }
    handled = 0;
    gather_varying(comm, 0, -1, false);
    REQUIRE_CMP(handled, ==, 1);
    REQUIRE_CMP(handled_class, ==, MPI_ERR_COUNT);
    gather_varying(comm, 1, 3, false);
    REQUIRE_CMP(handled, ==, 1);
}

/* Several collectives in turn, on two communicators that share their plans. The report is about the
 * last call. */
static void test_in_turn(MPI_Comm comm)
{
    MPI_Comm other;
    MPI_Comm_dup(comm, &other);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm now = round / 3 % 2 ? other : comm;
        struct strata_report before = report_of(now);
        exchange(now, round, 1 + round / 8 % 2);
        gather_all(now, round + 1);
        gather_all(round % 2 ? comm : other, round + 2);
        gather_varying(now, round + 3, 2, false);
        succeed(strata_barrier(now));
        struct strata_report after = report_of(now);
        REQUIRE_CMP(after.calls + after.calls_native, >=, before.calls + before.calls_native + 4);
    }
    MPI_Comm_free(&other);
}

/* More calls in turn than a communicator remembers, with as many lengths and roots; then few enough
 * for all to be remembered. */
static void test_many_in_turn(MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int round = 0; round < 24; round++) {
        const int calls = round < 12 ? 2 * (ROOM - 1) : 6;
        for (int i = 0; i < calls; i++) {
            const int count = 1 + i % (ROOM - 1), root = i % ranks;
            begin_round(round, rank);
            if (i < calls / 2) {
                succeed(strata_allgather(out, count, MPI_INT, in, count, MPI_INT, comm));
                REQUIRE_CMP(in[count * root], ==, number_of(round, root, 0, 0));
                REQUIRE_CMP(in[count * root + count - 1], ==, number_of(round, root, 0, count - 1));
                REQUIRE_CMP(in[count * ranks], ==, -1);
            } else {
                succeed(strata_bcast(out, count, MPI_INT, root, comm));
                REQUIRE_CMP(out[0], ==, number_of(round, root, 0, 0));
                REQUIRE_CMP(out[count - 1], ==, number_of(round, root, 0, count - 1));
                REQUIRE_CMP(out[count], ==, number_of(round, rank, 0, count));
            }
        }
    }
}

/* The handle in a remembered call, which was not the last one, stands for another datatype. */
static void test_types_in_turn(MPI_Comm comm)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Datatype type;
        MPI_Type_vector(round % 2 ? 5 : 10, 1, round % 2 ? 2 : 1, MPI_INT, &type);
        MPI_Type_commit(&type);
        for (int again = 0; again < 3; again++) {
            broadcast(comm, type, round % 2 ? 5 : 10, round % 2 ? 2 : 1, round + again);
            broadcast(comm, MPI_INT, 1, ROOM, round + again);
            gather_all(comm, round);
        }
        MPI_Type_free(&type);
    }
}

/* Rank 0 forgets its earlier calls, because it frees a datatype of its own. Sizes and roots are
 * served by MPI's own and by plans in turn, and are more than a table holds. All ranks must still
 * come to the same entries, or one asks the others for a plan that they have. */
static void test_forgetting(MPI_Comm comm)
{
    enum { CALLS = 2000, LONGEST = 1 << 14 };
    static int sent[LONGEST], taken[LONGEST];
    int rank, ranks, state = 5;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int call = 0; call < CALLS; call++) {
        state = (int)((state * 1103515245LL + 12345) & 0x7fffffff);
        int count = 1 + (state >> 8) % (1 << (state >> 4) % 15), root = (state >> 6) % ranks;
        MPI_Datatype type;
        MPI_Type_contiguous(count, MPI_INT, &type);
        MPI_Type_commit(&type);
        sent[0] = call + rank;
        taken[0] = rank == root ? call : -1;
        succeed(strata_bcast(taken, rank ? count : 1, rank ? MPI_INT : type, root, comm));
        REQUIRE_CMP(taken[0], ==, call);
        succeed(strata_scan(sent, taken, count, MPI_INT, MPI_SUM, comm));
        REQUIRE_CMP(taken[0], ==, (rank + 1) * call + rank * (rank + 1) / 2);
        MPI_Type_free(&type);
    }
}

/* A right call becomes wrong: each rank sends from the place of its received block. Where MPI's own
 * serves such a call and the call is remembered, MPI judges the buffers too: Open MPI accepts what
 * MPICH refuses. MPI would refuse a single block on one rank, and leave the others waiting. */
static void test_errors(MPI_Comm comm, MPI_Errhandler errhandler)
{
    int expected = MPI_ERR_BUFFER, heard = 1, found, rank;
    MPI_Comm_rank(comm, &rank);
    gather_all(comm, 1);
    gather_all(comm, 2);
    handled = 0;
    if (!strcmp(report_of(comm).algorithm, "native")) {
        int error = PMPI_Allgather(in + rank, 1, MPI_INT, in, 1, MPI_INT, comm);
        MPI_Error_class(error, &expected);
        heard = handled;
    }
    handled = 0;
    MPI_Error_class(strata_allgather(in + rank, 1, MPI_INT, in, 1, MPI_INT, comm), &found);
    REQUIRE_CMP(found, ==, expected);
    REQUIRE_CMP(handled, ==, heard);
    gather_all(comm, 3);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    REQUIRE_CMP(strata_allgather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_NULL), ==, MPI_ERR_COMM);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    REQUIRE_CMP(handled, ==, heard + 1);
    gather_all(comm, 4);
}

/* A call that is forced to MPI's own is remembered from its second time on, whatever its sizes. It
 * counts as any other call, and so do the calls after it. */
static void test_forced_native(MPI_Comm comm)
{
    static int sent[ROOM], taken[MOST * ROOM];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    succeed(strata_comm_force(comm, "allreduce", "native"));
    for (int round = 0; round < ROUNDS; round++) {
        struct strata_report before = report_of(comm), after;
        int count = round * 11 % ROOM;
        sent[0] = round + rank;
        succeed(strata_allreduce(sent, taken, count, MPI_INT, MPI_SUM, comm));
        REQUIRE(count == 0 || taken[0] == ranks * round + ranks * (ranks - 1) / 2);
        after = report_of(comm);
        REQUIRE_CMP(after.calls, ==, before.calls);
        REQUIRE_CMP(after.calls_native, ==, before.calls_native + 1);
        REQUIRE(!strcmp(after.algorithm, "native"));
        gather_all(comm, round);
    }
    succeed(strata_comm_force(comm, "allreduce", NULL));
}

static pthread_barrier_t turn;
static MPI_Comm shared;

static MPI_Comm mine;

/* Two threads call in turn, each with its own buffer and communicator. Both share one plan. */
static void gather_here(MPI_Comm comm, int *to, int round)
{
    int rank, ranks, own;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    own = 100 * round + rank;
    memset(to, 0xff, (size_t)ranks * sizeof *to);
    succeed(strata_allgather(&own, 1, MPI_INT, to, 1, MPI_INT, comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(to[i], ==, 100 * round + i);
    }
}

static void *call_in_turn(void *argument)
{
    int to[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&turn);
        gather_here(shared, to, 2 * round);
        pthread_barrier_wait(&turn);
    }
    return argument;
}

static void test_turns(void)
{
    int to[MOST];
    pthread_t thread;
    MPI_Comm_dup(MPI_COMM_WORLD, &shared);
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    REQUIRE_CMP(pthread_barrier_init(&turn, NULL, 2), ==, 0);
    REQUIRE_CMP(pthread_create(&thread, NULL, call_in_turn, NULL), ==, 0);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&turn);
        pthread_barrier_wait(&turn);
        gather_here(mine, to, 2 * round + 1);
    }
    REQUIRE_CMP(pthread_join(thread, NULL), ==, 0);
    pthread_barrier_destroy(&turn);
    MPI_Comm_free(&shared);
    MPI_Comm_free(&mine);
}

/* One thread calls, while another one frees communicators and makes new ones. */
static void *call(void *argument)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&turn);
        gather_all(shared, round);
        pthread_barrier_wait(&turn);
    }
    return argument;
}

static void test_threads(void)
{
    pthread_t thread;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    REQUIRE_CMP(pthread_barrier_init(&turn, NULL, 2), ==, 0);
    REQUIRE_CMP(pthread_create(&thread, NULL, call, NULL), ==, 0);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, round % 2 ? rank : -rank, &shared);
        pthread_barrier_wait(&turn);
        pthread_barrier_wait(&turn);
        MPI_Comm_free(&shared);
    }
    REQUIRE_CMP(pthread_join(thread, NULL), ==, 0);
    pthread_barrier_destroy(&turn);
}

static void test_all(void)
{
    MPI_Comm comm;
    MPI_Errhandler errhandler;
    int ranks;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &ranks);
    REQUIRE_CMP(ranks, <=, MOST);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(comm, errhandler);
    test_datatypes(comm);
    test_layouts(comm);
    test_operators(comm);
    succeed(strata_comm_force(comm, "bcast", "binomial"));
    succeed(strata_comm_force(comm, "allreduce", "ring")); /* where the row serves */
    test_layouts(comm);
    test_operators(comm);
    test_in_place(comm);
    test_arrays(comm);
    test_places(comm);
    test_in_turn(comm);
    test_many_in_turn(comm);
    test_types_in_turn(comm);
    test_force(comm);
    test_forgetting(MPI_COMM_WORLD);
    test_forced_native(comm);
    test_errors(comm, errhandler);
    MPI_Errhandler_free(&errhandler);
    MPI_Comm_free(&comm);
    test_communicators();
    test_intercommunicators();
}

int main(int argc, char **argv)
{
    bool threads = argc > 1 && !strcmp(argv[1], "threads");
    bool turns = argc > 1 && !strcmp(argv[1], "turns");
    int wanted = threads ? MPI_THREAD_MULTIPLE : turns ? MPI_THREAD_SERIALIZED : MPI_THREAD_SINGLE;
    int level;
    MPI_Init_thread(&argc, &argv, wanted, &level);
    if (level < wanted) {
        printf("MPI grants level %d of threads, not %d\n", level, wanted);
    } else if (threads) {
        test_threads();
    } else if (turns && level < MPI_THREAD_MULTIPLE) { /* else no plan is shared */
        test_turns();
    } else if (!turns) {
        test_all();
    }
    MPI_Finalize();
    return 0;
}
