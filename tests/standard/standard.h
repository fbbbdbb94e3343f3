/* Cases from the text of the MPI standard (4.0), for programs that know nothing of Strata. A case
 * is one call, or a few, on all ranks. Rank 0 prints a line for it: the section, a description, and
 * a digest. The digest covers the returned values and every byte of all buffers, also bytes that
 * MPI may not touch. Two runs with the same lines have done the same. Cases in which MPICH 4.0.2
 * itself crashes are left out with MPICH. */
#ifndef STRATA_TESTS_STANDARD_STANDARD_H
#define STRATA_TESTS_STANDARD_STANDARD_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/mpis.h"

/* The standard ABI has no part for Fortran, but integers for handles. */
#if MPI_ABI_VERSION > 0
#define MPI_Comm_f2c MPI_Comm_fromint
#define MPI_Comm_c2f MPI_Comm_toint
#define MPI_Type_f2c MPI_Type_fromint
#define MPI_Type_c2f MPI_Type_toint
#define MPI_Op_f2c   MPI_Op_fromint
#define MPI_Op_c2f   MPI_Op_toint
#endif

enum collective {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN,
    EXSCAN,
    COLLECTIVES
};

/* A collective: its name, its section of the standard, and its properties. */
struct collective_info {
    const char *name, *section;
    bool rooted, reduces, varying;
    bool gathers, scatters; /* of rooted ones: only the root receives, or sends, blocks for all */
};
extern const struct collective_info info[COLLECTIVES];

/* One call. Counts are of a block, in elements of the side's datatype; where blocks vary they are
 * the least. Zero values stand for ints, MPI_COMM_WORLD, rank 0 and MPI_SUM. */
struct call {
    enum collective collective;
    int sent, taken; /* taken 0: as `sent` */
    MPI_Datatype sent_type, taken_type;
    bool in_place;
    int root;
    MPI_Op op;
    MPI_Comm comm;
    bool remote; /* on an intercommunicator: this group receives from the other, or sends to it */
    bool insignificant; /* arguments that are not significant on a rank are invalid */
    int shift;          /* bytes by which both buffers lie beside aligned addresses */
};

extern int rank, ranks; /* in MPI_COMM_WORLD */

/* Makes the call and prints its line; `about` is a description such as "MPI_IN_PLACE". */
void try_call(const struct call *call, const char *section, const char *about);
/* Makes the call alone, on the buffers as they are. Returns MPI's code. */
int make_call(const struct call *call);
/* fill_buffers restores the buffers before a call. print_case prints the line with the digest of
 * the buffers and of `seen`. */
void fill_buffers(const struct call *call);
void print_case(const struct call *call, const char *section, const char *about, int seen);
/* Prints a line for a value that a rank saw elsewhere. */
void print_value(const char *section, const char *about, uint64_t seen);

/* The areas of the standard. */
void try_blocks(void);
void try_reductions(void);
void try_communicators(void);
void try_errors(void);
void try_neighbours(void); /* other messages and calls around a collective */
void try_languages(void);
void try_programs(bool all); /* the last one: it leaves requests open */

#endif
