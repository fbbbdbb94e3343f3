/* The bits of reductions do not depend on how members are dealt to ranks. Eight members, on eight,
 * four, two ranks or one, get the bits of a loop over the members' data from the left: sums and
 * products of floating-point numbers of all kinds, by all reductions, and the same sums in a part
 * in which the members' numbers run backwards. An argument is the threads of a rank, another one
 * the level.
 *
 * run: 8 STRATA_SAME_BITS=1 STRATA_TOPO=node:2 -- 1
 * run: 4 STRATA_SAME_BITS=1 STRATA_TOPO=node:2:cyclic -- 2
 * run: 2 STRATA_SAME_BITS=1 STRATA_TOPO=node:2 -- 4
 * run: 1 STRATA_SAME_BITS=1 -- 8
 * long: 4 STRATA_SAME_BITS=1 STRATA_TOPO=node:3 -- 2 serialized
 * long: 2 STRATA_SAME_BITS=1 STRATA_TOPO=node:2 -- 4 funneled
 * timeout: 60 */
#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "strata.h"
#include "tests/mpi/on_threads.h"
#include "tests/mpi/require.h"
#include "tests/mpi/thread_words.h"
#include "tests/random.h"

enum { MEMBERS = 8, LONGEST = 1000, ELEMENTS = LONGEST + MEMBERS, WIDEST = 32 };

/* From 2^-10 to 2^10 of either sign for sums, near 1 for products. */
static double number(int member, int i, bool product)
{
    const uint64_t bits = random_mix(1000003 * (uint64_t)member + (uint64_t)i);
    const double fraction = (double)(bits >> 11) / (double)(UINT64_C(1) << 52) - 1;
    return product ? 1 + fraction / 8 : ldexp(fraction, (int)(bits % 21) - 10);
}

/* What a kind of numbers can do. `add` combines *left and *right into *right. */
struct kind {
    const char *name;
    size_t size;
    void (*put)(void *at, double real, double imaginary, int third);
    void (*add)(const void *left, void *right, bool product);
    bool (*same)(const void *one, const void *other);
};

