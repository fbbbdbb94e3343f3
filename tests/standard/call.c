/* A case's call: its arguments, and MPI's own function. */
#include <stddef.h>

#include "buffers.h"

enum { MOST = 8, GAP = 2 };

const struct collective_info info[COLLECTIVES] = {
    [BARRIER] = {"barrier", "6.3", .rooted = false},
    [BCAST] = {"bcast", "6.4", .rooted = true},
    [GATHER] = {"gather", "6.5", .rooted = true, .gathers = true},
    [GATHERV] = {"gatherv", "6.5", .rooted = true, .varying = true, .gathers = true},
    [SCATTER] = {"scatter", "6.6", .rooted = true, .scatters = true},
    [SCATTERV] = {"scatterv", "6.6", .rooted = true, .varying = true, .scatters = true},
    [ALLGATHER] = {"allgather", "6.7", .rooted = false},
    [ALLGATHERV] = {"allgatherv", "6.7", .varying = true},
    [ALLTOALL] = {"alltoall", "6.8", .rooted = false},
    [ALLTOALLV] = {"alltoallv", "6.8", .varying = true},
    [ALLTOALLW] = {"alltoallw", "6.8", .varying = true},
    [REDUCE] = {"reduce", "6.9.1", .rooted = true, .reduces = true},
    [ALLREDUCE] = {"allreduce", "6.9.6", .reduces = true},
    [REDUCE_SCATTER] = {"reduce_scatter", "6.10.2", .reduces = true, .varying = true},
    [REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", "6.10.1", .reduces = true},
    [SCAN] = {"scan", "6.11.1", .reduces = true},
    [EXSCAN] = {"exscan", "6.11.2", .reduces = true},
};

int rank, ranks;

/* The arguments of one call: a side's counts and displacements; alltoallw's are in bytes. */
struct arguments {
    void *from, *to;
    int sent, taken, me, size, counts[MOST], displs[MOST], taken_counts[MOST], taken_displs[MOST];
    MPI_Datatype sent_type, taken_type, sent_types[MOST], taken_types[MOST];
    MPI_Op op;
    MPI_Comm comm;
};

int varied(const struct call *call, int count, int from, int to)
{
    int turn = call->collective == ALLTOALLV || call->collective == ALLTOALLW ? from + to : to;
    return count > 0 && call->sent_type == call->taken_type ? count + turn % 3 : count;
}

static void vary(const struct call *call, struct arguments *a)
{
    MPI_Aint lower_bound, sent_extent, taken_extent;
    int at = 0, taken_at = 0;
    PMPI_Type_get_extent(a->sent_type, &lower_bound, &sent_extent);
    PMPI_Type_get_extent(a->taken_type, &lower_bound, &taken_extent);
    for (int r = 0; r < a->size; r++) {
        bool bytes = call->collective == ALLTOALLW;
        a->counts[r] = varied(call, a->sent, a->me, r);
        a->taken_counts[r] =
            varied(call, a->taken, call->in_place ? a->me : r,
                   call->collective == ALLTOALLV || bytes ? (call->in_place ? r : a->me) : r);
        a->displs[r] = bytes ? at * (int)sent_extent : at;
        a->taken_displs[r] = bytes ? taken_at * (int)taken_extent : taken_at;
        at += a->counts[r] + GAP;
        taken_at += a->taken_counts[r] + GAP;
        a->sent_types[r] = a->sent_type;
        a->taken_types[r] = a->taken_type;
    }
}

/* Makes the arguments invalid that are not significant on this rank. */
static void spoil(const struct call *call, struct arguments *a)
{
    bool root = a->me == call->root;
    if (!call->insignificant || root || !info[call->collective].rooted) {
        return;
    }
    if (info[call->collective].scatters) {
        a->from = NULL;
        a->sent_type = MPI_DATATYPE_NULL;
        a->sent = -5;
    } else if (info[call->collective].gathers) {
        a->to = NULL;
        a->taken_type = MPI_DATATYPE_NULL;
        a->taken = -7;
    } else if (call->collective == REDUCE) {
        a->to = NULL;
    }
}

static void in_place(const struct call *call, struct arguments *a)
{
    const struct collective_info *i = &info[call->collective];
    if (!call->in_place || (i->rooted && a->me != call->root)) {
        return;
    }
    *(i->scatters ? &a->to : &a->from) = MPI_IN_PLACE;
}

static struct arguments arguments_of(const struct call *call)
{
    struct arguments a = {
        .from = sent_room + BEGIN + call->shift,
        .to = taken_room + BEGIN + call->shift,
        .sent = call->sent,
        .taken = call->taken ? call->taken : call->sent,
        .sent_type = call->sent_type ? call->sent_type : MPI_INT,
        .op = call->op ? call->op : MPI_SUM,
        .comm = call->comm ? call->comm : MPI_COMM_WORLD,
    };
    a.taken_type = call->taken_type ? call->taken_type : a.sent_type;
    PMPI_Comm_rank(a.comm, &a.me);
    if (call->remote) {
        PMPI_Comm_remote_size(a.comm, &a.size);
    } else {
        PMPI_Comm_size(a.comm, &a.size);
    }
    vary(call, &a);
    spoil(call, &a);
    in_place(call, &a);
    return a;
}

/* NOLINTNEXTLINE(readability-function-size): a line for each collective */
int make_call(const struct call *call)
{
    struct arguments a = arguments_of(call);
    int root = call->root, mine = varied(call, a.sent, a.me, a.me);
    int my_part = varied(call, a.taken, a.me, a.me);
    switch (call->collective) {
    case BARRIER:
        return MPI_Barrier(a.comm);
    case BCAST:
        return MPI_Bcast(a.to, a.sent, a.sent_type, root, a.comm);
    case GATHER:
        return MPI_Gather(a.from, a.sent, a.sent_type, a.to, a.taken, a.taken_type, root, a.comm);
    case GATHERV:
        return MPI_Gatherv(a.from, a.sent < 0 ? a.sent : mine, a.sent_type, a.to, a.taken_counts,
                           a.taken_displs, a.taken_type, root, a.comm);
    case SCATTER:
        return MPI_Scatter(a.from, a.sent, a.sent_type, a.to, a.taken, a.taken_type, root, a.comm);
    case SCATTERV:
        return MPI_Scatterv(a.from, a.counts, a.displs, a.sent_type, a.to,
                            a.taken < 0 ? a.taken : my_part, a.taken_type, root, a.comm);
    case ALLGATHER:
        return MPI_Allgather(a.from, a.sent, a.sent_type, a.to, a.taken, a.taken_type, a.comm);
    case ALLGATHERV:
        return MPI_Allgatherv(a.from, a.sent < 0 ? a.sent : mine, a.sent_type, a.to, a.taken_counts,
                              a.taken_displs, a.taken_type, a.comm);
    case ALLTOALL:
        return MPI_Alltoall(a.from, a.sent, a.sent_type, a.to, a.taken, a.taken_type, a.comm);
    case ALLTOALLV:
        return MPI_Alltoallv(a.from, a.counts, a.displs, a.sent_type, a.to, a.taken_counts,
                             a.taken_displs, a.taken_type, a.comm);
    case ALLTOALLW:
        return MPI_Alltoallw(a.from, a.counts, a.displs, a.sent_types, a.to, a.taken_counts,
                             a.taken_displs, a.taken_types, a.comm);
    case REDUCE:
        return MPI_Reduce(a.from, a.to, a.sent, a.sent_type, a.op, root, a.comm);
    case ALLREDUCE:
        return MPI_Allreduce(a.from, a.to, a.sent, a.sent_type, a.op, a.comm);
    case REDUCE_SCATTER:
        return MPI_Reduce_scatter(a.from, a.to, a.counts, a.sent_type, a.op, a.comm);
    case REDUCE_SCATTER_BLOCK:
        return MPI_Reduce_scatter_block(a.from, a.to, a.sent, a.sent_type, a.op, a.comm);
    case SCAN:
        return MPI_Scan(a.from, a.to, a.sent, a.sent_type, a.op, a.comm);
    case EXSCAN:
        return MPI_Exscan(a.from, a.to, a.sent, a.sent_type, a.op, a.comm);
    default:
        return MPI_ERR_INTERN;
    }
}

void try_call(const struct call *call, const char *section, const char *about)
{
    int class = MPI_SUCCESS;
    fill_buffers(call);
    int error = make_call(call);
    PMPI_Error_class(error, &class);
    print_case(call, section ? section : info[call->collective].section, about, class);
}
