#include "core/plan/parameter.h"

#include "core/plan/algorithm.h"

int strata_parameter_most(const struct strata_parameter *parameter)
{
    int most = parameter->most;
    while (parameter->algorithm && parameter->algorithm(most + 1)) {
        most++;
    }
    return most;
}

int strata_parameter_choice(const struct strata_parameter *parameter, int index)
{
    const int choices = sizeof parameter->choices / sizeof *parameter->choices;
    if (parameter->algorithm) {
        return parameter->algorithm(index + 1) ? index + 1 : 0;
    }
    return index < choices ? parameter->choices[index] : 0;
}

const char *strata_parameter_word(const struct strata_parameter *parameter, int value)
{
    if (parameter->algorithm) {
        const struct strata_algorithm *algorithm = value >= 1 ? parameter->algorithm(value) : NULL;
        return algorithm ? algorithm->name : NULL;
    }
    bool named = parameter->words[0] && value >= 1 && value <= parameter->most;
    return named ? parameter->words[value - 1] : NULL;
}
