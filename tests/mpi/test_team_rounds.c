/* Many rounds of a team whose threads outnumber the cores, and those of a team that has cores. In
 * each exactly one thread makes calls, when all have come, and the others return when it has left;
 * also where the main thread is not in the team, and where it comes early or late. Work is shared
 * in some rounds, so sleeping helpers are woken for it, too.
 *
 * run: 1 STRATA_TEAM_BYTES=64 -- --threads 12 --level funneled
 * run: 1 STRATA_TEAM_BYTES=64 -- --threads 12 --level multiple
 * run: 2 STRATA_TEAM_BYTES=64 -- --threads 5 --level serialized
 * run: 2 -- --threads 2 --level multiple
 * timeout: 120 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "strata.h"
#include "tests/mpi/require.h"
#include "tests/mpi/thread_words.h"
#include "tests/random.h"

enum { ROUNDS = 300, MOST_THREADS = 16, COUNT = 512 };

static int threads = 4, ranks;

struct rounds {
    struct strata_team *team;
    int came[MOST_THREADS]; /* the last round of each thread, which it writes before it enters */
    int over;               /* the last round whose calls are over */
    atomic_int callers;     /* threads that made calls */
    int in[COUNT], out[COUNT];
};

struct thread {
    struct rounds *rounds;
    int number;
};

static void must_have_come(const struct rounds *r, int round)
{
    for (int t = 0; t < threads; t++) {
        REQUIRE_CMP(r->came[t], ==, round);
    }
}

static void make_calls(struct rounds *r, int round)
{
    must_have_come(r, round);
    if (round % 4 == 0) {
        for (int i = 0; i < COUNT; i++) {
            r->in[i] = round + i;
        }
        succeed(strata_allreduce(r->in, r->out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    }
    r->over = round;
    atomic_fetch_add(&r->callers, 1);
}

static void *run_rounds(void *argument)
{
    const struct thread *t = argument;
    struct rounds *r = t->rounds;
    struct random random = {(uint64_t)t->number};
    for (int round = 1; round <= ROUNDS; round++) {
        int calls = 0;
        for (int yields = random_below(&random, 4); yields > 0; yields--) {
            sched_yield(); /* threads come in another order each time */
        }
        r->came[t->number] = round;
        succeed(strata_team_enter(r->team, &calls));
        if (calls) {
            make_calls(r, round);
            succeed(strata_team_leave(r->team));
        }
        REQUIRE_CMP(r->over, ==, round);
        REQUIRE_CMP(r->out[COUNT - 1], ==, ranks * (round / 4 * 4 + COUNT - 1) * (round >= 4));
    }
    return NULL;
}

/* A team of pthreads, the first of which is the main thread or not. */
static void run_team(bool with_main)
{
    static struct rounds r;
    struct thread thread[MOST_THREADS];
    pthread_t other[MOST_THREADS];
    r = (struct rounds){0};
    succeed(strata_team_create(threads, &r.team));
    for (int t = 0; t < threads; t++) {
        thread[t] = (struct thread){&r, t};
        if (t > 0 || !with_main) {
            REQUIRE_CMP(pthread_create(&other[t], NULL, run_rounds, &thread[t]), ==, 0);
        }
    }
    if (with_main) {
        run_rounds(&thread[0]);
    }
    for (int t = with_main; t < threads; t++) {
        pthread_join(other[t], NULL);
    }
    REQUIRE_CMP(atomic_load(&r.callers), ==, ROUNDS);
    succeed(strata_team_free(&r.team));
}

int main(int argc, char **argv)
{
    int level = MPI_THREAD_MULTIPLE;
    for (int i = 1; i + 1 < argc; i += 2) {
        threads = strcmp(argv[i], "--threads") == 0 ? number_of_rank(argv[i + 1], 0) : threads;
        level = strcmp(argv[i], "--level") == 0 ? level_of(argv[i + 1]) : level;
    }
    const int wanted = level;
    MPI_Init_thread(&argc, &argv, wanted, &level);
    REQUIRE_CMP(level, ==, wanted);
    REQUIRE_CMP(threads, <=, MOST_THREADS);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    run_team(true);
    if (level >= MPI_THREAD_SERIALIZED) {
        run_team(false);
    }
    MPI_Finalize();
    return 0;
}
