/* The collectives, one row each: what each rank begins with, and what it must end with.
 *
 * Data are numbered blocks. Block i of a collective has the same length wherever it lies, so one
 * index names it in every store. (In alltoall, blocks of one rank are blocks of another under
 * another number.) A rank holds one of these:
 *
 *   ONE   of the blocks 0 .. ranks-1 only this rank's own
 *   ALL   every block
 *   NONE  nothing
 *
 * Ranked collectives have one block for each rank. The blocks of the others are segments of one
 * vector, which the plan cuts (struct strata_blocks). */
#ifndef STRATA_CORE_PLAN_COLLECTIVE_H
#define STRATA_CORE_PLAN_COLLECTIVE_H

#include <stdbool.h>

enum strata_held { STRATA_NONE, STRATA_ONE, STRATA_ALL };

/* What an output block is made of.
 *
 *   COPIED     a copy of the one input block of its number
 *   REDUCED    the combination of all ranks' blocks, in the order of ranks
 *   UP_TO_ME   the same of the ranks up to this one
 *   BEFORE_ME  the same of the ranks before this one */
enum strata_result { STRATA_COPIED, STRATA_REDUCED, STRATA_UP_TO_ME, STRATA_BEFORE_ME };

/* One row declares a collective: identifier, name, input, output, root, ranked, result, varying
 * (struct strata_collective_info). root is 'i' where only the root has input, 'o' where only the
 * root has output, '-' where there is no root. */
#define STRATA_COLLECTIVE_TABLE(ROW)                                                               \
    ROW(ALLTOALL, "alltoall", ALL, ALL, '-', true, COPIED, false)                                  \
    ROW(ALLTOALLV, "alltoallv", ALL, ALL, '-', true, COPIED, true)                                 \
    ROW(ALLTOALLW, "alltoallw", ALL, ALL, '-', true, COPIED, true)                                 \
    ROW(ALLGATHER, "allgather", ONE, ALL, '-', true, COPIED, false)                                \
    ROW(ALLGATHERV, "allgatherv", ONE, ALL, '-', true, COPIED, true)                               \
    ROW(BCAST, "bcast", ALL, ALL, 'i', false, COPIED, false)                                       \
    ROW(GATHER, "gather", ONE, ALL, 'o', true, COPIED, false)                                      \
    ROW(GATHERV, "gatherv", ONE, ALL, 'o', true, COPIED, true)                                     \
    ROW(SCATTER, "scatter", ALL, ONE, 'i', true, COPIED, false)                                    \
    ROW(SCATTERV, "scatterv", ALL, ONE, 'i', true, COPIED, true)                                   \
    ROW(REDUCE, "reduce", ALL, ALL, 'o', false, REDUCED, false)                                    \
    ROW(ALLREDUCE, "allreduce", ALL, ALL, '-', false, REDUCED, false)                              \
    ROW(REDUCE_SCATTER, "reduce_scatter", ALL, ONE, '-', true, REDUCED, true)                      \
    ROW(REDUCE_SCATTER_BLOCK, "reduce_scatter_block", ALL, ONE, '-', true, REDUCED, false)         \
    ROW(SCAN, "scan", ALL, ALL, '-', false, UP_TO_ME, false)                                       \
    ROW(EXSCAN, "exscan", ALL, ALL, '-', false, BEFORE_ME, false)                                  \
    ROW(BARRIER, "barrier", NONE, NONE, '-', true, COPIED, false)

enum strata_collective {
#define STRATA_COLLECTIVE_ID(id, name, input, output, root, ranked, result, varying) STRATA_##id,
    STRATA_COLLECTIVE_TABLE(STRATA_COLLECTIVE_ID)
#undef STRATA_COLLECTIVE_ID
        STRATA_COLLECTIVE_COUNT
};

struct strata_collective_info {
    const char *name;
    const char *variable;           /* the variable that forces its algorithm: "STRATA_ALLTOALL" */
    enum strata_held input, output; /* the blocks of a rank that has any */
    char root;                      /* 'i', 'o' or '-', as above */
    bool ranked;                    /* one block for each rank */
    enum strata_result result;
    bool varying; /* blocks differ in length */
};

extern const struct strata_collective_info strata_collective_info[STRATA_COLLECTIVE_COUNT];

const char *strata_collective_name(enum strata_collective collective);
bool strata_collective_find(const char *name, enum strata_collective *collective); /* false: none */

static inline bool strata_collective_rooted(enum strata_collective collective)
{
    return strata_collective_info[collective].root != '-';
}

static inline bool strata_collective_reduces(enum strata_collective collective)
{
    return strata_collective_info[collective].result != STRATA_COPIED;
}

/* reduce_scatter, reduce_scatter_block: they reduce a vector that is cut into one block for each
 * rank. */
static inline bool strata_collective_scatters(enum strata_collective collective)
{
    return strata_collective_reduces(collective) && strata_collective_info[collective].ranked;
}

/* alltoall, alltoallv, alltoallw: block (source, destination) is number `destination` at its source
 * and number `source` at its destination. */
static inline bool strata_collective_transposes(enum strata_collective collective)
{
    return collective <= STRATA_ALLTOALLW;
}

/* Whether every rank's call ends only after all ranks have begun theirs, whatever algorithm runs.
 * In such calls an agreement of all ranks makes no rank wait longer. In other calls ranks may run
 * ahead. */
static inline bool strata_collective_waits(enum strata_collective collective)
{
    const struct strata_collective_info *info = &strata_collective_info[collective];
    return info->root == '-' && info->result != STRATA_UP_TO_ME && info->result != STRATA_BEFORE_ME;
}

/* gatherv, scatterv: only the source and the destination of a block know its length. */
static inline bool strata_collective_one_knows(enum strata_collective collective)
{
    return collective == STRATA_GATHERV || collective == STRATA_SCATTERV;
}

/* The part of the input that a rank has, and the part of the output that it gets. */
static inline enum strata_held strata_input_of(enum strata_collective collective, int rank,
                                               int root)
{
    const struct strata_collective_info *info = &strata_collective_info[collective];
    return info->root == 'i' && rank != root ? STRATA_NONE : info->input;
}

static inline enum strata_held strata_output_of(enum strata_collective collective, int rank,
                                                int root)
{
    const struct strata_collective_info *info = &strata_collective_info[collective];
    return info->root == 'o' && rank != root ? STRATA_NONE : info->output;
}

#endif
