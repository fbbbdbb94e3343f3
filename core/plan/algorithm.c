#include "core/plan/algorithm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first parameter whose value is not allowed, NULL when all are. */
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

const char *strata_algorithm_refusal(const struct strata_algorithm *algorithm,
                                     const struct strata_problem *problem)
{
    bool reduces = strata_collective_reduces(problem->collective);
    if (reduces && problem->left_fold && !algorithm->left_fold) {
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
    if (problem->beside && !problem->told && strata_collective_one_knows(problem->collective) &&
        !algorithm->direct && algorithm->level != STRATA_MPI) {
        return "lengths would have to be told ahead, which calls that do not block do not do";
    }
    return algorithm->applicable(problem);
}

double strata_algorithm_active(const struct strata_problem *problem, double blocks,
                               const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    bool tree = strata_collective_info[problem->collective].root != '-';
    if (machine->ports > 0 || !tree || blocks <= 0) {
        return t->largest;
    }
    return fmin((t->ranks - 1) / blocks, t->largest);
}

struct strata_cost strata_algorithm_cost(const struct strata_algorithm *algorithm,
                                         const struct strata_problem *problem,
                                         const struct strata_machine *machine)
{
    if (algorithm->cost) {
        return algorithm->cost(problem, machine);
    }
    struct strata_formula formula = algorithm->formula(problem);
    struct strata_machine contended = strata_machine_contended(
        machine, strata_algorithm_active(problem, formula.blocks, machine));
    return strata_formula_cost(&formula, problem->block_bytes, &contended);
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
        builder.plan->left_fold = reduces && algorithm->left_fold;
        builder.plan->keeps_order = reduces && (algorithm->left_fold || !problem->commutative);
    }
    algorithm->build(problem, &builder);
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
        if (parameter[i] != 0 && parameter[i] != p->automatic) { /* 0 is left to selection */
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
