/* strata price: estimates what a call costs on very many ranks, from the plans of a few of them. */
#include "tools/scale/cost.h"

#include <string.h>
#include <sys/resource.h>

#include "core/base/clock.h"
#include "core/check/check.h"
#include "core/cost/algorithm_cost.h"
#include "tools/command/words.h"

struct asked {
    struct tool_scale scale;
    const char *samples;
};

/* Without --budget and --threshold, blocks of this size are staged and have the memory they need.
 * Memory is then a result, not a limit. */
static void open_limits(struct tool_plan_request *request)
{
    if (!tool_plan_given(request, "--budget")) {
        request->config.budget = (int64_t)1 << 36;
    }
    if (!tool_plan_given(request, "--threshold") &&
        request->block_bytes < (double)request->config.threshold) {
        request->config.threshold = request->block_bytes < 8 ? 8 : (int64_t)request->block_bytes;
    }
}

static void print_head(const struct tool_costing *p)
{
    const struct tool_plan_case *c = p->c;
    char text[160], name[96];
    strata_topology_describe(c->topology, text, sizeof text);
    strata_algorithm_name(c->selection.choice.algorithm, c->selection.choice.parameter, name,
                          sizeof name);
    printf("%s of %.0f B%s by %s\n", strata_collective_name(p->request->collective),
           p->request->block_bytes,
           strata_collective_info[p->request->collective].ranked ? " blocks" : "", name);
    printf("  topology   %s\n  machine    %s\n\n", text, c->machine.name);
}

static void print_row(const char *rank, const struct tool_sample *s, const char *why)
{
    char node[32], across[32], memory[32], time[32];
    const struct tool_traffic *t = &s->traffic;
    printf("  %10s  %6d  %9.0f %10s  %9.0f %10s  %10s  %9s  %s\n", rank, t->rounds, t->messages,
           tool_bytes(t->bytes, across, sizeof across), t->messages_node,
           tool_bytes(t->bytes_node, node, sizeof node),
           tool_bytes(s->memory, memory, sizeof memory),
           tool_seconds(s->seconds, time, sizeof time), why);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void raise_to(struct tool_sample *most, const struct tool_sample *s)
{
    struct tool_traffic *m = &most->traffic;
    const struct tool_traffic *t = &s->traffic;
    m->rounds = t->rounds > m->rounds ? t->rounds : m->rounds;
    m->messages = larger(m->messages, t->messages);
    m->bytes = larger(m->bytes, t->bytes);
    m->messages_node = larger(m->messages_node, t->messages_node);
    m->bytes_node = larger(m->bytes_node, t->bytes_node);
    most->memory = larger(most->memory, s->memory);
    most->seconds = larger(most->seconds, s->seconds);
    most->plan = larger(most->plan, s->plan);
}

static void print_samples(const struct tool_costing *p)
{
    struct tool_sample most = {.rank = 0};
    char name[16], text[32];
    printf("  %10s  %6s  %20s  %20s  %10s  %9s\n", "", "", "to other nodes", "inside the node", "",
           "");
    printf("  %10s  %6s  %9s %10s  %9s %10s  %10s  %9s\n", "rank", "rounds", "messages", "bytes",
           "messages", "bytes", "memory", "time");
    for (int i = 0; i < p->samples.count; i++) {
        const struct tool_sample *s = &p->samples.sample[i];
        snprintf(name, sizeof name, "%d", s->rank);
        print_row(name, s, s->why);
        raise_to(&most, s);
    }
    print_row("most", &most, "");
    printf("\n  a plan takes up to %s; memory is Strata's own, without the caller's buffers\n",
           tool_bytes(most.plan, text, sizeof text));
}

/* Prints the algorithm's closed form. It counts for the rank with the most messages and bytes. */
static void print_formula(const struct tool_costing *p)
{
    const struct strata_algorithm *algorithm = p->c->selection.choice.algorithm;
    char text[32];
    if (algorithm->formula) {
        struct strata_formula f = algorithm->formula(&p->c->problem);
        printf("  formula    %.0f rounds, %.0f messages, %.6g blocks sent by the busiest rank\n",
               f.rounds, f.messages, f.blocks);
    }
    struct strata_machine machine =
        strata_machine_contended(&p->c->machine, p->c->topology->largest);
    struct strata_cost cost = strata_algorithm_cost(algorithm, &p->c->problem, &machine);
    printf("  closed form of the price  %s\n",
           tool_seconds(strata_cost_time(&cost), text, sizeof text));
}

static int build(void *self, int rank, struct strata_plan **plan)
{
    struct tool_costing *p = self;
    return tool_plan_of(p->c, p->request, rank, plan) == TOOL_OK ? STRATA_OK : STRATA_ERR_MEMORY;
}

static int print_proof(struct tool_costing *p)
{
    const struct strata_algorithm *algorithm = p->c->selection.choice.algorithm;
    struct strata_formula formula = {0};
    struct strata_sampled_proof proof;
    int ranks[TOOL_SAMPLES];
    struct strata_sampling sampling = {.plan = build,
                                       .self = p,
                                       .rank = ranks,
                                       .ranks = p->samples.count,
                                       .state = p->state,
                                       .direct = p->direct};
    for (int i = 0; i < p->samples.count; i++) {
        ranks[i] = p->samples.sample[i].rank;
    }
    if (algorithm->formula) {
        formula = algorithm->formula(&p->c->problem);
        sampling.formula = &formula;
    }
    if (strata_sampled_prove(&sampling, &proof) != STRATA_OK) {
        printf("  samples    WRONG: %s\n", proof.wrong.text);
        return TOOL_FAILED;
    }
    printf("  samples    right: %ld message%s the same in the plans of both ends%s;\n"
           "             %ld block%s followed from destination to source over %ld hop%s\n",
           proof.messages, tool_plural(proof.messages),
           proof.counted ? ", as many as the formula says" : "", proof.journeys,
           tool_plural(proof.journeys), proof.hops, tool_plural(proof.hops));
    return TOOL_OK;
}

static void print_effort(double began)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("  effort     %.2f s, %.0f MB of memory\n", strata_seconds() - began,
           (double)used.ru_maxrss * 1024 / 1e6);
}

