#include "internode/parts/digits.h"

int64_t strata_digit_count(int64_t count, int64_t radix, int64_t weight, int64_t value)
{
    int64_t full = count / (radix * weight) * weight;
    int64_t rest = count % (radix * weight) - value * weight;
    return full + (rest < 0 ? 0 : rest < weight ? rest : weight);
}

struct strata_digit_stage strata_digit_stage(int ranks, int radix, int64_t weight)
{
    struct strata_digit_stage stage = {0};
    for (int64_t value = 1; value < radix && value * weight < ranks; value++) {
        double blocks = (double)strata_digit_count(ranks, radix, weight, value);
        int64_t groups = (ranks - 1 - value * weight) / (radix * weight) + 1;
        stage.messages++;
        stage.blocks += blocks;
        stage.groups += (double)groups;
        stage.lone += blocks == 1;
        if (groups > 1) {
            stage.split_blocks += blocks;
            stage.split_groups += (double)groups;
        } else if (blocks > stage.whole) {
            stage.whole = blocks;
        }
    }
    return stage;
}

struct strata_formula strata_digit_formula(int ranks, int radix)
{
    struct strata_formula formula = {0};
    for (int64_t weight = 1; weight < ranks; weight *= radix) {
        int64_t values = (ranks - 1) / weight;
        formula.rounds++;
        formula.messages += (double)(values < radix ? values : radix - 1);
        formula.blocks += (double)(ranks - strata_digit_count(ranks, radix, weight, 0));
    }
    return formula;
}
