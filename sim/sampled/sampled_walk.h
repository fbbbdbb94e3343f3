/* Searches in the plans of single ranks, which the files of the proof by samples share. Private to
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

/* A walk through a plan's actions in the first pass. */
struct strata_look {
    struct strata_actions actions;
    int64_t at; /* actions before the current one */
};
void strata_look_begin(struct strata_look *look, const struct strata_plan *plan);
const struct strata_action *strata_look_next(struct strata_look *look);

/* The result of a search for an action. */
struct strata_met {
    struct strata_action action;
    int64_t at;  /* actions before it; -1: none was found */
    int ordinal; /* of messages: those before it to or from the same rank */
};

/* Finds message number `ordinal` that the plan sends to `peer`, or receives from it, as `kind`
 * says; false: there is none. */
bool strata_find_message(const struct strata_plan *plan, enum strata_action_kind kind, int peer,
                         int ordinal, struct strata_met *met);
/* The number of messages of the same peer and direction before action number `at`. */
int strata_message_ordinal(const struct strata_plan *plan, const struct strata_action *message,
                           int64_t at);
/* Finds the first action of a kind of steps; false: there is none. */
bool strata_find_step(const struct strata_plan *plan, int op, struct strata_met *met);

/* One element of a set of blocks or items. */
struct strata_element {
    int store, index;
};
struct strata_element_walk {
    struct strata_set_iterator it;
    struct strata_run run;
};
void strata_elements_begin(struct strata_element_walk *walk, struct strata_set set);
bool strata_elements_next(struct strata_element_walk *walk, struct strata_element *element);
/* The position of an element in the set's order; -1: the set lacks it. */
int64_t strata_element_find(struct strata_set set, struct strata_element element);
/* The element at a position of the set's order; false beyond its end. */
bool strata_element_at(struct strata_set set, int64_t place, struct strata_element *element);

#endif
