/* Calls of alltoallv by parts, which threads contribute in random order, against MPI_Alltoallv of
 * the merged data. Several requests are open at once, and calls that need no part go on meanwhile.
 * Then what is refused: parts that do not exist, come twice or too early, pieces that do not make
 * up a block.
 *
 * run: 1 -- --parts 1,3
 * run: 2 -- --parts 2 --level funneled
 * run: 2 -- --parts 3,1 --level serialized
 * run: 2 STRATA_TOPO=node:2 -- --parts 4,2
 * run: 2 STRATA_TOPO=node:2 -- --parts 2 --level single
 * run: 3 STRATA_TOPO=node:2 STRATA_CHECK=1 STRATA_THRESHOLD=256 -- --parts 2,1,4
 * run: 4 STRATA_TOPO=node:2:cyclic STRATA_ALLTOALLV=leaders -- --parts 2,3
 * run: 4 STRATA_TOPO=node:3 STRATA_BUDGET=64K -- --parts 1,3,2 --level funneled
 * run: 2 STRATA_SINGLE_COPY=0 STRATA_ALLTOALLV=native -- --parts 3
 * long: 4 STRATA_TOPO=node:2 -- --parts 8,4 --calls 400
 * long: 4 STRATA_TOPO=node:4 -- --parts 2,8,5 --calls 400 --level serialized
 * timeout: 300 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "strata.h"
#include "tests/mpi/require.h"
#include "tests/mpi/thread_words.h"
#include "tests/random.h"

enum {
    MOST_PARTS = 8,
    MOST_RANKS = 8,
    MOST_PIECE = 12000, /* elements */
    STARTS = 3,
    OPEN = 2, /* requests that are open at once */
    ROOM = MOST_PARTS * MOST_RANKS * (MOST_PIECE + 4)
};

/* A request, and the data of its parts. */
struct call {
    uint64_t seed;
    int most; /* elements of a piece */
    int *in, *out, *merged, *expected;
    int counts[MOST_PARTS * MOST_RANKS], displs[MOST_PARTS * MOST_RANKS];
    int merged_counts[MOST_RANKS], merged_displs[MOST_RANKS];
    int recv_counts[MOST_RANKS], recv_displs[MOST_RANKS];
    MPI_Datatype type; /* one int, or two with a gap behind them */
    int ints, extent;
    struct strata_request *request;
};

static int rank, ranks, parts, level = MPI_THREAD_MULTIPLE;
static int parts_of[MOST_RANKS];
static struct call calls[OPEN];
static MPI_Datatype gapped;

static int class_of(int error)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(error, &class);
    return class;
}

#define REFUSED(call, as) REQUIRE_CMP(class_of(call), ==, as)

/* Elements of the piece of a part of one rank for another. */
static int length(const struct call *c, int from, int part, int to)
{
    const uint64_t drawn = random_mix(c->seed + (uint64_t)((from * 64 + part) * 64 + to));
    return drawn % 3 == 0 ? 0 : (int)(drawn / 3 % (uint64_t)(c->most + 1));
}

static int value(const struct call *c, int start, int to, int part, int e)
{
    return (int)random_mix(c->seed ^ ((uint64_t)(start * 64 + rank) << 40) ^
                           ((uint64_t)(to * 64 + part) << 24) ^ (uint64_t)e);
}

/* Where the pieces lie: in random order, with gaps between them. */
static void place_pieces(struct call *c, struct random *r)
{
    int order[MOST_PARTS * MOST_RANKS], at = 0;
    for (int i = 0; i < parts * ranks; i++) {
        order[i] = i;
    }
    random_shuffle(r, order, parts * ranks);
    for (int i = 0; i < parts * ranks; i++) {
        const int piece = order[i];
        at += random_below(r, 3);
        c->counts[piece] = length(c, rank, piece / ranks, piece % ranks);
        c->displs[piece] = at;
        at += c->counts[piece];
    }
}

