#include "api/call/rehearsal.h"

#include <limits.h>

#include "core/base/memory.h"
#include "internode/mpi/renamed_mpi.h"

uint64_t strata_block_bytes(const struct strata_signature *s, const struct strata_side *side,
                            int block)
{
    uint64_t count = (uint64_t)strata_side_count(s, side, block);
    MPI_Count size = 0;
    if (count > 0) { /* the datatype of an empty block is never read */
        strata_type_size(strata_side_type(side, block), &size);
    }
    return count * (uint64_t)size;
}

/* Takes the arrays of blocks that differ: their lengths and places. */
static int allocate_arrays(struct rehearsed_side *own, const struct strata_side *side, int blocks)
{
    const size_t n = (size_t)blocks;
    own->counts = strata_allocate(n, sizeof *own->counts);
    own->displs = strata_allocate(n, sizeof *own->displs);
    own->types = strata_allocate(side->types ? n : 0, sizeof(MPI_Datatype));
    return own->counts && own->displs && own->types ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static void use_arrays(struct rehearsed_side *own, struct strata_side *side, int blocks)
{
    for (int i = 0; side->types && i < blocks; i++) {
        own->types[i] = MPI_BYTE;
    }
    side->counts = own->counts;
    side->displs = own->displs;
    side->large_counts = NULL;
    side->large_displs = NULL;
    side->types = side->types ? own->types : NULL;
}

/* Makes a side of bytes, with blocks of the same lengths. */
static int fill_side(const struct strata_signature *s, struct rehearsed_side *own,
                     struct strata_side *side)
{
    const int blocks = strata_side_blocks(s, side);
    const bool varies = strata_side_varies(s, side);
    int error = varies ? allocate_arrays(own, side, blocks) : MPI_SUCCESS;
    uint64_t sum = 0, most = 0;
    for (int i = 0; error == MPI_SUCCESS && i < blocks; i++) {
        uint64_t bytes = strata_block_bytes(s, side, i);
        most = bytes > most ? bytes : most;
        if (bytes > INT_MAX || sum + bytes > INT_MAX) {
            error = MPI_ERR_COUNT;
        } else if (varies) {
            own->counts[i] = (int)bytes;
            own->displs[i] = (int)sum;
        }
        sum += bytes;
    }
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (varies) {
        use_arrays(own, side, blocks);
    }
    side->count = (MPI_Count)most;
    side->sum = (int64_t)sum;
    side->most = (MPI_Count)most;
    side->type = MPI_BYTE;
    own->memory = strata_allocate((size_t)sum, 1);
    return own->memory ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* The number of elements on a reduction's longer side. */
static uint64_t operands_of(const struct strata_signature *s)
{
    const struct strata_side *side = s->send.part == STRATA_NONE ? &s->recv : &s->send;
    uint64_t sum = 0;
    for (int i = 0; side->counts && i < s->ranks; i++) {
        sum += (uint64_t)side->counts[i];
    }
    return side->counts
               ? sum
               : (uint64_t)side->count *
                     (strata_collective_info[s->collective].ranked ? (uint64_t)s->ranks : 1);
}

static int fill_operands(const struct strata_signature *s, struct rehearsed_side *own,
                         const struct strata_side *side)
{
    MPI_Aint lower_bound = 0, extent = 0;
    PMPI_Type_get_extent(side->type, &lower_bound, &extent);
    own->memory = strata_allocate((size_t)operands_of(s), (size_t)extent);
    return own->memory ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int rehearse(const struct strata_signature *s, struct rehearsed_side *own,
                    struct strata_side *side)
{
    int error = MPI_SUCCESS;
    if (strata_collective_reduces(s->collective)) {
        error = fill_operands(s, own, side);
    } else if (side->part != STRATA_NONE) {
        error = fill_side(s, own, side);
    }
    side->datatype = NULL;
    if (side->buffer != MPI_IN_PLACE) {
        side->buffer = own->memory;
    }
    return error;
}

int strata_rehearsal_init(struct strata_rehearsal *r, const struct strata_signature *s)
{
    int error = MPI_SUCCESS;
    *r = (struct strata_rehearsal){.signature = *s};
    if (s->collective == STRATA_BARRIER) {
        return MPI_SUCCESS;
    }
    r->signature.large = s->large && strata_collective_reduces(s->collective);
    error = rehearse(s, &r->send, &r->signature.send);
    return error == MPI_SUCCESS ? rehearse(s, &r->recv, &r->signature.recv) : error;
}

void strata_rehearsal_fini(struct strata_rehearsal *r)
{
    struct rehearsed_side *sides[] = {&r->send, &r->recv};
    for (int i = 0; i < 2; i++) {
        strata_release(sides[i]->memory);
        strata_release(sides[i]->counts);
        strata_release(sides[i]->displs);
        strata_release(sides[i]->types);
    }
}
