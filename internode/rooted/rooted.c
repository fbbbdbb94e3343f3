#include "internode/rooted/rooted.h"

#include "core/cost/links.h"
#include "internode/parts/path.h"
#include "internode/rooted/rooted_ranked.h"
#include "internode/rooted/rooted_reduce.h"
#include "internode/rooted/rooted_tree.h"

static int least(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

static void build_bcast(const struct strata_problem *problem, int radix, struct strata_builder *b)
{
    struct strata_rooted_tree t = strata_rooted_of(problem, problem->root, radix, b);
    strata_build_blocks(b, (struct strata_blocks){.count = 1});
    int vector = strata_build_item(b, STRATA_OUTPUT, 1, 0);
    if (t.member > 0) {
        strata_build_phase(b, "from the parent");
        strata_build_recv_blocks(b, strata_rooted_parent(&t), vector, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
    if (strata_rooted_part(&t, 0, t.span) > 1) {
        strata_build_phase(b, "to the children");
    }
    for (int64_t weight = t.span / radix; weight > 0; weight /= radix) {
        int count = strata_rooted_children(&t, weight);
        for (int i = 1; i <= count; i++) {
            strata_build_send_blocks(b, strata_rooted_child(&t, weight, i), vector, STRATA_AS_FITS);
        }
        if (count > 0) {
            strata_build_wait(b, 0);
        }
    }
}

void strata_rooted_build(const struct strata_problem *problem, int radix, struct strata_builder *b)
{
    switch (problem->collective) {
    case STRATA_BCAST:
        build_bcast(problem, radix, b);
        break;
    case STRATA_REDUCE:
        strata_rooted_reduce(problem, radix, b);
        break;
    case STRATA_SCATTER:
    case STRATA_SCATTERV:
        strata_rooted_scatter(problem, radix, b);
        break;
    default:
        strata_rooted_gather(problem, radix, b);
    }
}

/* Counts of the root: stages, and messages to or from its children; and the most ranks that a rank
 * below it stands for. */
struct figures {
    double stages, messages, largest;
    double handed; /* the message from rank 0 to the root of a reduction */
};

static struct figures figures_of_part(int ranks, int radix)
{
    struct figures f = {0};
    for (int64_t weight = 1; weight < ranks; weight *= radix) {
        int64_t first = ranks - weight < weight ? ranks - weight : weight;
        f.largest = first > f.largest ? (double)first : f.largest;
        f.messages += least(radix - 1, (ranks - 1) / weight);
        f.stages++;
    }
    return f;
}

static struct figures figures_of(const struct strata_problem *problem, int radix)
{
    struct figures f = figures_of_part(problem->flat->ranks, radix);
    f.handed = problem->collective == STRATA_REDUCE && strata_rooted_top(problem) != problem->root;
    return f;
}

/* Vectors, or blocks, that the root's largest part hands on, the largest one below that, and so
 * on. */
static double handed_on(int ranks, int radix, bool blocks)
{
    struct figures f = figures_of_part(ranks, radix);
    double sum = 0;
    while (f.largest > 1) {
        double part = f.largest;
        f = figures_of_part((int)part, radix);
        sum += blocks ? part - 1 : f.messages;
    }
    return sum;
}

struct strata_formula strata_rooted_formula(const struct strata_problem *problem, int radix)
{
    struct figures f = figures_of(problem, radix);
    int ranks = problem->flat->ranks;
    switch (problem->collective) {
    case STRATA_BCAST:
        return (struct strata_formula){.rounds = f.stages,
                                       .messages = f.messages,
                                       .blocks = f.messages,
                                       .ahead = handed_on(ranks, radix, false)};
    case STRATA_REDUCE:
        return (struct strata_formula){.rounds = f.stages + f.handed,
                                       .messages = ranks > 1,
                                       .blocks = ranks > 1,
                                       .reduced = f.messages,
                                       .copied = ranks == 1};
    case STRATA_SCATTER:
    case STRATA_SCATTERV:
        return (struct strata_formula){.rounds = f.stages,
                                       .messages = f.messages,
                                       .blocks = ranks - 1,
                                       .copied = 1,
                                       .ahead = handed_on(ranks, radix, true)};
    default:
        return (struct strata_formula){
            .rounds = f.stages, .messages = ranks > 1, .blocks = f.largest, .copied = 1};
    }
}

/* The children of the root of a part whose messages stay in its node, where rows of `row` ranks
 * share nodes, and the stages that have only such ones. */
static struct figures figures_inside(int ranks, int radix, int row)
{
    struct figures f = {0};
    for (int64_t weight = 1; weight < ranks && weight < row; weight *= radix) {
        int children = least(radix - 1, (ranks - 1) / weight);
        int near = least(children, (row - 1) / weight);
        f.messages += near;
        f.stages += near == children;
    }
    return f;
}

/* As handed_on, split in those between nodes (inside: false) and inside them. */
static double handed_on_in_rows(int ranks, int radix, bool blocks, int row, bool inside)
{
    struct figures f = figures_of_part(ranks, radix);
    double sum = 0;
    while (f.largest > 1) {
        int part = (int)f.largest, here = part < row ? part : row;
        double near = blocks ? here - 1 : figures_inside(part, radix, row).messages;
        f = figures_of_part(part, radix);
        sum += inside ? near : (blocks ? part - 1 : f.messages) - near;
    }
    return sum;
}

/* The longest path goes through the nodes first. */
static struct strata_cost cost_in_rows(const struct strata_problem *problem, int radix,
                                       const struct strata_machine *machine)
{
    int ranks = problem->flat->ranks, row = problem->topology->row;
    bool ranked = strata_collective_info[problem->collective].ranked;
    bool down = strata_collective_info[problem->collective].root == 'i';
    struct figures all = figures_of(problem, radix), near = figures_inside(ranks, radix, row);
    double far = all.messages - near.messages + all.handed;
    struct strata_formula between = {.rounds = all.stages - near.stages + all.handed,
                                     .messages = far,
                                     .blocks = ranked ? ranks - row : far};
    struct strata_formula inside = {.rounds = near.stages,
                                    .messages = near.messages,
                                    .blocks = ranked ? row - 1 : near.messages};
    if (down) {
        between.ahead = handed_on_in_rows(ranks, radix, ranked, row, false);
        inside.after = handed_on_in_rows(ranks, radix, ranked, row, true);
    }
    return strata_rows_cost(&between, &inside, problem->block_bytes, machine);
}

/* A gather takes as long as a scatter, a reduce as long as a bcast: one root receives what the
 * other sends. */
struct strata_cost strata_rooted_cost(const struct strata_problem *problem, int radix,
                                      const struct strata_machine *machine)
{
    struct figures f = figures_of(problem, radix);
    bool ranked = strata_collective_info[problem->collective].ranked;
    struct strata_machine routed = *machine;
    strata_machine_route_tree(&routed, problem->topology, radix);
    if (strata_in_rows(problem, machine)) {
        struct strata_formula work = strata_rooted_formula(problem, radix);
        struct strata_cost total = cost_in_rows(problem, radix, &routed);
        strata_formula_work(&total, &work, problem->block_bytes, machine);
        return total;
    }
    return strata_path_cost(strata_rooted_formula(problem, radix), f.messages + f.handed,
                            ranked ? problem->flat->ranks - 1 : f.messages + f.handed, problem,
                            &routed);
}
