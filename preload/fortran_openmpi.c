/* MPI's collectives as Fortran programs on Open MPI call them, whose bindings call PMPI. mpif.h,
 * `use mpi` and `use mpi_f08` hand over the same: addresses, of integers for handles too, and the
 * error's, which in the last may be left out. What these bindings call in turn, ompi_allreduce_f
 * and so on, PMPI's call as well, which are for tools, so that is not caught. */
#include <stdbool.h>
#include <stdlib.h>

#include "include/strata.h"
#include "preload/collectives.h"

_Static_assert(_Generic((MPI_Fint)0, int : 1, default : 0), "counts are handed on as they are");

/* As compilers spell a name. */
#define SPELLED(THE, name, NAME) THE(name) THE(name##_) THE(name##__) THE(NAME)

/* Fortran's constants are common blocks, known by their addresses; spellings that nobody uses have
 * none. */
#define BLOCK(name)   extern int name __attribute__((weak));
#define ADDRESS(name) &(name),
enum { SPELLINGS = 4 };
SPELLED(BLOCK, mpi_fortran_in_place, MPI_FORTRAN_IN_PLACE)
SPELLED(BLOCK, mpi_fortran_bottom, MPI_FORTRAN_BOTTOM)
static const int *const in_place_at[SPELLINGS] = {
    SPELLED(ADDRESS, mpi_fortran_in_place, MPI_FORTRAN_IN_PLACE)};
static const int *const bottom_at[SPELLINGS] = {
    SPELLED(ADDRESS, mpi_fortran_bottom, MPI_FORTRAN_BOTTOM)};

static bool is_constant(const void *buffer, const int *const *blocks)
{
    bool found = false;

    for (int i = 0; buffer && i < SPELLINGS; i++) {
        found = found || buffer == blocks[i];
    }
    return found;
}

static void *address(void *buffer)
{
    if (is_constant(buffer, in_place_at)) {
        return MPI_IN_PLACE;
    }
    return is_constant(buffer, bottom_at) ? MPI_BOTTOM : buffer;
}

/* Alltoallw's arrays of datatypes, and what they become. In place there need be none. */
static MPI_Datatype *types_of(const MPI_Fint *types, const void *buffer, MPI_Fint comm,
                              MPI_Datatype **made)
{
    MPI_Comm all = PMPI_Comm_f2c(comm);
    int inter = 0;
    int blocks = 0;

    if (!is_constant(buffer, in_place_at) && all && all != MPI_COMM_NULL &&
        PMPI_Comm_test_inter(all, &inter) == MPI_SUCCESS) {
        (void)(inter ? PMPI_Comm_remote_size(all, &blocks) : PMPI_Comm_size(all, &blocks));
        *made = malloc((size_t)blocks * sizeof **made);
    }
    for (int i = 0; *made && i < blocks; i++) {
        (*made)[i] = PMPI_Type_f2c(types[i]);
    }
    return *made;
}

struct made {
    MPI_Datatype *sent_types, *taken_types;
};

static void release(struct made *made)
{
    free(made->sent_types);
    free(made->taken_types);
}

/* Fortran's parameters, and what becomes of them in C. */
#define PASSED(kind, name)     PASSED_##kind *name
#define PASSED_READ            void
#define PASSED_WRITE           void
#define PASSED_INT             const MPI_Fint
#define PASSED_COUNT           const MPI_Fint
#define PASSED_COUNTS          const MPI_Fint
#define PASSED_PLACES          const MPI_Fint
#define PASSED_TYPE            const MPI_Fint
#define PASSED_SENT_TYPES      const MPI_Fint
#define PASSED_TAKEN_TYPES     const MPI_Fint
#define PASSED_OP              const MPI_Fint
#define PASSED_COMM            const MPI_Fint
#define IN_C(kind, name)       IN_C_##kind(name)
#define IN_C_READ(name)        address(name)
#define IN_C_WRITE(name)       address(name)
#define IN_C_INT(name)         *name
#define IN_C_COUNT(name)       *name
#define IN_C_COUNTS(name)      name
#define IN_C_PLACES(name)      name
#define IN_C_TYPE(name)        PMPI_Type_f2c(*name)
#define IN_C_SENT_TYPES(name)  types_of(name, from, *comm, &made.name)
#define IN_C_TAKEN_TYPES(name) types_of(name, to, *comm, &made.name)
#define IN_C_OP(name)          PMPI_Op_f2c(*name)
#define IN_C_COMM(name)        PMPI_Comm_f2c(*name)

#define FORTRAN(Name, name, NAME, list)                                                            \
    STRATA_PUBLIC void mpi_##name##_(list(PASSED), MPI_Fint *error);                               \
    void mpi_##name##_(list(PASSED), MPI_Fint *error)                                              \
    {                                                                                              \
        struct made made __attribute__((cleanup(release), unused)) = {NULL, NULL};                 \
        int result = strata_preload_##name(list(IN_C));                                            \
        if (error) {                                                                               \
            *error = result;                                                                       \
        }                                                                                          \
    }                                                                                              \
    ALIAS(name, mpi_##name, list)                                                                  \
    ALIAS(name, mpi_##name##__, list)                                                              \
    ALIAS(name, mpi_##name##_f08_, list)                                                           \
    ALIAS(name, MPI_##NAME, list)
#define ALIAS(name, spelling, list)                                                                \
    STRATA_PUBLIC void spelling(list(PASSED), MPI_Fint *error)                                     \
        __attribute__((alias("mpi_" #name "_")));

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
PRELOAD_TABLE(FORTRAN)