#define KIND(name, type, value)                                                                    \
    static void put_##name(void *at, double real, double imaginary, int third)                     \
    {                                                                                              \
        type number = (value) / (third + 2);                                                       \
        memcpy(at, &number, sizeof number);                                                        \
    }                                                                                              \
    static void add_##name(const void *left, void *right, bool product)                            \
    {                                                                                              \
        type l, r;                                                                                 \
        memcpy(&l, left, sizeof l);                                                                \
        memcpy(&r, right, sizeof r);                                                               \
        r = product ? l * r : l + r;                                                               \
        memcpy(right, &r, sizeof r);                                                               \
    }                                                                                              \
    static bool same_##name(const void *one, const void *other)                                    \
    {                                                                                              \
        type a, b;                                                                                 \
        memcpy(&a, one, sizeof a);                                                                 \
        memcpy(&b, other, sizeof b);                                                               \
        return a == b;                                                                             \
    }                                                                                              \
    static const struct kind name = {#name, sizeof(type), put_##name, add_##name, same_##name};

KIND(one_float, float, ((void)imaginary, (float)real))
KIND(one_double, double, ((void)imaginary, real))
KIND(one_long_double, long double, ((void)imaginary, (long double)real))
KIND(complex_float, float _Complex, (float _Complex)(real + imaginary * I))
KIND(complex_double, double _Complex, real + imaginary * I)
KIND(complex_long_double, long double _Complex, (long double _Complex)(real + imaginary * I))

static int rank, ranks, level, threads;
static struct strata_members *members;
static const struct kind *kind;
static MPI_Datatype type;
static MPI_Op op;
static bool product, backwards;

/* What each member gives, and the combination of what the members up to that one give. */
static char given[MEMBERS][ELEMENTS * WIDEST], upto[MEMBERS][ELEMENTS * WIDEST];

static void prepare(void)
{
    for (int m = 0; m < MEMBERS; m++) {
        for (int i = 0; i < ELEMENTS; i++) {
            char *mine = given[m] + (size_t)i * kind->size, *all = upto[m] + (size_t)i * kind->size;
            kind->put(mine, number(m, 2 * i, product), number(m, 2 * i + 1, product), i % 5);
            memcpy(all, mine, kind->size);
            if (m > 0) { /* all = all of the members before, then mine */
                kind->add(upto[m - 1] + (size_t)i * kind->size, all, product);
            }
        }
    }
}

/* A call of member `me`: its result are elements `first` and on, combined up to member `last`; -1:
 * it has none. */
struct call {
    int me, length, root, first, count, last;
    const void *in;
    void *out;
    MPI_Comm comm;
};

static int reduce(struct call *c)
{
    const bool root = c->me == c->root;
    c->last = root ? MEMBERS - 1 : -1;
    return strata_reduce(root ? c->in : given[c->me], c->out, c->length, type, op, c->root,
                         c->comm);
}

static int allreduce(struct call *c)
{
    return strata_allreduce(c->in, c->out, c->length, type, op, c->comm);
}

static int allreduce_later(struct call *c)
{
    struct strata_request *request = NULL;
    succeed(strata_iallreduce(c->in, c->out, c->length, type, op, c->comm, &request));
    return strata_wait(&request, MPI_STATUS_IGNORE);
}

static int reduce_scatter(struct call *c)
{
    int counts[MEMBERS], before = 0;
    for (int m = 0; m < MEMBERS; m++) {
        const int end = c->length * (m + 1) * (m + 1) / (MEMBERS * MEMBERS);
        counts[m] = end - before;
        c->first = m == c->me ? before : c->first;
        before = end;
    }
    c->count = counts[c->me];
    return strata_reduce_scatter(c->in, c->out, counts, type, op, c->comm);
}

static int reduce_scatter_block(struct call *c)
{
    c->count = (c->length + MEMBERS - 1) / MEMBERS;
    c->first = c->me * c->count;
    return strata_reduce_scatter_block(c->in, c->out, c->count, type, op, c->comm);
}

static int scan(struct call *c)
{
    c->last = c->me;
    return strata_scan(c->in, c->out, c->length, type, op, c->comm);
}

static int exscan(struct call *c)
{
    c->last = c->me - 1;
    return strata_exscan(c->in, c->out, c->length, type, op, c->comm);
}

static int (*const calls[])(struct call *) = {
    reduce, allreduce, allreduce_later, reduce_scatter, reduce_scatter_block, scan, exscan};
enum { CALLS = sizeof calls / sizeof *calls };

static void check(int which, int length, bool in_place, MPI_Comm comm, int me)
{
    char *out = malloc(sizeof given[0]);
    struct call c = {.me = me,
                     .length = length,
                     .root = length % MEMBERS,
                     .count = length,
                     .last = MEMBERS - 1,
                     .in = in_place ? MPI_IN_PLACE : given[me],
                     .out = out,
                     .comm = comm};
    memcpy(out, given[me], sizeof given[0]);
    succeed(calls[which](&c));
    for (int i = 0; i < c.count && c.last >= 0; i++) {
        const void *expected = upto[c.last] + (size_t)(c.first + i) * kind->size;
        if (!kind->same(out + (size_t)i * kind->size, expected)) {
            fprintf(stderr, "member %d, call %d of %s, length %d, element %d\n", me, which,
                    kind->name, length, i);
            REQUIRE(false);
        }
    }
    free(out);
}

static void check_all(MPI_Comm comm, int me)
{
    for (int i = 0; i < 2 * CALLS; i++) {
        check(i % CALLS, i < CALLS ? 7 : LONGEST, i % 2, comm, me);
    }
}

static void *call_as_thread(void *argument)
{
    const int *thread = argument, number = rank * threads + *thread;
    const int me = backwards ? MEMBERS - 1 - number : number;
    MPI_Comm handle;
    int told = -1;
    succeed(strata_members_comm(members, *thread, &handle));
    succeed(strata_members_rank(handle, &told));
    REQUIRE_CMP(told, ==, me);
    check_all(handle, me);
    return NULL;
}

static void call_as_threads(void)
{
    int thread[MEMBERS] = {0};
    for (int t = 1; t < threads; t++) {
        thread[t] = t;
    }
    on_threads(threads, call_as_thread, thread, sizeof *thread);
}

static void check_kinds(void)
{
    const struct kind *const kinds[] = {&one_float,     &one_double,     &one_long_double,
                                        &complex_float, &complex_double, &complex_long_double};
    const MPI_Datatype types[] = {
        MPI_FLOAT,           MPI_DOUBLE,           MPI_LONG_DOUBLE,
        MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX};
    for (int i = 0; i < 12; i += backwards ? 2 : 1) {
        kind = kinds[i / 2];
        type = types[i / 2];
        product = i % 2;
        op = product ? MPI_PROD : MPI_SUM;
        prepare();
        call_as_threads();
        if (threads == 1 && !backwards) {
            check_all(MPI_COMM_WORLD, rank);
        }
    }
}

/* The sums differ where they are combined in another order, so the loop from the left says much. */
static void check_numbers(void)
{
    int differ = 0;
    kind = &one_float;
    product = false;
    prepare();
    for (int i = 0; i < LONGEST; i++) {
        float sum = 0, one;
        for (int m = MEMBERS - 1; m >= 0; m--) {
            memcpy(&one, given[m] + (size_t)i * sizeof one, sizeof one);
            sum = m == MEMBERS - 1 ? one : one + sum;
        }
        differ += !kind->same(&sum, upto[MEMBERS - 1] + (size_t)i * sizeof sum);
    }
    REQUIRE_CMP(differ, >, LONGEST / 4);
}

int main(int argc, char **argv)
{
    int colours[MEMBERS] = {0}, keys[MEMBERS];
    struct strata_members *first;
    const int asked = level_of(argc > 2 ? argv[2] : "multiple");
    threads = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    MPI_Init_thread(&argc, &argv, asked, &level);
    REQUIRE_CMP(level, >=, asked);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks * threads, ==, MEMBERS);
    check_numbers();
    succeed(strata_members_create(MPI_COMM_WORLD, threads, &members));
    check_kinds();
    for (int t = 0; t < threads; t++) {
        keys[t] = -(rank * threads + t);
    }
    first = members;
    backwards = true;
    succeed(strata_members_split(first, colours, keys, &members));
    check_kinds();
    succeed(strata_members_free(&members));
    succeed(strata_members_free(&first));
    MPI_Finalize();
    return 0;
}