static void place_blocks(struct call *c)
{
    int sent = 0, come = 1;
    for (int r = 0; r < ranks; r++) {
        c->merged_counts[r] = c->recv_counts[r] = 0;
        for (int p = 0; p < parts; p++) {
            c->merged_counts[r] += c->counts[p * ranks + r];
        }
        for (int p = 0; p < parts_of[r]; p++) {
            c->recv_counts[r] += length(c, r, p, rank);
        }
        c->merged_displs[r] = sent;
        c->recv_displs[r] = come;
        sent += c->merged_counts[r];
        come += c->recv_counts[r] + 1;
    }
}

static void draw(struct call *c, uint64_t seed)
{
    const int sizes[] = {0, 1, 5, 200, 3000, MOST_PIECE};
    struct random of_all = {seed}, own = {seed ^ (uint64_t)(rank + 1) << 32};
    c->seed = random_next(&of_all);
    c->most = sizes[random_below(&of_all, 6)];
    const bool gaps = c->most < MOST_PIECE && random_one_in(&of_all, 3);
    c->type = gaps ? gapped : MPI_INT;
    c->ints = gaps ? 2 : 1;
    c->extent = gaps ? 3 : 1;
    place_pieces(c, &own);
    place_blocks(c);
}

/* What a thread does for its part: it writes the data. */
static void fill(struct call *c, int start, int part)
{
    for (int r = 0; r < ranks; r++) {
        int *at = c->in + c->displs[part * ranks + r] * c->extent;
        for (int e = 0; e < c->counts[part * ranks + r]; e++) {
            for (int i = 0; i < c->ints; i++) {
                at[e * c->extent + i] = value(c, start, r, part, e * c->ints + i);
            }
        }
    }
}

/* What MPI's own brings of the merged data. */
static void compare(struct call *c, int start)
{
    const size_t bytes = (size_t)ROOM * sizeof(int);
    for (int r = 0; r < ranks; r++) {
        int *at = c->merged + c->merged_displs[r] * c->extent;
        for (int p = 0; p < parts; p++) {
            const int count = c->counts[p * ranks + r];
            for (int i = 0; i < count * c->ints; i++) {
                at[i / c->ints * c->extent + i % c->ints] = value(c, start, r, p, i);
            }
            at += count * c->extent;
        }
    }
    memset(c->expected, 0x33, bytes);
    succeed(MPI_Alltoallv(c->merged, c->merged_counts, c->merged_displs, c->type, c->expected,
                          c->recv_counts, c->recv_displs, c->type, MPI_COMM_WORLD));
    REQUIRE_BYTES(c->out, c->expected, bytes);
}

static void take_memory(struct call *c)
{
    int **buffers[] = {&c->in, &c->out, &c->merged, &c->expected};
    for (int i = 0; i < 4; i++) {
        *buffers[i] = malloc((size_t)ROOM * sizeof(int));
        REQUIRE(*buffers[i]);
    }
}

static void free_memory(struct call *c)
{
    free(c->in);
    free(c->out);
    free(c->merged);
    free(c->expected);
}

static int describe(struct call *c, MPI_Comm comm)
{
    return strata_alltoallv_parts_init(parts, c->in, c->counts, c->displs, c->type, c->out,
                                       c->recv_counts, c->recv_displs, c->type, comm, MPI_INFO_NULL,
                                       &c->request);
}

/* A thread, which contributes one part of each open request. */
struct thread {
    pthread_t id;
    int part, start;
    uint64_t seed;
};

static void *contribute(void *argument)
{
    const struct thread *t = argument;
    struct random r = {t->seed ^ (uint64_t)(rank * 64 + t->part)};
    const int first = random_below(&r, OPEN);
    for (int i = 0; i < OPEN; i++) {
        struct call *c = &calls[(first + i) % OPEN];
        for (int yields = random_below(&r, 4) * 20; yields > 0; yields--) {
            sched_yield();
        }
        fill(c, t->start, t->part);
        succeed(strata_part_ready(c->request, t->part));
    }
    return NULL;
}

