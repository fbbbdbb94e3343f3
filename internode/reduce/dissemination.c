/* Barrier by dissemination: each rank hears of each other one, through a logarithmic number of
 * rounds.
 *
 * In round x a rank sends to the ranks z * k^x after it, z = 1 .. k-1, and receives from those as
 * far before it. After the round it has heard, at second hand too, of the k^(x+1) ranks up to
 * itself. Messages are empty. The paper has k = 2; k-1 messages a round are those of Hoefler et
 * al., "Fast Barrier Synchronization for InfiniBand", IPDPS 2006. */
#include "internode/algorithms.h"
#include "internode/parts/digits.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

/* Messages of the round of this weight, k^x. */
static int messages_of(const struct strata_problem *problem, int64_t weight)
{
    int64_t most = (problem->flat->ranks - 1) / weight;
    int others = problem->parameter[0] - 1;
    return most < others ? (int)most : others;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks;
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    int nothing = strata_build_set_of(b, NULL, 0);
    for (int64_t weight = 1; weight < ranks; weight *= problem->parameter[0]) {
        int count = messages_of(problem, weight);
        strata_build_phase(b, "%lld rank%s on", (long long)weight, weight == 1 ? "" : "s");
        for (int i = 1; i <= count; i++) {
            int from = strata_rank_at(problem, -i * weight);
            strata_build_recv_blocks(b, from, nothing, STRATA_AS_FITS);
        }
        for (int i = 1; i <= count; i++) {
            int to = strata_rank_at(problem, i * weight);
            strata_build_send_blocks(b, to, nothing, STRATA_AS_FITS);
        }
        strata_build_wait(b, 0);
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct strata_formula f = {0};
    for (int64_t weight = 1; weight < problem->flat->ranks; weight *= problem->parameter[0]) {
        f.messages += messages_of(problem, weight);
        f.rounds++;
    }
    return f;
}

static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    int64_t weight = 1;
    while (number-- > 0 && weight < problem->flat->ranks) {
        weight *= problem->parameter[0];
    }
    round->first = round->step = weight;
    round->messages = messages_of(problem, weight);
    return weight < problem->flat->ranks;
}

const struct strata_algorithm strata_dissemination = {
    .name = "dissemination",
    .collectives = 1u << STRATA_BARRIER,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .classic = true,
    .summary = "everybody hears of everybody in ceil(logk P) rounds of empty messages",
    .paper = "Hensgen, Finkel, Manber, IJPP 17(1), 1988",
    .title = "Two Algorithms for Barrier Synchronization",
    .restrictions = "none",
    .rounds_text = "ceil(log_k P), with sum over x of min(k-1, floor((P-1)/k^x)) messages",
    .volume_text = "none",
    .scratch_text = "none",
    .parameters = {{"radix", 0, 2, 1024, {2, 3, 4, 8}, "k-1 messages in a round", {NULL}}},
    .applicable = applicable,
    .build = build,
    .formula = formula,
    .round = round_of_all,
};
