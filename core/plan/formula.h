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
    /* Blocks that a rank packs to send, or unpacks, because they lie apart. Not counted are blocks
     * that only some ranks pack while the others go on, and runs that go from the last block on to
     * the first, which are others in each round. */
    double packed;
    double pieces; /* that the packed blocks consist of */
    /* Blocks that others send after the busiest rank has sent its own. All messages that a rank
     * sends together share its port and arrive together, so a rank that hands a part on begins
     * late. */
    double after;
    /* Blocks that others send late because a rank waits between its messages. This holds back long
     * messages only: MPI takes short messages at once. */
    double ahead;
};

#endif
