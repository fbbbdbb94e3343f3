/* Makes the plans of all ranks from a request, by the same steps as a call of the library. */
#include "core/base/memory.h"
#include "core/cost/machine_file.h"
#include "core/cost/plan_cost.h"
#include "hier/capacity.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

static int refuse(const struct tool_plan_request *request, const char *sentence)
{
    tool_complain(request->command, "%s", sentence);
    return TOOL_WRONG_USE;
}

/* The rank whose plan bounds a call. Reductions and barriers are led by the first member of a node,
 * other calls by the first one in turn. */
static int bounding_rank(const struct strata_topology *t, const struct tool_plan_request *request)
{
    const enum strata_collective collective = request->collective;
    const int first = strata_busiest_rank(t);
    return strata_collective_rooted(collective) ? request->root
           : strata_collective_reduces(collective) || collective == STRATA_BARRIER
               ? first
               : t->in_turn[t->first[t->node_of[first]]];
}

static int make_topology(struct tool_plan_case *c, const struct tool_plan_request *request)
{
    struct strata_diagnostic message = {""};
    const char *text = request->config.topo;
    if (!*text) {
        return refuse(request, "which topology? --topo \"node:4 rank:16\"");
    }
    if (strata_topology_parse(text, 0, &c->topology, &message) != STRATA_OK) {
        return refuse(request, message.text);
    }
    if (strata_topology_flat(c->topology->ranks, &c->flat) != STRATA_OK) {
        return refuse(request, strata_error_text(STRATA_ERR_MEMORY));
    }
    if (request->rank >= c->topology->ranks) {
        tool_complain(request->command, "--rank %d: ranks are 0 to %d", request->rank,
                      c->topology->ranks - 1);
        return TOOL_WRONG_USE;
    }
    if (request->root >= c->topology->ranks) {
        tool_complain(request->command, "--root %d: ranks are 0 to %d", request->root,
                      c->topology->ranks - 1);
        return TOOL_WRONG_USE;
    }
    c->busiest = bounding_rank(c->topology, request);
    return TOOL_OK;
}

static int make_problem(struct tool_plan_case *c, const struct tool_plan_request *request)
{
    const struct strata_config *config = &request->config;
    struct strata_diagnostic message = {""};
    c->problem = (struct strata_problem){
        .collective = request->collective,
        .topology = c->topology,
        .flat = c->flat,
        .block_bytes = request->block_bytes,
        .most_bytes = (size_t)request->block_bytes,
        .degree = request->degree,
        .commutative = !request->ordered,
        .left_fold = config->same_bits && strata_collective_reduces(request->collective),
        .root = request->root,
    };
    if (strata_collective_scatters(request->collective)) {
        c->problem.most_bytes *= (size_t)c->topology->ranks;
    }
    if (config->torus[0]) {
        if (strata_torus_parse(config->torus, c->topology->ranks, &c->torus, &message) !=
            STRATA_OK) {
            return refuse(request, message.text);
        }
        c->problem.torus = &c->torus;
    }
    if (strata_machine_read(config->machine, &c->machine, &message) != STRATA_OK) {
        return refuse(request, message.text);
    }
    c->machine =
        strata_machine_of_nodes(&c->machine, c->topology->largest, (struct strata_sharing){0});
    size_t budget = (size_t)config->budget / 2; /* the share of a program's first communicator */
    if (strata_capacity_divide(c->topology, budget, (size_t)config->threshold, (int)config->passes,
                               config->check != 0, &c->problem.capacity) != STRATA_OK) {
        c->problem.capacity = (struct strata_capacity){.passes = (int)config->passes};
    }
    c->problem.capacity.longest = request->collective == STRATA_REDUCE_SCATTER
                                      ? (size_t)request->block_bytes
                                      : c->problem.most_bytes;
    return TOOL_OK;
}

/* Selects the algorithm. An algorithm that the user named and that is not applicable is an error
 * here. */
