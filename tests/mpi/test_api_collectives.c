/* Every collective that moves data, with each of its algorithms: random datatypes whose maps differ
 * between the sides and between the ranks, counts, displacements, roots, in place or not; half of
 * the calls with large counts. The seed tells every byte of every buffer. One call in 20 is also
 * made with MPI's own collective and compared. Arguments that are not significant on a rank are
 * garbage there.
 *
 * run: 1,3,4
 * run: 3 STRATA_TOPO=node:2 -- --calls 1
 * run: 7 STRATA_TOPO=node:3 STRATA_THRESHOLD=256 -- --calls 1
 * run: 6 STRATA_TOPO=node:2 STRATA_CHECK=1 STRATA_TORUS=2x3 -- --calls 1
 * run: 8 "STRATA_TOPO=node:4:cyclic numa:2" STRATA_BUDGET=64K STRATA_TORUS=2x2x2 -- --calls 1
 * run: 9 STRATA_TOPO=node:3 STRATA_TORUS=3x3:mesh -- --calls 1
 * long: 2
 * long: 2 STRATA_TOPO=node:2 -- --calls 1
 * long: 5 STRATA_TOPO=node:3 STRATA_THRESHOLD=256 -- --calls 1
 * timeout: 300
 */
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/forcing.h"
#include "tests/mpi/random_buffers.h"
#include "tests/mpi/require.h"

#define NOWHERE 7777 /* the destination of a block that all get */

/* The values of one call, which all ranks draw alike. */
struct call {
    enum strata_collective collective;
    MPI_Comm comm;
    int ranks, rank, root;
    uint64_t seed;
    bool in_place, plain, large;
    MPI_Datatype base;
    int elements; /* elements of a datatype, times the side's ratio; 0: it has no bytes */
    int ratio[2]; /* of the receiving and of the sending side */
    int most[2];  /* the most elements of a block: usually, rarely */
};

/* A side's blocks; in alltoallw each has a datatype. */
struct side {
    enum strata_held part;
    struct buffer all;              /* counts, displacements, memory, one datatype */
    struct buffer each[MOST_RANKS]; /* a view of one block */
    MPI_Datatype types[MOST_RANKS];
    int byte_displs[MOST_RANKS];
    MPI_Count large_counts[MOST_RANKS]; /* the same counts, wider */
    MPI_Aint large_displs[MOST_RANKS];
    int ratio;
};

static const struct strata_collective_info *info_of(const struct call *c)
{
    return &strata_collective_info[c->collective];
}

static void draw(struct call *c, MPI_Comm comm, enum strata_collective collective, uint64_t seed)
{
    static const MPI_Datatype bases[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE, MPI_SHORT};
    struct random r = {seed};
    *c = (struct call){.collective = collective, .comm = comm, .seed = random_next(&r)};
    MPI_Comm_size(comm, &c->ranks);
    MPI_Comm_rank(comm, &c->rank);
    c->root = strata_collective_rooted(collective) ? random_below(&r, c->ranks) : 0;
    c->in_place = collective != STRATA_BCAST && random_one_in(&r, 4);
    c->base = bases[random_below(&r, 4)];
    c->elements = random_one_in(&r, 12) ? 0 : random_between(&r, 1, 6);
    c->ratio[false] = random_between(&r, 1, 2);
    c->ratio[true] = c->in_place ? c->ratio[false] : random_between(&r, 1, 2);
    c->most[0] = random_one_in(&r, 2) ? 4 : 40;
    c->most[1] = random_one_in(&r, 8) ? 3000 : 200;
    if (!strata_collective_reduces(collective) && random_one_in(&r, 10)) {
        c->base = random_long_base();
        c->elements = random_between(&r, 1, 2);
        c->most[0] = 1;
        c->most[1] = 2;
    }
    c->large = collective != STRATA_BARRIER && random_one_in(&r, 2);
}

