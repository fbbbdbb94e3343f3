/* Members are split by colours and keys that each thread draws: parts of any threads of any ranks,
 * threads in no part, ranks without a part, parts split again and duplicated. The threads of all
 * parts call at the same time, in all three forms. Each knows its number in its part, and receives
 * what its part's members have sent. Parts are freed in an order of their own, before and after
 * the members that they were split from. Wrong splits are errors on all ranks.
 *
 * Arguments: the level that the program asks of MPI, and the threads of ranks in turn.
 *
 * run: 1 -- multiple 4
 * run: 2 -- serialized 3
 * run: 3 STRATA_TOPO=node:2 -- multiple 3,1,4
 * run: 3 STRATA_TOPO=node:2 -- serialized 2,4,1
 * run: 4 STRATA_TOPO=node:2:cyclic -- funneled 3,2
 * run: 2 STRATA_BUDGET=64K STRATA_SAME_BITS=1 -- funneled 4
 * long: 4 STRATA_TOPO=node:2 STRATA_CHECK=1 -- multiple 5,8,1 100
 * long: 4 STRATA_TOPO=node:3 -- serialized 5,8,1 100
 * long: 4 STRATA_TOPO=node:2 -- funneled 5,8,1 100
 * timeout: 120 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "strata.h"
#include "tests/mpi/on_threads.h"
#include "tests/mpi/require.h"
#include "tests/mpi/thread_words.h"
#include "tests/random.h"

enum { MOST = 8, MOST_MEMBERS = 32 };

static int rank, ranks, level, threads, total;
static int rank_of[MOST_MEMBERS]; /* of each thread, numbered rank by rank */

/* What all threads of all ranks have drawn, and who is in the part of each of this rank's: the
 * parts' threads in the order of their numbers. */
struct split {
    struct strata_members *members;
    int colour[MOST_MEMBERS], key[MOST_MEMBERS];
    int size[MOST], in[MOST][MOST_MEMBERS]; /* size 0: in no part */
};

static int class_of(int error)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(error, &class);
    return class;
}

#define REFUSED(call, as) REQUIRE_CMP(class_of(call), ==, as)

static int first_thread(void)
{
    int first = 0;
    while (rank_of[first] != rank) {
        first++;
    }
    return first;
}

/* With MPI_THREAD_FUNNELED the main thread is in a part; now and then no thread of a rank is. */
static void draw(struct split *s, uint64_t seed)
{
    struct random r = {seed};
    const int colours = random_between(&r, 1, 4), absent = random_below(&r, 2 * ranks);
    for (int i = 0; i < total; i++) {
        const bool first = i == 0 || rank_of[i - 1] != rank_of[i];
        const bool leaves = random_one_in(&r, 5) && !(level == MPI_THREAD_FUNNELED && first);
        s->colour[i] = 1000 * random_below(&r, colours);
        s->colour[i] = leaves || (rank_of[i] == absent && ranks > 1) ? MPI_UNDEFINED : s->colour[i];
        s->key[i] = random_between(&r, -3, 3);
    }
}

/* Of the threads in `of`, those of one colour by their keys. Returns how many. */
static int sort(const struct split *s, int colour, const int *of, int count, int *in)
{
    int size = 0;
    for (int i = 0; i < count; i++) {
        int at = size;
        if (s->colour[of[i]] != colour) {
            continue;
        }
        for (; at > 0 && s->key[in[at - 1]] > s->key[of[i]]; at--) {
            in[at] = in[at - 1];
        }
        in[at] = of[i];
        size++;
    }
    return size;
}

static void split(const struct split *from, struct split *s, uint64_t seed)
{
    const int first = first_thread();
    draw(s, seed);
    succeed(strata_members_split(from->members, s->colour + first, s->key + first, &s->members));
    for (int t = 0; t < threads; t++) {
        const int colour = s->colour[first + t];
        s->size[t] =
            colour == MPI_UNDEFINED ? 0 : sort(s, colour, from->in[t], from->size[t], s->in[t]);
    }
}

/* The rank's threads that are in parts meet here, with nobody in a call. */
static pthread_barrier_t between;

