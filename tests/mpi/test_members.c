/* Random calls of threads as members: all 17 collectives, blocking, nonblocking and persistent, in
 * place or not, with roots, gaps between elements, empty blocks and operators of the program's,
 * against results that each rank computes from the seed. Each rank has the number of threads that
 * the list says, in turn; they join anew every few batches, so a thread changes its number. In a
 * batch threads make their calls without waiting for each other. With --split the members are a
 * part, in which their numbers are mixed: of all ranks, or of every second one. A soak makes the
 * same calls again and again: a thread remembers dozens of calls, with their types, and thousands
 * of others would only fill these tables.
 *
 * run: 1 -- --threads 1,4
 * run: 1 -- --threads 8 --level serialized
 * run: 1 -- --threads 4 --level funneled
 * run: 1 STRATA_WAIT=sleep -- --threads 5 --level funneled
 * run: 2 STRATA_WAIT=yield STRATA_TOPO=node:2 -- --threads 2,3 --level funneled
 * run: 2 STRATA_TOPO=node:2 -- --threads 2
 * run: 2 STRATA_TOPO=node:2 -- --threads 3,1 --level funneled
 * run: 2 STRATA_TOPO=node:2 -- --threads 2,4 --level serialized
 * run: 3 STRATA_TOPO=node:2 STRATA_CHECK=1 STRATA_THRESHOLD=256 -- --threads 2,1,4
 * run: 4 STRATA_TOPO=node:2:cyclic STRATA_SAME_BITS=1 -- --threads 2,3
 * run: 4 STRATA_TOPO=node:3 STRATA_BUDGET=64K STRATA_THRESHOLD=256 -- --threads 1,3,2 --level funneled
 * run: 2 STRATA_SINGLE_COPY=0 -- --threads 3
 * run: 2 STRATA_TOPO=node:2 STRATA_ALLTOALLV=linear STRATA_ALLTOALL=native STRATA_ALLREDUCE=recursive_doubling STRATA_SIZES=0 -- --threads 2,3
 * run: 4 STRATA_TOPO=node:2 -- --threads 2,1,3 --split second --level serialized
 * run: 4 STRATA_TOPO=node:2 STRATA_ALLTOALL=modified:mode=zero_copy -- --threads 3,2 --split all --level funneled
 * long: 4 STRATA_TOPO=node:4 -- --threads 8 --calls 400
 * long: 4 STRATA_TOPO=node:2 -- --threads 4,8,1 --calls 400 --level serialized
 * long: 4 STRATA_TOPO=node:2 -- --threads 4,1,6 --calls 400 --level funneled
 * timeout: 300 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strata.h"
#include "tests/long.h"
#include "tests/mpi/require.h"
#include "tests/mpi/soak.h"
#include "tests/mpi/thread_words.h"
#include "tests/random.h"

enum {
    MOST_MEMBERS = 40,
    MOST_THREADS = 16,
    MOST_ELEMENTS = 60000,      /* of a buffer */
    BATCH = 3,                  /* calls that threads make without waiting for each other */
    REJOIN = 5,                 /* batches between two rounds of joining */
    FORMS = 3,                  /* blocking, nonblocking, persistent */
    CYCLE = 60 * BATCH * REJOIN /* calls, after which a soak begins again */
};

enum collective {
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    ALLGATHER,
    ALLGATHERV,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN,
    EXSCAN,
    BARRIER,
    COLLECTIVES
};

/* What all members draw alike. */
struct call {
    enum collective collective;
    uint64_t seed;
    int form, root, most;
    int width; /* ints of an element */
    bool in_place, gaps;
    int operation; /* of `operations` */
};

/* A call of one thread. */
struct buffers {
    int *in, *out, *expected, *sent;
    int counts[2][MOST_MEMBERS], displs[2][MOST_MEMBERS];
    MPI_Datatype types[2][MOST_MEMBERS];
};

struct thread {
    pthread_t id;
    MPI_Comm comm;
    int number;
    struct buffers buffers[BATCH];
};