/* The length of a block, in units of `elements` times the ratio on either side. */
static int units(const struct call *c, int source, int destination)
{
    const struct strata_collective_info *info = info_of(c);
    bool pairs = strata_collective_transposes(c->collective);
    int low = source, high = pairs ? destination : 0;
    if (pairs && c->in_place && low > high) {
        low = destination;
        high = source;
    }
    int block = info->varying ? 1 + low * c->ranks + high : 0;
    struct random r = {random_mix(c->seed ^ ((uint64_t)block << 32))};
    return random_one_in(&r, 4) ? 0 : 2 * random_between(&r, 0, c->most[random_one_in(&r, 6)]);
}

/* The source and the destination of a side's block. */
static int source_of(const struct call *c, bool sends, int block)
{
    bool pairs = strata_collective_transposes(c->collective);
    enum strata_held part = sends ? info_of(c)->input : info_of(c)->output;
    if (!info_of(c)->ranked) {
        return c->root;
    }
    return pairs ? (sends ? c->rank : block) : part == STRATA_ALL ? block : c->rank;
}

static int destination_of(const struct call *c, bool sends, int block)
{
    bool pairs = strata_collective_transposes(c->collective);
    return pairs ? (sends ? block : c->rank) : NOWHERE;
}

static int blocks_of(const struct call *c, enum strata_held part)
{
    return part == STRATA_NONE ? 0 : part == STRATA_ONE || !info_of(c)->ranked ? 1 : c->ranks;
}

static MPI_Datatype datatype_of(const struct call *c, const struct side *s, struct random *r)
{
    MPI_Datatype type;
    if (!c->plain && c->elements > 0) {
        return random_datatype(r, c->base, c->elements * s->ratio);
    }
    MPI_Type_contiguous(c->elements * s->ratio, c->base, &type);
    MPI_Type_commit(&type);
    return type;
}

/* alltoallw: blocks with datatypes and places of their own. Places are in bytes from the first
 * block's memory, which holds all blocks. */
static void make_typed(const struct call *c, struct side *s, struct random *r)
{
    size_t bytes = 0, at = 0;
    for (int i = 0; i < c->ranks; i++) {
        struct buffer *b = &s->each[i];
        *b = (struct buffer){.ranks = 1, .counts = {s->all.counts[i]}};
        b->type = s->types[i] = datatype_of(c, s, r);
        buffer_create(b, r, false);
        bytes += b->bytes;
    }
    s->all.bytes = bytes;
    s->all.memory = malloc(bytes + 1);
    REQUIRE(s->all.memory);
    for (int i = 0; i < c->ranks; i++) {
        struct buffer *b = &s->each[i];
        MPI_Aint lower, extent;
        MPI_Type_get_extent(b->type, &lower, &extent);
        unsigned char *moved = s->all.memory + at + (b->base - b->memory);
        unsigned char *begin = moved + b->displs[0] * extent;
        s->all.base = i == 0 ? begin : s->all.base;
        memcpy(s->all.memory + at, b->memory, b->bytes);
        at += b->bytes;
        buffer_destroy(b);
        b->memory = NULL;
        b->base = moved;
        s->byte_displs[i] = (int)(begin - s->all.base);
    }
}

static void make_side(const struct call *c, struct side *s, bool sends, struct random *r)
{
    *s = (struct side){.part = sends ? strata_input_of(c->collective, c->rank, c->root)
                                     : strata_output_of(c->collective, c->rank, c->root)};
    s->part = sends && c->collective == STRATA_BCAST ? STRATA_NONE : s->part;
    s->ratio = c->ratio[sends];
    s->all.ranks = blocks_of(c, s->part);
    for (int i = 0; i < s->all.ranks; i++) {
        int source = source_of(c, sends, i), destination = destination_of(c, sends, i);
        s->all.counts[i] = units(c, source, destination) / s->ratio;
    }
    s->all.type = datatype_of(c, s, r);
    if (c->collective == STRATA_ALLTOALLW) {
        make_typed(c, s, r);
    } else {
        bool origin = c->plain && c->ranks == 1; /* where MPI's own may forget displacements */
        buffer_create(&s->all, r, !info_of(c)->varying || s->part != STRATA_ALL || origin);
    }
}

