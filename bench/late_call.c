/* Repeats one call of 8-byte blocks in which the last rank never waits: it arrives long after the
 * others. All its calls go through the function `late_call`. Under a tool that counts instructions
 * they cost only Strata's own code (docs/performance/calls.md).
 *
 *   late_call allgather|alltoallv|allreduce|gatherv|scatterv|barrier
 *             strata|mpi|persistent|nonblocking [BYTES [multiple|serialized|funneled]]
 *
 * `persistent` is a start and a wait of Strata's; `nonblocking` is Strata's nonblocking call and a
 * wait. With a thread level each rank's two threads make the calls as members, and the last one of
 * all is late: run one rank, with --separate-threads=yes --fair-sched=yes. */
#include <mpi.h>
#include <pthread.h>
#include <strata.h>
#include <string.h>
#include <time.h>

#include "bench/measure.h"

enum {
    FIRST = 250,
    CALLS = 350,
    THREADS = 2
}; /* the first calls set up and try, and are not counted */
enum form { STRATA, OWN, PERSISTENT, NONBLOCKING, FORMS };
static const char *const forms[] = {"strata", "mpi", "persistent", "nonblocking"};

static _Thread_local char *in, *out;
static _Thread_local struct strata_request *request;
static int bytes = 8, *counts, *displs;

static int wait_after(int error)
{
    return error == MPI_SUCCESS ? strata_wait(&request, MPI_STATUS_IGNORE) : error;
}

#define CALL(Name, name, ...)                                                                      \
    static int name(enum form form, MPI_Comm comm)                                                 \
    {                                                                                              \
        if (form == PERSISTENT) {                                                                  \
            return wait_after(strata_start(&request));                                             \
        }                                                                                          \
        if (form == NONBLOCKING) {                                                                 \
            return wait_after(strata_i##name(__VA_ARGS__ comm, &request));                         \
        }                                                                                          \
        return form == OWN ? PMPI_##Name(__VA_ARGS__ comm) : strata_##name(__VA_ARGS__ comm);      \
    }                                                                                              \
    static int describe_##name(MPI_Comm comm)                                                      \
    {                                                                                              \
        return strata_##name##_init(__VA_ARGS__ comm, MPI_INFO_NULL, &request);                    \
    }

CALL(Allgather, allgather, in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, )
CALL(Alltoallv, alltoallv, in, counts, displs, MPI_BYTE, out, counts, displs, MPI_BYTE, )
CALL(Allreduce, allreduce, in, out, bytes, MPI_BYTE, MPI_BOR, )
CALL(Gatherv, gatherv, in, bytes, MPI_BYTE, out, counts, displs, MPI_BYTE, 0, )
CALL(Scatterv, scatterv, in, counts, displs, MPI_BYTE, out, bytes, MPI_BYTE, 0, )
CALL(Barrier, barrier, )

typedef int one_call(enum form form, MPI_Comm comm);

static const struct collective {
    const char *name;
    one_call *call;
    int (*describe)(MPI_Comm comm);
} known[] = {
    {"allgather", allgather, describe_allgather}, {"alltoallv", alltoallv, describe_alltoallv},
    {"allreduce", allreduce, describe_allreduce}, {"gatherv", gatherv, describe_gatherv},
    {"scatterv", scatterv, describe_scatterv},    {"barrier", barrier, describe_barrier}};

static const struct collective *find(const char *name)
{
    const struct collective *found = NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        found = strcmp(known[i].name, name) == 0 ? &known[i] : found;
    }
    return found;
}

static enum form find_form(const char *name)
{
    int form = 0;
    while (form < FORMS && strcmp(forms[form], name) != 0) {
        form++;
    }
    return (enum form)form;
}

int late_call(one_call *call, enum form form, MPI_Comm comm);

/* External, so that the function keeps its name. */
__attribute__((noinline)) int late_call(one_call *call, enum form form, MPI_Comm comm)
{
    return call(form, comm);
}

static void prepare(int ranks)
{
    counts = measure_need((size_t)ranks * sizeof *counts);
    displs = measure_need((size_t)ranks * sizeof *displs);
    for (int i = 0; i < ranks; i++) {
        counts[i] = bytes;
        displs[i] = bytes * i;
    }
}

/* A rank, or a thread of one that is a member. */
struct caller {
    const struct collective *collective;
    enum form form;
    MPI_Comm comm;
    int callers;
    bool late;
};

static void repeat(const struct caller *c)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    for (int i = 0; i < CALLS; i++) {
        if (c->late) {
            nanosleep(&pause, NULL);
        }
        if (i < FIRST || !c->late) {
            c->collective->call(c->form, c->comm);
        } else {
            late_call(c->collective->call, c->form, c->comm);
        }
    }
}

static void *run(void *argument)
{
    const struct caller *c = argument;
    in = measure_need((size_t)c->callers * (size_t)bytes);
    out = measure_need((size_t)c->callers * (size_t)bytes);
    if (c->form == PERSISTENT) {
        c->collective->describe(c->comm);
    }
    repeat(c);
    if (request) {
        strata_request_free(&request);
    }
    free(in);
    free(out);
    return NULL;
}

static void run_threads(const struct caller *c, int rank, int ranks)
{
    struct caller each[THREADS];
    pthread_t other;
    struct strata_members *members;
    strata_members_create(MPI_COMM_WORLD, THREADS, &members);
    for (int t = 0; t < THREADS; t++) {
        each[t] = *c;
        each[t].late = rank == ranks - 1 && t == THREADS - 1;
        strata_members_comm(members, t, &each[t].comm);
    }
    pthread_create(&other, NULL, run, &each[1]);
    run(&each[0]);
    pthread_join(other, NULL);
    strata_members_free(&members);
}

static int level_of(const char *word)
{
    return strcmp(word, "funneled") == 0     ? MPI_THREAD_FUNNELED
           : strcmp(word, "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                             : MPI_THREAD_MULTIPLE;
}

int main(int argc, char **argv)
{
    const struct collective *collective = argc > 2 ? find(argv[1]) : NULL;
    enum form form = argc > 2 ? find_form(argv[2]) : FORMS;
    const bool threads = argc > 4;
    int rank, ranks, level;
    bytes = argc > 3 ? (int)strtol(argv[3], NULL, 10) : bytes;
    if (!collective || form == FORMS || bytes < 1) {
        fprintf(stderr, "usage: late_call allgather|alltoallv|allreduce|gatherv|scatterv|barrier "
                        "strata|mpi|persistent|nonblocking [BYTES [LEVEL]]\n");
        return 2;
    }
    MPI_Init_thread(&argc, &argv, threads ? level_of(argv[4]) : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int callers = threads ? ranks * THREADS : ranks;
    struct caller all = {collective, form, MPI_COMM_WORLD, callers, rank == ranks - 1};
    prepare(callers);
    if (threads) {
        run_threads(&all, rank, ranks);
    } else {
        if (form == NONBLOCKING) {
            strata_comm_attach(MPI_COMM_WORLD, "iallreduce:bytes=8");
        }
        run(&all);
    }
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
