/* Finds where the processes of a host may run.
 *
 * run: 1,2,5
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "intranode/placement.h"
#include "tests/mpi/require.h"

/* Binds the whole process, because MPIs have threads of their own. */
static void bind_process(const cpu_set_t *cpus)
{
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *task;
    REQUIRE(tasks);
    while ((task = readdir(tasks))) {
        REQUIRE(task->d_name[0] == '.' ||
                sched_setaffinity(atoi(task->d_name), sizeof *cpus, cpus) == 0);
    }
    closedir(tasks);
}

/* Replaces MPI's call: the longest possible name, to the last byte, as Open MPI writes it. */
int PMPI_Get_processor_name(char *name, int *length)
{
    *length = MPI_MAX_PROCESSOR_NAME - 1;
    memset(name, 'h', MPI_MAX_PROCESSOR_NAME);
    name[*length] = 0;
    return MPI_SUCCESS;
}

/* Replaces MPI's call: no message ever comes, and a rank that finds none spins or yields. */
static bool idle_yields;
int PMPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    (void)request, (void)status;
    *done = 0;
    if (idle_yields) {
        sched_yield();
    }
    return MPI_SUCCESS;
}

/* All processes see the same host. */
static void must_agree(MPI_Comm host, const struct strata_placement *p)
{
    int mine[4] = {p->processes, p->cpus, p->kernel != 0, p->yields};
    int least[4], most[4];
    char name[sizeof p->host];
    MPI_Allreduce(mine, least, 4, MPI_INT, MPI_MIN, host);
    MPI_Allreduce(mine, most, 4, MPI_INT, MPI_MAX, host);
    REQUIRE_BYTES(least, most, sizeof least);
    memcpy(name, p->host, sizeof name);
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, host);
    REQUIRE_TEXT(name, p->host);
    REQUIRE(name[0]);
}

static void test_as_launched(MPI_Comm host, int ranks)
{
    struct strata_placement p;
    succeed(strata_placement_find(host, &p));
    must_agree(host, &p);
    REQUIRE_CMP(p.processes, ==, ranks);
    REQUIRE_CMP(p.cpus, >=, 1);
    REQUIRE_CMP(p.numa, >=, 0);
    REQUIRE_CMP(p.numa_domains, >=, 1);
    REQUIRE(p.numa == 0 || p.numa_domains > 1);
    REQUIRE(p.cpu_set[0]);
}

/* Each process is bound to one processing unit, in turn. The union counts each used unit once. */
static void test_bound(MPI_Comm host, int rank, int ranks, const cpu_set_t *allowed)
{
    struct strata_placement p;
    cpu_set_t one;
    int count = CPU_COUNT(allowed), wanted = rank % count, cpu = 0;
    char text[32];
    for (int seen = -1; seen < wanted; cpu++) {
        seen += CPU_ISSET(cpu, allowed) != 0;
    }
    CPU_ZERO(&one);
    CPU_SET(cpu - 1, &one);
    bind_process(&one);
    succeed(strata_placement_find(host, &p));
    must_agree(host, &p);
    REQUIRE_CMP(p.cpus, <=, ranks < count ? ranks : count);
    snprintf(text, sizeof text, "%d", cpu - 1);
    REQUIRE_TEXT(p.cpu_set, text);
    bind_process(allowed);
}

static bool one_hands_over(MPI_Comm host, bool yields)
{
    idle_yields = yields;
    int found = strata_idle_hands_over(host);
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, host);
    return found != 0;
}

/* All processes are on one core. Within one session a yield reaches the others, however many
 * programs want the core. Elsewhere it need not, so the test only requires that spinning ranks are
 * not said to yield. */
static void test_idle(MPI_Comm host)
{
    struct strata_placement p;
    succeed(strata_placement_find(host, &p));
    REQUIRE(!one_hands_over(host, false));
    REQUIRE(one_hands_over(host, true) || !p.yields || p.processes == 1);
}

/* All processes are bound to one unit, however many the machine has: others may have the rest. */
static void test_stacked(MPI_Comm host, const cpu_set_t *allowed)
{
    struct strata_placement p;
    cpu_set_t one;
    int cpu = 0;
    while (!CPU_ISSET(cpu, allowed)) {
        cpu++;
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    MPI_Bcast(&cpu, 1, MPI_INT, 0, host);
    bind_process(&one);
    succeed(strata_placement_find(host, &p));
    REQUIRE_CMP(p.cpus, ==, 1);
    REQUIRE(p.kernel == 0 || sysconf(_SC_NPROCESSORS_ONLN) == 1);
    test_idle(host);
    bind_process(allowed);
}

int main(int argc, char **argv)
{
    MPI_Comm host;
    int rank, ranks;
    cpu_set_t allowed;
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank);
    MPI_Comm_size(host, &ranks);
    REQUIRE_CMP(sched_getaffinity(0, sizeof allowed, &allowed), ==, 0);
    test_as_launched(host, ranks);
    test_bound(host, rank, ranks, &allowed);
    test_stacked(host, &allowed);
    if (rank == 0) {
        printf("placement: %d ranks: ok\n", ranks);
    }
    MPI_Comm_free(&host);
    MPI_Finalize();
    return 0;
}
