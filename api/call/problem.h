/* The problem that a plan is chosen and made for. */
#ifndef STRATA_API_CALL_PROBLEM_H
#define STRATA_API_CALL_PROBLEM_H

#include "api/attach/group.h"

/* The problem of the key's calls on this rank, without parameters. `beside`: of nonblocking and
 * persistent calls. */
struct strata_problem strata_problem_of(const struct strata_group *group,
                                        const struct strata_plan_key *key, bool beside);

#endif
