/* Threads as members beside ranks: the same collectives by all ranks of one host, and by as many
 * threads of rank 0 alone, while the other ranks sleep. Batches of both take turns. Prints the
 * median time of a call, in microseconds, as CSV.
 *
 *   members [LEVEL [SECONDS [BATCHES]]]
 *
 * LEVEL is multiple, serialized or funneled. Defaults: multiple, batches of 0.02 s, 9 batches. All
 * spin, unless STRATA_WAIT says otherwise: Strata counts the ranks that sleep, too. */
#include <pthread.h>

#include "bench/calls.h"

enum { MOST_BATCHES = 99, MOST_THREADS = 64, SIZES = 6, LONGEST = 4 << 20 };
enum { TAG = 7 };

static const size_t sizes[SIZES] = {8, 1024, 16384, 131072, 1 << 20, LONGEST};

static const struct collective collectives[] = {COLLECTIVE(alltoallv), COLLECTIVE(allgather),
                                                COLLECTIVE(allreduce), COLLECTIVE(bcast),
                                                COLLECTIVE(barrier)};

static int rank, ranks;
static struct part parts[MOST_THREADS], mine; /* of the threads; of this rank */
static const struct collective *now;
static int calls;
static double taken;
static bool over;
static pthread_barrier_t meet;

static void repeat(const struct part *p, int times)
{
    for (int i = 0; i < times; i++) {
        now->call(p);
    }
}

static void *live(void *argument)
{
    for (;;) {
        pthread_barrier_wait(&meet);
        if (over) {
            return NULL;
        }
        strata_barrier(((const struct part *)argument)->comm);
        repeat(argument, calls);
        pthread_barrier_wait(&meet);
    }
}

/* The other ranks leave their cores to the threads. */
static void sleep_until_told(void)
{
    int there = 0;
    while (!there) {
        measure_sleep_until(MPI_Wtime() + 0.002);
        MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double by_threads(void)
{
    if (rank > 0) {
        sleep_until_told();
        return 0;
    }
    measure_sleep_until(MPI_Wtime() + 0.005);
    pthread_barrier_wait(&meet);
    strata_barrier(parts[0].comm);
    double begin = MPI_Wtime();
    repeat(&parts[0], calls);
    pthread_barrier_wait(&meet);
    taken = (MPI_Wtime() - begin) / calls;
    for (int r = 1; r < ranks; r++) {
        MPI_Send(NULL, 0, MPI_BYTE, r, TAG, MPI_COMM_WORLD);
    }
    return taken;
}

static void call_by_rank(const void *argument)
{
    now->call(argument);
}

static void compare(size_t bytes, double seconds, int batches)
{
    double time[2][MOST_BATCHES];
    part_size(&mine, bytes);
    for (int t = 0; t < ranks && rank == 0; t++) {
        part_size(&parts[t], bytes);
    }
    calls = measure_calls_for(call_by_rank, &mine, seconds);
    (void)by_threads(); /* the first calls set up */
    for (int b = 0; b < batches; b++) {
        time[0][b] = measure_batch(call_by_rank, &mine, calls) * 1e6;
        time[1][b] = by_threads() * 1e6;
    }
    if (rank == 0) {
        printf("%s,%zu,%.2f,%.2f\n", now->name, is_sized(now) ? bytes : 0,
               measure_median(time[0], batches), measure_median(time[1], batches));
    }
}

static void compare_all(double seconds, int batches)
{
    if (rank == 0) {
        printf("collective,bytes of a member,by ranks (us),by members (us)\n");
    }
    for (size_t c = 0; c < sizeof collectives / sizeof collectives[0]; c++) {
        now = &collectives[c];
        for (int s = 0; s < (is_sized(now) ? SIZES : 1); s++) {
            compare(sizes[s], seconds, batches);
        }
    }
}

static int level_of(const char *word)
{
    return strcmp(word, "funneled") == 0     ? MPI_THREAD_FUNNELED
           : strcmp(word, "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                             : MPI_THREAD_MULTIPLE;
}

int main(int argc, char **argv)
{
    int level;
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 0.02;
    const int asked = argc > 3 ? atoi(argv[3]) : 9;
    const int batches = asked < 1 ? 1 : asked < MOST_BATCHES ? asked : MOST_BATCHES;
    pthread_t other[MOST_THREADS] = {0};
    struct strata_members *members = NULL;
    setenv("STRATA_WAIT", "spin", 0);
    MPI_Init_thread(&argc, &argv, level_of(argc > 1 ? argv[1] : ""), &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    part_make(&mine, MPI_COMM_WORLD, ranks, LONGEST);
    for (int t = 0; t < ranks && rank == 0 && ranks <= MOST_THREADS; t++) {
        part_make(&parts[t], MPI_COMM_NULL, ranks, LONGEST);
    }
    if (rank == 0) {
        strata_members_create(MPI_COMM_SELF, ranks, &members);
        pthread_barrier_init(&meet, NULL, (unsigned)ranks);
        for (int t = 0; t < ranks; t++) {
            strata_members_comm(members, t, &parts[t].comm);
            if (t > 0) {
                pthread_create(&other[t], NULL, live, &parts[t]);
            }
        }
    }
    compare_all(seconds, batches);
    if (rank == 0) {
        over = true;
        pthread_barrier_wait(&meet);
        for (int t = 1; t < ranks; t++) {
            pthread_join(other[t], NULL);
        }
        strata_members_free(&members);
    }
    MPI_Finalize();
    return 0;
}
