/* Where the numbers of hier/tuning.h come from: Open MPI 4.1.4 on a virtual machine with two cores
 * (docs/performance.md), November 2026, medians, with the native collective in turn:
 *
 *   bench="build/openmpi/bench/strata_bench --seconds 0.003 --batches 7"
 *   one="mpirun.openmpi --bind-to core -n 2 $bench"
 *   shared="mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 -n 16 $bench"
 *   hosts="tests/hosts/hosts.sh run --hosts 4 --ranks 2 --mpi openmpi -- $bench"
 *
 * STRATA_LONGEST_SEGMENT: with slots of 4 KiB an allreduce of 16 KiB took 2 to 3 times as long:
 *   for budget in 256K 64M; do STRATA_BUDGET=$budget $one --collective allreduce --bytes 16K; done
 * STRATA_LONGEST_BLOCK: with 4 ranks on each host a gather of 64 KiB took 910 us in four slices and
 * takes 240 at once: $hosts --collective gather --bytes 64K
 * STRATA_SEGMENT_KIB: $one --collective allreduce --bytes 1M
 *   --algorithm node_allreduce:segment=16,node_allreduce:segment=128,node_allreduce:segment=1024
 * STRATA_CLEARLY_LESS: docs/studies.md, "Beside MPI libraries".
 * The parts of the budget bound memory, not time: with them the default budget keeps room for plans
 * over items (strata plan alltoallv --topo "node:4 rank:64"). */
#include "hier/tuning.h"

#include "hier/registry.h"

static const struct {
    const struct strata_algorithm *algorithm;
    struct strata_good_sizes sizes;
} entries[] = {
    /* The root sends short vectors ahead over many calls:
     * $one --collective bcast --algorithm node_bcast --bytes 64,256,512,1K */
    {&strata_node_bcast, {.from = 512}},
    /* $one --collective reduce --algorithm node_reduce --bytes 64,256,512,1K */
    {&strata_node_reduce, {.from = 512}},
    /* From 512 bytes on Open MPI's first ranks no longer go ahead; longer vectors it combines less
     * often: $one --collective scan,exscan --algorithm node_scan --bytes 256,512,1K,16K,32K,64K
     * Across: $hosts --collective scan --algorithm node_scan --bytes 4K,8K,16K,32K */
    {&strata_node_scan, {.from = 512, .to = 32768, .from_across = 16384}},
    /* Longer vectors do not stay in the caches that ranks share:
     * $shared --collective scan --algorithm node_vectors --bytes 512,1K,4K,16K,32K,64K */
    {&strata_node_vectors, {.from = 1024, .to = 32768, .from_across = 16384}},
    /* $one --collective gather --algorithm node_gather --bytes 64,256,512,1K,4K
     * Across: $hosts --collective gather --algorithm node_gather --bytes 8,256,512,4K */
    {&strata_node_gather, {.from = 512, .from_across = 512}},
    /* Likewise with scatter and node_scatter. */
    {&strata_node_scatter, {.from = 512, .from_across = 512}},
    /* Below, node_allreduce takes less, which combines everything on each rank:
     * $shared --collective allreduce --algorithm dpml,node_allreduce --bytes 256,4K,16K,64K */
    {&strata_dpml, {.from = 512, .from_crowded = 65536, .always = true}},
    /* Elsewhere the tree is the star of node_bcast, node_reduce and node_allreduce, which were
     * measured, or one over a single cache. */
    {&strata_node_levels, {.always = true, .levels = true}},
    /* Below, slots take less, even where its cost is lower:
     * $one --collective alltoallv --algorithm leaders,single_copy --bytes 1K,4K,8K,16K */
    {&strata_single_copy, {.from = 8192, .always = true}},
};

struct strata_good_sizes strata_good_sizes_of(const struct strata_algorithm *algorithm)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (entries[i].algorithm == algorithm) {
            return entries[i].sizes;
        }
    }
    return (struct strata_good_sizes){.from = 0};
}