static int rank, ranks, threads, members_size, level, forms = FORMS;
static struct strata_members *members, *whole; /* NULL, or of what the members are a part */
static int joined;                             /* how often the threads have joined */
static struct thread all[MOST_THREADS];
static pthread_barrier_t meet;
static struct call batch[BATCH];
static MPI_Datatype element[3][2]; /* by width; with gaps between elements or not */
static MPI_Op mixing, mixing_any;
static bool over, rejoins;
static atomic_int wrong;

/* Composes maps x -> a x + b: it is associative, and does not commute. */
static void compose(void *from, void *into, int *count, MPI_Datatype *type)
{
    MPI_Aint low, extent;
    MPI_Type_get_extent(*type, &low, &extent);
    for (int i = 0; i < *count; i++) {
        const unsigned *l = (const void *)((const char *)from + i * extent);
        unsigned *r = (void *)((char *)into + i * extent);
        r[1] = l[1] * r[0] + r[1];
        r[0] = l[0] * r[0];
    }
}

static void add(void *from, void *into, int *count, MPI_Datatype *type)
{
    MPI_Aint low, extent;
    int size;
    MPI_Type_get_extent(*type, &low, &extent);
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *count; i++) {
        for (int w = 0; w < size / (int)sizeof(int); w++) {
            ((unsigned *)(void *)((char *)into + i * extent))[w] +=
                ((const unsigned *)(const void *)((const char *)from + i * extent))[w];
        }
    }
}

static int value(const struct call *c, int from, int to, int e)
{
    return (int)random_mix(c->seed ^ ((uint64_t)(from + 1) << 48) ^ ((uint64_t)(to + 1) << 32) ^
                           (uint64_t)e);
}

/* Elements of the block from one member to another; collectives without one of the two give 0. */
static int length(const struct call *c, int from, int to)
{
    const bool equal = c->collective == ALLTOALL || c->collective == ALLGATHER ||
                       c->collective == GATHER || c->collective == SCATTER ||
                       c->collective == REDUCE_SCATTER_BLOCK || c->collective == BCAST ||
                       c->collective == REDUCE || c->collective == ALLREDUCE ||
                       c->collective == SCAN || c->collective == EXSCAN;
    if (equal) {
        from = to = 0;
    }
    if (c->in_place && from > to && (c->collective == ALLTOALLV || c->collective == ALLTOALLW)) {
        return length(c, to, from);
    }
    const uint64_t drawn = random_mix(c->seed * 3 + (uint64_t)(from * 64 + to));
    return drawn % 4 == 0 && !equal ? 0 : (int)(drawn / 4 % (uint64_t)(c->most + 1));
}

static int stride(const struct call *c)
{
    return c->gaps ? c->width + 1 : c->width;
}

static void put(const struct call *c, int *at, int from, int to, int elements)
{
    for (int e = 0; e < elements; e++) {
        for (int w = 0; w < c->width; w++) {
            at[e * stride(c) + w] = value(c, from, to, e * c->width + w);
        }
    }
}

/* Combines the members' vectors first to last-1, for block `to` if there are blocks. */
static void combine(const struct call *c, int *at, int first, int last, int to, int elements)
{
    int one[2];
    for (int e = 0; e < elements; e++) {
        int *into = at + e * stride(c);
        for (int m = last - 1; m >= first; m--) {
            for (int w = 0; w < c->width; w++) {
                one[w] = value(c, m, to, e * c->width + w);
            }
            if (m == last - 1) {
                memcpy(into, one, (size_t)c->width * sizeof *one);
            } else if (c->operation == 0) { /* maps */
                unsigned *r = (unsigned *)into;
                r[1] = (unsigned)one[1] * r[0] + r[1];
                r[0] = (unsigned)one[0] * r[0];
            } else {
                for (int w = 0; w < c->width; w++) {
                    into[w] = c->operation == 3   ? (one[w] > into[w] ? one[w] : into[w])
                              : c->operation == 4 ? one[w] ^ into[w]
                                                  : (int)((unsigned)one[w] + (unsigned)into[w]);
                }
            }
        }
    }
}

