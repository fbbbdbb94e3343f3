/* Makes Fortran's calls by every name that a compiler gives them, as far as this MPI has it; names
 * the spellings that MPI lacks, and makes their calls by another one. On Open MPI it also tries
 * MPI's constants by every name of their common blocks. Handles and addresses are Fortran's. Prints
 * "all right", or what is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/preload/expect.h"

typedef void allreduce(const void *from, void *to, const MPI_Fint *count, const MPI_Fint *type,
                       const MPI_Fint *op, const MPI_Fint *comm, MPI_Fint *error);
typedef void bcast(void *buffer, const MPI_Fint *count, const MPI_Fint *type, const MPI_Fint *root,
                   const MPI_Fint *comm, MPI_Fint *error);
#define WEAK __attribute__((weak)) /* NULL where MPI lacks it */
WEAK allreduce mpi_allreduce, mpi_allreduce_, mpi_allreduce__, MPI_ALLREDUCE;
WEAK bcast mpi_bcast, mpi_bcast_, mpi_bcast__, MPI_BCAST;

enum { SPELLINGS = 4, CALLS = 3 };
static allreduce *reduce_by[SPELLINGS] = {mpi_allreduce, mpi_allreduce_, mpi_allreduce__,
                                          MPI_ALLREDUCE};
static const char *const spelled[SPELLINGS] = {"in small letters", "with an underscore",
                                               "with two underscores", "in capitals"};
static bcast *spread_by[SPELLINGS] = {mpi_bcast, mpi_bcast_, mpi_bcast__, MPI_BCAST};

static int rank, ranks;
static MPI_Fint world, integer, sum;
static const MPI_Fint one = 1, root = 0;

/* Puts the first spelling that MPI has in the place of those that it lacks. */
static void replace_missing(void)
{
    int has = 0;
    while (has < SPELLINGS - 1 && (!reduce_by[has] || !spread_by[has])) {
        has++;
    }
    for (int i = 0; i < SPELLINGS; i++) {
        if (!reduce_by[i] || !spread_by[i]) {
            if (rank == 0) {
                printf("not called: MPI's Fortran library has no names %s\n", spelled[i]);
            }
            reduce_by[i] = reduce_by[has];
            spread_by[i] = spread_by[has];
        }
    }
}

static void call(int spelling)
{
    MPI_Fint mine = rank, all = -1, error = -1;
    reduce_by[spelling](&mine, &all, &one, &integer, &sum, &world, &error);
    EXPECT(spelled[spelling], all, ==, ranks * (ranks - 1) / 2);
    EXPECT(spelled[spelling], error, ==, MPI_SUCCESS);
    error = -1;
    all = rank + 7;
    spread_by[spelling](&all, &one, &integer, &root, &world, &error);
    EXPECT(spelled[spelling], all, ==, 7);
    EXPECT(spelled[spelling], error, ==, MPI_SUCCESS);
}

/* MPICH's library finds its constants itself, and calls MPI in C. */
#ifdef OPEN_MPI
/* Debian's Open MPI has only mpi_fortran_in_place_ and mpi_fortran_bottom_. A program has the names
 * that its compiler spells, and exports them to the libraries. */
int mpi_fortran_in_place, mpi_fortran_in_place__, MPI_FORTRAN_IN_PLACE;
int mpi_fortran_bottom, mpi_fortran_bottom__, MPI_FORTRAN_BOTTOM;
extern int mpi_fortran_in_place_, mpi_fortran_bottom_;

static void call_with_constants(int spelling)
{
    const int *in_place[SPELLINGS] = {&mpi_fortran_in_place, &mpi_fortran_in_place_,
                                      &mpi_fortran_in_place__, &MPI_FORTRAN_IN_PLACE};
    int *bottom[SPELLINGS] = {&mpi_fortran_bottom, &mpi_fortran_bottom_, &mpi_fortran_bottom__,
                              &MPI_FORTRAN_BOTTOM};
    static MPI_Fint value;
    MPI_Datatype placed;
    MPI_Aint at;
    int length = 1;
    MPI_Fint error = -1;
    value = rank;
    reduce_by[spelling](in_place[spelling], &value, &one, &integer, &sum, &world, &error);
    EXPECT(spelled[spelling], value, ==, ranks * (ranks - 1) / 2);
    EXPECT(spelled[spelling], error, ==, MPI_SUCCESS);
    value = rank + 3;
    MPI_Get_address(&value, &at);
    MPI_Type_create_hindexed(1, &length, &at, MPI_INT, &placed);
    MPI_Type_commit(&placed);
    MPI_Fint type = MPI_Type_c2f(placed);
    spread_by[spelling](bottom[spelling], &one, &type, &root, &world, &error);
    EXPECT(spelled[spelling], value, ==, 3);
    EXPECT(spelled[spelling], error, ==, MPI_SUCCESS);
    MPI_Type_free(&placed);
}
#else
static void call_with_constants(int spelling)
{
    (void)spelling;
}
#endif

int main(int argc, char **argv)
{

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    replace_missing();
    world = MPI_Comm_c2f(MPI_COMM_WORLD);
    integer = MPI_Type_c2f(MPI_INT);
    sum = MPI_Op_c2f(MPI_SUM);
    for (int i = 0; i < CALLS * SPELLINGS; i++) {
        call(i % SPELLINGS);
        call_with_constants(i % SPELLINGS);
    }
    say_all_right(MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