/* A call on the same communicator waits for no part. */
static void call_meanwhile(void)
{
    struct strata_request *request = NULL;
    int one = 1, sum = 0;
    succeed(strata_iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_CMP(sum, ==, ranks);
    succeed(strata_barrier(MPI_COMM_WORLD));
}

/* Completes the requests in either order, or together. */
static void complete(struct random *r)
{
    struct strata_request *open[OPEN];
    int flag = 0;
    if (random_one_in(r, 2)) {
        for (int i = 0; i < OPEN; i++) {
            open[i] = calls[i].request;
        }
        succeed(strata_waitall(OPEN, open, MPI_STATUSES_IGNORE));
        return;
    }
    while (!flag) {
        succeed(strata_test(&calls[1].request, &flag, MPI_STATUS_IGNORE));
    }
    succeed(strata_wait(&calls[0].request, MPI_STATUS_IGNORE));
}

/* Threads contribute all parts but the first, which is the main thread's. It waits while the others
 * come, or when they have come. */
static void start_once(int start, uint64_t seed)
{
    struct thread threads[MOST_PARTS];
    struct random r = {seed + (uint64_t)rank}, of_all = {seed};
    const bool joins = random_one_in(&r, 2), several = level != MPI_THREAD_SINGLE;
    for (int i = 0; i < OPEN; i++) {
        memset(calls[i].out, 0x33, (size_t)ROOM * sizeof(int));
        succeed(strata_start(&calls[i].request));
    }
    if (random_one_in(&of_all, 4)) {
        call_meanwhile();
    }
    for (int p = parts - 1; p >= 0; p--) {
        threads[p] = (struct thread){.part = p, .start = start, .seed = seed};
        if (p > 0 && several) {
            pthread_create(&threads[p].id, NULL, contribute, &threads[p]);
        } else {
            contribute(&threads[p]);
        }
    }
    for (int p = 1; p < parts && several && joins; p++) {
        pthread_join(threads[p].id, NULL);
    }
    complete(&r);
    for (int p = 1; p < parts && several && !joins; p++) {
        pthread_join(threads[p].id, NULL);
    }
}

/* Describes two requests and starts them several times. Their communicator may go before. */
static void call_by_parts(uint64_t seed)
{
    struct random r = {seed};
    MPI_Comm comm = MPI_COMM_WORLD;
    const bool goes = random_one_in(&r, 4);
    if (goes) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    }
    for (int i = 0; i < OPEN; i++) {
        draw(&calls[i], seed * OPEN + (uint64_t)i);
        succeed(describe(&calls[i], comm));
    }
    if (goes) {
        MPI_Comm_free(&comm);
    }
    for (int s = 0; s < STARTS; s++) {
        start_once(s, random_next(&r));
        for (int i = 0; i < OPEN; i++) {
            compare(&calls[i], s);
        }
    }
    for (int i = 0; i < OPEN; i++) {
        succeed(strata_request_free(&calls[i].request));
    }
}

static void describe_wrongly(struct call *c, MPI_Comm comm)
{
    const bool last = rank == ranks - 1;
    const int right = parts, first = c->counts[0];
    parts = last ? 0 : right;
    REFUSED(describe(c, comm), MPI_ERR_ARG);
    parts = last ? 65 : right;
    REFUSED(describe(c, comm), MPI_ERR_ARG);
    parts = right;
    c->counts[0] = last ? -1 : first;
    REFUSED(describe(c, comm), MPI_ERR_COUNT);
    c->counts[0] = first;
    c->recv_counts[0] += last;
    REFUSED(describe(c, comm), MPI_ERR_TRUNCATE);
    c->recv_counts[0] -= last;
    int *in = c->in;
    c->in = last ? MPI_IN_PLACE : in;
    REFUSED(describe(c, comm), MPI_ERR_ARG);
    c->in = in;
    REFUSED(describe(c, MPI_COMM_NULL), MPI_ERR_COMM);
    REQUIRE(!c->request);
}

