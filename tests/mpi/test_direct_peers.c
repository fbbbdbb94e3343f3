/* Long blocks beside short ones in alltoallv and alltoallw through the nodes. Long blocks inside a
 * node are read from their owner's memory, and long blocks to other nodes are messages. The memory
 * is strata_alloc's or any other, with derived types, and in place. By arguments, the system denies
 * reading from some call on, on all ranks or on one, or denies it always. Each call is compared
 * with MPI's own, and its messages are counted.
 *
 * run: 2
 * run: 4 STRATA_TOPO=node:2 STRATA_THRESHOLD=512
 * run: 5 "STRATA_TOPO=node:3,2 numa:1" STRATA_BUDGET=128K STRATA_THRESHOLD=2K STRATA_PASSES=3
 * run: 3 MPI_COPIES_TWICE -- late
 * run: 4 STRATA_TOPO=node:2 MPI_COPIES_TWICE -- one
 * run: 3 STRATA_SINGLE_COPY=0 -- off
 * timeout: 240 */
#define _GNU_SOURCE
#include "tests/mpi/exposed_sides.h"

enum { MOST = 8, LONGEST = 6000, ROOM = 2 * MOST * LONGEST }; /* ranks; elements */

static int *out, *in, *expected;

/* The length of the block between two ranks, the same both ways: none, short or long. */
static int length(int a, int b, int call)
{
    static const int lengths[] = {0, 3, 100, 1500, LONGEST, 700, 5000};
    return lengths[(a + b + a * b + call) % 7];
}

struct call {
    MPI_Datatype type;
    MPI_Datatype types[MOST];
    int counts[MOST], displs[MOST], bytes[MOST];
    bool in_place, by_types;
};

static void lay_out(struct call *c, int number)
{
    MPI_Aint low, extent;
    MPI_Type_get_extent(c->type, &low, &extent);
    for (int r = 0, at = 0; r < ranks; r++) {
        c->counts[r] = length(rank, r, number);
        c->displs[r] = at;
        c->bytes[r] = at * (int)extent;
        c->types[r] = c->type;
        at += c->counts[r];
    }
}

static int exchange(const struct call *c, int *to, bool ours)
{
    const void *send = c->in_place ? MPI_IN_PLACE : out;
    const MPI_Comm comm = MPI_COMM_WORLD;
    if (c->by_types) {
        return (ours ? strata_alltoallw : MPI_Alltoallw)(send, c->counts, c->bytes, c->types, to,
                                                         c->counts, c->bytes, c->types, comm);
    }
    return (ours ? strata_alltoallv : MPI_Alltoallv)(send, c->counts, c->displs, c->type, to,
                                                     c->counts, c->displs, c->type, comm);
}

/* Requires no messages inside the node, or the necessary ones where nothing is exposed. */
static void compare(struct call *c, int number, bool exposes)
{
    const struct strata_report before = report_of();
    for (int i = 0; i < ROOM; i++) {
        out[i] = 7919 * (i + 31 * rank + 101 * number);
        in[i] = expected[i] = c->in_place ? out[i] : -i;
    }
    lay_out(c, number);
    succeed(exchange(c, expected, false));
    succeed(exchange(c, in, true));
    REQUIRE_BYTES(in, expected, sizeof(int) * ROOM);
    const struct strata_report after = report_of();
    REQUIRE_CMP(strncmp(after.algorithm, "leaders", 7), ==, 0);
    REQUIRE(!exposes || after.messages_node == before.messages_node);
}

static void compare_all(bool exposes)
{
    MPI_Datatype gaps = sides_gaps();
    for (int number = 0; number < 28; number++) {
        struct call c = {.type = number % 4 == 3 ? gaps : MPI_INT};
        c.in_place = number % 3 == 2;
        c.by_types = number % 5 == 4;
        compare(&c, number, exposes);
    }
    MPI_Type_free(&gaps);
}

/* One rank expects more of a long block than its local peer sends, or a short block, or none, or a
 * long block where none is sent. Both ranks find MPI_ERR_TRUNCATE or nothing, at least one finds
 * it, and the next call works. */
static void compare_wrong(int sends, int expects)
{
    MPI_Comm comm;
    int counts[2][MOST] = {{0}}, displs[MOST] = {0}, class = MPI_SUCCESS, worst;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_comm_force(comm, "alltoallv", "leaders"));
    counts[0][1] = rank == 0 ? sends : 0;
    counts[1][0] = rank == 1 ? expects : 0;
    MPI_Error_class(
        strata_alltoallv(out, counts[0], displs, MPI_INT, in, counts[1], displs, MPI_INT, comm),
        &class);
    MPI_Allreduce(&class, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE_CMP(worst, ==, MPI_ERR_TRUNCATE);
    REQUIRE(class == worst || class == MPI_SUCCESS);
    counts[1][0] = rank == 1 ? sends : 0;
    succeed(
        strata_alltoallv(out, counts[0], displs, MPI_INT, in, counts[1], displs, MPI_INT, comm));
    MPI_Comm_free(&comm);
}

static void compare_wrongs(void)
{
    compare_wrong(LONGEST, LONGEST + 1);
    compare_wrong(LONGEST, LONGEST - 1);
    compare_wrong(LONGEST, 3);
    compare_wrong(LONGEST, 0);
    compare_wrong(0, LONGEST);
}

int main(int argc, char **argv)
{
    const struct exposed_sides sides = {.buffer = {&out, &in, &expected},
                                        .bytes = sizeof(int) * ROOM,
                                        .collectives = {"alltoallv", "alltoallw"},
                                        .row = {"leaders", "leaders"},
                                        .compare = compare_all,
                                        .compare_wrong = compare_wrongs};
    return sides_run(&sides, argc, argv);
}
