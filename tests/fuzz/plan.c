/* Plans as text, for four ranks on two nodes. What is accepted is printed, and read again. The
 * checker judges it on all ranks. */
#include "core/plan/plan.h"
#include "core/check/check.h"
#include "core/text/plan_text.h"
#include "tests/fuzz/fuzz.h"

enum { RANKS = 4 };

static char *printed(const struct strata_plan *plan)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file || strata_plan_print(plan, file) != STRATA_OK || fclose(file) != 0) {
        abort();
    }
    return text;
}

static void read_again(const struct strata_plan *plan)
{
    struct strata_plan *again = NULL;
    struct strata_diagnostic message = {""};
    char *text = printed(plan);
    if (strata_plan_parse(text, plan->topology, &again, &message) != STRATA_OK) {
        fprintf(stderr, "%s\n%s", message.text, text);
        abort();
    }
    char *second = printed(again);
    if (strcmp(text, second) != 0) {
        abort();
    }
    strata_plan_destroy(again);
    free(second);
    free(text);
}

/* The checker has memory for each block and lane. */
static bool is_small(const struct strata_plan *plan)
{
    enum { FEW = 1000 };
    return plan->blocks.count <= FEW && plan->blocks.work <= FEW && plan->blocks.slot <= FEW &&
           plan->exchange.lanes <= FEW && plan->limits.passes <= FEW;
}

/* All ranks get the plan, with their own rank. */
static void check(const struct strata_plan *plan)
{
    struct strata_plan copy[RANKS];
    const struct strata_plan *plans[RANKS];
    const struct strata_plan *const *calls[] = {plans};
    struct strata_check options = {.seed = 1};
    struct strata_diagnostic message = {""};
    for (int rank = 0; rank < RANKS; rank++) {
        copy[rank] = *plan;
        copy[rank].rank = rank;
        plans[rank] = &copy[rank];
    }
    fuzz_require_message(strata_check_calls(calls, 1, RANKS, &options, &message), &message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct strata_topology *topology;
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message = {""};
    if (!topology && strata_topology_parse("node:2", RANKS, &topology, NULL) != STRATA_OK) {
        abort();
    }
    char *text = fuzz_text(data, size);
    int status = strata_plan_parse(text, topology, &plan, &message);
    fuzz_require_message(status, &message);
    if (status == STRATA_OK) {
        read_again(plan);
        if (is_small(plan)) {
            check(plan);
        }
        strata_plan_destroy(plan);
    }
    free(text);
    return 0;
}
