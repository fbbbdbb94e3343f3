/* alltoallw and reduce_scatter again and again with the same arrays, whose contents change now and
 * then: counts, places, types, and freed types whose handles come again. Calls with other arrays
 * come between.
 *
 * run: 2,3
 * run: 4 STRATA_TOPO=node:2
 * run: 2 STRATA_ALLTOALLW=leaders STRATA_REDUCE_SCATTER=node_reduce_scatter */
#include <stdbool.h>
#include <string.h>

#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

#define ROUNDS 60
#define MOST   16 /* ranks */
#define ROOM   24 /* ints of a block, with what may lie around it */

static int out[MOST * ROOM], in[MOST * ROOM];
static int rank, ranks;

/* A value that changes now and then; the rounds between are enough for tapes. */
static int seldom(int round, int of)
{
    return round / 5 % of;
}

/* The arrays of both sides, equal on all ranks. */
struct arrays {
    int counts[MOST], displs[MOST];
    MPI_Datatype types[MOST];
};

/* Sets so many ints for each rank, from `skip` on in its room, of one type or as ints. */
static void set(struct arrays *a, int ints, int skip, MPI_Datatype type, int elements)
{
    for (int i = 0; i < ranks; i++) {
        bool whole = i % 2 == 0 && type != MPI_DATATYPE_NULL;
        a->counts[i] = whole ? elements : ints;
        a->displs[i] = (i * ROOM + skip) * (int)sizeof(int);
        a->types[i] = whole ? type : MPI_INT;
    }
}

/* Exchanges blocks of `ints` ints, `apart` from each other where the type is `apart`. */
static void exchange(MPI_Comm comm, int round, struct arrays *sent, struct arrays *taken, int ints)
{
    memset(in, 0xff, sizeof in);
    for (int to = 0; to < ranks; to++) {
        fill_numbers(out + to * ROOM, ROOM, round, rank, to);
    }
    succeed(strata_alltoallw(out, sent->counts, sent->displs, sent->types, in, taken->counts,
                             taken->displs, taken->types, comm));
    for (int from = 0; from < ranks; from++) {
        int skip = sent->displs[rank] / (int)sizeof(int) - rank * ROOM;
        int place = taken->displs[from] / (int)sizeof(int);
        for (int i = 0; i < ints; i++) {
            REQUIRE_CMP(in[place + i], ==, number_of(round, from, rank, skip + i));
        }
        REQUIRE_CMP(in[place + ints], ==, -1);
    }
}

static void gather_in_place(MPI_Comm comm, int round)
{
    static int all[MOST], counts[MOST], displs[MOST];
    for (int i = 0; i < ranks; i++) {
        counts[i] = 1;
        displs[i] = ranks - 1 - i;
    }
    all[displs[rank]] = round + rank;
    succeed(
        strata_allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, displs, MPI_INT, comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(all[displs[i]], ==, round + i);
    }
}

/* Places, counts and a block's type change: ints, pairs, or all ints in one element. */
static void test_plain(MPI_Comm comm)
{
    static struct arrays sent, taken;
    for (int round = 0; round < ROUNDS; round++) {
        int ints = 2 * (1 + seldom(round, 3));
        MPI_Datatype sends = seldom(round, 4) == 1 ? MPI_2INT : MPI_DATATYPE_NULL;
        MPI_Datatype takes = seldom(round, 4) >= 2 ? MPI_2INT : MPI_DATATYPE_NULL;
        set(&sent, ints, seldom(round, 2), sends, ints / 2);
        set(&taken, ints, seldom(round, 7), takes, ints / 2);
        exchange(comm, round, &sent, &taken, ints);
        if (round % 4 == 3) {
            gather_in_place(comm, round);
        }
    }
}

/* Only the types change. */
static void test_types(MPI_Comm comm)
{
    static struct arrays sent, taken;
    for (int round = 0; round < ROUNDS; round++) {
        bool pairs = seldom(round, 2);
        for (int i = 0; i < ranks; i++) {
            sent.counts[i] = taken.counts[i] = 2;
            sent.displs[i] = taken.displs[i] = i * ROOM * (int)sizeof(int);
            sent.types[i] = taken.types[i] = pairs ? MPI_2INT : MPI_INT;
        }
        exchange(comm, round, &sent, &taken, pairs ? 4 : 2);
    }
}

