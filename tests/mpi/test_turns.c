/* Repeats calls in a random order that all ranks share. Each time a persistent start or a
 * nonblocking call makes the call: alone, or beside others of the same communicator and of another
 * one of its group; by tapes and by messages. Each rank completes them in its own way. Every number
 * is checked. When no call is open, the sequences must say so, all ranks must take the same room
 * next, and as many bytes must be copied as the same calls copy when they are walked.
 *
 * run: 2,3
 * run: 2 STRATA_WAIT=sleep
 * run: 4 STRATA_TOPO=node:2
 * run: 2 STRATA_STALL=60
 * timeout: 120 */
#include <stdbool.h>
#include <string.h>

#include "api/attach/sequence.h"
#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "tests/long.h"
#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"
#include "tests/random.h"

enum { MOST_RANKS = 8, COMMS = 2, MOST = 6, ROOM = 2 * MOST_RANKS * MOST };

enum {
    PAIRS_SENT,
    PAIRS,
    GATHER_ALL,
    GATHER_GAPS,
    BROADCAST,
    BROADCAST_WRONG,
    REDUCE_ALL,
    BARRIER,
    GATHER,
    SCAN,
    KINDS
};

static int rank, ranks;
static MPI_Datatype pair; /* two numbers, apart */

/* One of these calls, and its number of starts. */
struct call {
    int kind, number; /* of all calls */
    long starts;
    bool open;
    int send[ROOM], recv[ROOM], sent[MOST_RANKS], taken[MOST_RANKS], each[MOST_RANKS],
        at[MOST_RANKS];
    struct strata_request *described, *request; /* `request` is open */
};

static const struct kind {
    const char *collective, *algorithm;
} kinds[] = {
    [PAIRS_SENT] = {"alltoallv", "linear"}, /* by messages */
    [PAIRS] = {"alltoallv", "leaders"},
    [GATHER_ALL] = {"allgather", "node_allgather"},
    [GATHER_GAPS] = {"allgather", "node_allgather"},
    [BROADCAST] = {"bcast", "node_bcast"},
    [BROADCAST_WRONG] = {"bcast", "node_bcast"}, /* the last rank and the others disagree */
    [REDUCE_ALL] = {"allreduce", "dpml"},
    [BARRIER] = {"barrier", "node_barrier"},
    [GATHER] = {"gatherv", "node_gather"},
    [SCAN] = {"scan", "node_scan"},
};

static int call_of(const struct call *c)
{
    return (int)c->starts * 101 + c->number;
}

static int length(int kind, int from, int to)
{
    return kind == PAIRS_SENT ? 1 + (from + to) % MOST : (2 * from + to) % MOST;
}

static int root_of(const struct call *c)
{
    return c->number % ranks;
}