static void put(const struct call *c, struct side *s, bool as_sent, int block)
{
    struct buffer *b = c->collective == STRATA_ALLTOALLW ? &s->each[block] : &s->all;
    buffer_put_stream(b, c->collective == STRATA_ALLTOALLW ? 0 : block, c->seed,
                      source_of(c, as_sent, block), destination_of(c, as_sent, block));
}

/* Whether this rank passes MPI_IN_PLACE, and for which side. */
static bool in_place(const struct call *c, bool sends)
{
    char root = info_of(c)->root;
    return c->in_place && (root == '-' || c->rank == c->root) && sends == (root != 'i');
}

/* Fills both sides before the call. */
static void fill(const struct call *c, struct side *send, struct side *recv)
{
    for (int i = 0; i < send->all.ranks; i++) {
        put(c, send, true, i);
    }
    if (c->collective == STRATA_BCAST && c->rank == c->root) {
        put(c, recv, false, 0);
    }
    for (int i = 0; in_place(c, true) && i < recv->all.ranks; i++) {
        bool pairs = strata_collective_transposes(c->collective);
        if (pairs || i == c->rank) {
            put(c, recv, pairs, i);
        }
    }
}

static void copy_side(struct side *to, const struct side *from)
{
    *to = *from;
    buffer_copy(&to->all, &from->all);
    for (int i = 0; i < MOST_RANKS; i++) {
        if (from->each[i].base) {
            to->each[i].base = to->all.memory + (from->each[i].base - from->all.memory);
        }
    }
}

/* A side's arguments as this rank passes them: garbage where they are not significant. */
struct arguments {
    void *buffer;
    int count;
    const void *counts, *displs; /* of the form that is called */
    MPI_Datatype type;
    const MPI_Datatype *types;
};

static void widen(const struct call *c, struct side *s, struct arguments *a)
{
    bool typed = c->collective == STRATA_ALLTOALLW;
    for (int i = 0; i < s->all.ranks; i++) {
        s->large_counts[i] = s->all.counts[i];
        s->large_displs[i] = typed ? s->byte_displs[i] : s->all.displs[i];
    }
    a->counts = s->large_counts;
    a->displs = s->large_displs;
}

static struct arguments arguments_of(const struct call *c, struct side *s, bool sends, bool large)
{
    static const MPI_Count wrong[MOST_RANKS] = {-1};
    struct arguments a = {NULL, 0, wrong, wrong, MPI_DATATYPE_NULL, NULL};
    if (in_place(c, sends)) {
        a.buffer = MPI_IN_PLACE;
    } else if (s->part != STRATA_NONE) {
        bool typed = c->collective == STRATA_ALLTOALLW;
        a = (struct arguments){s->all.base,   s->all.counts[0], s->all.counts,
                               s->all.displs, s->all.type,      s->types};
        a.displs = typed ? s->byte_displs : a.displs;
        if (large) {
            widen(c, s, &a);
        }
    }
    return a;
}

