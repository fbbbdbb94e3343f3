/* Members beside MPICH's threadcomm, which gives threads ranks, too: the same collectives by the
 * same threads of all ranks, in batches that take turns. Every result of both is compared first.
 * Prints the median time of a call, in microseconds, as CSV, and how often as long MPICH's takes.
 *
 *   threadcomm THREADS [SECONDS [BATCHES [LONGEST]]]
 *
 * Defaults: batches of 0.02 s, but at least of two calls; 9 batches; blocks of 8 bytes to 64 KiB
 * (LONGEST). Needs MPICH 4.2 or newer. */
#include <pthread.h>

#include "bench/calls.h"

enum { MOST_BATCHES = 99, MOST_THREADS = 64, LEAST = 2, SHORTEST = 8, LENGTHEN = 8, MEET = 64 };
enum { BY_MEMBERS, BY_MPICH };

/* A thread's part in all calls. */
struct both {
    struct part by[2]; /* its handle's, and the threadcomm's */
    int member, bytes; /* of a block */
};

static const struct collective collectives[] = {COLLECTIVE(alltoallv), COLLECTIVE(allgather),
                                                COLLECTIVE(allreduce), COLLECTIVE(bcast),
                                                COLLECTIVE(barrier)};

static struct both make_both(MPI_Comm handle, MPI_Comm threadcomm, int longest)
{
    const MPI_Comm comms[] = {handle, threadcomm};
    struct both b = {.bytes = 0};
    int members;
    strata_members_rank(handle, &b.member);
    strata_members_size(handle, &members);
    for (int by = 0; by < 2; by++) {
        const size_t bytes = (size_t)members * (size_t)longest;
        part_make(&b.by[by], comms[by], members, bytes);
        for (size_t i = 0; i < bytes / sizeof(double); i++) { /* small numbers: sums are exact */
            ((double *)(void *)b.by[by].in)[i] = (double)((i * 7 + (size_t)b.member * 31) % 1000);
        }
    }
    return b;
}

static void set_bytes(struct both *b, const struct collective *c, int bytes)
{
    const bool blocks = c->call == call_alltoallv || c->call == call_allgather;
    b->bytes = bytes;
    for (int by = 0; by < 2; by++) {
        part_size(&b->by[by], (size_t)bytes * (size_t)(blocks ? b->by[by].members : 1));
    }
}

static void call_by(const struct both *b, const struct collective *c, int by)
{
    (by == BY_MPICH ? c->mpi : c->call)(&b->by[by]);
}

