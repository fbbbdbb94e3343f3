#include "api/call/one_memory.h"

#include "api/call/arguments.h"
#include "api/call/copy_elements.h"
#include "api/process/process.h"
#include "api/types/datatype.h"
#include "api/types/reduction_operator.h"
#include "internode/mpi/quiet_mpi.h"
#include "internode/mpi/renamed_mpi.h"

/* The number of this rank's own block: 0 on a side with one block. */
static int own_block(const struct strata_signature *s, const struct strata_side *side)
{
    return strata_side_blocks(s, side) > 1 ? s->rank : 0;
}

/* The displacement of the own block, in elements or, in alltoallw, in bytes. In a reduction the
 * whole vector is taken. */
static MPI_Count own_displacement(const struct strata_signature *s, const struct strata_side *side)
{
    int block = own_block(s, side);
    if (strata_collective_reduces(s->collective)) {
        return 0;
    }
    return strata_side_varies(s, side) ? strata_side_displaced(side, block) : block * side->count;
}

/* The size and extent of an element. MPI is asked only for a type that was not met before. */
static MPI_Count measure(const struct strata_side *side, MPI_Datatype type, MPI_Count *extent)
{
    const struct strata_datatype *known = side->datatype;
    MPI_Count size = 0;
    MPI_Count lower_bound = 0;
    if (known && !known->packed) {
        *extent = known->flat.extent;
        return (MPI_Count)known->flat.size;
    }
    *extent = 0;
    strata_type_size(type, &size);
    strata_type_extent(type, &lower_bound, extent);
    *extent = side->types ? 1 : *extent;
    return size;
}

/* Elements without bytes, such as an empty struct, lie nowhere. */
static bool has_bytes(const struct strata_side *side)
{
    MPI_Count extent;
    return side->sum > 0 && side->type != MPI_DATATYPE_NULL &&
           measure(side, side->type, &extent) > 0;
}

/* The address of this rank's own block. */
static uintptr_t place_of(const struct strata_signature *s, const struct strata_side *side,
                          MPI_Count extent)
{
    return (uintptr_t)side->buffer + (uintptr_t)(own_displacement(s, side) * extent);
}

/* Whether the own block has the same memory on both sides. */
static bool own_memory(const struct strata_signature *s)
{
    const struct strata_side *send = &s->send;
    const struct strata_side *recv = &s->recv;
    MPI_Count extent;
    MPI_Datatype type;
    if (send->part == STRATA_NONE || recv->part == STRATA_NONE) {
        return false;
    }
    type = strata_side_type(send, own_block(s, send));
    return type == strata_side_type(recv, own_block(s, recv)) && type != MPI_DATATYPE_NULL &&
           strata_side_count(s, send, own_block(s, send)) != 0 &&
           strata_side_count(s, recv, own_block(s, recv)) != 0 &&
           measure(send, type, &extent) != 0 &&
           place_of(s, send, extent) == place_of(s, recv, extent);
}

/* Whether all ranks of a wrong call see the error. In other collectives a rank may have no block,
 * or may not be the root, or may be rank 0 of an exscan, whose receive buffer may be anything. */
static bool seen_by_all(const struct strata_signature *s)
{
    const struct strata_collective_info *info = &strata_collective_info[s->collective];
    return info->root == '-' && !info->varying && s->collective != STRATA_EXSCAN;
}

/* Whether each block that arrives replaces the block that is sent to the same rank. */
static bool same_blocks(const struct strata_signature *s)
{
    const struct strata_side *a = &s->send;
    const struct strata_side *b = &s->recv;
    bool same = a->buffer == b->buffer;
    bool any = false;
    for (int i = 0; same && i < s->ranks; i++) {
        MPI_Count count = strata_side_counted(a, i);
        bool empty = count == 0 && strata_side_counted(b, i) == 0;
        same = empty || (count == strata_side_counted(b, i) &&
                         strata_side_displaced(a, i) == strata_side_displaced(b, i) &&
                         strata_side_type(a, i) == strata_side_type(b, i));
        any = any || !empty;
    }
    return same && any;
}

