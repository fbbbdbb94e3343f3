/* strata plan --builds: times the building of a rank's plan, which a communicator does once. */
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"
#include "tools/tune/tune.h"

static int build(struct tool_plan_case *c, const struct tool_plan_request *request, int rank,
                 double *seconds)
{
    struct strata_plan *plan = NULL;
    double start = strata_seconds();
    int code = tool_plan_of(c, request, rank, &plan);
    *seconds = strata_seconds() - start;
    strata_plan_destroy(plan);
    return code;
}

static void print_builds(const struct tool_plan_case *c, const struct tool_plan_request *request,
                         int rank, int builds, struct tool_spread seconds)
{
    char name[96];
    const struct strata_choice *choice = &c->selection.choice;
    strata_algorithm_name(choice->algorithm, choice->parameter, name, sizeof name);
    printf(
        "collective,method,bytes,nodes,ranks,torus,rank,builds,seconds,seconds_low,seconds_high\n"
        "%s,\"%s\",%.0f,%d,%d,%s,%d,%d,%.3g,%.3g,%.3g\n",
        strata_collective_name(request->collective), name, request->block_bytes, c->topology->nodes,
        c->topology->ranks, request->config.torus, rank, builds, seconds.median, seconds.low,
        seconds.high);
}

int tool_plan_time_builds(struct tool_plan_case *c, const struct tool_plan_request *request,
                          int builds)
{
    int rank = request->rank < 0 ? c->busiest : request->rank, code = TOOL_OK;
    if (c->selection.choice.algorithm->level == STRATA_MPI) {
        tool_complain(request->command, "--builds: MPI's own collective has no plan");
        return TOOL_WRONG_USE;
    }
    double *samples = strata_allocate((size_t)builds, sizeof *samples);
    if (!samples) {
        tool_complain(request->command, "%s", strata_error_text(STRATA_ERR_MEMORY));
        return TOOL_FAILED;
    }
    for (int i = 0; i < builds && code == TOOL_OK; i++) {
        code = build(c, request, rank, &samples[i]);
    }
    if (code == TOOL_OK) {
        print_builds(c, request, rank, builds, tool_spread_of(samples, builds));
    }
    strata_release(samples);
    return code;
}
