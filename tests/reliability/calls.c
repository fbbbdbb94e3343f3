/* Collectives whose results are looked at, while something is refused or disturbs them.
 *
 *   calls again SECONDS       calls for so long, on communicators that come and go; each must be
 *                             right. "all right"
 *   calls fork SECONDS        the same, and each rank makes children that become another program,
 *                             leave, or write over all they have, while the rank goes on
 *   calls refused KIND LEAST [long]
 *                             on one rank after the other the k-th call of that kind fails
 *                             (faulting.c), for every k that is reached: while a communicator is
 *                             attached, while a plan is made, in a call that ran before, in a
 *                             persistent initialisation and its start, and in strata_alloc; long:
 *                             also in a gathering whose result the ranks share, and beyond six
 *                             messages or reads of a kind. All ranks have the result, or all have
 *                             an error, wherever ranks agree; elsewhere a rank has the result or
 *                             an error. At least LEAST faults must have been reached.
 *   calls abort               an operator calls MPI_Abort
 *   calls jump                an error handler leaves a call by longjmp; later calls are right
 *   calls meet ...            one of these, after a call of MPI's that does not block
 *
 * With PRELOADED the calls have MPI's names. "lost: ..." is printed where a result is wrong. */
#include <mpi.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/reliability/faulting.h"
#ifndef PRELOADED
#include "include/strata.h"
#else
#define strata_allreduce MPI_Allreduce
#define strata_alltoallv MPI_Alltoallv
#define strata_allgather MPI_Allgather
#define strata_bcast     MPI_Bcast
#endif

#pragma weak faulting_arm
#pragma weak faulting_come
#pragma weak faulting_disarm

enum { MOST = 16, LONG = 20000 };

static int rank, ranks, salt;
static int *from, *to;

static void lose(const char *what, int got, int wanted)
{
    fprintf(stderr, "lost: rank %d: %s: %d, not %d\n", rank, what, got, wanted);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted) {
        lose(what, got, wanted);
    }
}

#ifdef PRELOADED
#define CALL(result, name, ...) strata_##name(__VA_ARGS__)
#else
static bool in_advance; /* calls are persistent, and started twice */
static struct strata_request *request;

/* The result is so many ints, which are written over before the second start. */
static int twice(int result, int error)
{
    for (int i = 0; error == MPI_SUCCESS && i < 2; i++) {
        memset(to, -i, sizeof *to * (size_t)(i * result));
        error = strata_start(&request);
        error = error == MPI_SUCCESS ? strata_wait(&request, MPI_STATUS_IGNORE) : error;
    }
    if (request) {
        strata_request_free(&request);
    }
    return error;
}

#define CALL(result, name, ...)                                                                    \
    (in_advance ? twice(result, strata_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request))        \
                : strata_##name(__VA_ARGS__))
#endif

/* The calls. Each returns MPI's code, and looks at the result where there is one. */

static int sum(MPI_Comm comm)
{
    int mine[3] = {rank + salt, 1, -rank};
    const int numbers = ranks * (ranks - 1) / 2;
    memset(to, -1, sizeof mine);
    const int error = CALL(3, allreduce, mine, to, 3, MPI_INT, MPI_SUM, comm);
    if (error == MPI_SUCCESS) {
        expect("a sum", to[0], numbers + ranks * salt);
        expect("a sum of ones", to[1], ranks);
        expect("a sum of others", to[2], -numbers);
    }
    return error;
}

static int exchange(MPI_Comm comm)
{
    int counts[MOST], displs[MOST];
    for (int r = 0; r < ranks; r++) {
        counts[r] = 40;
        displs[r] = 40 * r;
        for (int i = 0; i < 40; i++) {
            from[40 * r + i] = salt + 100 * rank + r + 10000 * i;
            to[40 * r + i] = -1;
        }
    }
    const int error = CALL(40 * ranks, alltoallv, from, counts, displs, MPI_INT, to, counts, displs,
                           MPI_INT, comm);
    for (int i = 0; error == MPI_SUCCESS && i < 40 * ranks; i++) {
        expect("an exchange", to[i], salt + 100 * (i / 40) + rank + 10000 * (i % 40));
    }
    return error;
}

