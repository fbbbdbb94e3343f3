/* Communicators of the same ranks, which each rank calls in another order: even ranks call on A,
 * then on B; odd ranks on B, then on A. The standard promises such programs nothing. MPIs deliver
 * short calls that one rank sends and another receives, because their messages are sent ahead.
 * Strata must do so too. Every element names its communicator, round and rank. Where a call stands
 * still, the test prints the case. The order of nonblocking calls is free by the standard, so every
 * size crosses there.
 *
 * run: 2
 * run: 4 STRATA_TOPO=node:2
 * run: 4 STRATA_TOPO=node:2 STRATA_REDUCE=native
 * run: 4 STRATA_TOPO=node:2 STRATA_BCAST=native STRATA_SCATTER=native STRATA_SCATTERV=native
 * run: 4 STRATA_TOPO=node:2 STRATA_GATHER=native STRATA_GATHERV=native
 * run: 4 STRATA_TOPO=node:2:cyclic STRATA_BCAST=node_bcast STRATA_REDUCE=dpml STRATA_GATHER=node_gather
 * run: 3 STRATA_SHADOW=1
 * long: 3,4
 * long: 2 STRATA_TOPO=node:2
 * long: 4 STRATA_TOPO=node:4:cyclic
 * long: 4 STRATA_BCAST=node_bcast STRATA_REDUCE=dpml STRATA_GATHER=node_gather STRATA_SCATTER=node_scatter
 * long: 2 STRATA_BCAST=binomial STRATA_REDUCE=binomial STRATA_GATHER=binomial STRATA_SCATTER=binomial
 * timeout: 60 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/mpi/numbers.h"
#include "tests/mpi/spelled.h"
#include "tests/mpis.h"

enum { MOST = 1000, RANKS = 8, COMMS = 3, ROUNDS = 6, LIMIT = 8 };

static int rank, ranks, wrong;
static char running[160], still[200]; /* the case; the message where it stands still */

static void stands_still(int signal)
{
    (void)signal;
    (void)!write(STDERR_FILENO, still, strlen(still));
    _exit(1);
}

static void begin_case(const char *about, const char *collective, int count, int root)
{
    char in_turn[] = "in turn";
    snprintf(running, sizeof running, "%s, %s of %d bytes, root %s", about, collective,
             count * (int)sizeof(int), root < 0 ? in_turn : "0");
    snprintf(still, sizeof still, "FAILED: rank %d stands still: %s\n", rank, running);
    alarm(LIMIT);
}

/* One collective on the communicator of this number, with its data and its expected result. */
struct one {
    MPI_Comm comm;
    int number, round, root, count;
};

static int call_of(const struct one *one)
{
    return 1000 * one->number + one->round;
}

static void fill(const struct one *one, int *data, int block)
{
    fill_numbers(data, one->count, call_of(one), block, 0);
}

/* `from` is the first of `senders` ranks whose values are summed. */
static void judge(const struct one *one, const int *data, int from, int senders)
{
    for (int e = 0; e < one->count; e++) {
        int wanted = sum_of_numbers(call_of(one), from, from + senders, 0, e);
        if (data[e] != wanted) {
            if (wrong++ == 0) {
                fprintf(
                    stderr,
                    "FAILED: rank %d: %s: round %d on communicator %d: element %d is %d, not %d\n",
                    rank, running, one->round, one->number, e, data[e], wanted);
            }
            return;
        }
    }
}

static int sent[RANKS * MOST], taken[RANKS * MOST];
static const int root_block = 7; /* the root's block, whoever the root is */

static void call_bcast(const struct one *one)
{
    memset(taken, 0, sizeof taken);
    if (rank == one->root) {
        fill(one, taken, root_block);
    }
    SPELLED(Bcast, bcast)(taken, one->count, MPI_INT, one->root, one->comm);
    judge(one, taken, root_block, 1);
}

static void call_reduce(const struct one *one)
{
    fill(one, sent, rank);
    memset(taken, 0, sizeof taken);
    SPELLED(Reduce, reduce)(sent, taken, one->count, MPI_INT, MPI_SUM, one->root, one->comm);
    if (rank == one->root) {
        judge(one, taken, 0, ranks);
    }
}

