/* Plans as text: what `strata plan` prints, and what tests parse back. print(parse(print(p))) is
 * print(p). Everything after '#' on a line is a comment for people (the items of a set in words).
 */
#ifndef STRATA_CORE_PLAN_TEXT_H
#define STRATA_CORE_PLAN_TEXT_H

#include <stdio.h>

#include "core/plan.h"

/* Writes the plan to file, one step a line. Returns STRATA_OK or STRATA_ERR_MEMORY. */
int strata_plan_print(const struct strata_plan *plan, FILE *file);

/* Reads what strata_plan_print wrote. The topology is borrowed and must fit the text's rank count.
 * Errors: STRATA_ERR_SYNTAX (message names the line and what was expected), STRATA_ERR_MEMORY. */
int strata_plan_parse(const char *text, const struct strata_topology *topology,
                      struct strata_plan **plan, struct strata_message *message);

#endif