static int gather(MPI_Comm comm)
{
    for (int i = 0; i < LONG; i++) {
        from[i] = salt + rank * 7 + i;
    }
    memset(to, 0, sizeof *to * LONG * (size_t)ranks);
    const int error = CALL(LONG * ranks, allgather, from, LONG, MPI_INT, to, LONG, MPI_INT, comm);
    for (int i = 0; error == MPI_SUCCESS && i < LONG * ranks; i++) {
        expect("a gathering", to[i], salt + i / LONG * 7 + i % LONG);
    }
    return error;
}

static int broadcast(MPI_Comm comm)
{
    const int root = salt % ranks;
    for (int i = 0; i < LONG; i++) {
        to[i] = rank == root ? salt + i : -1;
    }
    const int error = CALL(rank == root ? 0 : LONG, bcast, to, LONG, MPI_INT, root, comm);
    for (int i = 0; error == MPI_SUCCESS && i < LONG; i++) {
        expect("a broadcast", to[i], salt + i);
    }
    return error;
}

#ifndef PRELOADED
/* Into memory of the node, or each rank's own. */
static int share(MPI_Comm comm)
{
    const int *result = NULL;
    for (int i = 0; i < LONG; i++) {
        from[i] = salt + rank * 7 + i;
    }
    const int error = strata_allgather_shared(from, LONG, MPI_INT, &result, LONG, MPI_INT, comm);
    if (error == MPI_SUCCESS) {
        for (int i = 0; i < LONG * ranks; i++) {
            expect("a shared gathering", result[i], salt + i / LONG * 7 + i % LONG);
        }
        expect("releasing", strata_shared_release(result), MPI_SUCCESS);
    }
    return error;
}

static int allocate(MPI_Comm comm)
{
    int *memory = NULL;
    const int error = strata_alloc(100000, comm, &memory);
    if (error == MPI_SUCCESS) {
        memset(memory, rank, 100000); /* all of it is there */
        expect("freeing", strata_free(memory), MPI_SUCCESS);
    }
    return error;
}
#endif

typedef int call(MPI_Comm comm);
static call *const calls[] = {sum, exchange, gather, broadcast};
enum { CALLS = sizeof calls / sizeof *calls };

static MPI_Comm duplicate(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

#ifdef PRELOADED
/* Makes Strata forget what it keeps of a freed communicator: it does when ranks in another order
 * get a communicator that is served. */
static void forget(void)
{
    enum { UNTIL_ATTACHED = 2 };
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    for (int i = 0; i < UNTIL_ATTACHED; i++) {
        MPI_Barrier(reversed);
    }
    MPI_Comm_free(&reversed);
}
#endif

/* Frees the communicator, and all that Strata keeps for the next one of its ranks. */
static void leave(MPI_Comm *comm)
{
#ifdef PRELOADED
    MPI_Comm_free(comm);
    forget();
#else
    strata_comm_detach(*comm);
    MPI_Comm_free(comm);
#endif
}

static int of_all(int value, MPI_Op op)
{
    PMPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, op, MPI_COMM_WORLD);
    return value;
}

/* What is tried: some calls go before, and then one or some with the fault. */
static const struct phase {
    const char *name;
    int before, times; /* calls of it before, and with the fault */
    bool together;     /* the ranks agree about lack of memory */
    call *run;
    enum { LONGER = 1, PERSISTENT = 2 } form; /* in the long form alone; begun by a request */
} phases[] = {
    {"attaching", 0, 3, true, sum, 0},
    {"planning an exchange", 0, 1, true, exchange, 0},
    {"planning a gathering", 0, 1, true, gather, 0},
    {"planning a broadcast", 0, 1, false, broadcast, 0}, /* ranks may go ahead */
    {"a sum again", 3, 2, false, sum, 0},
    {"an exchange again", 3, 2, false, exchange, 0},
    {"a gathering again", 3, 2, false, gather, 0},
#ifndef PRELOADED
    {"a persistent sum", 0, 1, true, sum, PERSISTENT},
    {"a persistent exchange", 0, 1, true, exchange, LONGER | PERSISTENT},
    {"a persistent gathering", 0, 1, true, gather, LONGER | PERSISTENT},
    {"a persistent broadcast", 0, 1, true, broadcast, LONGER | PERSISTENT},
    {"strata_alloc", 0, 1, true, allocate, 0},
    {"a shared gathering", 0, 1, true, share, LONGER},
#endif
};
enum { PHASES = sizeof phases / sizeof *phases };

