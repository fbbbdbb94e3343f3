#include "core/plan/parameter.h"

#include "core/plan/algorithm.h"

int strata_parameter_most(const struct strata_parameter *parameter)
{
    int most = parameter->most;
    while (parameter->row && parameter->row(most + 1)) {
        most++;
    }
    return most;
}

int strata_parameter_choice(const struct strata_parameter *parameter, int index)
{
    const int choices = sizeof parameter->choices / sizeof *parameter->choices;
    if (parameter->row) {
        return parameter->row(index + 1) ? index + 1 : 0;
    }
    return index < choices ? parameter->choices[index] : 0;
}

const char *strata_parameter_word(const struct strata_parameter *parameter, int value)
{
    if (parameter->row) {
        const struct strata_algorithm *row = value >= 1 ? parameter->row(value) : NULL;
        return row ? row->name : NULL;
    }
    bool named = parameter->words[0] && value >= 1 && value <= parameter->most;
    return named ? parameter->words[value - 1] : NULL;
}
