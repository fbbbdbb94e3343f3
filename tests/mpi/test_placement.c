/* Finds where the processes of a host may run, and on what hardware.
 *
 * run: 1,2,5
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
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

/* Replaces MPI's call, which refuses the message once. */
static bool refuses;
int PMPI_Send(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    const bool refused = refuses;
    refuses = false;
    return refused ? MPI_ERR_OTHER : MPI_Send(from, count, type, to, tag, comm);
}

static struct strata_hardware *hardware;

/* All processes see the same host. */
static void must_agree(MPI_Comm host, const struct strata_placement *p)
{
    const struct strata_objects *h = &p->hardware;
    int mine[] = {p->processes, p->cpus,   p->kernel != 0, p->yields, h->packages,
                  h->domains,   h->caches, h->cores,       h->real};
    enum { WORDS = sizeof mine / sizeof *mine };
    int least[WORDS], most[WORDS];
    char name[sizeof p->host];
    MPI_Allreduce(mine, least, WORDS, MPI_INT, MPI_MIN, host);
    MPI_Allreduce(mine, most, WORDS, MPI_INT, MPI_MAX, host);
    REQUIRE_BYTES(least, most, sizeof least);
    memcpy(name, p->host, sizeof name);
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, host);
    REQUIRE_TEXT(name, p->host);
    REQUIRE(name[0]);
}

static void must_lie_in(int number, int count)
{
    REQUIRE(count >= 1);
    REQUIRE(number == STRATA_SEVERAL ? count > 1 : number >= 0 && number < count);
}

/* A domain has the kernel's number, of which the kernel may leave some out. */
static void must_lie_on(const struct strata_objects *h, const struct strata_place *place)
{
    must_lie_in(place->package, h->packages);
    must_lie_in(place->cache, h->caches);
    must_lie_in(place->core, h->cores);
    REQUIRE(h->packages <= h->domains && h->domains <= h->caches && h->caches <= h->cores);
    REQUIRE(place->domain >= 0 || (place->domain == STRATA_SEVERAL && h->domains > 1));
}

static void test_as_launched(MPI_Comm host, int ranks)
{
    struct strata_placement p;
    succeed(strata_placement_find(host, &hardware, &p));
    must_agree(host, &p);
    REQUIRE_CMP(p.processes, ==, ranks);
    REQUIRE_CMP(p.cpus, >=, 1);
    must_lie_on(&p.hardware, &p.place);
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
    succeed(strata_placement_find(host, &hardware, &p));
    must_agree(host, &p);
    REQUIRE_CMP(p.cpus, <=, ranks < count ? ranks : count);
    snprintf(text, sizeof text, "%d", cpu - 1);
    REQUIRE_TEXT(p.cpu_set, text);
    REQUIRE(p.place.core != STRATA_SEVERAL || !p.hardware.real);
    bind_process(allowed);
}

static bool one_hands_over(MPI_Comm host, bool yields, bool refused)
{
    idle_yields = yields;
    refuses = refused;
    int found = strata_idle_hands_over(host);
    REQUIRE(!refuses);
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, host);
    return found != 0;
}

/* All processes are on one core. Within one session a yield reaches the others, however many
 * programs want the core. Elsewhere it need not, so the test only requires that spinning ranks are
 * not said to yield. A rank whose message to itself MPI refuses does not wait for it. */
static void test_idle(MPI_Comm host)
{
    struct strata_placement p;
    succeed(strata_placement_find(host, &hardware, &p));
    REQUIRE(!one_hands_over(host, false, false));
    REQUIRE(!one_hands_over(host, false, true));
    REQUIRE(one_hands_over(host, true, false) || !p.yields || p.processes == 1);
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
    succeed(strata_placement_find(host, &hardware, &p));
    REQUIRE_CMP(p.cpus, ==, 1);
    REQUIRE(p.kernel == 0 || sysconf(_SC_NPROCESSORS_ONLN) == 1);
    test_idle(host);
    bind_process(allowed);
}

/* The table is the same whether one process knows it already or none does. */
static void test_shared(MPI_Comm host, int rank, int ranks)
{
    struct strata_hardware *first = hardware;
    struct strata_placement p;
    REQUIRE(first);
    for (int knows = -1; knows < ranks; knows++) {
        hardware = rank == knows ? first : NULL;
        succeed(strata_placement_find(host, &hardware, &p));
        must_agree(host, &p);
        REQUIRE(hardware && (rank != knows || hardware == first));
        REQUIRE_BYTES(hardware, first, strata_hardware_bytes(first->units));
        if (hardware != first) {
            strata_release(hardware);
        }
    }
    hardware = first;
}

/* A machine that is not this one has a core for each process in turn, whatever its binding is. Only
 * the process that looks needs to be told. */
static void test_told(MPI_Comm host, int rank)
{
    struct strata_hardware *own = hardware;
    struct strata_placement p;
    hardware = NULL;
    unsetenv("HWLOC_COMPONENTS"); /* would overrule HWLOC_SYNTHETIC */
    REQUIRE(rank != 0 || setenv("HWLOC_SYNTHETIC", "package:1 l3:2 core:2 pu:2", 1) == 0);
    succeed(strata_placement_find(host, &hardware, &p));
    unsetenv("HWLOC_SYNTHETIC");
    must_agree(host, &p);
    REQUIRE(!p.hardware.real && p.hardware.cores == 4 && p.hardware.caches == 2);
    REQUIRE_CMP(p.place.core, ==, rank % 4);
    REQUIRE_CMP(p.place.cache, ==, rank % 4 / 2);
    strata_release(hardware);
    hardware = own;
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
    test_shared(host, rank, ranks);
    test_told(host, rank);
    strata_release(hardware);
    if (rank == 0) {
        printf("placement: %d ranks: ok\n", ranks);
    }
    MPI_Comm_free(&host);
    MPI_Finalize();
    return 0;
}
