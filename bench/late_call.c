/* Repeats one call of 8-byte blocks in which the last rank never waits: it arrives long after the
 * others. All its calls go through the function `late_call`. Under a tool that counts instructions
 * they cost only Strata's own code (docs/performance.md, "What a call costs").
 *
 *   late_call allgather|alltoallv|allreduce|gatherv|scatterv|barrier
 *             strata|mpi|persistent|nonblocking [BYTES]
 *
 * `persistent` is a start and a wait of Strata's; `nonblocking` is Strata's nonblocking call and a
 * wait. */
#include <mpi.h>
#include <strata.h>
#include <string.h>
#include <time.h>

#include "bench/measure.h"

enum { FIRST = 250, CALLS = 350 }; /* the first calls set up and try, and are not counted */
enum form { STRATA, OWN, PERSISTENT, NONBLOCKING, FORMS };
static const char *const forms[] = {"strata", "mpi", "persistent", "nonblocking"};

static char *in, *out;
static int bytes = 8, *counts, *displs;
static struct strata_request *request;

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

int late_call(one_call *call, enum form form);

/* External, so that the function keeps its name. */
__attribute__((noinline)) int late_call(one_call *call, enum form form)
{
    return call(form, MPI_COMM_WORLD);
}

static void prepare(int ranks)
{
    in = measure_need((size_t)ranks * (size_t)bytes);
    out = measure_need((size_t)ranks * (size_t)bytes);
    counts = measure_need((size_t)ranks * sizeof *counts);
    displs = measure_need((size_t)ranks * sizeof *displs);
    for (int i = 0; i < ranks; i++) {
        counts[i] = bytes;
        displs[i] = bytes * i;
    }
}

static void run(const struct collective *collective, enum form form, bool late)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    for (int i = 0; i < CALLS; i++) {
        if (late) {
            nanosleep(&pause, NULL);
        }
        if (i < FIRST) {
            collective->call(form, MPI_COMM_WORLD);
        } else {
            late_call(collective->call, form);
        }
    }
}

int main(int argc, char **argv)
{
    const struct collective *collective = argc > 2 ? find(argv[1]) : NULL;
    enum form form = argc > 2 ? find_form(argv[2]) : FORMS;
    int rank, ranks;
    bytes = argc > 3 ? (int)strtol(argv[3], NULL, 10) : bytes;
    if (!collective || form == FORMS || bytes < 1) {
        fprintf(stderr, "usage: late_call allgather|alltoallv|allreduce|gatherv|scatterv|barrier "
                        "strata|mpi|persistent|nonblocking [BYTES]\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    prepare(ranks);
    if (form == PERSISTENT) {
        collective->describe(MPI_COMM_WORLD);
    } else if (form == NONBLOCKING) {
        strata_comm_attach(MPI_COMM_WORLD, "iallreduce:bytes=8");
    }
    run(collective, form, rank == ranks - 1);
    if (request) {
        strata_request_free(&request);
    }
    free(in);
    free(out);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
