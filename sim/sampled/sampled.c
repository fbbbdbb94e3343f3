/* The three proofs one after another. */
#include "sim/sampled/sampled_walk.h"

/* Splitmix64. */
int strata_draw(uint64_t *state, int below)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return (int)((x ^ x >> 31) % (uint64_t)below);
}

int strata_sampled_prove(struct strata_sampling *sampling, struct strata_sampled_proof *proof)
{
    *proof = (struct strata_sampled_proof){.wrong = {""}};
    int error = strata_sampled_counts(sampling, proof);
    error = error ? error : strata_sampled_messages(sampling, proof);
    return error ? error : strata_sampled_journeys(sampling, proof);
}
