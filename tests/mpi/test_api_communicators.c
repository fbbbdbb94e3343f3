/* Communicators come and go, and their state, private contexts and arena regions go with them.
 *
 * run: 1,2 -- cycles
 * run: 4 STRATA_TOPO=node:2 -- cycles 60
 * run: 4 STRATA_TOPO=node:2 -- many 60
 * run: 2 -- many
 * run: 4 STRATA_TOPO=node:2 STRATA_ATTACH_AFTER=3 -- later
 * run: 3 STRATA_TOPO=node:2 -- groups
 * run: 6 STRATA_TOPO=node:3,2,1 -- groups
 * run: 6 STRATA_TOPO=node:3,2,1 STRATA_SPLIT_HOSTS=1 -- groups
 * run: 2 STRATA_TOPO=node:2 -- threads
 * timeout: 300 */
#include <stdlib.h>
#include <string.h>

#include "api/attach/group.h"
#include "tests/long.h"
#include "tests/mpi/attached.h"
#include "tests/random.h"

#define CYCLES 3000
#define LIVE   1500

/* Communicators that are left to MPI_Finalize: MPI's own memory of them would count as leaks. */
#ifdef __SANITIZE_ADDRESS__
#define LEFT 0
#else
#define LEFT 3
#endif

/* Sends one int to all, and checks the received ones. */
static void exchange(MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int *block = malloc(4 * (size_t)ranks * sizeof *block);
    REQUIRE(block);
    int *send = block, *recv = block + ranks, *ones = block + 2 * ranks,
        *displs = block + 3 * ranks;
    for (int i = 0; i < ranks; i++) {
        send[i] = 1000 * rank + i;
        recv[i] = -1;
        ones[i] = 1;
        displs[i] = i;
    }
    succeed(strata_alltoallv(send, ones, displs, MPI_INT, recv, ones, displs, MPI_INT, comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(recv[i], ==, 1000 * i + rank);
    }
    free(block);
}

/* Duplicates of one group, and splits of changing groups, are made, used and freed. */
static void test_cycles(int cycles)
{
    struct random r = {7}; /* the same on all ranks */
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    exchange(MPI_COMM_WORLD);
    struct strata_report first = report_of(MPI_COMM_WORLD);
    for (int i = 0; i < cycles; i++) {
        MPI_Comm comm, part;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        exchange(comm);
        REQUIRE_CMP(report_of(comm).standing, ==, STRATA_STANDING_ATTACHED);
        if (i % 10 == 0) {
            uint64_t bits = random_next(&r);
            MPI_Comm_split(comm, (int)(bits >> rank & 1), bits >> 40 & 1 ? rank : -rank, &part);
            exchange(part);
            REQUIRE_CMP(report_of(part).standing, ==, STRATA_STANDING_ATTACHED);
            MPI_Comm_free(&part);
        }
        MPI_Comm_free(&comm);
    }
    exchange(MPI_COMM_WORLD);
    struct strata_report last = report_of(MPI_COMM_WORLD);
    REQUIRE_CMP(last.private_communicators, <=, first.private_communicators + 2); /* idle ones */
    REQUIRE_CMP(last.arenas, ==, first.arenas);
    REQUIRE_CMP(last.arena_bytes, ==, first.arena_bytes);
    REQUIRE_CMP(last.arena_spare, >=, first.arena_spare / 4 * 3);
    REQUIRE_CMP(last.calls, ==, 2);
}

/* Very many live communicators at once, mostly of the world's ranks, some of others. Plans serve
 * the first ones, MPI's own serves the others. */
static void test_many(int live)
{
    MPI_Comm *comms = malloc((size_t)live * sizeof *comms);
    int rank, attached = 0, most = live < STRATA_MOST_GROUPS ? live : STRATA_MOST_GROUPS;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    REQUIRE(comms);
    for (int i = 0; i < live; i++) {
        if (i % 5 == 4) {
            MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? rank % 2 : 0, i % 3 ? rank : -rank, &comms[i]);
        } else {
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        }
        exchange(comms[i]);
        attached += report_of(comms[i]).standing == STRATA_STANDING_ATTACHED;
        REQUIRE_CMP(attached, ==, i < most ? i + 1 : most);
    }
    for (int i = live - 1; i >= 0; i -= 7) {
        exchange(comms[i]);
    }
    /* one more for the host, and, on MPICH, one of the process alone */
    const int more = report_of(comms[0]).private_communicators - most;
    REQUIRE(more == 1 || more == 2);
    for (int i = 0; i < live - LEFT; i++) {
        MPI_Comm_free(&comms[i]);
    }
    free(comms);
}

