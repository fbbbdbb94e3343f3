/* Cases from the text of the MPI standard (4.0), for programs that know nothing of Strata. A case
 * is one call, or a few, on all ranks; rank 0 prints a line for it: the section, what it is about,
 * and a digest of all that the ranks see of it: what is returned, and every byte of all buffers,
 * those that MPI may not touch too. Two runs that print the same lines have done the same. */
#ifndef STRATA_TESTS_STANDARD_STANDARD_H
#define STRATA_TESTS_STANDARD_STANDARD_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Cases that MPICH 4.0.2 itself dies of are left out with it. */
#ifdef MPICH_VERSION
enum { ON_MPICH = 1 };
#else
enum { ON_MPICH = 0 };
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

/* A row for each: what it is called, where the standard defines it, and what it has. */
struct collective_info {
    const char *name, *section;
    bool rooted, reduces, varying;
    bool gathers, scatters; /* rooted: only the root receives, or sends, blocks for all */
};
extern const struct collective_info info[COLLECTIVES];

/* One call. Counts are of a block, in elements of the side's datatype; where blocks vary they are
 * the least. Zero values: ints, of MPI_COMM_WORLD, to rank 0, MPI_SUM. */
struct call {
    enum collective collective;
    int sent, taken; /* taken 0: as many as sent */
    MPI_Datatype sent_type, taken_type;
    bool in_place;
    int root;
    MPI_Op op;
    MPI_Comm comm;
    bool remote;        /* an intercommunicator: this group receives from, or sends to, the other */
    bool insignificant; /* what is not significant on a rank is no valid argument */
    int shift;          /* bytes by which both buffers lie beside where numbers may */
};

extern int rank, ranks; /* in MPI_COMM_WORLD */

/* Makes the call and prints its line. `about`: such as "MPI_IN_PLACE". */
void try_call(const struct call *call, const char *section, const char *about);
/* The call alone, on the buffers as they are; returns what MPI does. */
int make_call(const struct call *call);
/* Buffers as before any call; their digest and that of `seen` are the case's line. */
void fill_buffers(const struct call *call);
void print_case(const struct call *call, const char *section, const char *about, int seen);
/* A line for what a rank saw elsewhere. */
void print_value(const char *section, const char *about, uint64_t seen);

/* Areas. */
void try_blocks(void);
void try_reductions(void);
void try_communicators(void);
void try_errors(void);
void try_neighbours(void); /* other messages and calls around a collective */
void try_languages(void);
void try_programs(bool all); /* the last: it leaves requests open */

#endif