/* Each stretch of rounds has as many ints as another type, whose handle may be the same. */
static void test_freed(MPI_Comm comm)
{
    static struct arrays sent, taken;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    for (int round = 0; round < ROUNDS; round++) {
        int ints = 1 + seldom(round, 5);
        if (round % 5 == 0) {
            if (type != MPI_DATATYPE_NULL) {
                MPI_Type_free(&type);
            }
            MPI_Type_contiguous(ints, MPI_INT, &type);
            MPI_Type_commit(&type);
        }
        for (int i = 0; i < ranks; i++) {
            sent.counts[i] = taken.counts[i] = 1;
            sent.displs[i] = taken.displs[i] = i * ROOM * (int)sizeof(int);
            sent.types[i] = taken.types[i] = type;
        }
        exchange(comm, round, &sent, &taken, ints);
    }
    MPI_Type_free(&type);
}

/* Every other int, of a type with gaps, in turn with as many ints without gaps. */
static void test_gaps(MPI_Comm comm)
{
    static struct arrays sent, taken;
    MPI_Datatype apart;
    MPI_Type_vector(3, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    for (int round = 0; round < ROUNDS; round++) {
        bool gaps = seldom(round, 2);
        set(&sent, 3, 0, gaps ? apart : MPI_DATATYPE_NULL, 1);
        set(&taken, 3, 0, gaps ? apart : MPI_DATATYPE_NULL, 1);
        for (int i = 0; i < ranks; i++) { /* a rank's blocks are all of the type, or none */
            sent.counts[i] = gaps ? 1 : 3;
            sent.types[i] = gaps ? apart : MPI_INT;
        }
        taken = sent;
        memset(in, 0xff, sizeof in);
        for (int i = 0; i < ranks * ROOM; i++) {
            out[i] = number_of(round, rank, i / ROOM, i % ROOM);
        }
        succeed(strata_alltoallw(out, sent.counts, sent.displs, sent.types, in, taken.counts,
                                 taken.displs, taken.types, comm));
        for (int from = 0; from < ranks; from++) {
            for (int i = 0; i < 3; i++) {
                int at = gaps ? 2 * i : i;
                REQUIRE_CMP(in[from * ROOM + at], ==, number_of(round, from, rank, at));
            }
            REQUIRE_CMP(in[from * ROOM + (gaps ? 1 : 3)], ==, -1);
        }
    }
    MPI_Type_free(&apart);
}

/* Counts change, and calls are in place or not. */
static void test_reduce_scatter(MPI_Comm comm)
{
    static int counts[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        bool in_place = seldom(round, 3) == 2;
        int sum = 0, before = 0;
        for (int i = 0; i < ranks; i++) {
            before += i == rank ? 0 : i < rank ? 1 + (seldom(round, 4) + i) % 4 : 0;
            counts[i] = 1 + (seldom(round, 4) + i) % 4;
            sum += counts[i];
        }
        for (int i = 0; i < sum; i++) {
            (in_place ? in : out)[i] = 10 * round + rank + i;
        }
        succeed(strata_reduce_scatter(in_place ? MPI_IN_PLACE : out, in, counts, MPI_INT, MPI_SUM,
                                      comm));
        for (int i = 0; i < counts[rank]; i++) {
            REQUIRE_CMP(in[i], ==, ranks * (10 * round + before + i) + ranks * (ranks - 1) / 2);
        }
        if (round % 4 == 3) {
            gather_in_place(comm, round);
        }
    }
}

/* Wrong calls after right ones, with the same arrays. */
static void test_wrong(MPI_Comm comm)
{
    static int counts[MOST];
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < ranks; i++) {
            counts[i] = round == 7 ? -1 : 1;
        }
        int error = strata_reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, comm);
        REQUIRE_CMP(error == MPI_SUCCESS, ==, round < 7);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm comm = new_communicator();
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    test_plain(comm);
    test_types(comm);
    test_freed(comm);
    test_gaps(comm);
    test_reduce_scatter(comm);
    test_wrong(comm);
    MPI_Comm_free(&comm);
    return MPI_Finalize();
}
