/* The two families of plans: what the engine does for each (docs/architecture.md, "The one
 * idea"). */
#ifndef STRATA_CORE_ENGINE_ENGINE_FAMILY_H
#define STRATA_CORE_ENGINE_ENGINE_FAMILY_H

#include "core/engine/engine_format.h"
#include "core/engine/engine_steps.h"

struct strata_taping;

struct strata_family {
    /* Bytes of scratch that every call of the plan needs; `check` as in struct strata_execution. */
    size_t (*fixed_scratch)(const struct strata_plan *plan, bool check);
    /* Bytes of scratch that this call needs. */
    size_t (*scratch)(struct strata_execution *x);
    /* Bytes of a slot, and of the landing, that a call with this work store needs. */
    void (*node_need)(const struct strata_plan *plan, const struct strata_layout *work, bool check,
                      size_t *slot, size_t *landing);
    /* The number of requests of each kind that a call has open at most. */
    void (*requests)(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS]);
    /* Finds the addresses and lengths of the blocks of a call that begins. */
    void (*start)(struct strata_execution *x);
    /* Runs a COPY step. */
    strata_run_step *copy;
    /* Runs a SEND_BLOCKS step. */
    strata_run_step *send;
    /* Runs a RECV_BLOCKS step. */
    strata_run_step *receive;
    /* Processes the messages when all of them have arrived: STRATA_OK or an error. */
    int (*land)(struct strata_execution *x);
    /* Describes my slot's blocks in its header, before the first signal of an epoch. */
    void (*describe)(struct strata_execution *x, struct strata_slot_header *header);
    /* Reads the description in the slot of a member that has signalled. */
    void (*hear)(struct strata_execution *x, int member, uint64_t epoch);
    /* Does other work while a member is awaited: STRATA_PENDING or an error. */
    int (*meanwhile)(struct strata_execution *x);
    /* Decides how a call goes on after its wait for members: STRATA_OK, or an error where a member
     * that failed ends the call. */
    int (*heard)(const struct strata_execution *x);
    /* Decides whether this rank may return from a call that it has left: STRATA_PENDING while
     * others may read blocks that it exposes. */
    int (*part)(struct strata_execution *x);
    /* The functions that make the tape of a call. */
    const struct strata_taping *taping;
};

extern const struct strata_family strata_family_of_items, strata_family_of_blocks;

static inline const struct strata_family *strata_family_of(const struct strata_plan *plan)
{
    return strata_plan_over_blocks(plan) ? &strata_family_of_blocks : &strata_family_of_items;
}

#endif