static MPI_Op operator_of(const struct call *c)
{
    const MPI_Op ops[] = {mixing, mixing_any, MPI_SUM, MPI_MAX, MPI_BXOR};
    return ops[c->operation];
}

static MPI_Datatype type_of(const struct call *c)
{
    return element[c->width][c->gaps];
}

static bool reduces(enum collective collective)
{
    return collective >= REDUCE && collective <= EXSCAN;
}

static void draw(struct call *c, uint64_t seed)
{
    struct random r = {seed};
    *c = (struct call){.collective = (enum collective)random_below(&r, COLLECTIVES),
                       .seed = random_next(&r)};
    c->form = random_below(&r, forms);
    c->root = random_below(&r, members_size);
    c->in_place = random_one_in(&r, 4) && c->collective != BCAST && c->collective != BARRIER;
    c->width = random_between(&r, 1, 2);
    c->gaps = random_one_in(&r, 4);
    c->operation = random_between(&r, 0, 4);
    if (reduces(c->collective)) {
        if (c->operation == 0) {
            c->width = 2;
        } else if (c->operation >= 2) { /* predefined ones take MPI_INT */
            c->width = 1;
            c->gaps = false;
        }
        c->form = c->operation < 2 ? 0 : c->form;
    }
    const bool ranked = c->collective < BCAST ||
                        (c->collective > BCAST && c->collective < REDUCE) ||
                        c->collective == REDUCE_SCATTER || c->collective == REDUCE_SCATTER_BLOCK;
    const int fits = MOST_ELEMENTS / stride(c) / (ranked ? members_size : 1) - 1;
    const int sizes[] = {0, 1, 3, 40, 300, fits};
    c->most = sizes[random_below(&r, 6)];
    c->most = c->most < fits ? c->most : fits;
}

/* The place of a block, with a gap before each that differs by block. */
static void place(int *counts, int *displs, MPI_Datatype *types, const struct call *c, int block,
                  int elements)
{
    const int before = block > 0 ? displs[block - 1] + counts[block - 1] : 0;
    counts[block] = elements;
    displs[block] = before;
    types[block] = type_of(c);
}

static bool transposes(const struct call *c)
{
    return c->collective <= ALLTOALLW;
}

static bool scatters_sums(const struct call *c)
{
    return c->collective == REDUCE_SCATTER || c->collective == REDUCE_SCATTER_BLOCK;
}

/* Elements of block i that member `me` receives. */
static int received(const struct call *c, int i, int me)
{
    return c->collective == ALLGATHERV ? length(c, i, 0)
           : c->collective == GATHERV  ? length(c, i, c->root)
           : scatters_sums(c)          ? length(c, 0, i)
                                       : length(c, i, me);
}

static void place_all(const struct call *c, struct buffers *b, int me)
{
    for (int i = 0; i < members_size; i++) {
        const int sent = c->collective == SCATTERV ? length(c, c->root, i) : length(c, me, i);
        place(b->counts[0], b->displs[0], b->types[0], c, i, sent);
        place(b->counts[1], b->displs[1], b->types[1], c, i, received(c, i, me));
    }
}

/* Fills in what member `me` gives: the collectives in which each gives one block, and those in
 * which it gives a block for each. */
static void give_one(const struct call *c, struct buffers *b, int me)
{
    const bool root = me == c->root, gathers = c->collective == GATHER || c->collective == GATHERV;
    const bool rooted = gathers || c->collective == REDUCE;
    const bool placed = gathers || c->collective == ALLGATHER || c->collective == ALLGATHERV;
    const bool in_place = c->in_place && (root || !rooted);
    int *own = in_place ? b->out : b->in;
    if (c->collective == BCAST) {
        own = b->out;
    }
    if (c->collective != BCAST || root) {
        put(c, in_place && placed ? own + b->displs[1][me] * stride(c) : own, me, 0,
            length(c, me, gathers ? c->root : 0));
    }
}

