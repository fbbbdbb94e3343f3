/* allgather_mpi: as allgather_group, but by the carrier's own allgather, as MPI libraries do. The
 * chain must be the whole communicator in its order. */
#include "internode/split/methods.h"
#include "internode/split/sorted.h"

static size_t up(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static const char *refuse(const struct strata_split_shape *shape)
{
    return !shape->whole              ? "needs a chain of all ranks of a communicator, in its order"
           : shape->total > INT32_MAX ? "gathers less than 2^31 bytes"
                                      : NULL;
}

static size_t workspace(const struct strata_split_shape *shape, int rank)
{
    (void)rank;
    return up((size_t)shape->ranks * sizeof(size_t)) + up(shape->total) + up(shape->item);
}

static int run(struct strata_split *split, struct strata_chain_links *group)
{
    const struct strata_split_shape *shape = &split->shape;
    size_t *where = (void *)split->memory;
    struct strata_items items = {split->memory + up((size_t)shape->ranks * sizeof *where),
                                 shape->total};
    unsigned char *mine = items.bytes + up(shape->total);
    size_t size = strata_item_pack(split, mine);
    split->station->usage.rounds++;
    int error =
        split->station->wire->allgather(split->station->self, mine, size, items.bytes, items.size);
    if (!error) {
        int count = strata_items_index(&items, where);
        strata_items_sort(split, &items, where, count);
        strata_items_find(split, &items, where, count, group);
    }
    return error;
}

const struct strata_split_method strata_split_allgather_mpi = {
    .name = "allgather_mpi",
    .summary = "MPI's allgather, then each rank sorts all items",
    .rounds = "1 (MPI's)",
    .memory = "O(P)",
    .refuse = refuse,
    .workspace = workspace,
    .run = run,
};
