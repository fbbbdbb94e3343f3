/* Blocks with large counts, with an MPI that has only int counts. */
#include <limits.h>

#include "api/call/large.h"
#include "api/process/process.h"
#include "core/base/memory.h"
#include "internode/mpi/describe_mpi.h"

/* This rank, and the number of blocks: in an intercommunicator, as many as remote ranks. */
struct caller {
    int rank, blocks;
    bool root, other; /* has the root's side; has the other side, as all ranks but those in the
                         root's group of an intercommunicator */
    int root_block;   /* the block of the root */
};

static struct caller caller_of(const struct strata_signature *s)
{
    struct caller c = {.root = true, .other = true};
    int inter = 0;
    PMPI_Comm_test_inter(s->comm, &inter);
    PMPI_Comm_rank(s->comm, &c.rank);
    if (inter) {
        PMPI_Comm_remote_size(s->comm, &c.blocks);
        c.rank = -1; /* no block is this rank's own */
    } else {
        PMPI_Comm_size(s->comm, &c.blocks);
    }
    if (strata_collective_rooted(s->collective)) {
        c.root = inter ? s->root == MPI_ROOT : c.rank == s->root;
        c.other = !inter || (!c.root && s->root != MPI_PROC_NULL);
        c.root_block = s->root;
    }
    return c;
}

/* Whether MPI reads the side's arguments on this rank. */
static bool significant(const struct strata_signature *s, const struct caller *c,
                        const struct strata_side *side)
{
    char root = strata_collective_info[s->collective].root;
    bool at_root = root == (side == &s->send ? 'i' : 'o') || s->collective == STRATA_BCAST;
    bool elsewhere = root != (side == &s->send ? 'i' : 'o');
    return side->form != STRATA_SIDE_ABSENT && side->buffer != MPI_IN_PLACE &&
           ((at_root && c->root) || (elsewhere && c->other));
}

/* Describes the elements of a side for MPI. MPI finds negative counts itself. */
static int describe(struct strata_side *side, bool looked_at, struct strata_description *d)
{
    int error = MPI_SUCCESS;
    *d = (struct strata_description){side->type, side->count < 0 ? -1 : 0, false};
    if (looked_at && side->count > 0) {
        error = strata_describe_elements(side->type, (size_t)side->count, d);
    }
    side->type = d->type;
    side->count = d->count;
    return error;
}

/* Raises an error that MPI has not raised. */
static int refuse(const struct strata_signature *s, int error)
{
    return strata_raise(s->comm, error, strata_collective_name(s->collective),
                        error == MPI_ERR_NO_MEM ? "out of memory"
                                                : "no datatype stands for so many elements");
}

int strata_large_blocks(const struct strata_signature *s)
{
    struct caller c = caller_of(s);
    struct strata_signature call = *s;
    struct strata_description sent, taken;
    int error = describe(&call.send, significant(s, &c, &s->send), &sent);
    int second = describe(&call.recv, significant(s, &c, &s->recv), &taken);
    call.large = false;
    error = error == MPI_SUCCESS ? second : error;
    error = error == MPI_SUCCESS ? strata_native_call(&call) : refuse(s, error);
    strata_forget(&taken);
    strata_forget(&sent);
    return error;
}

/* The arguments of one side of MPI_Alltoallw. */
struct typed {
    void *buffer;
    int *counts, *displs;
    MPI_Datatype *types;
    bool *made; /* whether each datatype was made here, and must be freed */
};

static int typed_init(struct typed *t, void *buffer, int blocks)
{
    *t = (struct typed){.buffer = buffer,
                        .counts = strata_allocate((size_t)blocks, sizeof *t->counts),
                        .displs = strata_allocate((size_t)blocks, sizeof *t->displs),
                        .types = strata_allocate((size_t)blocks, sizeof *t->types),
                        .made = strata_allocate((size_t)blocks, sizeof *t->made)};
    if (!t->counts || !t->displs || !t->types || !t->made) {
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < blocks; i++) {
        t->types[i] = MPI_BYTE;
    }
    return MPI_SUCCESS;
}

static void typed_fini(struct typed *t, int blocks)
{
    for (int i = 0; t->made && i < blocks; i++) {
        if (t->made[i]) {
            PMPI_Type_free(&t->types[i]);
        }
    }
    strata_release(t->counts);
    strata_release(t->displs);
    strata_release(t->types);
    strata_release(t->made);
}

/* Sets a block of so many elements, `at` bytes behind the buffer's address. A datatype says what an
 * int cannot. */
