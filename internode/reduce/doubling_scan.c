/* Scan and exscan by doubling: after each round the vector of a rank covers twice as many of the
 * ranks up to it.
 *
 * In the round of distance d = 1, 2, 4, .. a rank sends the combination of the d ranks up to and
 * with itself to the rank d after it, and combines the vector that it receives with its own from
 * the left. In a scan one vector serves as both, the output. In an exscan the output begins with
 * the vector that the rank before sent. The vector to send on, which includes the rank's own
 * operands, lies in work for as long as a later rank needs it. */
#include "internode/algorithms.h"
#include "internode/parts/gather.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

/* The ranks that I exchange with in the round of this distance. */
struct round {
    int distance;
    bool receives, sends;
};

static struct round round_of(const struct strata_problem *problem, int distance)
{
    return (struct round){distance, problem->rank >= distance,
                          distance < problem->flat->ranks - problem->rank};
}

static void exchange(const struct strata_problem *problem, struct strata_builder *b,
                     struct round now, int into, int from)
{
    if (now.receives) {
        strata_build_recv_blocks(b, problem->rank - now.distance, into, STRATA_AS_FITS);
    }
    if (now.sends) {
        strata_build_send_blocks(b, problem->rank + now.distance, from, STRATA_AS_FITS);
    }
    if (now.receives || now.sends) {
        strata_build_wait(b, 0);
    }
}

static void build_scan(const struct strata_problem *problem, struct strata_builder *b)
{
    int work = problem->rank > 0;
    strata_build_blocks(b, (struct strata_blocks){.count = 1, .work = work});
    int result = strata_build_item(b, STRATA_OUTPUT, 1, 0);
    int lower = work ? strata_build_item(b, STRATA_WORK, 1, 0) : -1;
    strata_build_copy(b, strata_build_item(b, STRATA_INPUT, 1, 0), result);
    for (int64_t distance = 1; distance < problem->flat->ranks; distance *= 2) {
        struct round now = round_of(problem, (int)distance);
        exchange(problem, b, now, lower, result);
        if (now.receives) {
            strata_build_reduce(b, lower, result);
        }
    }
}

/* The sets of an exscan; -1: this rank has no use for it. */
struct exclusive {
    int result; /* the combination of the ranks before me */
    int lower;  /* the vector that has just come */
    int window; /* the vector that I send: of so many ranks up to me */
};

static struct exclusive begin_exscan(const struct strata_problem *problem, struct strata_builder *b)
{
    int rank = problem->rank;
    bool forwards = rank > 0 && rank + 1 < problem->flat->ranks;
    int work = (rank > 1) + forwards;
    strata_build_blocks(b, (struct strata_blocks){.count = 1, .work = work});
    struct exclusive x = {.lower = -1, .result = -1};
    x.window = strata_build_item(b, STRATA_INPUT, 1, 0);
    if (forwards) { /* in place the input is lost with the first receive */
        int window = strata_build_item(b, STRATA_WORK, work, work - 1);
        strata_build_copy(b, x.window, window);
        x.window = window;
    }
    if (rank > 1) {
        x.lower = strata_build_item(b, STRATA_WORK, work, 0);
    }
    if (rank > 0) {
        x.result = strata_build_item(b, STRATA_OUTPUT, 1, 0);
    }
    return x;
}

static void build_exscan(const struct strata_problem *problem, struct strata_builder *b)
{
    struct exclusive x = begin_exscan(problem, b);
    for (int64_t distance = 1; distance < problem->flat->ranks; distance *= 2) {
        struct round now = round_of(problem, (int)distance);
        int lower = distance == 1 ? x.result : x.lower;
        exchange(problem, b, now, lower, x.window);
        if (now.receives && distance > 1) {
            strata_build_reduce(b, lower, x.result);
        }
        if (now.receives && 2 * distance < problem->flat->ranks - problem->rank) {
            strata_build_reduce(b, lower, x.window);
        }
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    if (problem->collective == STRATA_SCAN) {
        build_scan(problem, b);
    } else {
        build_exscan(problem, b);
    }
}

/* Rank 2^m combines m times into its result, and into its window as often as it receives before its
 * last send; ranks between 2^m and 2^(m+1) do no more. */
static int most_reduced(int ranks)
{
    int most = 0;
    for (int m = 0; (int64_t)1 << m < ranks; m++) {
        int sends = strata_log_rounds(ranks - (1 << m), 2);
        int window = sends - 1 < m + 1 ? sends - 1 : m + 1;
        int reduced = m + (window > 0 ? window : 0);
        most = reduced > most ? reduced : most;
    }
    return most;
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, rounds = strata_log_rounds(ranks, 2);
    bool scan = problem->collective == STRATA_SCAN;
    return (struct strata_formula){.rounds = rounds,
                                   .messages = rounds,
                                   .blocks = rounds,
                                   .reduced = scan ? rounds : most_reduced(ranks),
                                   .copied = scan || ranks > 2};
}

const struct strata_algorithm strata_doubling_scan = {
    .name = "doubling_scan",
    .collectives = 1u << STRATA_SCAN | 1u << STRATA_EXSCAN,
    .level = STRATA_FLAT,
    .classic = true,
    .keeps_order = true,
    .summary = "prefixes twice as long after each round, ceil(log2 P) rounds",
    .paper = "Hillis, Steele, CACM 29(12), 1986",
    .title = "Data Parallel Algorithms",
    .restrictions = "none",
    .rounds_text = "ceil(log2 P)",
    .volume_text = "rank 0 sends ceil(log2 P) vectors; in a scan a rank combines as many",
    .scratch_text = "a vector; exscan up to two",
    .applicable = applicable,
    .build = build,
    .formula = formula,
};