/* A sum, started twice. */
static void sum_twice(MPI_Comm handle, int expected, int me)
{
    int sum;
    struct strata_request *request = NULL;
    succeed(strata_allreduce_init(&me, &sum, 1, MPI_INT, MPI_SUM, handle, MPI_INFO_NULL, &request));
    pthread_barrier_wait(&between);
    for (int start = 0; start < 2; start++) {
        sum = 0;
        succeed(strata_start(&request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        REQUIRE_CMP(sum, ==, expected);
    }
    succeed(strata_request_free(&request));
}

/* An alltoallv of 1 to 3 numbers from each member to each, started twice. */
static void exchange(MPI_Comm handle, const int *in, int size, int me)
{
    int out[3 * MOST_MEMBERS], got[3 * MOST_MEMBERS], displs[MOST_MEMBERS], counts[MOST_MEMBERS];
    struct strata_request *request = NULL;
    for (int i = 0; i < size; i++) {
        counts[i] = 1 + (in[i] + me) % 3;
        displs[i] = 3 * i;
        out[3 * i] = out[3 * i + 1] = out[3 * i + 2] = 1000 * me + in[i];
    }
    succeed(strata_alltoallv_init(out, counts, displs, MPI_INT, got, counts, displs, MPI_INT,
                                  handle, MPI_INFO_NULL, &request));
    pthread_barrier_wait(&between);
    for (int start = 0; start < 2; start++) {
        memset(got, 0, sizeof got);
        succeed(strata_start(&request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < 3 * size; i++) {
            REQUIRE_CMP(got[i], ==, i % 3 < counts[i / 3] ? 1000 * in[i / 3] + me : 0);
        }
    }
    succeed(strata_request_free(&request));
}

/* Calls of all forms by the handle of thread `me`, one of `in`. */
static void call(MPI_Comm handle, const int *in, int size, int me)
{
    int number = -1, count = 0, got[MOST_MEMBERS], sum = 0, expected = 0;
    struct strata_request *request = NULL;
    succeed(strata_members_size(handle, &count));
    succeed(strata_members_rank(handle, &number));
    REQUIRE_CMP(count, ==, size);
    REQUIRE_CMP(in[number], ==, me);
    succeed(strata_allgather(&me, 1, MPI_INT, got, 1, MPI_INT, handle));
    for (int i = 0; i < size; i++) {
        REQUIRE_CMP(got[i], ==, in[i]);
        expected += in[i];
    }
    succeed(strata_iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, handle, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_CMP(sum, ==, expected);
    pthread_barrier_wait(&between);
    if (in[0] % 2 > 0) { /* parts initialise different calls at a time */
        sum_twice(handle, expected, me);
    } else {
        exchange(handle, in, size, me);
    }
    pthread_barrier_wait(&between);
    sum = me;
    succeed(strata_bcast(&sum, 1, MPI_INT, size - 1, handle));
    REQUIRE_CMP(sum, ==, in[size - 1]);
    succeed(strata_barrier(handle));
}

struct start {
    const struct split *split;
    int thread;
};

static void *call_as_thread(void *argument)
{
    const struct start *s = argument;
    const int t = s->thread, size = s->split->size[t];
    MPI_Comm handle;
    succeed(strata_members_comm(s->split->members, t, &handle));
    REQUIRE((handle == MPI_COMM_NULL) == (size == 0));
    if (size > 0) {
        call(handle, s->split->in[t], size, first_thread() + t);
    }
    return NULL;
}

/* All threads call, each in its part. */
static void call_in_parts(const struct split *s)
{
    struct start start[MOST] = {{s, 0}};
    unsigned callers = 0;
    for (int t = 0; t < threads; t++) {
        callers += s->size[t] > 0;
        start[t] = (struct start){s, t};
    }
    if (callers > 0) {
        pthread_barrier_init(&between, NULL, callers);
    }
    on_threads(threads, call_as_thread, start, sizeof *start);
    if (callers > 0) {
        pthread_barrier_destroy(&between);
    }
}

/* Splits, splits the parts, and duplicates these. Each is used after what it was made of is gone,
 * or before. */
static void split_twice(const struct split *whole, uint64_t seed)
{
    static struct split once, twice, copy;
    split(whole, &once, 2 * seed);
    call_in_parts(&once);
    split(&once, &twice, 2 * seed + 1);
    if (seed % 2 == 0) {
        succeed(strata_members_free(&once.members));
    }
    call_in_parts(&twice);
    copy = twice;
    succeed(strata_members_dup(twice.members, &copy.members));
    if (seed % 3 == 0) {
        call_in_parts(&twice);
    }
    succeed(strata_members_free(&twice.members));
    call_in_parts(&copy);
    if (seed % 2 == 1) {
        call_in_parts(&once);
        succeed(strata_members_free(&once.members));
    }
    succeed(strata_members_free(&copy.members));
}

/* One rank is wrong, and all are told. */
static void split_wrongly(struct strata_members *members)
{
    int colours[MOST] = {0}, keys[MOST] = {0};
    struct strata_members *none = NULL;
    MPI_Comm handle;
    const bool last = rank == ranks - 1;
    REFUSED(strata_members_split(NULL, colours, keys, &none), MPI_ERR_ARG);
    REFUSED(strata_members_split(members, last ? NULL : colours, keys, &none), MPI_ERR_ARG);
    REFUSED(strata_members_split(members, colours, last ? NULL : keys, &none), MPI_ERR_ARG);
    REFUSED(strata_members_split(members, colours, keys, last ? NULL : &none), MPI_ERR_ARG);
    REFUSED(strata_members_dup(members, last ? NULL : &none), MPI_ERR_ARG);
    colours[threads - 1] = last ? -5 : 0;
    REFUSED(strata_members_split(members, colours, keys, &none), MPI_ERR_ARG);
    REQUIRE(!none);
    colours[threads - 1] = 0;
    succeed(strata_members_split(members, colours, keys, &none));
    REFUSED(strata_members_join(none, &handle), MPI_ERR_ARG);
    succeed(strata_members_free(&none));
}

/* With MPI_THREAD_FUNNELED a rank's first thread is in no part only if none is. */
static void split_without_main(struct strata_members *members)
{
    int colours[MOST] = {0}, keys[MOST] = {0}, several = threads > 1 && rank == 0, any = 0;
    struct strata_members *none = NULL;
    MPI_Comm handle;
    MPI_Allreduce(&several, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    colours[0] = rank == 0 ? MPI_UNDEFINED : 0;
    if (any && level == MPI_THREAD_FUNNELED) {
        REFUSED(strata_members_split(members, colours, keys, &none), MPI_ERR_ARG);
        REQUIRE(!none);
    }
    for (int t = 0; t < threads; t++) {
        colours[t] = rank == 0 ? MPI_UNDEFINED : 0;
    }
    succeed(strata_members_split(members, colours, keys, &none));
    succeed(strata_members_comm(none, threads - 1, &handle));
    REQUIRE((handle == MPI_COMM_NULL) == (rank == 0));
    REFUSED(strata_members_dup(none, rank == 0 ? NULL : &none), MPI_ERR_ARG);
    succeed(strata_members_free(&none));
}

int main(int argc, char **argv)
{
    static struct split whole;
    const int asked = level_of(argc > 1 ? argv[1] : "multiple");
    const char *list = argc > 2 ? argv[2] : "2";
    const int rounds = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 6;
    MPI_Init_thread(&argc, &argv, asked, &level);
    REQUIRE_CMP(level, >=, asked);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    threads = number_of_rank(list, rank);
    for (int r = 0; r < ranks; r++) {
        for (int t = 0; t < number_of_rank(list, r); t++) {
            REQUIRE_CMP(total, <, MOST_MEMBERS);
            rank_of[total++] = r;
        }
    }
    REQUIRE_CMP(threads, <=, MOST);
    succeed(strata_members_create(MPI_COMM_WORLD, threads, &whole.members));
    for (int t = 0; t < threads; t++) {
        whole.size[t] = total;
        for (int i = 0; i < total; i++) {
            whole.in[t][i] = i;
        }
    }
    split_wrongly(whole.members);
    split_without_main(whole.members);
    for (int round = 1; round <= rounds; round++) {
        split_twice(&whole, (uint64_t)round);
    }
    call_in_parts(&whole);
    succeed(strata_members_free(&whole.members));
    MPI_Finalize();
    return 0;
}