#define EITHER(name, Name, ...)                                                                    \
    (!ours      ? PMPI_##Name(__VA_ARGS__)                                                         \
     : c->large ? strata_##name##_c(__VA_ARGS__)                                                   \
                : strata_##name(__VA_ARGS__))
#define UNIFORM(a) a.buffer, a.count, a.type
#define VARYING(a) a.buffer, a.counts, a.displs, a.type
#define TYPED(a)   a.buffer, a.counts, a.displs, a.types

static int exchange(const struct call *c, bool ours, struct side *send, struct side *recv)
{
    struct arguments s = arguments_of(c, send, true, ours && c->large),
                     r = arguments_of(c, recv, false, ours && c->large);
    switch (c->collective) {
    case STRATA_ALLTOALL:
        return EITHER(alltoall, Alltoall, UNIFORM(s), UNIFORM(r), c->comm);
    case STRATA_ALLTOALLV:
        return EITHER(alltoallv, Alltoallv, VARYING(s), VARYING(r), c->comm);
    case STRATA_ALLTOALLW:
        return EITHER(alltoallw, Alltoallw, TYPED(s), TYPED(r), c->comm);
    case STRATA_ALLGATHER:
        return EITHER(allgather, Allgather, UNIFORM(s), UNIFORM(r), c->comm);
    case STRATA_ALLGATHERV:
        return EITHER(allgatherv, Allgatherv, UNIFORM(s), VARYING(r), c->comm);
    case STRATA_BCAST:
        return EITHER(bcast, Bcast, UNIFORM(r), c->root, c->comm);
    case STRATA_GATHER:
        return EITHER(gather, Gather, UNIFORM(s), UNIFORM(r), c->root, c->comm);
    case STRATA_GATHERV:
        return EITHER(gatherv, Gatherv, UNIFORM(s), VARYING(r), c->root, c->comm);
    case STRATA_SCATTER:
        return EITHER(scatter, Scatter, UNIFORM(s), UNIFORM(r), c->root, c->comm);
    case STRATA_SCATTERV:
        return EITHER(scatterv, Scatterv, VARYING(s), UNIFORM(r), c->root, c->comm);
    default:
        return ours ? strata_barrier(c->comm) : PMPI_Barrier(c->comm);
    }
}

static void free_side(struct side *s)
{
    for (int i = 0; i < MOST_RANKS; i++) {
        if (s->types[i] != 0 && s->each[i].base) {
            MPI_Type_free(&s->types[i]);
        }
    }
    MPI_Type_free(&s->all.type);
    buffer_destroy(&s->all);
}

/* Requires that all received blocks are written, and no other memory. */
static void expect(const struct call *c, struct side *expected)
{
    for (int i = 0; i < expected->all.ranks && !in_place(c, false); i++) {
        put(c, expected, false, i);
    }
}

static void check(const struct call *c, struct side *send, struct side *recv)
{
    struct side sent, theirs, expected;
    copy_side(&sent, send);
    copy_side(&theirs, recv);
    copy_side(&expected, recv);
    expect(c, &expected);
    bool right = exchange(c, true, send, recv) == MPI_SUCCESS &&
                 buffer_equal(&recv->all, &expected.all) && buffer_equal(&send->all, &sent.all);
    if (c->plain && c->seed % 20 == 0) {
        exchange(c, false, send, &theirs);
        right = right && buffer_equal(&recv->all, &theirs.all);
    }
    if (!right) {
        struct strata_report report = {.size = sizeof report};
        strata_comm_report(c->comm, &report);
        fprintf(stderr, "%s%s of %d ranks, root %d, %sin place, served by %s\n",
                strata_collective_name(c->collective), c->large ? "_c" : "", c->ranks, c->root,
                c->in_place ? "" : "not ", report.algorithm);
    }
    REQUIRE(right);
    buffer_destroy(&sent.all);
    buffer_destroy(&theirs.all);
    buffer_destroy(&expected.all);
}

static void one_call(MPI_Comm comm, enum strata_collective collective, uint64_t seed, bool plain)
{
    struct call c;
    struct side send, recv;
    draw(&c, comm, collective, seed);
    c.plain = plain;
    struct random mine = {random_mix(c.seed + (uint64_t)c.rank)};
    make_side(&c, &send, true, &mine);
    make_side(&c, &recv, false, &mine);
    fill(&c, &send, &recv);
    check(&c, &send, &recv);
    free_side(&send);
    free_side(&recv);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    buffers_map(1 << 22);
    force_main(argc, argv, 3, false, one_call);
    buffers_unmap();
    MPI_Finalize();
    return 0;
}