static void give_each(const struct call *c, struct buffers *b, int me)
{
    const bool scatters = c->collective == SCATTER || c->collective == SCATTERV;
    const int side = scatters_sums(c) || (c->in_place && !scatters) ? 1 : 0;
    int *own = c->in_place && !scatters ? b->out : b->in;
    for (int i = 0; i < members_size; i++) {
        if (!scatters || me == c->root) {
            put(c, own + b->displs[side][i] * stride(c), me, i,
                scatters_sums(c) ? length(c, 0, i) : length(c, me, i));
        }
    }
}

/* Writes what member `me` must receive: blocks, or a combination. */
static void expect_blocks(const struct call *c, struct buffers *b, int me)
{
    const bool gathers = c->collective == GATHER || c->collective == GATHERV;
    const bool collects = c->collective == ALLGATHER || c->collective == ALLGATHERV;
    for (int i = 0; i < members_size; i++) {
        int *at = b->expected + b->displs[1][i] * stride(c);
        if (transposes(c)) {
            put(c, at, i, me, length(c, i, me));
        } else if (collects || (gathers && me == c->root)) {
            put(c, at, i, 0, length(c, i, gathers ? c->root : 0));
        }
    }
    if (c->collective == BCAST) {
        put(c, b->expected, c->root, 0, length(c, 0, 0));
    }
    if ((c->collective == SCATTER || c->collective == SCATTERV) &&
        !(c->in_place && me == c->root)) {
        put(c, b->expected, c->root, me, length(c, c->root, me));
    }
}

static void expect_combination(const struct call *c, struct buffers *b, int me)
{
    const int last = c->collective == SCAN ? me + 1 : c->collective == EXSCAN ? me : members_size;
    const int block = scatters_sums(c) ? me : 0;
    if (c->collective != REDUCE || me == c->root) {
        combine(c, b->expected, 0, last, block, length(c, 0, block));
    }
}

/* Makes the buffers of member `me`, and what it must receive. */
static void prepare(const struct call *c, struct buffers *b, int me)
{
    const size_t bytes = (MOST_ELEMENTS + 64) * sizeof(int);
    const bool scatters = c->collective == SCATTER || c->collective == SCATTERV;
    memset(b->in, 0x11, bytes);
    memset(b->out, 0x22, bytes);
    place_all(c, b, me);
    if (c->collective != BARRIER) {
        (transposes(c) || scatters || scatters_sums(c) ? give_each : give_one)(c, b, me);
    }
    memcpy(b->expected, b->out, bytes);
    memcpy(b->sent, b->in, bytes);
    if (c->collective != BARRIER) {
        (reduces(c->collective) ? expect_combination : expect_blocks)(c, b, me);
    }
}

static int finish(int error, struct strata_request **request)
{
    return error == MPI_SUCCESS ? strata_wait(request, MPI_STATUS_IGNORE) : error;
}

/* Starts a persistent call twice: reductions in place and calls that replace their input get it
 * once. */
static int start(int error, const struct call *c, struct buffers *b,
                 struct strata_request **request)
{
    error = error == MPI_SUCCESS ? strata_start(request) : error;
    error = error == MPI_SUCCESS ? strata_wait(request, MPI_STATUS_IGNORE) : error;
    if (error == MPI_SUCCESS && !c->in_place && c->collective != BCAST) {
        error = strata_start(request);
        error = error == MPI_SUCCESS ? strata_wait(request, MPI_STATUS_IGNORE) : error;
    }
    (void)b;
    return error == MPI_SUCCESS ? strata_request_free(request) : error;
}

#define IN_FORM(name, ...)                                                                         \
    (c->form == 0 ? strata_##name(__VA_ARGS__)                                                     \
     : c->form == 1                                                                                \
         ? finish(strata_i##name(__VA_ARGS__, &request), &request)                                 \
         : start(strata_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request), c, b, &request))