static int choose(struct tool_plan_case *c, const struct tool_plan_request *request)
{
    struct strata_diagnostic message = {""};
    struct strata_choice forced;
    if (strata_choice_parse(request->algorithm, request->collective, &forced, &message) !=
        STRATA_OK) {
        return refuse(request, message.text);
    }
    c->problem.once = forced.algorithm && forced.algorithm->once;
    if (strata_select(&forced, &c->problem, &c->machine, &c->selection) != STRATA_OK) {
        return refuse(request, "no algorithm is applicable");
    }
    if (forced.algorithm && forced.algorithm != c->selection.choice.algorithm) {
        char why[256];
        strata_selection_say(&c->selection, strata_collective_info[request->collective].variable,
                             why, sizeof why);
        return refuse(request, why);
    }
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        c->problem.parameter[i] = c->selection.choice.parameter[i];
    }
    return TOOL_OK;
}

int tool_plan_of(struct tool_plan_case *c, const struct tool_plan_request *request, int rank,
                 struct strata_plan **plan)
{
    struct strata_diagnostic message = {""};
    c->problem.rank = rank;
    if (strata_algorithm_plan(c->selection.choice.algorithm, &c->problem, plan, &message) !=
        STRATA_OK) {
        return refuse(request, message.text);
    }
    return TOOL_OK;
}

static int make_plans(struct tool_plan_case *c, const struct tool_plan_request *request)
{
    int code = TOOL_OK;
    c->plans = strata_allocate((size_t)c->topology->ranks, sizeof(struct strata_plan *));
    if (!c->plans) {
        return refuse(request, strata_error_text(STRATA_ERR_MEMORY));
    }
    for (int r = 0; r < c->topology->ranks && code == TOOL_OK; r++) {
        code = tool_plan_of(c, request, r, &c->plans[r]);
    }
    return code;
}

int tool_plan_prepare(struct tool_plan_case *c, const struct tool_plan_request *request)
{
    int code = make_topology(c, request);
    if (code == TOOL_OK) {
        code = make_problem(c, request);
    }
    return code == TOOL_OK ? choose(c, request) : code;
}

/* The leaders of a node by the choice's parameter; 1: it has none. */
static double leaders_of(const struct tool_plan_case *c)
{
    const struct strata_choice *choice = &c->selection.choice;
    double leaders = 1;
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        const char *name = choice->algorithm->parameters[i].name;
        if (name && strcmp(name, "leaders") == 0) {
            leaders = choice->parameter[i];
        }
    }
    return leaders < c->topology->largest ? leaders : c->topology->largest;
}

struct strata_cost tool_plan_cost(const struct tool_plan_case *c, const struct strata_plan *plan,
                                  double block_bytes)
{
    struct strata_machine machine = strata_machine_contended(&c->machine, c->topology->largest);
    return strata_plan_cost_on(plan, block_bytes, &machine, c->topology, leaders_of(c));
}

static double cost(const struct tool_plan_case *c, double block_bytes, int rank)
{
    struct strata_cost cost = tool_plan_cost(c, c->plans[rank], block_bytes);
    return strata_cost_time(&cost);
}

/* Finds the rank whose plan costs most: in scans the plans of ranks differ. */
static void find_busiest(struct tool_plan_case *c, double block_bytes)
{
    double most = cost(c, block_bytes, c->busiest);
    for (int r = 0; r < c->topology->ranks; r++) {
        double seconds = cost(c, block_bytes, r);
        c->busiest = seconds > most ? r : c->busiest;
        most = seconds > most ? seconds : most;
    }
}

int tool_plan_make(struct tool_plan_case *c, const struct tool_plan_request *request)
{
    int code = tool_plan_prepare(c, request);
    code = code == TOOL_OK ? make_plans(c, request) : code;
    enum strata_result result = strata_collective_info[request->collective].result;
    if (code == TOOL_OK && (result == STRATA_UP_TO_ME || result == STRATA_BEFORE_ME) &&
        c->selection.choice.algorithm->level != STRATA_MPI) {
        find_busiest(c, request->block_bytes);
    }
    return code;
}

void tool_plan_release(struct tool_plan_case *c)
{
    for (int r = 0; c->plans && r < c->topology->ranks; r++) {
        strata_plan_destroy(c->plans[r]);
    }
    strata_release(c->plans);
    strata_topology_destroy(c->flat);
    strata_topology_destroy(c->topology);
}