static void judge_blocks(const struct one *one)
{
    for (int r = 0; r < ranks && rank == one->root; r++) {
        judge(one, taken + r * one->count, r, 1);
    }
}

static void call_gather(const struct one *one)
{
    fill(one, sent, rank);
    memset(taken, 0, sizeof taken);
    SPELLED(Gather, gather)
    (sent, one->count, MPI_INT, taken, one->count, MPI_INT, one->root, one->comm);
    judge_blocks(one);
}

static void places(const struct one *one, int *counts, int *displs)
{
    for (int r = 0; r < ranks; r++) {
        counts[r] = one->count;
        displs[r] = r * one->count;
    }
}

static void call_gatherv(const struct one *one)
{
    int counts[RANKS], displs[RANKS];
    places(one, counts, displs);
    fill(one, sent, rank);
    memset(taken, 0, sizeof taken);
    SPELLED(Gatherv, gatherv)
    (sent, one->count, MPI_INT, taken, counts, displs, MPI_INT, one->root, one->comm);
    judge_blocks(one);
}

static void fill_blocks(const struct one *one)
{
    for (int r = 0; r < ranks; r++) {
        fill(one, sent + r * one->count, r);
    }
    memset(taken, 0, sizeof taken);
}

static void call_scatter(const struct one *one)
{
    fill_blocks(one);
    SPELLED(Scatter, scatter)
    (sent, one->count, MPI_INT, taken, one->count, MPI_INT, one->root, one->comm);
    judge(one, taken, rank, 1);
}

static void call_scatterv(const struct one *one)
{
    int counts[RANKS], displs[RANKS];
    places(one, counts, displs);
    fill_blocks(one);
    SPELLED(Scatterv, scatterv)
    (sent, counts, displs, MPI_INT, taken, one->count, MPI_INT, one->root, one->comm);
    judge(one, taken, rank, 1);
}

/* The calls that both MPIs deliver in any order: the most ints, and whether the root may change on
 * MPICH too, whose bcast waits in a root that is not the first rank. Calls from the root come
 * first, then calls to it. */
static const struct kind {
    const char *name;
    void (*call)(const struct one *one);
    int most;
    bool turns_on_mpich;
} kinds[] = {
    {"bcast", call_bcast, MOST, false},          {"scatter", call_scatter, MOST / 2, true},
    {"scatterv", call_scatterv, MOST / 2, true}, {"reduce", call_reduce, MOST / 2, true},
    {"gather", call_gather, MOST / 2, true},     {"gatherv", call_gatherv, MOST / 2, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds, ONE_WAY = KINDS / 2 };

/* Makes the first two rounds in the same order, and the others in each rank's own order. */
static void cross(const char *about, const MPI_Comm *comms, int count, int kind, int length,
                  bool turns)
{
    begin_case(about, kinds[kind].name, length, turns ? -1 : 0);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            int c = round < 2 ? i : (i + rank) % count;
            struct one one = {comms[c], c, round, turns ? round % ranks : 0, length};
            kinds[kind].call(&one);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD); /* of MPI alone, or all in order */
}

static void cross_all(const char *about, const MPI_Comm *comms, int count, bool all_sizes)
{
    const int lengths[] = {100, 2, MOST};
    for (int k = 0; k < KINDS; k++) {
        for (int l = 0; l < (all_sizes ? 3 : 1); l++) {
            int length = lengths[l] < kinds[k].most ? lengths[l] : kinds[k].most;
            cross(about, comms, count, k, length, false);
            if (count == 2 && (kinds[k].turns_on_mpich || !is_mpich())) {
                cross(about, comms, count, k, length, true);
            }
        }
    }
}