static int make_call(const struct call *c, struct buffers *b, int me, MPI_Comm comm)
{
    struct strata_request *request = NULL;
    const MPI_Datatype type = type_of(c);
    const MPI_Op op = operator_of(c);
    const bool root = me == c->root;
    const int one = length(c, 0, 0);
    const void *in = c->in_place ? MPI_IN_PLACE : b->in;
    const void *root_in = c->in_place && root ? MPI_IN_PLACE : b->in;
    void *root_out = c->in_place && root ? MPI_IN_PLACE : (void *)b->out;
    int bytes[2][MOST_MEMBERS];
    switch (c->collective) {
    case ALLTOALL:
        return IN_FORM(alltoall, in, one, type, b->out, one, type, comm);
    case ALLTOALLV:
        return IN_FORM(alltoallv, in, b->counts[0], b->displs[0], type, b->out, b->counts[1],
                       b->displs[1], type, comm);
    case ALLTOALLW:
        for (int i = 0; i < members_size; i++) {
            bytes[0][i] = b->displs[0][i] * stride(c) * (int)sizeof(int);
            bytes[1][i] = b->displs[1][i] * stride(c) * (int)sizeof(int);
        }
        return IN_FORM(alltoallw, in, b->counts[0], bytes[0], b->types[0], b->out, b->counts[1],
                       bytes[1], b->types[1], comm);
    case ALLGATHER:
        return IN_FORM(allgather, in, one, type, b->out, one, type, comm);
    case ALLGATHERV:
        return IN_FORM(allgatherv, in, length(c, me, 0), type, b->out, b->counts[1], b->displs[1],
                       type, comm);
    case BCAST:
        return IN_FORM(bcast, b->out, one, type, c->root, comm);
    case GATHER:
        return IN_FORM(gather, root_in, one, type, b->out, one, type, c->root, comm);
    case GATHERV:
        return IN_FORM(gatherv, root_in, length(c, me, c->root), type, b->out, b->counts[1],
                       b->displs[1], type, c->root, comm);
    case SCATTER:
        return IN_FORM(scatter, b->in, one, type, root_out, one, type, c->root, comm);
    case SCATTERV:
        return IN_FORM(scatterv, b->in, b->counts[0], b->displs[0], type, root_out,
                       length(c, c->root, me), type, c->root, comm);
    case REDUCE:
        return IN_FORM(reduce, root_in, b->out, one, type, op, c->root, comm);
    case ALLREDUCE:
        return IN_FORM(allreduce, in, b->out, one, type, op, comm);
    case REDUCE_SCATTER:
        return IN_FORM(reduce_scatter, in, b->out, b->counts[1], type, op, comm);
    case REDUCE_SCATTER_BLOCK:
        return IN_FORM(reduce_scatter_block, in, b->out, one, type, op, comm);
    case SCAN:
        return IN_FORM(scan, in, b->out, one, type, op, comm);
    case EXSCAN:
        return IN_FORM(exscan, in, b->out, one, type, op, comm);
    case BARRIER:
    case COLLECTIVES:
        return IN_FORM(barrier, comm);
    }
    return MPI_ERR_OTHER;
}

/* Threads of a part take handles by numbers, which go round; the main thread keeps its own. */
static int take_handle(struct thread *t)
{
    const int i = (int)(t - all), others = threads - 1;
    return whole ? strata_members_comm(members, i ? 1 + (i + joined) % others : 0, &t->comm)
                 : strata_members_join(members, &t->comm);
}

static void join(struct thread *t)
{
    int size = 0;
    bool right = take_handle(t) == MPI_SUCCESS &&
                 strata_members_rank(t->comm, &t->number) == MPI_SUCCESS &&
                 strata_members_size(t->comm, &size) == MPI_SUCCESS && size == members_size;
    if (!right) {
        atomic_fetch_add(&wrong, 1);
    }
}

/* A thread's part of a batch, between two meetings with the main thread. */
static void work(struct thread *t)
{
    if (rejoins) {
        join(t);
        pthread_barrier_wait(&meet);
        pthread_barrier_wait(&meet); /* the main thread has prepared the buffers */
    }
    for (int i = 0; i < BATCH; i++) {
        if (make_call(&batch[i], &t->buffers[i], t->number, t->comm) != MPI_SUCCESS) {
            atomic_fetch_add(&wrong, 1);
        }
    }
}

