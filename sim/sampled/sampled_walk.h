/* What the files of the proof by samples share: looking into plans of single ranks. Private to
 * sim/. */
#ifndef STRATA_SIM_SAMPLED_SAMPLED_WALK_H
#define STRATA_SIM_SAMPLED_SAMPLED_WALK_H

#include "sim/sampled/sampled.h"

/* sampled_messages.c */
int strata_sampled_counts(struct strata_sampling *s, struct strata_sampled_proof *proof);
int strata_sampled_messages(struct strata_sampling *s, struct strata_sampled_proof *proof);
/* sampled_journeys.c */
int strata_sampled_journeys(struct strata_sampling *s, struct strata_sampled_proof *proof);

/* A step of a plan as it is met when it runs; the first pass only. */
struct strata_met {
    const struct strata_step *step;
    struct strata_set set, from;
    int64_t at;  /* how many steps ran before it; -1: there is no such step */
    int ordinal; /* messages: how many to or from the same rank did */
};

/* Which end of a message a step that posts one is. */
static inline enum strata_step_effect strata_end_of(const struct strata_step *step)
{
    return strata_step_does(step, STRATA_DOES_SEND) ? STRATA_DOES_SEND : STRATA_DOES_RECEIVE;
}

/* The message number `ordinal` of those that the plan sends to `peer`, or of those that it receives
 * from it; false: none. */
bool strata_find_message(const struct strata_plan *plan, enum strata_step_effect end, int peer,
                         int ordinal, struct strata_met *met);
/* How many messages of the same peer and direction stand before the step that is met at `at`. */
int strata_message_ordinal(const struct strata_plan *plan, const struct strata_step *step,
                           int64_t at);
/* The first step of a kind; false: there is none. */
bool strata_find_step(const struct strata_plan *plan, int op, struct strata_met *met);

/* One place after another of a set of blocks or items. */
struct strata_element {
    int store, index;
};
struct strata_element_walk {
    struct strata_set_iterator it;
    struct strata_run run;
};
void strata_elements_begin(struct strata_element_walk *walk, struct strata_set set);
bool strata_elements_next(struct strata_element_walk *walk, struct strata_element *element);
/* Where in the set's order an element is; -1: nowhere. */
int64_t strata_element_find(struct strata_set set, struct strata_element element);
/* The element at a place of the set's order; false beyond its end. */
bool strata_element_at(struct strata_set set, int64_t place, struct strata_element *element);

#endif
