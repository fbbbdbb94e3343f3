/* Which algorithm a call uses. Reads only what all ranks know to be equal. */
#ifndef STRATA_HIER_SELECT_H
#define STRATA_HIER_SELECT_H

#include "core/plan/algorithm.h"
#include "hier/choice.h"

struct strata_selection {
    struct strata_choice choice; /* all parameters filled in */
    double seconds;              /* its price */
    bool forced;                 /* not by price alone */
    /* forced, but not applicable, so that MPI's own is taken; and why not; else NULL */
    const struct strata_algorithm *refused;
    const char *refusal;
    char why[160]; /* what prices decided: "cheapest of 12 ...", "open parameters by cost", or "" */
};

/* Fills problem->parameter's candidates from each row's choices and takes the cheapest by cost;
 * MPI's own where nothing of ours saves a tenth of what the classic algorithms take, which MPI
 * libraries have themselves (but in alltoallv), or where nothing else applies. Of vectors between
 * ranks that have a node each those algorithms are the ones without parameters, and of what is on
 * the wire for most of the time a tenth of its start-ups is enough.
 * A forced choice is kept where it is applicable; where it is not, it is refused and MPI's own
 * collective is taken. Parameters left automatic (0) in a forced choice are selected by cost too.
 */
int strata_select(const struct strata_choice *forced, const struct strata_problem *problem,
                  const struct strata_machine *machine, struct strata_selection *selection);

/* The row alone, with the parameters and the price that it has in the choice where nothing is
 * forced; false: it cannot serve this. */
bool strata_select_row(const struct strata_algorithm *row, const struct strata_problem *problem,
                       const struct strata_machine *machine, struct strata_selection *selection);

/* Seconds of the cheapest algorithm that MPI libraries have, too, as they run it; 0: there is
 * none. */
double strata_classic_seconds(const struct strata_problem *problem,
                              const struct strata_machine *machine);

/* A sentence about it; `by`: what forced it, such as "STRATA_ALLTOALLV". */
void strata_selection_say(const struct strata_selection *selection, const char *by, char *text,
                          size_t size);

#endif
