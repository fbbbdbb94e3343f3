/* Allreduce in a node: everybody copies its operands into its slot, where all can read them.
 *
 * Then everybody combines all of them (combine=1), or member k of m combines share k of m and puts
 * the result into its slot in place of its own operands, which nobody else reads; the others copy
 * it out from there (combine=2). The first needs one signal in a pass, the second two, and an m-th
 * of the combining. Measured, the first wins up to 64 KiB, on 2 ranks and on 16 that share 2 cores,
 * so the second must be asked for. Either combines in the order of ranks.
 *
 * Paper: Graham and Shipman, "MPI support for multi-core architectures: optimized shared memory
 *        collectives", EuroPVM/MPI 2008.
 * Rounds: none.
 * Volume: no message.
 * Scratch: a segment, or m of them, in each place of each slot.
 * Restrictions: one node with several ranks; operands without gaps, of at most 64 bytes. */
#include "hier/node_segments.h"
#include "hier/registry.h"

enum { COMBINE, SEGMENT };
enum { EVERYTHING = 1, SHARE };

/* Segments of a pass. */
static int segments(const struct strata_problem *problem)
{
    return problem->parameter[COMBINE] == SHARE ? problem->topology->largest : 1;
}

static const char *applicable(const struct strata_problem *problem)
{
    return strata_segments_refusal(problem, segments(problem),
                                   strata_segments_bytes(problem, SEGMENT));
}

/* The others' shares: member k's lies in its slot, where its own operands were. */
static void copy_shares(const struct strata_segments *s, struct strata_builder *b, int first,
                        int count)
{
    int vector = s->slot * s->passes;
    struct strata_box from = strata_segments_slot(s, 0, 0, 1);
    if (count > 0) {
        from.dim[0] = (struct strata_dim){first, count, vector + 1, 0};
        strata_segments_copy(s, b, from, strata_segments_in(s, STRATA_OUTPUT, first, count));
    }
}

static void build_shares(const struct strata_problem *problem, const struct strata_segments *s,
                         struct strata_builder *b)
{
    int me = problem->topology->local_of[problem->rank];
    struct strata_box mine = strata_segments_in(s, STRATA_OUTPUT, me, 1);
    strata_build_phase(b, "combine my share");
    strata_segments_combine(s, problem, b, me, mine);
    strata_segments_copy(s, b, mine, strata_segments_slot(s, me, me, 1));
    strata_build_signal(b, STRATA_SIGNAL_RELEASED);
    strata_build_phase(b, "copy out");
    strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_RELEASED);
    copy_shares(s, b, 0, me);
    copy_shares(s, b, me + 1, s->members - me - 1);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_segments s =
        strata_segments_of(problem, segments(problem), strata_segments_bytes(problem, SEGMENT));
    int me = problem->topology->local_of[problem->rank];
    strata_segments_begin(&s, b);
    strata_build_passes(b);
    strata_build_phase(b, "my operands");
    strata_segments_copy(&s, b, strata_segments_in(&s, STRATA_INPUT, 0, s.slot),
                         strata_segments_slot(&s, me, 0, s.slot));
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    if (problem->parameter[COMBINE] == SHARE) {
        build_shares(problem, &s, b);
    } else {
        strata_build_phase(b, "combine all");
        strata_segments_combine(&s, problem, b, 0, strata_segments_in(&s, STRATA_OUTPUT, 0, 1));
    }
    strata_build_end(b);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_segments s =
        strata_segments_of(problem, segments(problem), strata_segments_bytes(problem, SEGMENT));
    double pass = problem->block_bytes / s.passes, share = pass / s.slot;
    bool shares = problem->parameter[COMBINE] == SHARE;
    struct strata_cost total = {0};
    strata_cost_copy(&total, pass, s.slot, machine);
    strata_segments_combine_cost(&total, &s, share, machine);
    strata_cost_sweep(&total, s.members - 1, machine);
    if (shares) {
        strata_cost_copy(&total, pass, s.slot, machine);
        strata_cost_sweep(&total, s.members - 1, machine);
    }
    strata_cost_scale(&total, s.passes);
    return total;
}

const struct strata_algorithm strata_node_allreduce = {
    .name = "node_allreduce",
    .collectives = 1u << STRATA_ALLREDUCE,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .summary = "operands in the slots of shared memory; all combine everything, or a share each",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .restrictions = "one node with several ranks; operands without gaps, of at most 64 bytes",
    .rounds_text = "none",
    .volume_text = "no message",
    .scratch_text = "a segment, or one for each member, in each place of each slot",
    .parameters = {{.name = "combine",
                    .automatic = EVERYTHING,
                    .least = EVERYTHING,
                    .most = SHARE,
                    .choices = {EVERYTHING, SHARE},
                    .meaning = "1 everybody everything, 2 a share each"},
                   {.name = "segment",
                    .automatic = 128,
                    .least = 1,
                    .most = 65536,
                    .choices = {16, 128},
                    .meaning = "KiB of the vector that a pass moves, at most"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