/* The reason is of a call that MPI's own served after the communicator was attached, not of earlier
 * calls. */
static void test_reason(MPI_Comm comm)
{
    int in = 0, out = 0;
    succeed(strata_comm_force(comm, "allreduce", "native"));
    succeed(strata_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE(strstr(report_of(comm).why, "strata_comm_force"));
}

/* The first calls are MPI's own where STRATA_ATTACH_AFTER asks for it. */
static void test_later(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    REQUIRE_CMP(report_of(comm).standing, ==, STRATA_STANDING_NEW);
    for (int call = 1; call <= 4; call++) {
        exchange(comm);
        struct strata_report report = report_of(comm);
        REQUIRE_CMP(report.standing, ==,
                    call < 3 ? STRATA_STANDING_WAITING : STRATA_STANDING_ATTACHED);
        REQUIRE_CMP(report.calls_native, ==, (uint64_t)(call < 3 ? call : 2));
        REQUIRE_CMP(report.calls, ==, (uint64_t)(call < 3 ? 0 : call - 2));
        REQUIRE_CMP(strcmp(report.algorithm, "native") == 0, ==, call < 3);
    }
    test_reason(comm);
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_describe(comm, stdout)); /* asked for: at once */
    REQUIRE_CMP(report_of(comm).standing, ==, STRATA_STANDING_ATTACHED);
    MPI_Comm_free(&comm);
}

static int handled;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

/* Strata copies no attributes and changes no error handlers, whatever it does to a communicator. */
static int copies;

static int count_copy(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag)
{
    (void)comm;
    (void)key;
    (void)extra;
    *(void **)copied = value;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

static void test_untouched(void)
{
    MPI_Comm comm;
    MPI_Errhandler handler, found;
    int key;
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(comm, key, &key);
    exchange(comm);
    MPI_Comm_get_errhandler(comm, &found);
    REQUIRE_CMP(found, ==, handler);
    REQUIRE_CMP(handled, ==, 0);
    REQUIRE_CMP(copies, ==, 0);
    MPI_Comm_free_keyval(&key);
    MPI_Errhandler_free(&found);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

/* After a failed message one rank cannot use the group's state any more. A new communicator gets a
 * new state on all ranks. */
static void test_failed(void)
{
    int rank, ranks, mine[4] = {0}, *all;
    MPI_Comm wrong, next;
    MPI_Comm_dup(MPI_COMM_WORLD, &wrong);
    MPI_Comm_rank(wrong, &rank);
    MPI_Comm_size(wrong, &ranks);
    MPI_Comm_set_errhandler(wrong, MPI_ERRORS_RETURN);
    all = malloc((size_t)ranks * sizeof *all);
    REQUIRE(all);
    succeed(strata_comm_force(wrong, "gather", "linear_rooted"));
    int error = strata_gather(mine, rank == 1 ? 4 : 1, MPI_INT, all, 1, MPI_INT, 0, wrong);
    REQUIRE_CMP(error == MPI_SUCCESS, ==, rank > 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &next);
    exchange(next);
    REQUIRE_CMP(report_of(next).calls, ==, 1);
    MPI_Comm_free(&wrong);
    exchange(next);
    MPI_Comm_free(&next);
    free(all);
}

/* A block that only its sender knows of stays under way. No later communicator receives it, though
 * MPI may give it the number of the freed one. */
static void test_left(void)
{
    enum { LATER = 8, LOOKS = 1000 };
    MPI_Comm wrong, later[LATER];
    int rank, ranks, one = 1, there = 0;
    int block[6] = {0}, counts[6] = {0}, none[6] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + 1) % ranks, &wrong); /* a group of its own */
    succeed(strata_comm_force(wrong, "alltoallv", "linear"));
    MPI_Comm_rank(wrong, &rank);
    counts[0] = rank > 0; /* to the first rank, which expects nothing */
    succeed(strata_alltoallv(&one, counts, none, MPI_INT, block, none, none, MPI_INT, wrong));
    MPI_Barrier(wrong);
    REQUIRE_CMP(strncmp(report_of(wrong).algorithm, "linear", 6), ==, 0);
    succeed(strata_comm_detach(wrong));
    MPI_Comm_free(&wrong);
    for (int i = 0; i < LATER; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &later[i]);
    }
    for (int i = 0; i < LATER * LOOKS; i++) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, later[i % LATER], &there, MPI_STATUS_IGNORE);
        REQUIRE(!there);
    }
    for (int i = 0; i < LATER; i++) {
        MPI_Comm_free(&later[i]);
    }
}

