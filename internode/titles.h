/* Titles of papers that several algorithms come from. */
#ifndef STRATA_INTERNODE_TITLES_H
#define STRATA_INTERNODE_TITLES_H

#define STRATA_TITLE_BRUCK                                                                         \
    "Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems"
#define STRATA_TITLE_CHAN                                                                          \
    "Collective Communication on Architectures that Support Simultaneous Communication over "      \
    "Multiple Links"
#define STRATA_TITLE_DPML                                                                          \
    "Scalable Reduction Collectives with Data Partitioning-based Multi-Leader Design"
#define STRATA_TITLE_GRAHAM                                                                        \
    "MPI support for multi-core architectures: optimized shared memory collectives"
#define STRATA_TITLE_KANDALLA                                                                      \
    "Designing Multi-Leader-Based Allgather Algorithms for Multi-Core Clusters"
#define STRATA_TITLE_SLOAVX                                                                        \
    "SLOAVx: Scalable LOgarithmic AlltoallV Algorithm for Hierarchical Multicore Systems"
#define STRATA_TITLE_THAKUR "Optimization of Collective Communication Operations in MPICH"
#define STRATA_TITLE_TRAEFF "Hierarchical gather/scatter algorithms with graceful degradation"

#endif