/* Other collectives, with other lengths, on A than on B. */
static void cross_kinds(const MPI_Comm *comms)
{
    for (int k = 0; k < KINDS; k++) {
        begin_case("another collective on each", kinds[k].name, 100, 0);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 2; i++) {
                int c = round < 2 ? i : (i + rank) % 2;
                struct one one = {comms[c], c, round, 0, c ? 2 + k : 100};
                kinds[k / ONE_WAY * ONE_WAY + (k + c) % ONE_WAY].call(&one);
            }
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A call on A beside a request on B. Even ranks start the request before the call, odd ranks after
 * it. The standard promises that this works, at any length and also where no rank sends ahead. */
static void beside_requests(const MPI_Comm *comms)
{
    static int mine[MOST * 20], sum[MOST * 20], all[MOST * 20];
    const int lengths[] = {2, 100, MOST, MOST * 20};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        begin_case("beside a request", "allreduce", lengths[l], 0);
        for (int round = 0; round < ROUNDS; round++) {
            spelled_request request = no_request;
            struct one b = {comms[1], 1, round, 0, lengths[l]},
                       a = {comms[0], 2, round, 0, lengths[l]};
            fill(&b, mine, rank);
            for (int i = 0; i < 2; i++) {
                if ((i + rank) % 2 == 0) {
                    SPELLED(Iallreduce, iallreduce)
                    (mine, sum, b.count, MPI_INT, MPI_SUM, b.comm, &request);
                } else {
                    static int other[MOST * 20];
                    fill(&a, other, rank);
                    SPELLED(Allreduce, allreduce)(other, all, a.count, MPI_INT, MPI_SUM, a.comm);
                }
            }
            SPELLED(Wait, wait)(&request, MPI_STATUS_IGNORE);
            judge(&b, sum, 0, ranks);
            judge(&a, all, 0, ranks);
        }
    }
}

/* Odd ranks wait for their request on B before they call on A; even ranks call on A first. */
static void behind_requests(const MPI_Comm *comms)
{
    static int told[MOST];
    begin_case("behind a request", "bcast", 100, 0);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            if ((i + rank) % 2 == 0) {
                struct one a = {comms[0], 0, round, 0, 100};
                call_bcast(&a);
                continue;
            }
            spelled_request request = no_request;
            struct one b = {comms[1], 1, round, 0, 100};
            memset(told, 0, sizeof told);
            if (rank == 0) {
                fill(&b, told, root_block);
            }
            SPELLED(Ibcast, ibcast)(told, b.count, MPI_INT, 0, b.comm, &request);
            SPELLED(Wait, wait)(&request, MPI_STATUS_IGNORE);
            judge(&b, told, root_block, 1);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Calls in which all ranks wait for all. From the second call on, communicators may have plans
 * under the preload library. */
static void use(MPI_Comm comm)
{
    SPELLED(Barrier, barrier)(comm);
    SPELLED(Barrier, barrier)(comm);
}

/* Reuses the handle, and MPI's number, of a freed communicator. */
static void reuse(const MPI_Comm *comms)
{
    for (int times = 0; times < 3; times++) {
        MPI_Comm pair[2] = {comms[0]};
        MPI_Comm_dup(MPI_COMM_WORLD, &pair[1]);
        if (times % 2 == 0) {
            use(pair[1]);
        }
        cross("a communicator whose handle was another's", pair, 2, times % KINDS, 100, false);
        cross("a communicator whose handle was another's", pair, 2, times % KINDS, 2, false);
        MPI_Comm_free(&pair[1]);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMS], split, created;
    MPI_Group group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    signal(SIGALRM, stands_still);
    for (int c = 0; c < COMMS; c++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &split);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &created);
    cross_all("two duplicates that have served rooted calls alone", comms, 2, false);
    for (int c = 0; c < COMMS; c++) {
        use(comms[c]);
    }
    use(split);
    use(created);
    cross_all("two duplicates", comms, 2, true);
    beside_requests(comms);
    cross_all("three duplicates", comms, 3, false);
    cross_all("MPI_COMM_WORLD and a duplicate", (MPI_Comm[]){MPI_COMM_WORLD, comms[0]}, 2, false);
    cross_all("one split off and one of a group", (MPI_Comm[]){split, created}, 2, false);
    cross_kinds(comms);
    behind_requests(comms);
    reuse(comms);
    alarm(0);

    int any = 0;
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Group_free(&group);
    MPI_Comm_free(&split);
    MPI_Comm_free(&created);
    for (int c = 0; c < COMMS; c++) {
        MPI_Comm_free(&comms[c]);
    }
    if (rank == 0) {
        printf(any ? "%d calls wrong\n" : "all right\n", any);
    }
    MPI_Finalize();
    return any != 0;
}
