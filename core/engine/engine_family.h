/* The two families of plans: what the engine does for each (docs/architecture.md, "The one
 * idea"). */
#ifndef STRATA_CORE_ENGINE_ENGINE_FAMILY_H
#define STRATA_CORE_ENGINE_ENGINE_FAMILY_H

#include "core/engine/engine_format.h"
#include "core/engine/engine_steps.h"

struct strata_taping;

struct strata_family {
    /* Bytes of the scratch that every call of the plan needs; `check` as in the executions. */
    size_t (*fixed_scratch)(const struct strata_plan *plan, bool check);
    /* Bytes of the scratch that this call needs. */
    size_t (*scratch)(struct strata_execution *x);
    /* Bytes of a slot and of the landing that a call with such a work store needs. */
    void (*node_need)(const struct strata_plan *plan, const struct strata_layout *work, bool check,
                      size_t *slot, size_t *landing);
    /* How many requests of each kind a call has open at most. */
    void (*requests)(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS]);
    /* Finds where the blocks of a call lie that begins, and how long they are. */
    void (*start)(struct strata_execution *x);
    /* Runs a COPY step. */
    strata_run_step *copy;
    /* Runs a SEND_BLOCKS step. */
    strata_run_step *send;
    /* Runs a RECV_BLOCKS step. */
    strata_run_step *receive;
    /* Takes in the messages that have all arrived: STRATA_OK or an error. */
    int (*land)(struct strata_execution *x);
    /* Writes into my slot what is said of its blocks beside the first signal of an epoch. */
    void (*describe)(struct strata_execution *x, struct strata_slot_header *header);
    /* Takes in what a member says there that has signalled. */
    void (*hear)(struct strata_execution *x, int member, uint64_t epoch);
    /* Uses the time in which a member is awaited: STRATA_PENDING or an error. */
    int (*meanwhile)(struct strata_execution *x);
    /* Says what a call does whose wait for members is over: STRATA_OK, or an error where one that
     * has failed ends it. */
    int (*heard)(const struct strata_execution *x);
    /* Says whether I may go, who have left the call: STRATA_PENDING while others may read what I
     * expose. */
    int (*part)(struct strata_execution *x);
    /* What makes the tape of a call. */
    const struct strata_taping *taping;
};

extern const struct strata_family strata_family_of_items, strata_family_of_blocks;

static inline const struct strata_family *strata_family_of(const struct strata_plan *plan)
{
    return strata_plan_over_blocks(plan) ? &strata_family_of_blocks : &strata_family_of_items;
}

#endif
