/* What the files of the proof by samples share: looking into plans of single ranks. Private to
 * sim/. */
#ifndef STRATA_SIM_SAMPLED_SAMPLED_WALK_H
#define STRATA_SIM_SAMPLED_SAMPLED_WALK_H

#include "core/plan/actions.h"
#include "sim/sampled/sampled.h"

/* sampled_messages.c */
int strata_sampled_counts(struct strata_sampling *s, struct strata_sampled_proof *proof);
int strata_sampled_messages(struct strata_sampling *s, struct strata_sampled_proof *proof);
/* sampled_journeys.c */
int strata_sampled_journeys(struct strata_sampling *s, struct strata_sampled_proof *proof);

/* Goes through a plan's actions, in the first pass. */
struct strata_look {
    struct strata_actions actions;
    int64_t at; /* how many actions came before the current one */
};
void strata_look_begin(struct strata_look *look, const struct strata_plan *plan);
const struct strata_action *strata_look_next(struct strata_look *look);

/* An action that was looked for. */
struct strata_met {
    struct strata_action action;
    int64_t at;  /* as above; -1: there is none */
    int ordinal; /* messages: how many to or from the same rank came before */
};

/* The message number `ordinal` that the plan sends to `peer` (or receives from it: kind); false:
 * none. */
bool strata_find_message(const struct strata_plan *plan, enum strata_action_kind kind, int peer,
                         int ordinal, struct strata_met *met);
/* How many messages of the same peer and direction come before the action that is met at `at`. */
int strata_message_ordinal(const struct strata_plan *plan, const struct strata_action *message,
                           int64_t at);
/* The first action of a kind of steps; false: there is none. */
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
