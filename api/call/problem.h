/* What a plan is chosen and made for. */
#ifndef STRATA_API_CALL_PROBLEM_H
#define STRATA_API_CALL_PROBLEM_H

#include "api/attach/group.h"

/* That of the key's calls, on this rank, without parameters; `beside`: of calls that go on by
 * themselves. */
struct strata_problem strata_problem_of(const struct strata_group *group,
                                        const struct strata_plan_key *key, bool beside);

#endif
