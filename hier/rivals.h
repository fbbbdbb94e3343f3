/* Other plans that may be faster than the one that was taken: a trial times them
 * (api/call/trial.h). */
#ifndef STRATA_HIER_RIVALS_H
#define STRATA_HIER_RIVALS_H

#include "hier/select.h"

struct strata_rival {
    struct strata_choice choice; /* by weight STRATA_TRIED */
    double seconds;              /* its estimated cost */
};

/* Finds the plans that costs choose as the network is, and if its latency or bandwidth were off by
 * a factor of ten either way, and the cheapest plan of another algorithm. Neither the taken choice
 * nor MPI's own is among them. Reads only what all ranks know to be equal. Returns their number. */
enum { STRATA_RIVALS = 4 };
int strata_rivals(const struct strata_choice *taken, const struct strata_problem *problem,
                  const struct strata_machine *machine, struct strata_rival rival[STRATA_RIVALS]);

#endif
