#include "core/plan/algorithm.h"

#include <stdio.h>
#include <string.h>

#include "core/plan/slices.h"

/* The first parameter whose value is not allowed; NULL when all are allowed. */
static const struct strata_parameter *wrong_parameter(const struct strata_algorithm *algorithm,
                                                      const int *value)
{
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *parameter = &algorithm->parameters[i];
        if (value[i] < parameter->least || value[i] > strata_parameter_most(parameter)) {
            return parameter;
        }
    }
    return NULL;
}

bool strata_algorithm_folds(const struct strata_algorithm *algorithm,
                            const struct strata_problem *problem)
{
    bool apart = algorithm->begins_apart && problem->commutative && !problem->left_fold &&
                 problem->topology->ranks > 2;
    return algorithm->left_fold && !apart &&
           (algorithm->level == STRATA_FLAT || problem->topology->nodes == 1);
}

bool strata_algorithm_folds_as_asked(const struct strata_algorithm *algorithm,
                                     const struct strata_problem *problem)
{
    return problem->left_fold ? strata_algorithm_folds(algorithm, problem)
                              : algorithm->level != STRATA_FLAT || !algorithm->left_fold;
}

bool strata_algorithm_outward(const struct strata_algorithm *algorithm,
                              const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    bool in_rows = t->row > 0 && t->local_of[problem->root] == 0;
    bool outward = algorithm->outward;
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        int value = problem->parameter[i];
        outward = outward && (!p->algorithm || p->algorithm(value)->outward) &&
                  (p->outward == 0 || value <= p->outward || (in_rows && p->outward_in_rows));
    }
    return outward;
}

const char *strata_algorithm_refusal(const struct strata_algorithm *algorithm,
                                     const struct strata_problem *problem)
{
    bool reduces = strata_collective_reduces(problem->collective);
    if (reduces && problem->left_fold && !strata_algorithm_folds(algorithm, problem)) {
        return "it does not combine from left to right, and the same bits are asked for";
    }
    if (problem->once && !algorithm->once && algorithm->level != STRATA_MPI) {
        return "it leaves each rank a result of its own, and one for each node is asked for";
    }
    if (reduces && !problem->commutative && !algorithm->keeps_order &&
        algorithm->level != STRATA_MPI) {
        return "it does not keep the order of ranks, and the operator does not commute";
    }
    if (problem->messages_only && algorithm->level == STRATA_NODE_AWARE) {
        return "calls that do not block have none of the node's memory on this communicator";
    }
    if (problem->nonblocking && !problem->lengths_known &&
        strata_collective_one_knows(problem->collective) && !algorithm->no_forwarding &&
        algorithm->level != STRATA_MPI) {
        return "lengths would have to be told ahead, which calls that do not block do not do";
    }
    struct strata_slices s;
    return algorithm->applicable(strata_slices_find(algorithm, problem, &s) ? &s.problem : problem);
}

/* STRATA_OK when the algorithm serves this problem with these parameters. */
static int admit(const struct strata_algorithm *algorithm, const struct strata_problem *problem,
                 struct strata_diagnostic *message)
{
    const char *collective = strata_collective_name(problem->collective);
    if (!(algorithm->collectives >> problem->collective & 1)) {
        return strata_fail(message, STRATA_ERR_UNSUPPORTED, "%s does not do %s", algorithm->name,
                           collective);
    }
    const struct strata_parameter *wrong = wrong_parameter(algorithm, problem->parameter);
    if (wrong) {
        return strata_fail(message, STRATA_ERR_ARGUMENT, "%s needs %s (%s) from %d to %d",
                           algorithm->name, wrong->name, wrong->meaning, wrong->least,
                           strata_parameter_most(wrong));
    }
    const char *reason = strata_algorithm_refusal(algorithm, problem);
    if (reason) {
        return strata_fail(message, STRATA_ERR_UNSUPPORTED, "%s is not applicable: %s",
                           algorithm->name, reason);
    }
    return STRATA_OK;
}

static void build(const struct strata_algorithm *algorithm, const struct strata_problem *problem,
                  struct strata_builder *b)
{
    struct strata_slices s;
    if (!strata_slices_find(algorithm, problem, &s)) {
        algorithm->build(problem, b);
        return;
    }
    strata_build_limits(b, s.limits);
    strata_build_passes(b);
    algorithm->build(&s.problem, b);
    strata_build_end(b);
}

int strata_algorithm_plan(const struct strata_algorithm *algorithm,
                          const struct strata_problem *problem, struct strata_plan **plan,
                          struct strata_diagnostic *message)
{
    char name[sizeof((struct strata_plan *)NULL)->name];
    struct strata_builder builder;
    int status = admit(algorithm, problem, message);
    if (status != STRATA_OK) {
        return status;
    }
    strata_algorithm_name(algorithm, problem->parameter, name, sizeof name);
    strata_builder_init(&builder, problem->collective, name, problem->rank,
                        algorithm->level == STRATA_FLAT ? problem->flat : problem->topology);
    if (builder.error == STRATA_OK) {
        builder.plan->root = problem->root;
        bool reduces = strata_collective_reduces(problem->collective);
        bool folds = reduces && strata_algorithm_folds(algorithm, problem);
        builder.plan->left_fold = folds;
        builder.plan->keeps_order = folds || (reduces && !problem->commutative);
    }
    build(algorithm, problem, &builder);
    status = strata_builder_finish(&builder, plan);
    return status == STRATA_OK ? status
                               : strata_fail(message, status, "the plan of %s for rank %d: %s",
                                             name, problem->rank, builder.reason);
}

void strata_algorithm_name(const struct strata_algorithm *algorithm, const int *parameter,
                           char *text, size_t size)
{
    const char *separator = ":";
    snprintf(text, size, "%s", algorithm->name);
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        /* 0: selection chooses the value */
        if (parameter[i] != 0 && parameter[i] != p->automatic) {
            size_t used = strlen(text);
            const char *word = strata_parameter_word(p, parameter[i]);
            if (word) {
                snprintf(text + used, size - used, "%s%s=%s", separator, p->name, word);
            } else {
                snprintf(text + used, size - used, "%s%s=%d", separator, p->name, parameter[i]);
            }
            separator = ",";
        }
    }
}
