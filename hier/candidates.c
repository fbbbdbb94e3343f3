#include "hier/candidates.h"

#include "core/cost/machine.h"
#include "hier/registry.h"

/* Whether a selection could choose the algorithm by its cost; left folds only where they are asked
 * for. */
static bool stands(const struct strata_problem *problem, const struct strata_algorithm *algorithm)
{
    return algorithm->level != STRATA_MPI && algorithm->collectives >> problem->collective & 1 &&
           strata_algorithm_folds_as_asked(algorithm, problem) && algorithm->once == problem->once;
}

/* Inserts the selection behind the cheaper ones; returns their new number. */
static int insert(struct strata_selection *best, int found, int most, struct strata_selection one)
{
    int at = found;
    while (at > 0 && best[at - 1].seconds > one.seconds) {
        at--;
    }
    if (at == most) {
        return found;
    }
    found += found < most;
    for (int i = found - 1; i > at; i--) {
        best[i] = best[i - 1];
    }
    best[at] = one;
    return found;
}

int strata_candidates(const struct strata_problem *problem, const struct strata_machine *machine,
                      struct strata_choice *choices, int most)
{
    struct strata_selection best[STRATA_MOST_CANDIDATES], one;
    const struct strata_algorithm *algorithm;
    int found = 0, near = 0;
    most = most < STRATA_MOST_CANDIDATES ? most : STRATA_MOST_CANDIDATES;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        const struct strata_choice choice = {.algorithm = algorithm};
        if (stands(problem, algorithm) &&
            strata_select(&choice, problem, machine, &one) == STRATA_OK && !one.refused) {
            found = insert(best, found, most, one);
        }
    }
    while (near < found && best[near].seconds <= STRATA_CANDIDATES_WITHIN * best[0].seconds) {
        choices[near] = best[near].choice;
        near++;
    }
    return near;
}