static void *live(void *argument)
{
    for (;;) {
        pthread_barrier_wait(&meet);
        if (over) {
            return NULL;
        }
        work(argument);
        pthread_barrier_wait(&meet);
    }
}

/* Where an in-place reduce_scatter leaves its input is undefined behind the result. */
static bool same_output(const struct call *c, const struct buffers *b, int me)
{
    const size_t all_bytes = (MOST_ELEMENTS + 64) * sizeof(int);
    const bool scatters = c->collective == REDUCE_SCATTER || c->collective == REDUCE_SCATTER_BLOCK;
    const size_t bytes = c->in_place && scatters
                             ? (size_t)length(c, 0, me) * (size_t)stride(c) * sizeof(int)
                             : all_bytes;
    return memcmp(b->out, b->expected, bytes) == 0 && memcmp(b->in, b->sent, all_bytes) == 0;
}

static const char *const names[COLLECTIVES] = {"alltoall",       "alltoallv",
                                               "alltoallw",      "allgather",
                                               "allgatherv",     "bcast",
                                               "gather",         "gatherv",
                                               "scatter",        "scatterv",
                                               "reduce",         "allreduce",
                                               "reduce_scatter", "reduce_scatter_block",
                                               "scan",           "exscan",
                                               "barrier"};

static void judge(int number)
{
    for (int t = 0; t < threads; t++) {
        for (int i = 0; i < BATCH; i++) {
            const struct call *c = &batch[i];
            if (!same_output(c, &all[t].buffers[i], all[t].number)) {
                fprintf(stderr,
                        "FAILED: call %d: member %d of %d: %s, form %d, most %d, width %d%s%s, "
                        "root %d, operation %d\n",
                        number + i, all[t].number, members_size, names[c->collective], c->form,
                        c->most, c->width, c->gaps ? ", gaps" : "", c->in_place ? ", in place" : "",
                        c->root, c->operation);
                atomic_fetch_add(&wrong, 1);
            }
        }
    }
}

static void prepare_all(void)
{
    for (int t = 0; t < threads; t++) {
        for (int i = 0; i < BATCH; i++) {
            prepare(&batch[i], &all[t].buffers[i], all[t].number);
        }
    }
}

static void run_batch(uint64_t seed, int number)
{
    for (int i = 0; i < BATCH; i++) {
        draw(&batch[i], random_mix(seed * 1000003 + (uint64_t)(number + i)));
    }
    rejoins = number / BATCH % REJOIN == 0;
    joined += rejoins;
    if (!rejoins) {
        prepare_all();
    }
    pthread_barrier_wait(&meet);
    if (rejoins) {
        join(&all[0]);
        pthread_barrier_wait(&meet);
        prepare_all();
        pthread_barrier_wait(&meet);
    }
    for (int i = 0; i < BATCH; i++) {
        if (make_call(&batch[i], &all[0].buffers[i], all[0].number, all[0].comm) != MPI_SUCCESS) {
            atomic_fetch_add(&wrong, 1);
        }
    }
    pthread_barrier_wait(&meet);
    judge(number);
}

static void make_types(void)
{
    for (int width = 1; width <= 2; width++) {
        MPI_Datatype one;
        MPI_Type_contiguous(width, MPI_INT, &one);
        MPI_Type_create_resized(one, 0, (width + 1) * (int)sizeof(int), &element[width][1]);
        MPI_Type_commit(&element[width][1]);
        MPI_Type_free(&one);
    }
    element[1][0] = MPI_INT;
    MPI_Type_contiguous(2, MPI_INT, &element[2][0]);
    MPI_Type_commit(&element[2][0]);
    MPI_Op_create(compose, 0, &mixing);
    MPI_Op_create(add, 1, &mixing_any);
}