/* Pieces of one int each make up a block of two ints, but no piece is a whole element. */
static void describe_halves(MPI_Comm comm)
{
    struct strata_request *request = NULL;
    int in[2 * MOST_RANKS] = {0}, out[2 * MOST_RANKS], counts[2 * MOST_RANKS],
               displs[2 * MOST_RANKS], recv_counts[MOST_RANKS], recv_displs[MOST_RANKS];
    for (int i = 0; i < 2 * ranks; i++) {
        counts[i] = 1;
        displs[i] = i;
        recv_counts[i % ranks] = 1;
        recv_displs[i % ranks] = i % ranks;
    }
    REFUSED(strata_alltoallv_parts_init(2, in, counts, displs, MPI_INT, out, recv_counts,
                                        recv_displs, MPI_2INT, comm, MPI_INFO_NULL, &request),
            MPI_ERR_TYPE);
}

static void be_ready_wrongly(struct call *c)
{
    struct strata_request *other = NULL;
    REFUSED(strata_part_ready(NULL, 0), MPI_ERR_REQUEST);
    REFUSED(strata_part_ready(c->request, 0), MPI_ERR_REQUEST);
    succeed(strata_start(&c->request));
    REFUSED(strata_start(&c->request), MPI_ERR_REQUEST);
    REFUSED(strata_part_ready(c->request, -1), MPI_ERR_ARG);
    REFUSED(strata_part_ready(c->request, parts), MPI_ERR_ARG);
    for (int p = 0; p < parts; p++) {
        fill(c, 0, p);
        succeed(strata_part_ready(c->request, p));
        const int again = class_of(strata_part_ready(c->request, p));
        REQUIRE(again == MPI_ERR_ARG || (p == parts - 1 && again == MPI_ERR_REQUEST));
    }
    succeed(strata_wait(&c->request, MPI_STATUS_IGNORE));
    compare(c, 0);
    succeed(strata_barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &other));
    REFUSED(strata_part_ready(other, 0), MPI_ERR_REQUEST);
    succeed(strata_request_free(&other));
}

static void hold_rules(void)
{
    struct call *c = &calls[0];
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    draw(c, 7);
    describe_wrongly(c, comm);
    describe_halves(comm);
    succeed(describe(c, comm));
    MPI_Comm_free(&comm);
    memset(c->out, 0x33, (size_t)ROOM * sizeof(int));
    be_ready_wrongly(c);
    succeed(strata_request_free(&c->request));
}

/* The list of parts holds for the ranks in turn. */
static void read_parts(const char *list)
{
    for (int r = 0; r < ranks; r++) {
        parts_of[r] = number_of_rank(list, r);
    }
    parts = parts_of[rank];
}

int main(int argc, char **argv)
{
    const char *list = "2";
    long number = 15;
    for (int i = 1; i + 1 < argc; i += 2) {
        list = strcmp(argv[i], "--parts") == 0 ? argv[i + 1] : list;
        level = strcmp(argv[i], "--level") == 0 ? level_of(argv[i + 1]) : level;
        number = strcmp(argv[i], "--calls") == 0 ? strtol(argv[i + 1], NULL, 10) : number;
    }
    const int wanted = level;
    MPI_Init_thread(&argc, &argv, wanted, &level);
    REQUIRE_CMP(level, ==, wanted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &gapped);
    MPI_Datatype packed = gapped;
    MPI_Type_create_resized(packed, 0, 3 * sizeof(int), &gapped);
    MPI_Type_commit(&gapped);
    MPI_Type_free(&packed);
    read_parts(list);
    for (int i = 0; i < OPEN; i++) {
        take_memory(&calls[i]);
    }
    hold_rules();
    for (long i = 0; i < number; i++) {
        call_by_parts((uint64_t)(1000 + i));
    }
    for (int i = 0; i < OPEN; i++) {
        free_memory(&calls[i]);
    }
    MPI_Type_free(&gapped);
    MPI_Finalize();
    return 0;
}