#define WAYS(name, ...)                                                                            \
    (persistent ? strata_##name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &c->described)            \
                : strata_i##name(__VA_ARGS__, comm, &c->request))

static int make(struct call *c, bool persistent, MPI_Comm comm)
{
    MPI_Datatype t = MPI_INT;
    switch (c->kind) {
    case PAIRS:
    case PAIRS_SENT:
        return WAYS(alltoallv, c->send, c->sent, c->at, t, c->recv, c->taken, c->at, t);
    case GATHER_ALL:
        return WAYS(allgather, MPI_IN_PLACE, 0, t, c->recv, MOST, t);
    case BROADCAST:
        return WAYS(bcast, c->recv, MOST, t, root_of(c));
    case BROADCAST_WRONG:
        return WAYS(bcast, c->recv, MOST - (rank == ranks - 1), t, 0);
    case REDUCE_ALL:
        return WAYS(allreduce, c->send, c->recv, MOST, t, MPI_SUM);
    case BARRIER:
        return persistent ? strata_barrier_init(comm, MPI_INFO_NULL, &c->described)
                          : strata_ibarrier(comm, &c->request);
    case GATHER:
        return WAYS(gatherv, c->send, c->each[rank], t, c->recv, c->each, c->at, t, root_of(c));
    case SCAN:
        return WAYS(scan, MPI_IN_PLACE, c->recv, MOST, t, MPI_SUM);
    default:
        return WAYS(allgather, c->send, 1, pair, c->recv, 1, pair);
    }
}

static void draw(struct call *c)
{
    for (int peer = 0; peer < ranks; peer++) {
        c->sent[peer] = length(c->kind, rank, peer);
        c->taken[peer] = length(c->kind, peer, rank);
        c->each[peer] = (peer + c->number) % MOST;
        c->at[peer] = peer * MOST;
        for (int i = 0; i < MOST; i++) {
            bool pairs = c->kind == PAIRS || c->kind == PAIRS_SENT;
            c->send[peer * MOST + i] = number_of(call_of(c), rank, pairs ? peer : 0, i);
            if (!pairs && peer > 0) {
                c->send[peer * MOST + i] = number_of(call_of(c), rank, 0, peer * MOST + i);
            }
        }
    }
    memset(c->recv, 0xEE, sizeof c->recv);
    for (int i = 0; i < MOST; i++) {
        if (c->kind == GATHER_ALL) {
            c->recv[rank * MOST + i] = number_of(call_of(c), rank, 0, i);
        } else if (c->kind == SCAN || (c->kind == BROADCAST && rank == root_of(c))) {
            c->recv[i] = number_of(call_of(c), rank, 0, i);
        }
    }
}

static int summed(const struct call *c, int count, int i)
{
    return sum_of_numbers(call_of(c), 0, count, 0, i);
}

static bool is_right(const struct call *c)
{
    bool right = true;
    for (int peer = 0; peer < ranks; peer++) {
        const int *came = &c->recv[peer * MOST];
        for (int i = 0; (c->kind == PAIRS || c->kind == PAIRS_SENT) && i < c->taken[peer]; i++) {
            right = right && came[i] == number_of(call_of(c), peer, rank, i);
        }
        for (int i = 0; c->kind == GATHER_ALL && i < MOST; i++) {
            right = right && came[i] == number_of(call_of(c), peer, 0, i);
        }
        for (int i = 0; c->kind == GATHER && rank == root_of(c) && i < c->each[peer]; i++) {
            right = right && came[i] == number_of(call_of(c), peer, 0, i);
        }
        for (int i = 0; c->kind == GATHER_GAPS && i < 2; i++) {
            right = right && c->recv[4 * peer + 2 * i] == number_of(call_of(c), peer, 0, 2 * i);
        }
    }
    for (int i = 0; i < MOST; i++) {
        right = right &&
                (c->kind != BROADCAST || c->recv[i] == number_of(call_of(c), root_of(c), 0, i));
        right = right && (c->kind != REDUCE_ALL || c->recv[i] == summed(c, ranks, i));
        right = right && (c->kind != SCAN || c->recv[i] == summed(c, rank + 1, i));
    }
    return right;
}

static struct call calls[COMMS][KINDS];
static MPI_Comm comms[COMMS];
/* the bytes that one call copies; before the starts: copied bytes, and calls */
static uint64_t walked[COMMS][KINDS], before[COMMS], starts[COMMS];

static struct strata_sequence *sequence_of(MPI_Comm comm)
{
    return strata_state_find(strata_process(), comm)->sequence;
}

static bool is_at_rest(const struct strata_sequence *s)
{
    bool rest = s->started == s->begun && s->begun == s->oldest;
    for (int i = 0; i < s->depth; i++) {
        rest = rest && !s->at[i];
    }
    for (unsigned i = 0; i < s->memories.count; i++) {
        rest = rest && !s->memories.open[i];
    }
    return rest;
}

/* Requires too that all ranks take the same room next. */
static void check_rest(void)
{
    for (int c = 0; c < COMMS; c++) {
        const struct strata_sequence *s = sequence_of(comms[c]);
        unsigned long next[4] = {s->memories.next, s->started, -(unsigned long)s->memories.next,
                                 -s->started};
        unsigned long most[4];
        REQUIRE(is_at_rest(s));
        MPI_Allreduce(next, most, 4, MPI_UNSIGNED_LONG, MPI_MAX, MPI_COMM_WORLD);
        REQUIRE_CMP(most[0], ==, next[0]);
        REQUIRE_CMP(most[1], ==, next[1]);
        uint64_t copied = 0;
        for (int k = 0; k < KINDS; k++) {
            copied += (uint64_t)calls[c][k].starts * walked[c][k];
        }
        REQUIRE_CMP(report_of(comms[c]).copied - before[c], ==, copied);
        REQUIRE_CMP(report_of(comms[c]).calls, ==, starts[c]);
    }
}

/* A call without a description takes another plan: of a gatherv, and the last forced one of an
 * alltoallv. */
static void begin(struct call *c, int comm, bool described)
{
    c->starts++;
    draw(c);
    if (described || c->kind == GATHER || c->kind == PAIRS_SENT) {
        c->request = c->described;
        succeed(strata_start(&c->request));
    } else {
        succeed(make(c, false, comms[comm]));
    }
    c->open = true;
    starts[comm]++;
}

static void fails(int error, bool *failed)
{
    int class = 0;
    MPI_Error_class(error, &class);
    REQUIRE_CMP(class, ==, MPI_ERR_TRUNCATE);
    *failed = true;
}

/* Whether a call with different lengths was an error here, by a tape and by a walk. */
static bool wrong_taped, wrong_walked;

static void end(struct call *c, int way)
{
    int flag = 0, index = 0;
    if (c->kind == BROADCAST_WRONG) {
        int error = strata_wait(&c->request, MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS) {
            fails(error, &wrong_taped);
        } else {
            REQUIRE(!wrong_walked);
        }
        c->open = false;
        return;
    }
    if (way == 0) {
        succeed(strata_wait(&c->request, MPI_STATUS_IGNORE));
    } else if (way == 1) {
        while (!flag) {
            succeed(strata_test(&c->request, &flag, MPI_STATUS_IGNORE));
        }
    } else if (way == 2) {
        succeed(strata_waitall(1, &c->request, MPI_STATUSES_IGNORE));
    } else {
        succeed(strata_waitany(1, &c->request, &index, MPI_STATUS_IGNORE));
    }
    c->open = false;
    REQUIRE(is_right(c));
}

static void end_all(struct random *own)
{
    int first = random_below(own, COMMS * KINDS);
    for (int i = 0; i < COMMS * KINDS; i++) {
        int at = (first + i) % (COMMS * KINDS);
        struct call *c = &calls[at / KINDS][at % KINDS];
        if (c->open) {
            end(c, random_below(own, 4));
        }
    }
}

/* Ranks arrive at calls at different times. */
static void idle(struct random *own)
{
    volatile int spin = random_one_in(own, 8) ? random_below(own, 20000) : 0;
    while (spin > 0) {
        spin--;
    }
    if (random_one_in(own, 6)) {
        succeed(strata_progress());
    }
}

/* At first, and from time to time, a new number of calls may stay open. */
static void run(long steps, struct random *r, struct random *own)
{
    int crowd = 0;
    for (long step = 0; step < steps; step++) {
        if (random_one_in(r, 40)) {
            crowd = random_below(r, 3);
        }
        int comm = random_below(r, COMMS);
        struct call *c = &calls[comm][random_below(r, KINDS)];
        idle(own);
        if (!c->open) {
            begin(c, comm, random_below(r, 2) == 0);
        }
        if (crowd == 0 || (crowd == 1 && random_one_in(r, 3))) {
            end(c, random_below(own, 4));
        }
        if (crowd == 2 ? random_one_in(r, 20) : random_one_in(r, 6)) {
            end_all(own);
            if (random_one_in(r, 10)) {
                check_rest();
            }
        }
    }
    end_all(own);
    check_rest();
}

/* Measures by the first nonblocking call, which is walked. */
static uint64_t copied_by(struct call *c, int comm)
{
    uint64_t had = report_of(comms[comm]).copied;
    struct call once = *c;
    draw(&once);
    succeed(make(&once, false, comms[comm]));
    int error = strata_wait(&once.request, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS) {
        REQUIRE_CMP(c->kind, ==, BROADCAST_WRONG);
        fails(error, &wrong_walked);
    }
    REQUIRE(is_right(&once));
    return report_of(comms[comm]).copied - had;
}

static void describe(int comm)
{
    for (int k = 0; k < KINDS; k++) {
        struct call *c = &calls[comm][k];
        *c = (struct call){.kind = k, .number = comm * KINDS + k};
        draw(c);
        if (report_of(comms[comm]).nodes == 1) {
            char row[32];
            snprintf(row, sizeof row, k == PAIRS ? "%s:leaders=%d" : "%s", kinds[k].algorithm,
                     ranks);
            succeed(strata_comm_force(comms[comm], kinds[k].collective, row));
        }
        succeed(make(c, true, comms[comm]));
        walked[comm][k] = copied_by(c, comm);
        if (k == GATHER) { /* alone each rank does not know all lengths */
            uint64_t had = report_of(comms[comm]).copied;
            begin(c, comm, true);
            end(c, 0);
            walked[comm][k] = report_of(comms[comm]).copied - had;
            c->starts = 0;
        }
    }
    for (int k = 0; k < KINDS; k++) {
        calls[comm][k].starts = 0;
    }
    before[comm] = report_of(comms[comm]).copied;
    starts[comm] = report_of(comms[comm]).calls;
}

int main(int argc, char **argv)
{
    struct random r = {5}, own = {77};
    MPI_Datatype two;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    own.state += (uint64_t)rank;
    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_create_resized(two, 0, 4 * sizeof(int), &pair);
    MPI_Type_commit(&pair);
    for (int c = 0; c < COMMS; c++) {
        comms[c] = new_communicator();
        describe(c);
    }
    run(long_drawn(3000) / (ranks > 2 ? 5 : 2), &r, &own);
    REQUIRE_CMP(wrong_taped, ==, wrong_walked);
    for (int c = 0; c < COMMS; c++) {
        for (int k = 0; k < KINDS; k++) {
            succeed(strata_request_free(&calls[c][k].described));
        }
        MPI_Comm_free(&comms[c]);
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}
