/* The work of an algorithm over blocks in closed formulas. Tests compare them with its plans. */
#ifndef STRATA_CORE_PLAN_FORMULA_H
#define STRATA_CORE_PLAN_FORMULA_H

#include <stdint.h>

#include "core/topology/torus.h"

/* Each field but `packed` and `pieces` is the largest of any rank. Volumes are counted in blocks
 * where blocks belong to ranks, and in vectors where blocks are segments of a vector (half of the
 * vector is 0.5). */
struct strata_formula {
    double rounds;   /* rounds of messages one after another: the longest sequence of stages */
    double messages; /* messages that a rank sends */
    double blocks;   /* blocks that a rank sends */
    double reduced;  /* blocks that a rank combines */
    double copied;   /* blocks that a rank copies, packing not counted */
    /* Blocks that a rank packs to send, or unpacks, because they do not lie side by side. Two cases
     * are not counted: blocks that only some ranks pack while the others go on, and runs from the
     * last block on to the first, which differ in each round. */
    double packed;
    double pieces; /* pieces that the packed blocks consist of */
    /* Blocks that other ranks send after the busiest rank has sent its own. All messages that a
     * rank sends together share its port and arrive together, so a rank that passes a part on
     * begins late. */
    double after;
    /* Blocks that other ranks send late because a rank waits between its messages. The wait holds
     * back long messages only: MPI takes short messages at once. */
    double ahead;
};

/* The ranks that a rank sends to in a round, for a distance d. */
enum strata_peers {
    STRATA_ONWARD,    /* d further on, modulo all ranks */
    STRATA_CROSSWISE, /* the one whose number differs by the bit d */
    STRATA_SWINGING,  /* of even ranks d further on, of odd ones d before them */
    STRATA_ALONG      /* the next one along axis d of a torus */
};

/* A round in which all ranks do the same: each sends `messages` messages together, of the same
 * length, at the distances `first`, first + step, ... */
struct strata_flat_round {
    enum strata_peers peers;
    int64_t first, step;
    double messages;
    double blocks; /* blocks or vectors of all these messages */
    /* Blocks that some rank packs, and that its peers unpack, because their run goes on from the
     * last block to the first; and the pieces. */
    double packed, pieces;
    double times;                                           /* so many such rounds; 0: one */
    int size[STRATA_TORUS_DIMS], stride[STRATA_TORUS_DIMS]; /* of the axes */
};

/* Messages to ranks further on. */
static inline struct strata_flat_round strata_onward(int64_t first, int64_t step, double messages,
                                                     double blocks)
{
    return (struct strata_flat_round){
        .first = first, .step = step, .messages = messages, .blocks = blocks};
}

#endif
