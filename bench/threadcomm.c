/* Members beside MPICH's threadcomm, which gives threads ranks, too: the same collectives by the
 * same threads of all ranks, in batches that take turns. Every result of both is compared first.
 * Prints the median time of a call, in microseconds, as CSV, and how often as long MPICH's takes.
 *
 *   threadcomm THREADS [SECONDS [BATCHES [LONGEST]]]
 *
 * Defaults: batches of 0.02 s, but at least of two calls; 9 batches; blocks of 8 bytes to 64 KiB
 * (LONGEST). Needs MPICH 4.2 or newer. */
#include <pthread.h>

#include "bench/measure.h"
#include "include/strata.h"

enum { MOST_BATCHES = 99, MOST_THREADS = 64, LEAST = 2, SHORTEST = 8, LENGTHEN = 8 };

/* A thread's part in all calls. */
struct part {
    MPI_Comm comm[2]; /* its handle, and the threadcomm */
    int member, members, bytes;
    char *in, *out[2];
    int *counts, *displs;
};

enum { BY_MEMBERS, BY_MPICH };
typedef void one_call(const struct part *p, int by);

static void call_alltoallv(const struct part *p, int by)
{
    (by == BY_MPICH ? MPI_Alltoallv : strata_alltoallv)(p->in, p->counts, p->displs, MPI_BYTE,
                                                        p->out[by], p->counts, p->displs, MPI_BYTE,
                                                        p->comm[by]);
}

static void call_allgather(const struct part *p, int by)
{
    (by == BY_MPICH ? MPI_Allgather : strata_allgather)(p->in, p->bytes, MPI_BYTE, p->out[by],
                                                        p->bytes, MPI_BYTE, p->comm[by]);
}

static void call_allreduce(const struct part *p, int by)
{
    (by == BY_MPICH ? MPI_Allreduce : strata_allreduce)(
        p->in, p->out[by], p->bytes / (int)sizeof(int64_t), MPI_INT64_T, MPI_SUM, p->comm[by]);
}

static void call_bcast(const struct part *p, int by)
{
    (by == BY_MPICH ? MPI_Bcast : strata_bcast)(p->out[by], p->bytes, MPI_BYTE, 0, p->comm[by]);
}

static void call_barrier(const struct part *p, int by)
{
    (by == BY_MPICH ? MPI_Barrier : strata_barrier)(p->comm[by]);
}

static const struct collective {
    const char *name;
    one_call *call;
    bool sized;
} collectives[] = {{"alltoallv", call_alltoallv, true},
                   {"allgather", call_allgather, true},
                   {"allreduce", call_allreduce, true},
                   {"bcast", call_bcast, true},
                   {"barrier", call_barrier, false}};

static struct part make_part(MPI_Comm handle, MPI_Comm threadcomm, int longest)
{
    struct part p = {.comm = {handle, threadcomm}};
    strata_members_rank(handle, &p.member);
    strata_members_size(handle, &p.members);
    const size_t bytes = (size_t)p.members * (size_t)longest;
    p.in = measure_need(bytes);
    p.out[BY_MEMBERS] = measure_need(bytes);
    p.out[BY_MPICH] = measure_need(bytes);
    p.counts = measure_need((size_t)p.members * sizeof *p.counts);
    p.displs = measure_need((size_t)p.members * sizeof *p.displs);
    for (size_t i = 0; i < bytes; i++) {
        p.in[i] = (char)(i * 7 + (size_t)p.member * 31);
    }
    return p;
}

static void free_part(struct part *p)
{
    free(p->in);
    free(p->out[BY_MEMBERS]);
    free(p->out[BY_MPICH]);
    free(p->counts);
    free(p->displs);
}

static void set_bytes(struct part *p, int bytes)
{
    p->bytes = bytes;
    for (int i = 0; i < p->members; i++) {
        p->counts[i] = bytes;
        p->displs[i] = i * bytes;
    }
}

/* Both must give the same bytes. */
static void compare_results(const struct part *p, const struct collective *c)
{
    const size_t bytes = (size_t)p->members * (size_t)p->bytes;
    for (int by = 0; by < 2; by++) {
        memset(p->out[by], p->member == 0 ? 7 : 1, bytes); /* a bcast's root gives what is there */
        c->call(p, by);
    }
    if (memcmp(p->out[BY_MEMBERS], p->out[BY_MPICH], bytes) != 0) {
        fprintf(stderr, "threadcomm: %s of %d bytes: member %d has other bytes by MPICH\n", c->name,
                p->bytes, p->member);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* The seconds of a call. */
static double time_batch(const struct part *p, const struct collective *c, int by, int calls)
{
    call_barrier(p, by);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; i++) {
        c->call(p, by);
    }
    return (MPI_Wtime() - begin) / calls;
}

/* The calls that fill a batch, as member 0 finds them. */
static int count_calls(const struct part *p, const struct collective *c, int by, double seconds)
{
    int calls = LEAST;
    for (bool filled = false; !filled;) {
        int next = 0;
        const double took = time_batch(p, c, by, calls) * calls;
        if (took < seconds && calls < 1 << 20) {
            next = 2 * calls;
        }
        strata_bcast(&next, 1, MPI_INT, 0, p->comm[BY_MEMBERS]);
        filled = next == 0;
        calls = filled ? calls : next;
    }
    return calls;
}

static void compare(struct part *p, const struct collective *c, double seconds, int batches)
{
    double time[2][MOST_BATCHES], median[2];
    int calls[2];
    compare_results(p, c);
    for (int by = 0; by < 2; by++) {
        calls[by] = count_calls(p, c, by, seconds);
    }
    for (int b = 0; b < batches; b++) {
        for (int by = 0; by < 2; by++) {
            time[by][b] = time_batch(p, c, by, calls[by]) * 1e6;
        }
    }
    median[BY_MEMBERS] = measure_median(time[BY_MEMBERS], batches);
    median[BY_MPICH] = measure_median(time[BY_MPICH], batches);
    if (p->member == 0) {
        printf("%s,%d,%.2f,%.2f,%.2f\n", c->name, c->sized ? p->bytes : 0, median[BY_MEMBERS],
               median[BY_MPICH], median[BY_MPICH] / median[BY_MEMBERS]);
        fflush(stdout);
    }
}

static void compare_all(struct part *p, double seconds, int batches, int longest)
{
    if (p->member == 0) {
        printf("collective,bytes of a block,by members (us),by threadcomm (us),ratio\n");
    }
    for (size_t c = 0; c < sizeof collectives / sizeof collectives[0]; c++) {
        for (int bytes = SHORTEST; bytes <= (collectives[c].sized ? longest : SHORTEST);
             bytes *= LENGTHEN) {
            set_bytes(p, bytes);
            compare(p, &collectives[c], seconds, batches);
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
    struct part part = make_part(handle, all.threadcomm, all.longest);
    compare_all(&part, all.seconds, all.batches, all.longest);
    free_part(&part);
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
