/* What the threads of a rank bring to its calls: collectives by the main thread alone, while the
 * others wait outside of a parallel region; the same again; with all threads in a team; and with
 * each thread as a member, which has as many bytes as a rank has alone. Batches take turns. Prints
 * for each length the median time of a call alone, in microseconds; the median of the ratios of a
 * batch alone to the next one alone and to the one in a team; the time by members; the pieces of
 * work that helpers did in a call of the team; and the share of the calls alone that opened a team,
 * as CSV.
 *
 *   teams [THREADS [SECONDS [BATCHES [BYTES...]]]]
 *
 * THREADS are those of a rank. Defaults: 2, batches of 0.005 s, 20 batches, 4 KiB to 4 MiB. */
#include <omp.h>

#include "bench/calls.h"

enum { MOST_BATCHES = 99, MOST_THREADS = 64, SIZES = 6, LONGEST = 4 << 20 };
enum way { ALONE, AGAIN, TEAM, MEMBERS, WAYS };

static const size_t sizes[SIZES] = {4096, 16384, 65536, 262144, 1 << 20, LONGEST};
static const struct collective collectives[] = {
    COLLECTIVE(alltoallv), COLLECTIVE(alltoall),  COLLECTIVE(allgather),
    COLLECTIVE(allreduce), COLLECTIVE(reduce),    COLLECTIVE(reduce_scatter_block),
    COLLECTIVE(bcast),     COLLECTIVE(gather),    COLLECTIVE(scatter),
    COLLECTIVE(barrier),   COLLECTIVE(iallreduce)};

static int rank, ranks, threads = 2;
static struct part mine, parts[MOST_THREADS]; /* this rank's, and its members' */
static struct strata_team *team;
static const struct collective *now;

struct batch {
    enum way way;
    int calls;
};

static void repeat(const struct part *p, int calls)
{
    for (int i = 0; i < calls; i++) {
        now->call(p);
    }
}

static void run_threads(const struct batch *b)
{
#pragma omp parallel num_threads(threads)
    {
        int calls = 0;
        if (b->way == MEMBERS) {
            repeat(&parts[omp_get_thread_num()], b->calls);
        } else {
            strata_team_enter(team, &calls);
        }
        if (calls) {
            repeat(&mine, b->calls);
            strata_team_leave(team);
        }
    }
}

static void run_batch(const void *argument)
{
    const struct batch *b = argument;
    if (b->way < TEAM) {
        repeat(&mine, b->calls);
    } else {
        run_threads(b);
    }
}

/* What happened in the calls of a way. */
struct shares {
    uint64_t calls, helped, opened;
};

static struct strata_report report(void)
{
    struct strata_report r = {.size = sizeof r};
    strata_comm_report(MPI_COMM_WORLD, &r);
    return r;
}

/* The seconds of a call. */
static double run(enum way way, int calls, struct shares *shares)
{
    const struct batch batch = {way, calls};
    const struct strata_report before = report();
    const double seconds = measure_batch(run_batch, &batch, 1) / calls;
    const struct strata_report after = report();
    shares->calls += (uint64_t)calls;
    shares->helped += after.helped - before.helped;
    shares->opened += after.teams_opened - before.teams_opened;
    return seconds;
}

/* Whether so many calls fill a batch. It tries twice, because first calls take long. */
static bool fills(enum way way, int calls, double seconds)
{
    struct shares none = {0};
    int batches = 0;
    while (batches < 2 && run(way, calls, &none) * calls >= seconds) {
        batches++;
    }
    return batches == 2;
}

/* The calls that fill a batch. All ranks have the same times, so they agree. */
static int calls_for(enum way way, double seconds)
{
    int calls = 1;
    while (calls < 1 << 20 && !fills(way, calls, seconds)) {
        calls *= 2;
    }
    return calls;
}

static void compare(size_t bytes, double seconds, int batches)
{
    double time[WAYS][MOST_BATCHES], ratio[WAYS][MOST_BATCHES];
    struct shares shares[WAYS] = {{0}};
    int calls[WAYS];
    part_size(&mine, bytes);
    for (int t = 0; t < threads; t++) {
        part_size(&parts[t], bytes);
    }
    for (enum way way = ALONE; way < WAYS; way++) {
        calls[way] = calls_for(way, seconds);
    }
    for (int b = 0; b < batches; b++) {
        for (enum way way = ALONE; way < WAYS; way++) {
            time[way][b] = run(way, calls[way], &shares[way]) * 1e6;
            ratio[way][b] = time[ALONE][b] / time[way][b];
        }
    }
    if (rank == 0) {
        printf("%s,%zu,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", now->name, bytes,
               measure_median(time[ALONE], batches), measure_median(ratio[AGAIN], batches),
               measure_median(ratio[TEAM], batches), measure_median(time[MEMBERS], batches),
               (double)shares[TEAM].helped / (double)shares[TEAM].calls,
               (double)shares[ALONE].opened / (double)shares[ALONE].calls);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    int level;
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 0.005;
    const int asked = argc > 3 ? atoi(argv[3]) : 20;
    const int batches = asked < 1 ? 1 : asked < MOST_BATCHES ? asked : MOST_BATCHES;
    struct strata_members *members;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    threads = argc > 1 ? atoi(argv[1]) : threads;
    threads = threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
    part_make(&mine, MPI_COMM_WORLD, ranks, LONGEST);
    strata_members_create(MPI_COMM_WORLD, threads, &members);
    for (int t = 0; t < threads; t++) {
        part_make(&parts[t], MPI_COMM_NULL, ranks * threads, LONGEST);
        strata_members_comm(members, t, &parts[t].comm);
    }
    strata_team_create(threads, &team);
    if (rank == 0) {
        printf("collective,bytes,alone (us),alone / again,alone / team,members (us),"
               "pieces by helpers,teams opened\n");
    }
    for (size_t c = 0; c < sizeof collectives / sizeof collectives[0]; c++) {
        now = &collectives[c];
        for (int i = 4; i < argc; i++) {
            compare(strtoul(argv[i], NULL, 10), seconds, batches);
        }
        for (int s = 0; argc <= 4 && s < (is_sized(now) ? SIZES : 1); s++) {
            compare(sizes[s], seconds, batches);
        }
    }
    strata_team_free(&team);
    strata_members_free(&members);
    MPI_Finalize();
    return 0;
}
