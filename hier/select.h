/* Chooses the algorithm of a call. Reads only what all ranks know to be equal. */
#ifndef STRATA_HIER_SELECT_H
#define STRATA_HIER_SELECT_H

#include "core/plan/algorithm.h"
#include "hier/choice.h"

struct strata_selection {
    struct strata_choice choice; /* all parameters filled in */
    double seconds;              /* its estimated cost */
    double native;               /* the estimated cost of the native collective, as far as costs
                                    were compared with it; 0: they were not */
    bool forced;                 /* chosen not by cost alone */
    /* a forced algorithm that is not applicable, so that the native one is taken, and the reason;
     * else NULL */
    const struct strata_algorithm *refused;
    const char *refusal;
    char why[160]; /* what costs decided: "cheapest of 12 ...", "open parameters by cost", or "" */
};

/* Tries all candidate values of each algorithm's parameters, and takes the cheapest combination.
 * Takes the native collective where nothing else applies, or where no plan costs clearly less
 * (hier/tuning.h) than the classic algorithms, which MPI libraries have too; alltoallv is never
 * left to it for that reason. For vectors between ranks that have a node each, only classic
 * algorithms without parameters count as native. Where bytes are on the wire for most of the time,
 * a tenth of the start-ups is clearly less. A forced choice is kept where it is applicable, else
 * the native collective is taken. A preferred one is kept where it applies to a blocking call, as
 * an algorithm that costs choose: not where calls on crossed communicators might stand still, nor
 * where the same bits or another place of the result are asked for that it does not give. Costs
 * also choose the parameters that a forced choice leaves automatic (0). Where no native collective
 * can serve the call, any applicable plan does; STRATA_ERR_UNSUPPORTED: there is none. */
int strata_select(const struct strata_choice *forced, const struct strata_problem *problem,
                  const struct strata_machine *machine, struct strata_selection *selection);

/* Selects among the parameters of one algorithm as if nothing were forced; false: it cannot serve
 * this problem. */
bool strata_select_algorithm(const struct strata_algorithm *algorithm,
                             const struct strata_problem *problem,
                             const struct strata_machine *machine,
                             struct strata_selection *selection);

/* Selects the cheapest plan that costs could choose, also where MPI's own is as cheap; false: there
 * is none. */
bool strata_select_plan(const struct strata_problem *problem, const struct strata_machine *machine,
                        struct strata_selection *selection);

/* The estimated seconds of the cheapest algorithm that MPI libraries have too, as they run it; 0:
 * there is none. */
double strata_classic_seconds(const struct strata_problem *problem,
                              const struct strata_machine *machine);

/* Writes a sentence about the selection. `by`: the setting that forced it, such as
 * "STRATA_ALLTOALLV". */
void strata_selection_say(const struct strata_selection *selection, const char *by, char *text,
                          size_t size);

#endif
