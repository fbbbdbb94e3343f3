/* Calls with the help of a team of threads against MPI's own: all collectives, from a few bytes to
 * long vectors, at each level of threads. Then what teams refuse: a thread too many, one that
 * leaves for another, regions of another size, and a team without the main thread where that must
 * call. With --only short, helpers have their share of many blocks that are too short one by one,
 * in calls of all forms that follow tapes otherwise.
 *
 * run: 1 STRATA_TEAM_BYTES=64 -- --threads 3
 * run: 2 STRATA_TEAM_BYTES=64 -- --threads 2 --level funneled
 * run: 2 STRATA_TEAM_BYTES=64 STRATA_TOPO=node:2 -- --threads 2 --level serialized
 * run: 3 STRATA_TEAM_BYTES=64 STRATA_TOPO=node:2 STRATA_SINGLE_COPY=0 -- --threads 2,1,3 --level single
 * run: 2 -- --threads 2
 * run: 3 STRATA_TEAM_BYTES=24K -- --threads 2 --only short
 * long: 4 STRATA_TEAM_BYTES=64 STRATA_TOPO=node:2 -- --threads 4 --rounds 20
 * long: 4 STRATA_TEAM_BYTES=1K STRATA_ALLTOALLV=leaders STRATA_TOPO=node:2 -- --threads 2,4 --rounds 20
 * timeout: 120 */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "strata.h"
#include "tests/mpi/on_threads.h"
#include "tests/mpi/require.h"
#include "tests/mpi/thread_words.h"
#include "tests/random.h"

enum { MOST_RANKS = 8, MOST_THREADS = 8, LONGEST = 40000, ROOM = MOST_RANKS * LONGEST };

static int rank, ranks, threads = 2, level = MPI_THREAD_MULTIPLE;
static struct strata_team *team;

static int class_of(int error)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(error, &class);
    return class;
}

#define REFUSED(call, as) REQUIRE_CMP(class_of(call), ==, as)