static bool memory_lacks(const char *kind)
{
    return strcmp(kind, "alloc") == 0 || strncmp(kind, "map", 3) == 0;
}

static int make(const struct phase *p, MPI_Comm comm)
{
#ifndef PRELOADED
    in_advance = p->form & PERSISTENT;
    const int error = p->run(comm);
    in_advance = false;
    return error;
#else
    return p->run(comm);
#endif
}

struct trial {
    const struct phase *phase;
    const char *kind;
    int victim, k; /* the k-th call of that kind fails on this rank */
};

enum wanted { ALL, ALL_OR_NONE, ANY };

/* Looks at how many ranks have a result. Returns whether all have. */
static bool judge(const struct trial *t, const char *which, bool well, enum wanted wanted)
{
    const int good = of_all(well, MPI_SUM);
    if (good != ranks && wanted != ANY && (wanted == ALL || good != 0)) {
        fprintf(stderr, "%s, %s %d of rank %d, %s: ", t->phase->name, t->kind, t->k, t->victim,
                which);
        lose("ranks with a result", good, ranks);
    }
    return good == ranks;
}

/* Makes the fault, if there are so many calls of that kind: returns whether. Only an error may
 * leave the communicator out of step: later calls are right where no rank had one. */
static bool refuse(const struct trial *t)
{
    const struct phase *p = t->phase;
    const bool agree = p->together && memory_lacks(t->kind);
    MPI_Comm comm = duplicate();
    bool reached = false, right = true;
    if (p->run != sum || p->before > 0) {
        expect("attaching", sum(comm), MPI_SUCCESS); /* only that is to fail which is tried */
        expect("attaching", sum(comm), MPI_SUCCESS);
    }
    for (int i = 0; i < p->before; i++) {
        expect("a call before", p->run(comm), MPI_SUCCESS);
    }
    if (rank == t->victim) {
        faulting_arm(t->kind, t->k);
    }
    for (int i = 0; i < p->times; i++) {
        const bool well = make(p, comm) == MPI_SUCCESS;
        reached = of_all(rank == t->victim && faulting_come(), MPI_MAX);
        right &= judge(t, "a call", well, !reached ? ALL : agree ? ALL_OR_NONE : ANY);
    }
    if (rank == t->victim) {
        faulting_disarm();
    }
    for (int i = 0; i < CALLS; i++) { /* no rank waits for ever */
        salt++;
        const bool well = calls[i](comm) == MPI_SUCCESS;
        judge(t, "a later call", well, right ? ALL : ANY);
    }
    leave(&comm);
    return reached;
}

static int refuse_all(const char *kind, bool longer)
{
    const int most = memory_lacks(kind) ? 100000 : longer ? 12 : 6; /* messages take seconds */
    int reached = 0;
    for (int i = 0; i < PHASES; i++) {
        for (int victim = 0; victim < ranks && (longer || !(phases[i].form & LONGER));
             victim += ranks - 1) {
            struct trial t = {&phases[i], kind, victim, 1};
            while (t.k <= most && refuse(&t)) {
                t.k++;
            }
            reached += t.k - 1;
            if (rank == 0) {
                printf("%s, %s on rank %d: %d\n", phases[i].name, kind, victim, t.k - 1);
            }
        }
    }
    return reached;
}

/* What a child does: nothing; another program; the same memory for other numbers, for some time;
 * and the same, and then the end of a program. */
static _Noreturn void be_child(int kind)
{
    if (kind == 1) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(2);
    }
    for (int i = 0; kind > 1 && i < 4; i++) {
        int *mine = malloc(sizeof *mine * LONG);
        memset(from, 0x5a + i, sizeof *from * LONG * MOST);
        memset(to, 0x5a + i, sizeof *to * LONG * MOST);
        usleep(500);
        free(mine);
    }
    if (kind == 3) {
        exit(0);
    }
    _exit(0);
}

