/* Times calls in simulated time. All ranks begin a call at the same instant, which only a simulated
 * machine can arrange. The time ends when the last rank returns. */
#include <simgrid/actor.h>
#include <simgrid/barrier.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "sim/smpi/simulate.h"

struct figures {
    double seconds;         /* the mean time of a call */
    double messages, bytes; /* of a call, from all ranks to other nodes */
    double opened, helped;  /* of a call, on all ranks: teams, and pieces that others took */
    char algorithm[96];
};

static int call(const struct arguments *a, const char *method, MPI_Comm comm)
{
    const struct operation *o = a->options->operation;
    return strcmp(method, "mpi") == 0 ? o->mpis(a, comm) : o->ours(a, comm);
}

/* A barrier without messages. Messages of an MPI barrier would share the links with ranks that are
 * still in the call, and so would later messages of ranks that have returned. All ranks are in one
 * process. */
static sg_bar_t meeting;

static void meeting_create(void)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    meeting = rank == 0 ? sg_barrier_init((unsigned)ranks) : NULL;
    MPI_Bcast(&meeting, sizeof meeting, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Waits until all ranks have returned, and one second more for messages under way. */
static double begin_together(void)
{
    sg_barrier_wait(meeting);
    double start = simgrid_get_clock() + 1;
    sg_actor_sleep_until(start);
    return start;
}

static struct strata_report report_of(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(comm, &report);
    return report;
}

/* Strata's calls count their messages; native calls do not. */
static void find_traffic(struct figures *f, const struct strata_report *before, int calls,
                         MPI_Comm comm)
{
    struct strata_report after = report_of(comm);
    double mine[] = {(double)(after.messages - before->messages),
                     (double)(after.bytes - before->bytes),
                     (double)(after.teams_opened - before->teams_opened),
                     (double)(after.helped - before->helped)};
    double all[sizeof mine / sizeof *mine] = {0};
    MPI_Reduce(mine, all, sizeof mine / sizeof *mine, MPI_DOUBLE, MPI_SUM, 0, comm);
    bool plans = after.calls - before->calls == (unsigned long)calls;
    f->messages = plans ? all[0] / calls : -1;
    f->bytes = plans ? all[1] / calls : -1;
    f->opened = all[2] / calls;
    f->helped = all[3] / calls;
    snprintf(f->algorithm, sizeof f->algorithm, "%s", after.algorithm);
}

static bool time_calls(const struct arguments *a, const char *method, MPI_Comm comm,
                       struct figures *f)
{
    const struct options *o = a->options;
    double mine[SIMULATE_CALLS], slowest[SIMULATE_CALLS], sum = 0;
    bool ours = strcmp(method, "mpi") != 0, right = true;
    for (int i = 0; ours && i < o->warm; i++) {
        right = call(a, method, comm) == MPI_SUCCESS && right;
    }
    struct strata_report before = report_of(comm);
    for (int i = 0; i < o->calls; i++) {
        double start = begin_together();
        right = call(a, method, comm) == MPI_SUCCESS && right;
        mine[i] = simgrid_get_clock() - start;
    }
    sg_barrier_wait(meeting);
    MPI_Reduce(mine, slowest, o->calls, MPI_DOUBLE, MPI_MAX, 0, comm);
    for (int i = 0; i < o->calls; i++) {
        sum += slowest[i];
    }
    f->seconds = sum / o->calls;
    f->messages = f->bytes = -1;
    if (ours) {
        find_traffic(f, &before, o->calls, comm);
    }
    return right;
}

/* Whether the native call leaves the same bytes. */
static bool same_as_mpi(struct arguments *a, MPI_Comm comm)
{
    size_t bytes;
    const unsigned char *result = arguments_result(a, &bytes);
    unsigned char *ours = malloc(bytes + 1);
    int all = 0;
    if (ours) {
        memcpy(ours, result, bytes);
        arguments_fill(a);
        int mine = call(a, "mpi", comm) == MPI_SUCCESS && memcmp(ours, result, bytes) == 0;
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
    }
    free(ours);
    return all;
}

static void print(const struct figures *f, const char *method, long bytes, bool verified)
{
    printf("result %s %ld %.17g %.17g %.17g %.17g %.17g %s %s\n", method, bytes, f->seconds,
           f->messages, f->bytes, f->opened, f->helped, verified ? "verified" : "unverified",
           f->algorithm[0] ? f->algorithm : "native");
    fflush(stdout);
}

/* Measures one method at all sizes. */
static bool measure(const struct options *o, const char *method)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    bool right = true, ours = strcmp(method, "mpi") != 0;
    if (ours && strata_comm_force(comm, o->operation->name, method) != MPI_SUCCESS) {
        return false;
    }
    for (int i = 0; i < o->sizes && right; i++) {
        struct arguments a;
        struct figures f = {.seconds = 0};
        bool verify = ours && o->verify && i == 0;
        arguments_create(&a, o, o->bytes[i]);
        arguments_fill(&a);
        right = time_calls(&a, method, comm, &f);
        right = right && (!verify || same_as_mpi(&a, comm));
        if (right && a.rank == 0) {
            print(&f, method, o->bytes[i], verify);
        }
        if (!right && a.rank == 0) {
            fprintf(stderr, "simulate: %s with %s and %ld bytes: not MPI's result\n",
                    o->operation->name, method, o->bytes[i]);
        }
        arguments_destroy(&a);
    }
    return right;
}

bool measure_all(const struct options *options)
{
    bool right = true;
    meeting_create();
    for (int m = 0; m < options->methods; m++) {
        right = measure(options, options->method[m]) && right;
    }
    return right;
}
