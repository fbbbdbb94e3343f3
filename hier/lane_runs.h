/* Lanes that serve runs of each node's members: node n with m members has for lane j of L those
 * with local indices from m * j / L up to m * (j + 1) / L. The first of a run leads its lane.
 * Where a node has fewer members than there are lanes, some of its runs are empty; whoever leads
 * the next run leads those, too.
 *
 * Blocks in the members' slots and in the work store are numbered by position, so those of a run
 * follow each other, and what is one block of a plan between the nodes is a run's blocks here. */
#ifndef STRATA_HIER_LANE_RUNS_H
#define STRATA_HIER_LANE_RUNS_H

#include "core/plan/algorithm.h"
#include "core/plan/embed.h"

struct strata_lane_runs {
    const struct strata_problem *problem;
    const struct strata_plan *exchange; /* the plan of a lane's leaders; NULL: there is one node */
    int lanes, lane;                    /* the number of lanes; the current one */
    int work;                           /* how many times the work store has all blocks */
    int members, me;                    /* members of my node; my number among them */
    int member;                         /* the member whose slot is meant */
};

/* The first member of a lane's run in a node of `members` members, which leads the lane; for an
 * empty run, the member that leads it. */
static inline int strata_run_begin(const struct strata_lane_runs *r, int lane, int members)
{
    return (int)((int64_t)members * lane / r->lanes);
}

/* The number of members in the current lane's run there. */
static inline int strata_run_width(const struct strata_lane_runs *r, int members)
{
    return strata_run_begin(r, r->lane + 1, members) - strata_run_begin(r, r->lane, members);
}

/* The lane whose run has me. */
static inline int strata_run_mine(const struct strata_lane_runs *r)
{
    return (int)((((int64_t)r->me + 1) * r->lanes - 1) / r->members);
}

/* How the plan between the nodes is embedded. Its input is the first set of the work store; its
 * work blocks lie in the others. Its output is my node's run: the output where the run is my own
 * block alone, else the run's blocks in my slot. Its slot store is the slot of `member`. */
struct strata_embedding strata_run_embedding(const struct strata_lane_runs *r);

#endif