/* Makes the next child, and waits for one that was made some calls ago. */
static void make_child(bool last)
{
    enum { LIVING = 4 };
    static pid_t children[LIVING];
    static int made;
    for (int i = 0; i < (last ? LIVING : 1); i++, made++) {
        pid_t *child = &children[made % LIVING];
        int status = 0;
        if (*child > 0) {
            expect("waiting for a child", waitpid(*child, &status, 0), *child);
            expect("how a child ended", status, 0);
        }
        *child = last ? 0 : fork();
        if (!last && *child == 0) {
            be_child(made % LIVING);
        }
        expect("making a child", *child < 0, 0);
    }
}

static void repeat(double seconds, bool forks)
{
    const double end = MPI_Wtime() + seconds;
    while (of_all(MPI_Wtime() < end, MPI_MIN)) {
        MPI_Comm comm = duplicate();
        for (int i = 0; i < 5 * CALLS; i++, salt++) {
            expect("the code of a call", calls[i % CALLS](comm), MPI_SUCCESS);
            if (forks) {
                make_child(false);
            }
        }
        MPI_Comm_free(&comm);
    }
    if (forks) {
        make_child(true);
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): MPI says so */
static void abort_in(void *a, void *b, int *count, MPI_Datatype *type)
{
    (void)a, (void)b, (void)count, (void)type;
    MPI_Abort(MPI_COMM_WORLD, 5);
    pause(); /* MPICH's may return before the launcher ends the rank (pmodels/mpich, issue 7716) */
}

static void abort_in_operator(void)
{
    MPI_Op op;
    MPI_Op_create(abort_in, 1, &op);
    strata_allreduce(from, to, 100, MPI_INT, op, MPI_COMM_WORLD);
    lose("the call returned", 0, 5);
}

static jmp_buf out;

static void jump(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    longjmp(out, 1);
}

/* A negative count, which all ranks see before anything is sent. */
static void jump_out(void)
{
    static MPI_Comm comm;
    static volatile int jumped;
    MPI_Errhandler handler;
    comm = duplicate();
    MPI_Comm_create_errhandler(jump, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    while (jumped < 50) {
        if (setjmp(out) == 0) {
            strata_bcast(to, -1, MPI_INT, 0, comm);
            lose("no error for a negative count", 0, 1);
        }
        jumped++;
        for (int i = 0; i < CALLS; i++, salt++) {
            expect("the code of a call", calls[i](comm), MPI_SUCCESS);
        }
    }
    MPI_Comm_free(&comm);
}

/* Returns how many faults were tried. */
static int run(int words, char **word)
{
    const char *mode = words > 1 ? word[1] : "", *second = words > 2 ? word[2] : "";
    if (strcmp(mode, "refused") == 0 && words > 3) {
        const int reached = refuse_all(second, words > 4), least = atoi(word[3]);
        return reached >= least ? reached : (lose("faults that were reached", reached, least), 0);
    }
    if (strcmp(mode, "again") == 0 || strcmp(mode, "fork") == 0) {
        repeat(atof(second), mode[0] == 'f');
    } else if (strcmp(mode, "abort") == 0) {
        abort_in_operator();
    } else if (strcmp(mode, "jump") == 0) {
        jump_out();
    } else {
        lose("no such mode", 0, 1);
    }
    return 1;
}

/* As Strata's ranks do at first. A rank that MPI cannot reach may end a call that blocks with an
 * error and make this one stand still: so does Open MPI 5.0.7. */
static void meet(void)
{
    int one = 1, sum = 0;
    MPI_Request met;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &met);
    MPI_Wait(&met, MPI_STATUS_IGNORE);
    expect("ranks that meet", sum, ranks);
}

int main(int argc, char **argv)
{
    int tried;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    from = malloc(sizeof *from * LONG * MOST);
    to = malloc(sizeof *to * LONG * MOST);
    if (!from || !to || ranks < 2 || ranks > MOST) {
        lose("memory, or ranks", ranks, MOST);
    }
    if (argc > 1 && strcmp(argv[1], "meet") == 0) {
        meet();
        argc--, argv++;
    }
    tried = run(argc, argv);
    of_all(0, MPI_SUM);
    if (rank == 0) {
        printf("all right: %d\n", tried);
    }
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