static bool same_counts(const struct strata_signature *s)
{
    const struct strata_side *a = &s->send;
    const struct strata_side *b = &s->recv;
    return strata_side_count(s, a, own_block(s, a)) == strata_side_count(s, b, own_block(s, b));
}

/* Whether MPI_IN_PLACE would name the same memory of this rank. */
static bool as_if_in_place(const struct strata_signature *s)
{
    if (s->in_place || !strata_may_be_in_place(s)) {
        return false;
    }
    if (strata_collective_reduces(s->collective)) {
        return s->send.buffer == s->recv.buffer && has_bytes(&s->send);
    }
    if (strata_collective_transposes(s->collective) && strata_side_varies(s, &s->send)) {
        return same_blocks(s);
    }
    return own_memory(s) && same_counts(s);
}

/* In an allgather the own block may also lie where the first block is received. */
bool strata_one_memory(const struct strata_signature *s)
{
    return as_if_in_place(s) || (s->collective == STRATA_ALLGATHER && !s->in_place &&
                                 s->send.buffer == s->recv.buffer && has_bytes(&s->send));
}

static void take_nothing(void *from, void *into, int *count, MPI_Datatype *type)
{
    (void)from, (void)into, (void)count, (void)type;
}

/* Makes the call on this process's own communicator. Open MPI raises some of these errors on
 * MPI_COMM_WORLD. */
static int ask_alone(struct strata_process *process, struct strata_signature *call)
{
    const bool quiet = strata_quiet_begin(MPI_COMM_WORLD);
    int error = MPI_SUCCESS;
    call->comm = strata_alone_begin(process);
    if (call->comm != MPI_COMM_NULL) {
        error = strata_native_call(call);
    }
    strata_alone_end(process);
    if (quiet) {
        strata_quiet_end(MPI_COMM_WORLD);
    }
    return error;
}

/* Whether MPI refuses such a call, tried with elements that have no bytes. Some MPIs refuse only
 * more than one element, or counts that lie in one array. */
static bool refused_by_mpi(struct strata_process *process, const struct strata_signature *s)
{
    int count = s->send.sum > 1 ? 2 : 1, again = count, none = 0;
    bool apart = s->send.counts != s->recv.counts;
    char memory = 0;
    MPI_Datatype empty = MPI_DATATYPE_NULL;
    struct strata_signature call = {.collective = s->collective, .op = MPI_OP_NULL};
    PMPI_Type_contiguous(0, MPI_BYTE, &empty);
    PMPI_Type_commit(&empty);
    PMPI_Op_create(take_nothing, 1, &call.op);
    call.send = (struct strata_side){.buffer = &memory,
                                     .count = count,
                                     .counts = &count,
                                     .displs = &none,
                                     .type = empty,
                                     .types = &empty};
    call.recv = call.send;
    call.recv.counts = apart ? &again : &count;
    int error = ask_alone(process, &call);
    PMPI_Op_free(&call.op);
    PMPI_Type_free(&empty);
    return error != MPI_SUCCESS;
}

/* Copies this rank's block from the place of the first block to its own. */
static int move_own_block(const struct strata_signature *s)
{
    MPI_Count extent = 0;
    (void)measure(&s->send, s->send.type, &extent);
    uintptr_t to = place_of(s, &s->recv, extent);
    return to == (uintptr_t)s->send.buffer
               ? MPI_SUCCESS
               : strata_copy_elements(s->send.buffer, (void *)to, s->send.count, s->send.type,
                                      s->comm);
}

int strata_one_memory_judge(struct strata_process *process, struct strata_signature *s)
{
    int error = MPI_SUCCESS;
    if (process->preloaded ? as_if_in_place(s) && refused_by_mpi(process, s) : seen_by_all(s)) {
        return MPI_ERR_BUFFER;
    }
    if (s->collective == STRATA_ALLGATHER) {
        error = move_own_block(s);
    }
    strata_go_in_place(s);
    return error;
}