/* A call and its data. */
struct call {
    int count, root;
    int *in, *out;
    int counts[MOST_RANKS], displs[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
};

/* Each collective twice: by Strata's name and by MPI's. */
#define BOTH(name, Name, ...)                                                                      \
    static int by_strata_##name(const struct call *c)                                              \
    {                                                                                              \
        (void)c;                                                                                   \
        return strata_##name(__VA_ARGS__);                                                         \
    }                                                                                              \
    static int by_mpi_##name(const struct call *c)                                                 \
    {                                                                                              \
        (void)c;                                                                                   \
        return MPI_##Name(__VA_ARGS__);                                                            \
    }
#define WORLD MPI_COMM_WORLD
BOTH(alltoall, Alltoall, c->in, c->count, MPI_INT, c->out, c->count, MPI_INT, WORLD)
BOTH(alltoallv, Alltoallv, c->in, c->counts, c->displs, MPI_INT, c->out, c->counts, c->displs,
     MPI_INT, WORLD)
BOTH(alltoallw, Alltoallw, c->in, c->counts, c->displs, c->types, c->out, c->counts, c->displs,
     c->types, WORLD)
BOTH(allgather, Allgather, c->in, c->count, MPI_INT, c->out, c->count, MPI_INT, WORLD)
BOTH(allgatherv, Allgatherv, c->in, c->counts[rank], MPI_INT, c->out, c->counts, c->displs, MPI_INT,
     WORLD)
BOTH(bcast, Bcast, c->out, c->count *ranks, MPI_INT, c->root, WORLD)
BOTH(gather, Gather, c->in, c->count, MPI_INT, c->out, c->count, MPI_INT, c->root, WORLD)
BOTH(gatherv, Gatherv, c->in, c->counts[rank], MPI_INT, c->out, c->counts, c->displs, MPI_INT,
     c->root, WORLD)
BOTH(scatter, Scatter, c->in, c->count, MPI_INT, c->out, c->count, MPI_INT, c->root, WORLD)
BOTH(scatterv, Scatterv, c->in, c->counts, c->displs, MPI_INT, c->out, c->counts[rank], MPI_INT,
     c->root, WORLD)
BOTH(reduce, Reduce, c->in, c->out, c->count *ranks, MPI_INT, MPI_SUM, c->root, WORLD)
BOTH(allreduce, Allreduce, c->in, c->out, c->count *ranks, MPI_INT, MPI_BXOR, WORLD)
BOTH(reduce_scatter, Reduce_scatter, c->in, c->out, c->counts, MPI_INT, MPI_MAX, WORLD)
BOTH(reduce_scatter_block, Reduce_scatter_block, c->in, c->out, c->count, MPI_INT, MPI_SUM, WORLD)
BOTH(scan, Scan, c->in, c->out, c->count *ranks, MPI_INT, MPI_SUM, WORLD)
BOTH(exscan, Exscan, c->in, c->out, c->count *ranks, MPI_INT, MPI_MIN, WORLD)
BOTH(barrier, Barrier, WORLD)

typedef int make_call(const struct call *c);
#define PAIR(name)                                                                                 \
    {                                                                                              \
        by_strata_##name, by_mpi_##name, false                                                     \
    }
static const struct pair {
    make_call *strata, *mpi;
    bool equal; /* counts are the same between all pairs of ranks */
} pairs[] = {PAIR(alltoall),
             {by_strata_alltoallv, by_mpi_alltoallv, true},
             {by_strata_alltoallw, by_mpi_alltoallw, true},
             PAIR(allgather),
             PAIR(allgatherv),
             PAIR(bcast),
             PAIR(gather),
             PAIR(gatherv),
             PAIR(scatter),
             PAIR(scatterv),
             PAIR(reduce),
             PAIR(allreduce),
             PAIR(reduce_scatter),
             PAIR(reduce_scatter_block),
             PAIR(scan),
             PAIR(exscan),
             PAIR(barrier)};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static int in[ROOM], out[ROOM], expected[ROOM];

/* Counts by rank, or all the same; in alltoallw the places are in bytes. */
static void set_blocks(struct call *c, const struct pair *p, int count)
{
    int at = 0;
    for (int r = 0; r < ranks; r++) {
        c->counts[r] = p->equal ? count : count * (r + 1) / ranks;
        c->displs[r] = p->strata == by_strata_alltoallw ? at * (int)sizeof(int) : at;
        c->types[r] = MPI_INT;
        at += c->counts[r];
    }
}

static void fill(int *data, uint64_t seed, int thread)
{
    for (int i = thread; i < ROOM; i += threads) {
        data[i] = (int)(random_mix(seed + (uint64_t)i) >> 34);
    }
}

/* The calls of a round, by Strata's names; each thread fills its share of the data before. */
struct round {
    const struct pair *pair;
    struct call call;
    uint64_t seed;
    atomic_int callers;
};

static void take_part(struct round *r, int thread)
{
    int calls = -1;
    fill(in, r->seed + (uint64_t)rank, thread);
    fill(out, r->seed + 77, thread);
    if (r->pair->strata == by_strata_bcast && rank == r->call.root) {
        fill(out, r->seed + 5, thread);
    }
    succeed(strata_team_enter(team, &calls));
    REQUIRE(calls == 0 || calls == 1);
    if (calls) {
        atomic_fetch_add(&r->callers, 1);
        for (int again = 0; again < 2; again++) {
            succeed(r->pair->strata(&r->call));
        }
        succeed(strata_team_leave(team));
    }
    REQUIRE_CMP(atomic_load(&r->callers), ==, 1);
}

struct start {
    struct round *round;
    int thread;
};

static void *run_thread(void *argument)
{
    const struct start *s = argument;
    take_part(s->round, s->thread);
    return NULL;
}

static void run_round(struct round *r)
{
    struct start start[MOST_THREADS] = {{r, 0}};
    for (int t = 1; t < threads; t++) {
        start[t] = (struct start){r, t};
    }
    on_threads(threads, run_thread, start, sizeof *start);
}

static void compare(const struct pair *pair, int count, int root, uint64_t seed)
{
    struct round r = {.pair = pair, .seed = seed};
    r.call = (struct call){.count = count, .root = root, .in = in, .out = out};
    set_blocks(&r.call, pair, count);
    run_round(&r);
    memcpy(expected, out, sizeof out);
    for (int t = 0; t < threads; t++) {
        fill(out, seed + (pair->mpi == by_mpi_bcast && rank == root ? 5 : 77), t);
    }
    for (int again = 0; again < 2; again++) {
        succeed(pair->mpi(&r.call));
    }
    REQUIRE_BYTES(expected, out, sizeof out);
}

static struct strata_report report_of_world(void)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    return report;
}