/* Both must give the same bytes. */
static void compare_results(const struct both *b, const struct collective *c)
{
    const size_t bytes = (size_t)b->by[0].bytes;
    for (int by = 0; by < 2; by++) {
        memset(b->by[by].out, b->member == 0 ? 7 : 1, bytes); /* a bcast's root gives that */
        call_by(b, c, by);
    }
    if (memcmp(b->by[BY_MEMBERS].out, b->by[BY_MPICH].out, bytes) != 0) {
        fprintf(stderr, "threadcomm: %s of %d bytes: member %d has other bytes by MPICH\n", c->name,
                b->bytes, b->member);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void meet(const struct both *b, int by)
{
    (by == BY_MPICH ? mpi_barrier : call_barrier)(&b->by[by]);
}

/* The seconds of a call. All meet now and then: MPICH 4.2.1 hangs in a threadcomm's bcast whose
 * root is thousands of calls ahead. */
static double time_batch(const struct both *b, const struct collective *c, int by, int calls)
{
    meet(b, by);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; i++) {
        call_by(b, c, by);
        if (i % MEET == MEET - 1) {
            meet(b, by);
        }
    }
    return (MPI_Wtime() - begin) / calls;
}

/* The calls that fill a batch, as member 0 finds them. */
static int count_calls(const struct both *b, const struct collective *c, int by, double seconds)
{
    int calls = LEAST;
    for (bool filled = false; !filled;) {
        int next = 0;
        const double took = time_batch(b, c, by, calls) * calls;
        if (took < seconds && calls < 1 << 20) {
            next = 2 * calls;
        }
        strata_bcast(&next, 1, MPI_INT, 0, b->by[BY_MEMBERS].comm);
        filled = next == 0;
        calls = filled ? calls : next;
    }
    return calls;
}

static void compare(const struct both *b, const struct collective *c, double seconds, int batches)
{
    double time[2][MOST_BATCHES], median[2];
    int calls[2];
    compare_results(b, c);
    for (int by = 0; by < 2; by++) {
        calls[by] = count_calls(b, c, by, seconds);
    }
    for (int i = 0; i < batches; i++) {
        for (int by = 0; by < 2; by++) {
            time[by][i] = time_batch(b, c, by, calls[by]) * 1e6;
        }
    }
    median[BY_MEMBERS] = measure_median(time[BY_MEMBERS], batches);
    median[BY_MPICH] = measure_median(time[BY_MPICH], batches);
    if (b->member == 0) {
        printf("%s,%d,%.2f,%.2f,%.2f\n", c->name, is_sized(c) ? b->bytes : 0, median[BY_MEMBERS],
               median[BY_MPICH], median[BY_MPICH] / median[BY_MEMBERS]);
        fflush(stdout);
    }
}

static void compare_all(struct both *b, double seconds, int batches, int longest)
{
    if (b->member == 0) {
        printf("collective,bytes of a block,by members (us),by threadcomm (us),ratio\n");
    }
    for (size_t c = 0; c < sizeof collectives / sizeof collectives[0]; c++) {
        for (int bytes = SHORTEST; bytes <= (is_sized(&collectives[c]) ? longest : SHORTEST);
             bytes *= LENGTHEN) {
            set_bytes(b, &collectives[c], bytes);
            compare(b, &collectives[c], seconds, batches);
        }
    }
}

static struct {
    struct strata_members *members;
    MPI_Comm threadcomm;
    double seconds;
    int batches, longest;
} all;

static void *live(void *argument)
{
    const int threads = *(const int *)argument;
    MPI_Comm handle;
    int number;
    MPIX_Threadcomm_start(all.threadcomm);
    MPI_Comm_rank(all.threadcomm, &number); /* rank by rank, as members are numbered */
    strata_members_comm(all.members, number % threads, &handle);
    struct both both = make_both(handle, all.threadcomm, all.longest);
    compare_all(&both, all.seconds, all.batches, all.longest);
    part_free(&both.by[0]);
    part_free(&both.by[1]);
    MPIX_Threadcomm_finish(all.threadcomm);
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    const int asked = argc > 3 ? atoi(argv[3]) : 9;
    pthread_t other[MOST_THREADS];
    int level;
    all.seconds = argc > 2 ? strtod(argv[2], NULL) : 0.02;
    all.batches = asked < 1 ? 1 : asked < MOST_BATCHES ? asked : MOST_BATCHES;
    all.longest = argc > 4 ? atoi(argv[4]) : 1 << 16;
    if (threads < 1 || threads > MOST_THREADS || all.longest < SHORTEST || all.longest > 1 << 24) {
        fprintf(stderr, "usage: threadcomm THREADS [SECONDS [BATCHES [LONGEST]]]\n");
        return 2;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    strata_members_create(MPI_COMM_WORLD, threads, &all.members);
    MPIX_Threadcomm_init(MPI_COMM_WORLD, threads, &all.threadcomm);
    for (int t = 1; t < threads; t++) {
        pthread_create(&other[t], NULL, live, &threads);
    }
    live(&threads);
    for (int t = 1; t < threads; t++) {
        pthread_join(other[t], NULL);
    }
    MPIX_Threadcomm_free(&all.threadcomm);
    strata_members_free(&all.members);
    MPI_Finalize();
    return 0;
}