static void free_types(void)
{
    MPI_Type_free(&element[1][1]);
    MPI_Type_free(&element[2][0]);
    MPI_Type_free(&element[2][1]);
    MPI_Op_free(&mixing);
    MPI_Op_free(&mixing_any);
}

static void make_buffers(void)
{
    const size_t ints = MOST_ELEMENTS + 64;
    for (int t = 0; t < threads; t++) {
        for (int i = 0; i < BATCH; i++) {
            struct buffers *b = &all[t].buffers[i];
            b->in = malloc(4 * ints * sizeof(int));
            REQUIRE(b->in != NULL);
            b->out = b->in + ints;
            b->expected = b->out + ints;
            b->sent = b->expected + ints;
        }
    }
}

/* Makes the members a part of what they were. */
static void split(bool second)
{
    int colours[MOST_THREADS], keys[MOST_THREADS];
    MPI_Comm handle;
    for (int t = 0; t < threads; t++) {
        colours[t] = second ? rank % 2 : 0;
        keys[t] = (int)(random_mix((uint64_t)rank * MOST_THREADS + (uint64_t)t) % 1000);
    }
    whole = members;
    REQUIRE(strata_members_split(whole, colours, keys, &members) == MPI_SUCCESS);
    REQUIRE(strata_members_comm(members, 0, &handle) == MPI_SUCCESS);
    REQUIRE(strata_members_size(handle, &members_size) == MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    const char *list = "2", *word = "multiple", *splits = "no";
    long calls = LONG_SANITIZED ? 45 : 120, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        list = strcmp(argv[i], "--threads") == 0 ? argv[i + 1] : list;
        word = strcmp(argv[i], "--level") == 0 ? argv[i + 1] : word;
        calls = strcmp(argv[i], "--calls") == 0 ? strtol(argv[i + 1], NULL, 10) : calls;
        splits = strcmp(argv[i], "--split") == 0 ? argv[i + 1] : splits;
        forms = strcmp(argv[i], "--forms") == 0 ? atoi(argv[i + 1]) : forms;
        seed = strcmp(argv[i], "--seed") == 0 ? strtol(argv[i + 1], NULL, 10) : seed;
    }
    MPI_Init_thread(&argc, &argv, level_of(word), &level);
    REQUIRE_CMP(level, >=, level_of(word));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    threads = number_of_rank(list, rank);
    REQUIRE_CMP(threads, <=, MOST_THREADS);
    MPI_Allreduce(&threads, &members_size, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    REQUIRE_CMP(members_size, <=, MOST_MEMBERS);
    make_types();
    make_buffers();
    REQUIRE(strata_members_create(MPI_COMM_WORLD, threads, &members) == MPI_SUCCESS);
    if (strcmp(splits, "no") != 0) {
        split(strcmp(splits, "second") == 0);
    }
    pthread_barrier_init(&meet, NULL, (unsigned)threads);
    for (int t = 1; t < threads; t++) {
        pthread_create(&all[t].id, NULL, live, &all[t]);
    }
    long made = 0;
    const bool soaks = soak_begin(12 * CYCLE / calls);
    do {
        for (long end = made + calls; made < end && atomic_load(&wrong) == 0; made += BATCH) {
            run_batch((uint64_t)seed, (int)(soaks ? made % CYCLE : made));
        }
    } while (soak_goes_on() && atomic_load(&wrong) == 0);
    over = true;
    pthread_barrier_wait(&meet);
    for (int t = 1; t < threads; t++) {
        pthread_join(all[t].id, NULL);
    }
    REQUIRE(atomic_load(&wrong) == 0);
    soak_end();
    REQUIRE(strata_members_free(&members) == MPI_SUCCESS && !members);
    REQUIRE(strata_members_free(&whole) == MPI_SUCCESS);
    for (int t = 0; t < threads; t++) {
        for (int i = 0; i < BATCH; i++) {
            free(all[t].buffers[i].in);
        }
    }
    free_types();
    pthread_barrier_destroy(&meet);
    if (rank == 0) {
        printf("%ld random calls right of %d members\n", made, members_size);
    }
    MPI_Finalize();
    return 0;
}
