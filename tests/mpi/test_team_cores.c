/* How the threads of a team wait. A team judges whether its threads have cores when they are in,
 * for they may be bound after it was made; each team for itself. And a helper that works now and
 * then has not stalled.
 *
 * run: 1 STRATA_STALL=1
 * timeout: 60 */
#define _GNU_SOURCE /* pthread_setaffinity_np */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "include/strata.h"
#include "intranode/helpers.h"
#include "tests/mpi/require.h"

/* The processing units that the program may use, the first two; -1: there is none. */
static int unit[2] = {-1, -1};

static void find_units(void)
{
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    for (int cpu = 0, found = 0; cpu < CPU_SETSIZE && found < 2; cpu++) {
        if (CPU_ISSET(cpu, &all)) {
            unit[found++] = cpu;
        }
    }
}

static void stay_on(int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    REQUIRE_CMP(pthread_setaffinity_np(pthread_self(), sizeof one, &one), ==, 0);
}

typedef void calls_of_team(void);

/* A team of the main thread and one that binds itself to a unit before it enters. */
struct pair {
    struct strata_team *team;
    int cpu;
    calls_of_team *make;
};

static void enter(const struct pair *p)
{
    int calls = 0;
    succeed(strata_team_enter(p->team, &calls));
    if (calls) {
        p->make();
        succeed(strata_team_leave(p->team));
    }
}

static void *enter_other(void *argument)
{
    const struct pair *p = argument;
    stay_on(p->cpu);
    enter(p);
    return NULL;
}

static void run_pair(int cpu, calls_of_team *make)
{
    struct pair p = {.cpu = cpu, .make = make};
    pthread_t other;
    succeed(strata_team_create(2, &p.team));
    pthread_create(&other, NULL, enter_other, &p);
    enter(&p);
    pthread_join(other, NULL);
    succeed(strata_team_free(&p.team));
}

static void must_sleep(void)
{
    REQUIRE_CMP(strata_helpers_here->way, ==, STRATA_WAIT_SLEEP);
}

static void must_spin(void)
{
    REQUIRE_CMP(strata_helpers_here->way, ==, STRATA_WAIT_SPIN);
}

static void work_a_little(void *argument, int piece, int pieces)
{
    (void)argument, (void)piece, (void)pieces;
    usleep(5000);
}

/* The helper has a piece of work again and again, for longer than STRATA_STALL. */
static void share_for_long(void)
{
    const double begin = MPI_Wtime();
    while (MPI_Wtime() - begin < 1.3) {
        (void)strata_helpers_do(strata_helpers_here, work_a_little, NULL, 2);
        usleep(2000);
    }
}

/* What the calls of such a team say on standard error. */
static void must_say_nothing(int cpu, calls_of_team *make)
{
    const int usual = dup(STDERR_FILENO);
    FILE *heard = tmpfile();
    char said[256];
    REQUIRE(heard != NULL);
    REQUIRE_CMP(dup2(fileno(heard), STDERR_FILENO), >=, 0);
    run_pair(cpu, make);
    REQUIRE_CMP(dup2(usual, STDERR_FILENO), >=, 0);
    close(usual);
    const ssize_t bytes = pread(fileno(heard), said, sizeof said - 1, 0);
    REQUIRE_CMP(bytes, >=, 0);
    said[bytes] = '\0';
    REQUIRE_TEXT(said, "");
    fclose(heard);
}

int main(int argc, char **argv)
{
    int level;
    find_units();
    stay_on(unit[0]); /* and with it the threads that MPI makes */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    run_pair(unit[0], must_sleep);
    if (unit[1] >= 0) {
        run_pair(unit[1], must_spin);
    } else {
        printf("one processing unit: no team has cores\n");
    }
    must_say_nothing(unit[unit[1] >= 0], share_for_long);
    MPI_Finalize();
    return 0;
}
