/* The collectives: what each rank begins with and must end with, one row each.
 *
 * Data are numbered blocks. Block i of a collective has the same length wherever it lies (but in
 * alltoall, whose blocks of one rank are another's), so one index names it in every store:
 *
 *   ONE   of the blocks 0 .. ranks-1 only the one of this rank
 *   ALL   every block
 *   NONE  nothing
 *
 * The blocks of ranked collectives are one for each rank; those of the others are segments of one
 * vector, cut by the plan (struct strata_blocks). */
#ifndef STRATA_CORE_PLAN_COLLECTIVE_H
#define STRATA_CORE_PLAN_COLLECTIVE_H

#include <stdbool.h>

enum strata_held { STRATA_NONE, STRATA_ONE, STRATA_ALL };

/* What an output block is made of: a copy of the block of its one owner; or the combination, in the
 * order of ranks, of all ranks' blocks (of those up to this rank, of those before it). */
enum strata_result { STRATA_COPIED, STRATA_REDUCED, STRATA_UP_TO_ME, STRATA_BEFORE_ME };

/* identifier, name, input, output at the root (or everywhere), elsewhere, rooted: 'i' only the root
 * has input, 'o' only the root has output, '-' no root; blocks: ranked, result, varying */
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
    const char *variable;           /* that forces its algorithm: "STRATA_ALLTOALL" */
    enum strata_held input, output; /* of the ranks that have any */
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

/* reduce_scatter, reduce_scatter_block: a vector, cut into one block for each rank. */
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

/* Whether every rank's call ends only after all have begun theirs, whatever carries it out: what
 * all have to agree on makes nobody wait longer there. In other calls ranks may go ahead. */
static inline bool strata_collective_waits(enum strata_collective collective)
{
    const struct strata_collective_info *info = &strata_collective_info[collective];
    return info->root == '-' && info->result != STRATA_UP_TO_ME && info->result != STRATA_BEFORE_ME;
}

/* gatherv, scatterv: a block's length is known where it comes from, where it goes to, and nowhere
 * else. */
static inline bool strata_collective_one_knows(enum strata_collective collective)
{
    return collective == STRATA_GATHERV || collective == STRATA_SCATTERV;
}

/* What a rank has of its input, and gets of its output. */
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
