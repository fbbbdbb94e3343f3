/* What an algorithm over blocks does, as closed formulas that are held against its plans. */
#ifndef STRATA_CORE_PLAN_FORMULA_H
#define STRATA_CORE_PLAN_FORMULA_H

/* The largest figure of any rank, but for what is packed. Volumes are counted in blocks where
 * blocks belong to ranks; in vectors where they are segments of one (half of the vector is 0.5). */
struct strata_formula {
    double rounds;   /* of messages one after another: the longest sequence of stages */
    double messages; /* sent by a rank */
    double blocks;   /* sent by a rank */
    double reduced;  /* combined by a rank */
    double copied;   /* copied by a rank, packing not counted */
    /* What a rank packs to send, or unpacks, because it lies apart; and of how many pieces that
     * consists. Left out is what only some ranks pack while the others go on, and what lies at the
     * end of all blocks and at their beginning, which in each round are others. */
    double packed, pieces;
    /* Sent by others after the busiest rank has sent its own: what a rank sends at once shares its
     * port and arrives at once, so who hands a part of it on begins late. */
    double after;
    /* The same where a rank waits between what it sends, which holds back long messages only: short
     * ones MPI takes at once. */
    double ahead;
};

#endif
