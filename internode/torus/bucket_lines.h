/* Which blocks move where in a bucket algorithm on a torus: geometry only. The offset of a block is
 * how far the rank that has it is from the block's owner, counted along each axis in the direction
 * in which data go round. In step t every rank gets the blocks of all offsets with sum t, each from
 * its neighbour on one of the axes with an offset above 0. A rule, the same for all ranks, says
 * which axis. Offsets with sum t are visited in lines: on a line all coordinates but the last two
 * are fixed; the last but one counts up while the last counts down. */
#ifndef STRATA_INTERNODE_TORUS_BUCKET_LINES_H
#define STRATA_INTERNODE_TORUS_BUCKET_LINES_H

#include "core/plan/builder.h"
#include "core/topology/torus.h"

enum strata_bucket_rule {
    STRATA_BUCKET_PAPER = 1,   /* always the last axis with an offset */
    STRATA_BUCKET_BALANCED = 2 /* every axis gets about as many */
};

struct strata_buckets {
    enum strata_bucket_rule rule;
    int count; /* axes longer than 1, the longest first; with fewer than two there are no lines */
    int size[STRATA_TORUS_DIMS], stride[STRATA_TORUS_DIMS];
    int ranks, steps;
};

/* The offsets on a line: x on the last axis but one, and rest - x on the last, for all x in begin
 * .. end-1. */
struct strata_bucket_line {
    int offset[STRATA_TORUS_DIMS]; /* on the axes before the last two */
    int rest;
    int begin, end;
};

struct strata_buckets strata_bucket_of(const struct strata_torus *torus,
                                       enum strata_bucket_rule rule);

/* Walks the lines of offsets with sum t; zero the line first. False at the end. */
bool strata_bucket_next(const struct strata_buckets *bucket, int t,
                        struct strata_bucket_line *line);
/* The part of the line whose blocks arrive along axis `axis`. */
struct strata_bucket_line strata_bucket_along(const struct strata_buckets *bucket,
                                              const struct strata_bucket_line *line, int axis);
/* The part of the line whose blocks leave along axis `axis` in the next step. */
struct strata_bucket_line strata_bucket_from(const struct strata_buckets *bucket,
                                             const struct strata_bucket_line *line, int axis);
/* Messages that a rank sends in all steps; and, of messages with several blocks that lie apart, the
 * blocks. */
struct strata_bucket_sent {
    int messages, together;
};
struct strata_bucket_sent strata_bucket_sent(const struct strata_buckets *bucket);

/* The rank before or after `rank` on an axis. */
int strata_bucket_neighbour(const struct strata_buckets *bucket, int rank, int axis, int by);

/* A list of boxes under construction. */
struct strata_boxes {
    struct strata_box *box;
    int count, capacity;
};

/* Appends boxes for the blocks at rank `center` with the offsets of a line. `like` gives the store,
 * its first block and its number of blocks. */
void strata_bucket_boxes(const struct strata_buckets *bucket, int center,
                         const struct strata_bucket_line *line, struct strata_box like,
                         struct strata_boxes *boxes, struct strata_builder *b);
void strata_boxes_fini(struct strata_boxes *boxes);

#endif