/* Threads that lost their core may have come late to all calls so far. One rank combines nothing,
 * but copies its own block, in calls of this kind alone. */
static void must_have_helped(void)
{
    const bool told = getenv("STRATA_TEAM_BYTES") != NULL;
    const uint64_t before = ranks > 1 ? 0 : report_of_world().helped;
    int all = 0;
    succeed(strata_comm_force(MPI_COMM_WORLD, "allreduce", "recursive_doubling"));
    succeed(strata_comm_force(MPI_COMM_WORLD, "alltoallv", "pairwise"));
    while (told && !all) {
        compare(&pairs[ranks > 1 ? 11 : 1], LONGEST, 0, 9);
        int mine = threads == 1 || report_of_world().helped > before;
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
}

/* An allgather of blocks, each shorter than STRATA_TEAM_BYTES, in a form of calls. */
enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
enum { COUNT = 4000 };

static void gather_short(enum form form, struct strata_request **request)
{
    if (form == BLOCKING) {
        succeed(strata_allgather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, WORLD));
        return;
    }
    if (form == NONBLOCKING) {
        succeed(strata_iallgather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, WORLD, request));
    } else if (!*request) {
        succeed(strata_allgather_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, WORLD, MPI_INFO_NULL,
                                      request));
    }
    if (form == PERSISTENT) {
        succeed(strata_start(request));
    }
    succeed(strata_wait(request, MPI_STATUS_IGNORE));
}

struct gathering {
    enum form form;
    struct strata_request *request;
    int calls;
};

static void *gather_in_team(void *argument)
{
    struct gathering *g = argument;
    int calls = 0;
    succeed(strata_team_enter(team, &calls));
    for (int i = 0; calls && i < g->calls; i++) {
        gather_short(g->form, &g->request);
    }
    return calls ? (void *)(intptr_t)strata_team_leave(team) : NULL;
}

/* The first calls leave a tape, and have no team. */
static void share_short(enum form form)
{
    struct gathering g = {.form = form};
    int all = 0;
    for (int i = 0; i < COUNT; i++) {
        in[i] = rank * COUNT + i;
    }
    succeed(strata_comm_attach(WORLD, "iallgather:bytes=16000"));
    succeed(strata_comm_force(WORLD, "allgather", "node_allgather"));
    for (int i = 0; i < 5; i++) {
        gather_short(form, &g.request);
    }
    const uint64_t before = report_of_world().helped;
    for (g.calls = 100; !all;) {
        pthread_t other;
        pthread_create(&other, NULL, gather_in_team, &g);
        REQUIRE(!gather_in_team(&g));
        pthread_join(other, NULL);
        int mine = report_of_world().helped > before;
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, WORLD);
    }
    for (int i = 0; i < ranks * COUNT; i++) {
        REQUIRE_CMP(out[i], ==, i);
    }
    if (form == PERSISTENT) {
        succeed(strata_request_free(&g.request));
    }
}