static int cost(struct tool_costing *p, int drawn)
{
    double began = strata_seconds();
    int code = tool_plan_prepare(p->c, p->request);
    if (code == TOOL_OK && p->c->selection.choice.algorithm->level == STRATA_MPI) {
        char why[256];
        strata_selection_say(&p->c->selection,
                             strata_collective_info[p->request->collective].variable, why,
                             sizeof why);
        tool_complain(p->request->command,
                      "MPI's own collective has no plan to price: %s; name an algorithm of `strata "
                      "list` with --algo",
                      why);
        return TOOL_WRONG_USE;
    }
    if (code == TOOL_OK) {
        tool_samples_draw(p, drawn);
        code = tool_samples_measure(p);
    }
    if (code == TOOL_OK) {
        print_head(p);
        print_samples(p);
        print_formula(p);
        code = p->request->check ? print_proof(p) : TOOL_OK;
        print_effort(began);
    }
    return code;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct tool_plan_request request = {.command = command};
    struct asked asked = {.samples = "4"};
    const struct tool_option own[] = {
        {"--ranks", TOOL_VALUE, NULL, &asked.scale.ranks},
        {"--ranks-per-node", TOOL_VALUE, NULL, &asked.scale.ranks_per_node},
        {"--mapping", TOOL_VALUE, NULL, &asked.scale.mapping},
        {"--samples", TOOL_VALUE, NULL, &asked.samples},
        {NULL, TOOL_FLAG, NULL, NULL}};
    struct tool_plan_case c = {.plans = NULL};
    long drawn = 0;
    (void)argc;
    int code = tool_plan_read(&request, own, argv);
    if (code == TOOL_OK) {
        code = tool_scale_topology(&asked.scale, &request);
    }
    if (code == TOOL_OK) {
        code = tool_whole_number(command, "--samples", asked.samples, 0, TOOL_SAMPLES - 3, &drawn);
    }
    if (code == TOOL_OK) {
        struct tool_costing p = {.c = &c, .request = &request, .state = request.seed};
        open_limits(&request);
        code = cost(&p, (int)drawn);
    }
    tool_plan_release(&c);
    return code;
}

const struct tool_command tool_cost = {
    .name = "price",
    .arguments = "COLLECTIVE --algo ALGORITHM --ranks N [OPTION]...",
    .summary = "Prices a call on up to millions of ranks, and proves what sampled ranks do",
    .help =
        "  --ranks N           how many ranks\n"
        "  --ranks-per-node N  (1)\n"
        "  --mapping M         of ranks to nodes: sequential: node after node; cyclic: dealt in "
        "turn\n"
        "                      (sequential)\n"
        "  --topo LEVELS       instead of these three: \"node:62500 rank:1000000\"\n"
        "  --samples N         ranks drawn beside the busiest, the first and the last (4)\n"
        "  --seed N            which ones, and which blocks are followed (1)\n"
        "  --no-check          leave the proof of the samples out\n"
        "  --algo, --bytes, --root, --ordered, --torus, --machine, --passes  as for strata plan\n"
        "  --budget, --threshold  likewise; without them what blocks of that size need\n\n"
        "Of the plans only those of sampled ranks and of ranks that they meet are built.\n\n"
        "  strata price alltoallv --algo sloav:radix=2 --ranks 1000000\n"
        "  strata price alltoallv --algo leaders:leaders=1,radix=2 --ranks 1000000 \\\n"
        "         --ranks-per-node 16 --bytes 8\n",
    .run = run,
};
