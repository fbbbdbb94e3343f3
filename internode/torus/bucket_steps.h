/* The bucket algorithm's steps, for whoever composes them. On fewer than two axes it is the ring
 * (internode/allgather/ring.c). */
#ifndef STRATA_INTERNODE_TORUS_BUCKET_STEPS_H
#define STRATA_INTERNODE_TORUS_BUCKET_STEPS_H

#include "core/plan/algorithm.h"
#include "internode/torus/bucket_lines.h"

/* Sends each rank's block of the output to all ranks, along all axes at once. */
void strata_bucket_gather(const struct strata_buckets *bucket, int rank, struct strata_builder *b);

/* The whole plan of a reduction among all ranks, in one block for each: each rank gets its result,
 * and in an allreduce then all results. */
void strata_bucket_reduce(const struct strata_buckets *bucket, const struct strata_problem *problem,
                          struct strata_builder *b);

/* The steps of a gather, or of a reduction, as rounds; false behind the last. Blocks are taken to
 * be as many in each step, and on each axis. */
bool strata_bucket_round(const struct strata_buckets *bucket, int number,
                         struct strata_flat_round *round);

#endif