struct entry {
    struct strata_team *team;
    int error, calls;
};

static void *enter(void *argument)
{
    struct entry *e = argument;
    e->error = strata_team_enter(e->team, &e->calls);
    if (e->error == MPI_SUCCESS && e->calls) {
        succeed(strata_team_leave(e->team));
    }
    return NULL;
}

static atomic_int raised;

static void count_raised(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    atomic_fetch_add(&raised, 1);
}

/* All of them without the main thread. Returns how many ended with an error of this class, which
 * one raises. */
static int enter_without_main(int class)
{
    MPI_Errhandler handler;
    struct entry e[2] = {{0}};
    pthread_t other[2];
    int such = 0;
    struct strata_team *two;
    MPI_Comm_create_errhandler(count_raised, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    succeed(strata_team_create(2, &two));
    for (int t = 0; t < 2; t++) {
        e[t].team = two;
        pthread_create(&other[t], NULL, enter, &e[t]);
    }
    for (int t = 0; t < 2; t++) {
        pthread_join(other[t], NULL);
        such += class_of(e[t].error) == class;
    }
    succeed(strata_team_free(&two));
    MPI_Errhandler_free(&handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    REQUIRE_CMP(atomic_load(&raised), ==, class != MPI_SUCCESS);
    return such;
}

static atomic_bool main_comes;

/* Makes a team and comes to it after the main thread, who makes the calls all the same. */
static void *make_team(void *argument)
{
    struct entry *e = argument;
    struct strata_team *made;
    const struct timespec time_to_enter = {.tv_nsec = 20000000};
    succeed(strata_team_create(2, &made));
    __atomic_store_n(&e->team, made, __ATOMIC_RELEASE);
    while (!atomic_load(&main_comes)) {
        sched_yield();
    }
    nanosleep(&time_to_enter, NULL);
    REQUIRE(!enter(e));
    REQUIRE_CMP(e->calls, ==, 0);
    return NULL;
}

static void enter_team_of_other(void)
{
    struct entry of_other = {0}, of_main = {0};
    pthread_t other;
    pthread_create(&other, NULL, make_team, &of_other);
    while (!of_main.team) {
        of_main.team = __atomic_load_n(&of_other.team, __ATOMIC_ACQUIRE);
    }
    atomic_store(&main_comes, true);
    REQUIRE(!enter(&of_main));
    pthread_join(other, NULL);
    REQUIRE_CMP(of_main.calls, ==, 1);
    succeed(strata_team_free(&of_main.team));
}

static void enter_alone(void)
{
    struct strata_team *one = NULL;
    struct entry late = {0};
    pthread_t other;
    int calls = 0;
    REFUSED(strata_team_create(0, &one), MPI_ERR_ARG);
    REFUSED(strata_team_create(1025, &one), MPI_ERR_ARG);
    REFUSED(strata_team_create(1, NULL), MPI_ERR_ARG);
    succeed(strata_team_create(1, &one));
    REFUSED(strata_team_enter(NULL, &calls), MPI_ERR_ARG);
    REFUSED(strata_team_enter(one, NULL), MPI_ERR_ARG);
    REFUSED(strata_team_leave(one), MPI_ERR_ARG);
    REFUSED(strata_team_leave(NULL), MPI_ERR_ARG);
    succeed(strata_team_enter(one, &calls));
    REQUIRE_CMP(calls, ==, 1);
    REFUSED(strata_team_enter(one, &calls), MPI_ERR_ARG); /* it is in already */
    REFUSED(strata_team_free(&one), MPI_ERR_ARG);
    late.team = one;
    pthread_create(&other, NULL, enter, &late); /* one too many */
    pthread_join(other, NULL);
    REFUSED(late.error, MPI_ERR_ARG);
    succeed(strata_team_leave(one));
    REFUSED(strata_team_leave(one), MPI_ERR_ARG);
    succeed(strata_team_free(&one));
    REQUIRE(!one);
    succeed(strata_team_free(&one));
    REFUSED(strata_team_free(NULL), MPI_ERR_ARG);
}

/* Teams in each other: the inner one is left first. */
static void enter_two(void)
{
    struct strata_team *outer, *inner;
    int calls = 0;
    succeed(strata_team_create(1, &outer));
    succeed(strata_team_create(1, &inner));
    succeed(strata_team_enter(outer, &calls));
    succeed(strata_team_enter(inner, &calls));
    REFUSED(strata_team_leave(outer), MPI_ERR_ARG);
    succeed(strata_team_leave(inner));
    succeed(strata_team_free(&inner));
    succeed(strata_barrier(MPI_COMM_WORLD));
    succeed(strata_team_leave(outer));
    succeed(strata_team_free(&outer));
}

static void enter_from_regions(void)
{
    struct strata_team *two;
    int refused = 0, calls = 0;
    omp_set_dynamic(0);
    succeed(strata_team_create(2, &two));
#pragma omp parallel num_threads(3) reduction(+ : refused)
    {
        int mine;
        refused += strata_team_enter(two, &mine) != MPI_SUCCESS;
    }
    REQUIRE_CMP(refused, ==, 3);
#pragma omp parallel num_threads(2) reduction(+ : calls)
    {
        for (int i = 0; i < 3; i++) {
            int mine = 0;
            succeed(strata_team_enter(two, &mine));
            if (mine) {
                succeed(strata_barrier(MPI_COMM_WORLD));
                succeed(strata_team_leave(two));
            }
            calls += mine;
        }
    }
    REQUIRE_CMP(calls, ==, 3);
    succeed(strata_team_free(&two));
}

static void *make_wrongly(void *none)
{
    struct strata_team *made = NULL;
    REFUSED(strata_team_create(1, &made), MPI_ERR_OTHER);
    REQUIRE(!made);
    return none;
}

/* A thread that may not call MPI makes no team. */
static void make_by_other(void)
{
    pthread_t other;
    pthread_create(&other, NULL, make_wrongly, NULL);
    pthread_join(other, NULL);
}

int main(int argc, char **argv)
{
    static const int counts[] = {0, 3, 700, 5000, LONGEST};
    const char *list = "2";
    long rounds = 1;
    bool with_short = false;
    for (int i = 1; i + 1 < argc; i += 2) {
        list = strcmp(argv[i], "--threads") == 0 ? argv[i + 1] : list;
        level = strcmp(argv[i], "--level") == 0 ? level_of(argv[i + 1]) : level;
        with_short |= strcmp(argv[i], "--only") == 0;
        rounds = strcmp(argv[i], "--rounds") == 0 ? strtol(argv[i + 1], NULL, 10) : rounds;
    }
    const int wanted = level;
    MPI_Init_thread(&argc, &argv, wanted, &level);
    REQUIRE_CMP(level, ==, wanted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    threads = number_of_rank(list, rank);
    succeed(strata_team_create(threads, &team));
    for (int form = 0; with_short && form < FORMS; form++) {
        share_short((enum form)form);
    }
    for (long round = 0; !with_short && round < rounds; round++) {
        for (int i = 0; i < 5 * PAIRS; i++) {
            compare(&pairs[i % PAIRS], counts[i / PAIRS], i % ranks, (uint64_t)(round * 100 + i));
        }
    }
    if (!with_short) {
        must_have_helped();
    }
    succeed(strata_team_free(&team));
    enter_alone();
    enter_two();
    enter_from_regions();
    if (level >= MPI_THREAD_SERIALIZED) {
        enter_team_of_other();
    } else {
        make_by_other();
    }
    REQUIRE_CMP(enter_without_main(level < MPI_THREAD_SERIALIZED ? MPI_ERR_OTHER : MPI_SUCCESS), ==,
                2);
    MPI_Finalize();
    return 0;
}