/* The number of nodes of a communicator's ranks: of 6 in the world as node:3,2,1, of 3 as
 * node:2. */
static int nodes_of(MPI_Comm comm, int ranks)
{
    static const int node[2][6] = {{0, 0, 1}, {0, 0, 0, 1, 1, 2}};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = 1 << node[ranks == 6][rank], all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_BOR, comm);
    return (all & 1) + (all >> 1 & 1) + (all >> 2 & 1);
}

/* Sub-communicators of every kind inherit the emulated nodes of the world's ranks. Some are the
 * first on their processes. */
static void test_groups(void)
{
    int rank, ranks;
    MPI_Comm odd, pair, turned, self;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &odd);
    exchange(odd);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    exchange(pair);
    exchange(odd);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    exchange(turned);
    exchange(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    exchange(self);
    exchange(MPI_COMM_SELF);
    REQUIRE_CMP(report_of(MPI_COMM_WORLD).nodes, ==, nodes_of(MPI_COMM_WORLD, ranks));
    REQUIRE_CMP(report_of(turned).nodes, ==, nodes_of(turned, ranks));
    REQUIRE_CMP(report_of(odd).nodes, ==, nodes_of(odd, ranks));
    REQUIRE_CMP(report_of(pair).nodes, ==, nodes_of(pair, ranks));
    REQUIRE_CMP(report_of(self).nodes, ==, 1);
    REQUIRE_CMP(report_of(self).ranks, ==, 1);
    test_untouched();
    test_failed();
    test_left();
    MPI_Comm_free(&self);
    MPI_Comm_free(&turned);
    MPI_Comm_free(&pair);
    MPI_Comm_free(&odd);
}

#define THREADS 4

/* At MPI_THREAD_MULTIPLE, threads with a communicator each call, attach and free at the same
 * time. */
static void test_threads(void)
{
    MPI_Comm comms[THREADS];
    for (int t = 0; t < THREADS; t++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]);
    }
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < 20; i++) {
            MPI_Comm again;
            exchange(comms[t]);
            MPI_Comm_dup(comms[t], &again);
            exchange(again);
            MPI_Comm_free(&again);
        }
    }
    for (int t = 0; t < THREADS; t++) {
        struct strata_report report = report_of(comms[t]);
        REQUIRE_CMP(report.calls + report.calls_native, ==, 20); /* some try MPI's own */
        MPI_Comm_free(&comms[t]);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    bool threads = strcmp(what, "threads") == 0;
    int level;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &level);
    if (strcmp(what, "cycles") == 0) {
        test_cycles(argc > 2 ? atoi(argv[2]) : long_drawn(CYCLES));
    } else if (strcmp(what, "many") == 0) {
        test_many(argc > 2 ? atoi(argv[2]) : LIVE);
    } else if (strcmp(what, "later") == 0) {
        test_later();
    } else if (strcmp(what, "groups") == 0) {
        test_groups();
    } else if (threads) {
        if (level == MPI_THREAD_MULTIPLE) {
            test_threads();
        } else {
            printf("not run: this MPI grants no MPI_THREAD_MULTIPLE\n");
        }
    } else {
        fprintf(stderr, "usage: cycles [N] | many [N] | later | groups | threads\n");
        return 2;
    }
    MPI_Finalize();
    return 0;
}
