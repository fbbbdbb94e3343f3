#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standard.h"

/* Room on both sides of where a call's data begin, for datatypes with negative bounds. */
enum { MOST = 8, ROOM = 1 << 22, SMALL_ROOM = 1 << 17, BEGIN = 1 << 14, GAP = 2 };

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
static char sent_room[ROOM], taken_room[ROOM];
static int room; /* bytes of both that this case looks at */

/* The arguments of one call: a side's counts and displacements, those of alltoallw in bytes. */
struct arguments {
    void *from, *to;
    int sent, taken, me, size, counts[MOST], displs[MOST], taken_counts[MOST], taken_displs[MOST];
    MPI_Datatype sent_type, taken_type, sent_types[MOST], taken_types[MOST];
    MPI_Op op;
    MPI_Comm comm;
};

/* Blocks of count, count + 1 and count + 2 elements in turn, with gaps between them; alltoallv's
 * from one rank to another. */
static int varied(const struct call *call, int count, int from, int to)
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

/* Where it is not significant, an argument is none. */
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
        .from = sent_room + BEGIN,
        .to = taken_room + BEGIN,
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

/* Of a floating number in the type; 0: it has none. */
static size_t number_bytes(MPI_Datatype type)
{
    static const struct {
        MPI_Datatype type;
        size_t bytes;
    } floating[] = {
        {MPI_FLOAT, sizeof(float)},
        {MPI_C_FLOAT_COMPLEX, sizeof(float)},
        {MPI_REAL, sizeof(float)},
        {MPI_COMPLEX, sizeof(float)},
        {MPI_FLOAT_INT, sizeof(float)},
        {MPI_DOUBLE, sizeof(double)},
        {MPI_2REAL, sizeof(float)},
        {MPI_C_DOUBLE_COMPLEX, sizeof(double)},
        {MPI_DOUBLE_COMPLEX, sizeof(double)},
        {MPI_DOUBLE_PRECISION, sizeof(double)},
        {MPI_2DOUBLE_PRECISION, sizeof(double)},
    };
    size_t bytes = 0;

    for (size_t i = 0; i < sizeof floating / sizeof *floating; i++) {
        bytes = type == floating[i].type ? floating[i].bytes : bytes;
    }
    return bytes;
}

/* A number that any order of operations gives the same of. */
static void fill_number(int index, char *at, size_t bytes)
{
    int number = 1 + (index * 7 + rank) % 2;
    float f = (float)number;
    double d = number;

    memcpy(at, bytes == sizeof f ? (void *)&f : (void *)&d, bytes);
}

/* Integers that no order of operations lets overflow. */
static void fill_integers(const struct call *call, int bytes)
{
    bool product = call->op == MPI_PROD;
    int below = product ? 2 : bytes == 1 ? 20 : 1000;

    for (int i = 0; BEGIN + (i + 1) * bytes <= room; i++) {
        int64_t sent = 1 + (i * 7 + rank * 13) % below, taken = 1 + (i * 3 + rank * 11) % below;
        memcpy(sent_room + BEGIN + i * bytes, &sent, (size_t)bytes);
        memcpy(taken_room + BEGIN + i * bytes, &taken, (size_t)bytes);
    }
}

static void fill_floating(size_t bytes)
{
    for (size_t i = 0; BEGIN + (i + 1) * bytes <= (size_t)room; i++) {
        fill_number((int)i, sent_room + BEGIN + i * bytes, bytes);
        fill_number((int)i + 1, taken_room + BEGIN + i * bytes, bytes);
    }
}

/* MPICH 4.0 finds the smallest and largest of unsigned integers as if they were signed. */
static bool must_be_small(MPI_Datatype type, MPI_Op op)
{
    bool compares = op == MPI_MIN || op == MPI_MAX;

    return compares && (type == MPI_UNSIGNED || type == MPI_UNSIGNED_SHORT || type == MPI_UINT64_T);
}

void fill_buffers(const struct call *call)
{
    MPI_Datatype type = call->sent_type ? call->sent_type : MPI_INT;
    bool adds = info[call->collective].reduces &&
                (!call->op || call->op == MPI_SUM || call->op == MPI_PROD);
    int bytes = 0;

    room = call->sent > 2000 ? ROOM : SMALL_ROOM;
    for (int i = 0; i < room; i++) {
        sent_room[i] = (char)(i * 31 / 7 + 17 * rank + 3);
        taken_room[i] = (char)(i * 13 / 5 + 6 * rank);
    }
    if (number_bytes(type) > 0) {
        fill_floating(number_bytes(type));
    } else if (adds || must_be_small(type, call->op)) {
        PMPI_Type_size(type, &bytes);
        fill_integers(call, bytes);
    }
}

static uint64_t digest_of(const char *bytes, uint64_t sum)
{
    for (int i = 0; i < room; i += (int)sizeof sum) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        sum = (sum ^ word) * 1099511628211U;
    }
    return sum;
}

/* Of all ranks, each with its number. */
static void print_line(const char *section, const char *name, const char *about, uint64_t mine)
{
    uint64_t all = 0;

    mine *= 2 * (uint64_t)rank + 3;
    PMPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s %s%s%s %016llx\n", section, name, *name ? ": " : "", about,
               (unsigned long long)all);
    }
}

/* What exscan leaves on its rank 0, and what reduce_scatter leaves behind the result in place, are
 * not defined. */
void print_case(const struct call *call, const char *section, const char *about, int seen)
{
    int me = 0, size = 1;
    uint64_t sum = digest_of(sent_room, 14695981039346656037U + (uint64_t)seen);

    PMPI_Comm_rank(call->comm ? call->comm : MPI_COMM_WORLD, &me);
    PMPI_Type_size(call->sent_type ? call->sent_type : MPI_INT, &size);
    if (call->collective == REDUCE_SCATTER || call->collective == REDUCE_SCATTER_BLOCK) {
        int count =
            call->collective == REDUCE_SCATTER ? varied(call, call->sent, me, me) : call->sent;
        if (call->in_place && count >= 0) {
            memset(taken_room + BEGIN + count * size, 0, (size_t)(room - BEGIN - count * size));
        }
    }
    sum = call->collective == EXSCAN && me == 0 ? sum : digest_of(taken_room, sum);
    print_line(section, info[call->collective].name, about, sum);
}

void try_call(const struct call *call, const char *section, const char *about)
{
    int class = MPI_SUCCESS;

    fill_buffers(call);
    int error = make_call(call);
    PMPI_Error_class(error, &class);
    print_case(call, section ? section : info[call->collective].section, about, class);
}
