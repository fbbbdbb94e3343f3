/* Long blocks beside short ones in gatherv and scatterv through the nodes. Long blocks between the
 * root and ranks of its node are read from their owner's memory, and others are messages. The
 * memory is strata_alloc's or any other, with derived types, and in place. By arguments, the system
 * denies reading from some call on, on all ranks or on one, or denies it always. Each call is
 * compared with MPI's own, and messages and exposed blocks are counted. A rank that receives more
 * or less than it expects finds the mistake, and no other rank does.
 *
 * run: 2
 * run: 4 STRATA_TOPO=node:2 STRATA_THRESHOLD=512
 * run: 5 "STRATA_TOPO=node:3,2 numa:1" STRATA_BUDGET=256K STRATA_THRESHOLD=2K
 * run: 3 MPI_COPIES_TWICE -- late
 * run: 4 STRATA_TOPO=node:2 MPI_COPIES_TWICE -- one
 * run: 3 STRATA_SINGLE_COPY=0 -- off
 * timeout: 240 */
#define _GNU_SOURCE
#include "tests/mpi/exposed_sides.h"

enum { MOST = 8, LONGEST = 20000, ROOM = 2 * MOST * LONGEST }; /* ranks; elements */

static int *mine, *all, *expected; /* a block; all blocks; the result of MPI's own */

struct call {
    MPI_Datatype type;
    int root, number;
    bool scatters, in_place;
    int counts[MOST], displs[MOST];
};

/* No block, short ones, and long ones; some calls have short blocks only. */
static int length(int r, int number)
{
    static const int lengths[] = {0, LONGEST, 3, 100, 17000, LONGEST - 1, 7};
    int length = lengths[(3 * r + number) % 7];
    return number % 4 == 3 && length > 100 ? 100 : length;
}

static void lay_out(struct call *c)
{
    for (int r = 0, at = 0; r < ranks; r++) {
        c->counts[r] = length(r, c->number);
        c->displs[r] = at;
        at += c->counts[r];
    }
}

/* `own` has this rank's block, `side` the root's. The receiving one is compared. */
static int call(const struct call *c, int *own, int *side, bool ours)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int count = c->counts[rank];
    const bool stays = c->in_place && rank == c->root;
    if (c->scatters) {
        return (ours ? strata_scatterv : MPI_Scatterv)(side, c->counts, c->displs, c->type,
                                                       stays ? MPI_IN_PLACE : own, count, c->type,
                                                       c->root, comm);
    }
    return (ours ? strata_gatherv : MPI_Gatherv)(stays ? MPI_IN_PLACE : own, count, c->type, side,
                                                 c->counts, c->displs, c->type, c->root, comm);
}

static uint64_t exposed(const struct strata_report *r)
{
    return r->lent_mapped + r->lent_read + r->lent_pieces + r->lent_asked;
}

/* Returns the bytes that this rank read from others' memory. */
static uint64_t compare(struct call *c, bool exposes)
{
    int *const into = c->scatters ? mine : all;
    const struct strata_report before = report_of();
    for (int i = 0; i < ROOM; i++) {
        mine[i] = i + 31 * rank + 101 * c->number;
        all[i] = -(i + 7 * rank + c->number);
    }
    memcpy(expected, into, sizeof(int) * ROOM);
    lay_out(c);
    succeed(call(c, c->scatters ? expected : mine, c->scatters ? all : expected, false));
    succeed(call(c, mine, all, true));
    REQUIRE_BYTES(into, expected, sizeof(int) * ROOM);
    const struct strata_report after = report_of();
    REQUIRE_CMP(strncmp(after.algorithm, c->scatters ? "node_scatter" : "node_gather", 11), ==, 0);
    REQUIRE(!exposes || after.messages_node == before.messages_node);
    REQUIRE(exposes || exposed(&after) == exposed(&before));
    return exposed(&after) - exposed(&before);
}

static void compare_all(bool exposes)
{
    MPI_Datatype gaps = sides_gaps();
    unsigned long long sum = 0, taken = 0;
    for (int number = 0; number < 28; number++) {
        struct call c = {
            .type = number % 5 == 4 ? gaps : MPI_INT, .root = number % ranks, .number = number};
        c.in_place = number % 3 == 2;
        taken += compare(&c, exposes);
        c.scatters = true;
        taken += compare(&c, exposes);
    }
    MPI_Type_free(&gaps);
    MPI_Allreduce(&taken, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    REQUIRE_CMP(sum > 0, ==, exposes);
}

/* The sender and the receiver of the block between rank 1 and the root, 0, disagree on its length.
 * The next call works. */
static void compare_wrong(bool scatters, int sends, int expects)
{
    MPI_Comm comm;
    const int at_root = scatters ? sends : expects, at_one = scatters ? expects : sends;
    int counts[MOST] = {0}, displs[MOST] = {0}, class = MPI_SUCCESS;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_comm_force(comm, "gatherv", "node_gather"));
    succeed(strata_comm_force(comm, "scatterv", "node_scatter"));
    for (int i = 0; i < 3; i++) { /* right, wrong, and right again */
        counts[1] = i == 1 ? at_root : at_one;
        int count = rank == 1 ? at_one : 0;
        MPI_Error_class(
            scatters ? strata_scatterv(all, counts, displs, MPI_INT, mine, count, MPI_INT, 0, comm)
                     : strata_gatherv(mine, count, MPI_INT, all, counts, displs, MPI_INT, 0, comm),
            &class);
        REQUIRE_CMP(class, ==, i == 1 && rank == scatters ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    }
    MPI_Comm_free(&comm);
}

static void compare_wrongs(void)
{
    for (int scatters = 0; scatters < 2; scatters++) {
        compare_wrong(scatters, LONGEST, LONGEST + 1);
        compare_wrong(scatters, LONGEST, LONGEST - 1);
        compare_wrong(scatters, LONGEST, 3);
        compare_wrong(scatters, 3, LONGEST);
        compare_wrong(scatters, LONGEST, 0);
        compare_wrong(scatters, 0, LONGEST);
    }
}

int main(int argc, char **argv)
{
    const struct exposed_sides sides = {.buffer = {&mine, &all, &expected},
                                        .bytes = sizeof(int) * ROOM,
                                        .collectives = {"gatherv", "scatterv"},
                                        .row = {"node_gather", "node_scatter"},
                                        .compare = compare_all,
                                        .compare_wrong = compare_wrongs};
    return sides_run(&sides, argc, argv);
}
