/* The calls that say where the pages of node memories lie, on a host that is made up: two domains,
 * half of the ranks in each. Slots lie near their owner, for blocking and for nonblocking calls. No
 * more is said than that pages are spread where a rank has a memory policy of its own, or ranks may
 * run in both domains, and nothing at all of a machine that is not this one.
 *
 * run: 2,4,5 STRATA_WAIT=yield
 * run: 4 STRATA_WAIT=yield -- numactl
 * run: 4 STRATA_WAIT=yield -- unbound
 * run: 4 STRATA_WAIT=yield -- synthetic
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "api/attach/sequence.h"
#include "api/attach/state.h"
#include "api/life/life.h"
#include "tests/mpi/attached.h"

enum { NODES = 2, MOST = 1000 };

static int rank, ranks;
static bool made_up; /* the host is: from after MPI_Init on */
static const char *kind = "near";

static bool is(const char *name)
{
    return strcmp(kind, name) == 0;
}

/* Half of the ranks in each domain. */
static int domain_of(int member)
{
    return member * NODES / ranks;
}

/* An advice to the kernel. */
static struct advice {
    uintptr_t begin;
    size_t bytes;
    long policy;
    unsigned long nodes;
} advices[MOST];
static int count;

static long note(const long word[6])
{
    REQUIRE_CMP(count, <, MOST);
    const unsigned long *nodes = (const unsigned long *)word[3];
    for (long i = 1; i < (word[4] - 1) / 64; i++) {
        REQUIRE_CMP(nodes[i], ==, 0);
    }
    advices[count++] = (struct advice){(uintptr_t)word[0], (size_t)word[1], word[2], nodes[0]};
    return 0;
}

static long say_policy(const long word[6])
{
    if (word[4] == MPOL_F_MEMS_ALLOWED) {
        *(unsigned long *)word[1] = (1ul << NODES) - 1;
    } else {
        *(int *)word[0] = is("numactl") && rank == ranks - 1 ? MPOL_BIND : MPOL_DEFAULT;
    }
    return 0;
}

/* Replaces a call of the C library's, as does the next one, and the last one a call of hwloc's. */
long call_system(long number, ...) __asm__("syscall");
long call_system(long number, ...)
{
    long (*real)(long, ...), word[6];
    void *symbol = dlsym(RTLD_NEXT, "syscall");
    va_list more;
    memcpy(&real, &symbol, sizeof real);
    va_start(more, number);
    for (int i = 0; i < 6; i++) {
        word[i] = va_arg(more, long);
    }
    va_end(more);
    if (made_up && number == SYS_mbind) {
        return note(word);
    }
    if (made_up && number == SYS_get_mempolicy) {
        return say_policy(word);
    }
    return real(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

int affinity(pid_t thread, size_t bytes, cpu_set_t *cpus) __asm__("sched_getaffinity");
int affinity(pid_t thread, size_t bytes, cpu_set_t *cpus)
{
    if (!made_up) {
        return (int)call_system(SYS_sched_getaffinity, thread, bytes, cpus) < 0 ? -1 : 0;
    }
    memset(cpus, 0, bytes);
    for (int r = 0; r < ranks; r++) {
        if (r == rank || is("unbound")) {
            CPU_SET_S((size_t)domain_of(r) * 64 + (size_t)r, bytes, cpus);
        }
    }
    return 0;
}

int real_machine(void *topology) __asm__("hwloc_topology_is_thissystem");
int real_machine(void *topology)
{
    (void)topology;
    return !is("synthetic");
}

/* The advices of a policy that hold this byte. */
static unsigned long nodes_of(const void *byte, long policy)
{
    unsigned long nodes = 0;
    for (int i = 0; i < count; i++) {
        bool inside = (uintptr_t)byte - advices[i].begin < advices[i].bytes;
        nodes |= inside && advices[i].policy == policy ? advices[i].nodes : 0;
    }
    return nodes;
}

static int count_of(long policy)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += advices[i].policy == policy;
    }
    return found;
}

/* Slots of two pages and more have a whole page in their middle. */
static void must_lie_near(const struct strata_node_memory *memory)
{
    const struct strata_ring *large = &memory->ring[STRATA_LARGE_RING];
    REQUIRE_CMP(large->slot_bytes, >=, 4 * 4096);
    for (int m = 0; m < ranks; m++) {
        for (uint64_t epoch = 0; epoch < large->depth; epoch++) {
            const unsigned char *slot = strata_ring_slot(large, m, epoch) + large->slot_bytes / 2;
            REQUIRE_CMP(nodes_of(slot, MPOL_PREFERRED), ==, 1ul << domain_of(m));
            REQUIRE_CMP(nodes_of(slot, MPOL_INTERLEAVE), ==, (1ul << NODES) - 1);
        }
    }
}

static void must_spread_only(const struct strata_node_memory *memory, bool spread)
{
    const unsigned char *slot = strata_ring_slot(&memory->ring[STRATA_LARGE_RING], 0, 0);
    REQUIRE_CMP(nodes_of(slot + 4096, MPOL_INTERLEAVE), ==, spread ? (1ul << NODES) - 1 : 0);
    REQUIRE_CMP(count_of(MPOL_PREFERRED), ==, 0);
}

static void use(MPI_Comm comm)
{
    int sum = 0;
    struct strata_request *request;
    succeed(strata_allreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum, ==, ranks * ranks);
    succeed(strata_comm_attach(comm, "iallreduce:bytes=4"));
    succeed(strata_iallreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_CMP(sum, ==, ranks * ranks);
}

/* The ranks of the node that took no region have said nothing. */
static void test(MPI_Comm comm)
{
    const struct strata_state *state = strata_state_find(strata_process(), comm);
    const struct strata_group *g = state->group;
    const struct strata_sequence_memories *memories = &g->sequence->memories;
    REQUIRE(g->arena);
    if (rank > 0) {
        REQUIRE_CMP(count, ==, 0);
    } else if (is("near")) {
        must_lie_near(&g->memory);
        REQUIRE_CMP(memories->count, >, 0);
        for (unsigned i = 0; i < memories->count; i++) {
            must_lie_near(&memories->memory[i]);
        }
        printf("near: %d ranks: %d advices to spread, %d to lie near: ok\n", ranks,
               count_of(MPOL_INTERLEAVE), count_of(MPOL_PREFERRED));
    } else {
        must_spread_only(&g->memory, !is("synthetic"));
        printf("near: %d ranks, %s: %d advices to spread: ok\n", ranks, kind,
               count_of(MPOL_INTERLEAVE));
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    kind = argc > 1 ? argv[1] : kind;
    unsetenv("HWLOC_COMPONENTS"); /* would overrule HWLOC_SYNTHETIC */
    REQUIRE_CMP(setenv("HWLOC_SYNTHETIC", "numa:2 core:64 pu:1", 1), ==, 0);
    made_up = true;
    MPI_Comm comm = new_communicator();
    use(comm);
    test(comm);
    MPI_Comm_free(&comm);
    made_up = false;
    MPI_Finalize();
    return 0;
}
