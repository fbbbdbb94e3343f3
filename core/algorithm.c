#include "core/algorithm.h"

#include <stdio.h>
#include <string.h>

/* The first parameter whose value is not allowed, NULL when all are. */
static const struct strata_parameter *wrong_parameter(const struct strata_algorithm *algorithm,
                                                      const int *value)
{
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *parameter = &algorithm->parameters[i];
        if (value[i] < parameter->least || value[i] > parameter->most) {
            return parameter;
        }
    }
    return NULL;
}

/* STRATA_OK when the algorithm serves this problem with these parameters. */
static int admit(const struct strata_algorithm *algorithm, const struct strata_problem *problem,
                 struct strata_message *message)
{
    const char *collective = strata_collective_name(problem->collective);
    if (!(algorithm->collectives >> problem->collective & 1)) {
        return strata_fail(message, STRATA_ERR_UNSUPPORTED, "%s does not do %s", algorithm->name,
                           collective);
    }
    const struct strata_parameter *wrong = wrong_parameter(algorithm, problem->parameter);
    if (wrong) {
        return strata_fail(message, STRATA_ERR_ARGUMENT, "%s needs %s (%s) from %d to %d",
                           algorithm->name, wrong->name, wrong->meaning, wrong->least, wrong->most);
    }
    const char *reason = algorithm->applicable(problem);
    if (reason) {
        return strata_fail(message, STRATA_ERR_UNSUPPORTED, "%s is not applicable: %s",
                           algorithm->name, reason);
    }
    return STRATA_OK;
}

int strata_algorithm_plan(const struct strata_algorithm *algorithm,
                          const struct strata_problem *problem, struct strata_plan **plan,
                          struct strata_message *message)
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
        if (parameter[i] != 0) { /* 0 is left to selection */
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s=%d", separator, algorithm->parameters[i].name,
                     parameter[i]);
            separator = ",";
        }
    }
}
