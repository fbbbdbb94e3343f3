/* Samples ranks, and computes the cost of a call for each from its own plan alone. */
#include "core/cost/plan_cost.h"
#include "core/engine/engine_sizes.h"
#include "sim/trace/trace.h"
#include "tools/command/words.h"
#include "tools/scale/cost.h"

static void add(struct tool_samples *samples, int rank, const char *why)
{
    for (int i = 0; i < samples->count; i++) {
        if (samples->sample[i].rank == rank) {
            return;
        }
    }
    samples->sample[samples->count++] = (struct tool_sample){.rank = rank, .why = why};
}

void tool_samples_draw(struct tool_costing *p, int drawn)
{
    const struct strata_topology *t = p->c->topology;
    int ranks = t->ranks;
    add(&p->samples, p->c->busiest,
        strata_collective_rooted(p->request->collective) ? "root" : "first of a largest node");
    add(&p->samples, 0, "first");
    add(&p->samples, ranks - 1, "last");
    for (int i = 0; i < drawn; i++) {
        int rank = strata_draw(&p->state, ranks), node = t->node_of[rank];
        int leader = t->in_turn[t->first[node]];
        add(&p->samples, i % 2 ? leader : rank, i % 2 ? "drawn, leader" : "drawn");
    }
}

struct counting {
    const int *node_of;
    struct tool_sample *sample;
};

static int count_event(void *self, const struct strata_event *e)
{
    const struct counting *k = self;
    struct tool_traffic *t = &k->sample->traffic;
    if (e->kind == STRATA_EVENT_SEND) {
        bool near = k->node_of[e->peer] == k->node_of[k->sample->rank];
        *(near ? &t->messages_node : &t->messages) += 1;
        *(near ? &t->bytes_node : &t->bytes) += e->bytes;
    }
    t->copied += e->kind == STRATA_EVENT_COPY ? e->bytes : 0;
    bool waits = e->kind == STRATA_EVENT_WAIT_RECV || e->kind == STRATA_EVENT_WAIT_SEND;
    t->rounds = waits && e->stage >= t->rounds ? e->stage + 1 : t->rounds;
    return STRATA_OK;
}

static double plan_bytes(const struct strata_plan *plan)
{
    return (double)sizeof *plan + (double)plan->nsteps * (double)sizeof *plan->steps +
           (double)plan->nsets * (double)sizeof *plan->sets +
           (double)plan->nboxes * (double)sizeof *plan->boxes + plan->labels_size;
}

static double item_memory(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    const struct strata_exchange *e = &plan->exchange;
    double bytes = (double)strata_engine_fixed_scratch(plan, false);
    if (e->staged) {
        int turn = t->turn_of[plan->rank];
        int size = strata_topology_node_size(t, t->node_of[plan->rank]);
        int led = turn < e->lanes ? (e->lanes - turn + size - 1) / size : 0;
        bytes +=
            2.0 * (double)strata_slot_bytes_at(t->ranks, t->nodes, e->lanes, plan->limits.slice);
        bytes += led * (double)strata_lane_bytes(plan, false);
    }
    return bytes;
}

static double block_memory(const struct strata_plan *plan, size_t bytes)
{
    struct strata_layout layout = {.type = &strata_byte_type, .count = bytes};
    if (!strata_collective_info[plan->collective].ranked) {
        layout.segments = (size_t)plan->blocks.count;
        layout.unit = 1;
    }
    struct strata_execution x = {
        .plan = plan, .nodes = plan->topology, .input = layout, .output = layout, .work = layout};
    double needed = (double)strata_engine_scratch(&x);
    if (plan->exchange.staged) {
        size_t slot, landing;
        strata_engine_node_need(plan, &layout, false, &slot, &landing);
        bool leads = plan->topology->local_of[plan->rank] == 0;
        needed += 2.0 * (double)slot + (leads ? (double)landing : 0);
    }
    return needed;
}

static int measure(struct tool_costing *p, struct tool_sample *sample, struct strata_plan *plan)
{
    struct counting k = {p->c->topology->node_of, sample};
    size_t bytes = (size_t)p->request->block_bytes;
    struct strata_trace trace = {
        .plan = plan, .nodes = p->c->topology, .bytes = bytes, .take = count_event, .self = &k};
    int error = strata_trace_run(&trace);
    struct strata_cost cost = tool_plan_cost(p->c, plan, p->request->block_bytes);
    sample->seconds = strata_cost_time(&cost);
    p->direct = !strata_plan_over_blocks(plan) && bytes > plan->limits.threshold;
    sample->plan = plan_bytes(plan);
    sample->memory = strata_plan_over_blocks(plan) ? block_memory(plan, bytes) : item_memory(plan);
    return error;
}

/* Inside a node ranks do different work: the dearest of the sampled ones bounds the call. */
static void name_dearest(struct tool_samples *samples)
{
    struct tool_sample *dearest = &samples->sample[0];
    for (int i = 1; i < samples->count; i++) {
        dearest = samples->sample[i].seconds > dearest->seconds ? &samples->sample[i] : dearest;
    }
    dearest->why = "bounds the call";
}

int tool_samples_measure(struct tool_costing *p)
{
    for (int i = 0; i < p->samples.count; i++) {
        struct tool_sample *sample = &p->samples.sample[i];
        struct strata_plan *plan = NULL;
        int code = tool_plan_of(p->c, p->request, sample->rank, &plan);
        if (code != TOOL_OK) {
            return code;
        }
        int error = measure(p, sample, plan);
        strata_plan_destroy(plan);
        if (error) {
            tool_complain(p->request->command, "%s", strata_error_text(error));
            return TOOL_FAILED;
        }
    }
    name_dearest(&p->samples);
    return TOOL_OK;
}
