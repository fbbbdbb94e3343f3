/* A program that knows nothing of Strata and receives data that not all MPIs' own collectives can
 * serve: elements of extent 0 or less, and blocks that are far apart, in memory that is only
 * reserved. Prints "all right". */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>

#include "tests/preload/expect.h"

enum { MOST = 8, BLOCK = 3, ROOM = 256, CALLS = 2 };
static const MPI_Aint FAR = (MPI_Aint)700 << 20; /* bytes between blocks: an int counts three */

static int rank, ranks;
static int mine[MOST * BLOCK];

/* Where blocks are received: so many elements, `extent` bytes apart, with the first one at
 * `origin`. */
struct place {
    char *origin;
    MPI_Datatype type;
    MPI_Aint extent;
    int count;
};

static int *element(const struct place *p, int block, int i)
{
    return (int *)(void *)(p->origin + (block * p->count + i) * p->extent);
}

static void clear(const struct place *p)
{
    for (int i = 0; i < ranks * p->count; i++) {
        *element(p, 0, i) = -1;
    }
}

/* Checks the blocks of all ranks, from their number `first` on. */
static void require_blocks(const char *what, const struct place *p, int first)
{
    for (int r = 0; r < ranks; r++) {
        for (int i = 0; i < p->count; i++) {
            EXPECT(what, *element(p, r, i), ==, 100 * r + first + i);
        }
    }
    clear(p);
}

static void call_all(const struct place *p)
{
    int counts[MOST], displs[MOST];
    for (int r = 0; r < ranks; r++) {
        counts[r] = p->count;
        displs[r] = r * p->count;
    }
    clear(p);
    MPI_Allgather(mine, p->count, MPI_INT, p->origin, p->count, p->type, MPI_COMM_WORLD);
    require_blocks("allgather", p, 0);
    MPI_Allgatherv(mine, p->count, MPI_INT, p->origin, counts, displs, p->type, MPI_COMM_WORLD);
    require_blocks("allgatherv", p, 0);
    MPI_Alltoall(mine, p->count, MPI_INT, p->origin, p->count, p->type, MPI_COMM_WORLD);
    require_blocks("alltoall", p, rank * p->count);
    MPI_Alltoallv(mine, counts, displs, MPI_INT, p->origin, counts, displs, p->type,
                  MPI_COMM_WORLD);
    require_blocks("alltoallv", p, rank * p->count);
    MPI_Gather(mine, p->count, MPI_INT, p->origin, p->count, p->type, 0, MPI_COMM_WORLD);
    MPI_Bcast(p->origin, p->count * ranks, p->type, 0, MPI_COMM_WORLD);
    require_blocks("gather and bcast", p, 0);
}

/* Elements in one place: each rank sends one, and receives one. */
static void call_none(MPI_Datatype type)
{
    int same = rank, sent[MOST] = {0}, taken[MOST] = {0}, none[MOST] = {0};
    sent[(rank + 1) % ranks] = taken[(rank + ranks - 1) % ranks] = 1;
    MPI_Bcast(&same, 1, type, 0, MPI_COMM_WORLD);
    EXPECT("a bcast of elements in one place", same, ==, 0);
    MPI_Alltoallv(&rank, sent, none, MPI_INT, &same, taken, none, type, MPI_COMM_WORLD);
    EXPECT("an alltoallv of elements in one place", same, ==, (rank + ranks - 1) % ranks);
}

int main(int argc, char **argv)
{
    static int room[ROOM];
    struct place back = {(char *)(room + ROOM / 2), MPI_DATATYPE_NULL, -8, BLOCK};
    struct place far = {NULL, MPI_DATATYPE_NULL, FAR, 1};
    MPI_Datatype none;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_create_resized(MPI_INT, 0, back.extent, &back.type);
    MPI_Type_create_resized(MPI_INT, 0, FAR, &far.type);
    MPI_Type_create_resized(MPI_INT, 0, 0, &none);
    MPI_Type_commit(&back.type);
    MPI_Type_commit(&far.type);
    MPI_Type_commit(&none);
    far.origin = mmap(NULL, (size_t)FAR * (size_t)ranks, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int i = 0; i < MOST * BLOCK; i++) {
        mine[i] = 100 * rank + i;
    }
    MPI_Barrier(MPI_COMM_WORLD); /* the first call is MPI's own */
    for (int i = 0; i < CALLS; i++) {
        call_all(&back);
        call_all(&far);
        call_none(none);
    }
    say_all_right(MPI_COMM_WORLD);
    MPI_Type_free(&back.type);
    MPI_Type_free(&far.type);
    MPI_Type_free(&none);
    MPI_Finalize();
    return wrong > 0;
}