static int put(struct typed *t, int block, MPI_Count count, MPI_Datatype type, MPI_Aint at)
{
    struct strata_description d;
    int error = strata_describe_elements(type, (size_t)count, &d);
    if (error == MPI_SUCCESS && (at > INT_MAX || at < INT_MIN)) {
        error = PMPI_Type_create_hindexed(1, &d.count, &at, d.type, &t->types[block]);
        strata_forget(&d);
        t->made[block] = error == MPI_SUCCESS;
        t->counts[block] = 1;
        return error == MPI_SUCCESS ? PMPI_Type_commit(&t->types[block]) : error;
    }
    t->counts[block] = d.count;
    t->displs[block] = (int)at;
    t->types[block] = d.type;
    t->made[block] = d.made;
    return error;
}

/* Sets block `as` of MPI_Alltoallw to a block of the side. */
static int put_block(struct typed *t, const struct strata_side *side, int block, int as)
{
    MPI_Count count = strata_side_has_counts(side) ? strata_side_counted(side, block) : side->count;
    MPI_Aint at = strata_side_has_displs(side) ? strata_side_displaced(side, block) : 0;
    MPI_Aint low = 0;
    MPI_Aint extent = 1;
    if (count == 0) {
        return MPI_SUCCESS;
    }
    if (count < 0) {
        t->counts[as] = -1;
        return MPI_SUCCESS;
    }
    if (!side->types) {
        PMPI_Type_get_extent(side->type, &low, &extent);
    }
    return put(t, as, count, strata_side_type(side, block), at * extent);
}

/* Sets the blocks of a side: one for each rank, or a single block, for the root or for all ranks.
 * In place the root's own block stays. */
static int fill(struct typed *t, const struct strata_signature *s, const struct caller *c,
                const struct strata_side *side)
{
    const struct strata_side *other = side == &s->send ? &s->recv : &s->send;
    bool one = !strata_side_has_counts(side), rooted = strata_collective_rooted(s->collective);
    bool stays = other->buffer == MPI_IN_PLACE && !strata_collective_transposes(s->collective);
    int error = MPI_SUCCESS;
    for (int i = 0; i < c->blocks && error == MPI_SUCCESS; i++) {
        bool none = (stays && i == c->rank) || (one && rooted && i != c->root_block);
        error = none ? MPI_SUCCESS : put_block(t, side, one ? 0 : i, i);
    }
    return error;
}

/* allgatherv in place: sets the block for each rank to this rank's own, which lies among the
 * others. */
static int fill_own(struct typed *t, const struct strata_signature *s, const struct caller *c)
{
    int error = MPI_SUCCESS;
    t->buffer = s->recv.buffer;
    for (int i = 0; i < c->blocks && error == MPI_SUCCESS; i++) {
        error = i == c->rank ? MPI_SUCCESS : put_block(t, &s->recv, c->rank, i);
    }
    return error;
}

static int exchange(const struct strata_signature *s, const struct caller *c, struct typed *sent,
                    struct typed *taken)
{
    bool gathers = s->collective == STRATA_ALLGATHERV && s->send.buffer == MPI_IN_PLACE;
    int error = significant(s, c, &s->send) ? fill(sent, s, c, &s->send)
                : gathers                   ? fill_own(sent, s, c)
                                            : MPI_SUCCESS;
    if (error == MPI_SUCCESS && significant(s, c, &s->recv)) {
        error = fill(taken, s, c, &s->recv);
    }
    if (!strata_collective_transposes(s->collective)) { /* else MPI_Alltoallw is in place */
        sent->buffer = sent->buffer == MPI_IN_PLACE ? NULL : sent->buffer;
        taken->buffer = taken->buffer == MPI_IN_PLACE ? NULL : taken->buffer;
    }
    return error == MPI_SUCCESS
               ? PMPI_Alltoallw(sent->buffer, sent->counts, sent->displs, sent->types,
                                taken->buffer, taken->counts, taken->displs, taken->types, s->comm)
               : refuse(s, error);
}

int strata_large_varying(const struct strata_signature *s)
{
    struct caller c = caller_of(s);
    struct typed sent, taken;
    int error = typed_init(&sent, s->send.buffer, c.blocks);
    int second = typed_init(&taken, s->recv.buffer, c.blocks);
    error = error == MPI_SUCCESS ? second : error;
    error = error == MPI_SUCCESS ? exchange(s, &c, &sent, &taken) : refuse(s, error);
    typed_fini(&sent, c.blocks);
    typed_fini(&taken, c.blocks);
    return error;
}
