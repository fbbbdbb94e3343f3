/* The printer of plan_text.h: a table with a row for each field, in the order of step_kinds.h. */
#include <inttypes.h>

#include "core/text/box_text.h"
#include "core/text/plan_text.h"

static void print_set_comment(const struct strata_plan *plan, const struct strata_step *step,
                              FILE *file)
{
    struct strata_set set = strata_plan_set_of(plan, step, 0);
    int64_t count = strata_set_count(set);
    fprintf(file, "   # %s%" PRId64 " %s%s", step->set_step ? "first " : "", count,
            count == 1 ? "item" : "items", count > 0 ? ":" : "");
    strata_set_print_items(set, file);
}

typedef void print_field(const struct strata_plan *plan, const struct strata_step *step,
                         FILE *file);

static void print_NONE(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    (void)plan, (void)step, (void)file;
}

static void print_LABEL(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    fputs(" \"", file);
    for (const char *c = plan->labels + step->label; *c; c++) {
        fprintf(file, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    fputs("\"", file);
}

static void print_TIMES(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    if (step->count == 0) {
        fprintf(file, " passes   # %d", plan->limits.passes);
    } else {
        fprintf(file, " %" PRId32, step->count);
    }
}

static void print_PEER(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    (void)plan;
    fprintf(file, " rank %" PRId32, step->peer);
}

static void print_MEMBER(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    (void)plan;
    fprintf(file, " member %" PRId32, step->peer);
}

static void print_MEMBERS(const struct strata_plan *plan, const struct strata_step *step,
                          FILE *file)
{
    if (step->peer == STRATA_ALL_MEMBERS) {
        fputs(" all", file);
    } else {
        print_MEMBER(plan, step, file);
    }
}

static void print_SIGNAL(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    (void)plan;
    fprintf(file, " %s", strata_signal_word[step->count]);
}

static void print_LANE(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    if (plan->exchange.lanes > 0) {
        fprintf(file, " lane %" PRId32, step->lane);
    }
}

static void print_RANKS(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    const struct strata_plan_set *set = &plan->sets[step->set];
    fputs(" set", file);
    for (int32_t i = 0; i < set->nboxes; i++) {
        fputs(" ", file);
        strata_box_print(&plan->boxes[set->first_box + i], file);
    }
    if (step->set_step != 0) {
        fprintf(file, " step %" PRId32, step->set_step);
    }
}

/* The empty set has no boxes, and so no shift. */
static void print_BLOCKS(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    print_RANKS(plan, step, file);
}

static void print_FROM(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    const struct strata_plan_set *set = &plan->sets[step->from];
    fputs(" from", file);
    for (int32_t i = 0; i < set->nboxes; i++) {
        fputs(" ", file);
        strata_box_print(&plan->boxes[set->first_box + i], file);
    }
}

static void print_HOW(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    (void)plan;
    if (step->how != STRATA_AS_FITS) {
        fprintf(file, " %s", strata_how_word[step->how]);
    }
}

static void print_OPEN(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    (void)plan;
    fprintf(file, " %" PRId32, step->count);
}

static void print_DIRECT(const struct strata_plan *plan, const struct strata_step *step, FILE *file)
{
    (void)plan;
    fputs(step->direct ? " direct" : "", file);
}

static void print_WORKSHARE(const struct strata_plan *plan, const struct strata_step *step,
                            FILE *file)
{
    (void)plan;
    fputs(step->workshare ? " workshare" : "", file);
}

static print_field *const printing[] = {
#define STRATA_STEP_FIELD_PRINT(id, reason) [STRATA_HAS_##id] = print_##id,
    STRATA_STEP_FIELD_TABLE(STRATA_STEP_FIELD_PRINT)
#undef STRATA_STEP_FIELD_PRINT
};

static void print_step(const struct strata_plan *plan, const struct strata_step *step, int column,
                       FILE *file)
{
    fprintf(file, "%*s%s", column, "", strata_step_word((enum strata_op)step->op));
    for (int i = 0; i < STRATA_STEP_FIELDS; i++) {
        printing[strata_step_kind[step->op].field[i]](plan, step, file);
    }
    if (step->set >= 0) {
        print_set_comment(plan, step, file);
    }
    fputs("\n", file);
}

/* Prints the steps. The body of a repeat, and the steps of a phase, are indented by two more
 * columns. A phase lasts to the next one, or to the end of the repeat that it is in. */
static void print_steps(const struct strata_plan *plan, FILE *file)
{
    int phase_column[STRATA_REPEAT_DEPTH + 1] = {0}, column[STRATA_REPEAT_DEPTH + 1] = {0};
    int depth = 0;
    for (int i = 0; i < plan->nsteps; i++) {
        const struct strata_step *step = &plan->steps[i];
        depth -= step->op == STRATA_STEP_END;
        bool phase = step->op == STRATA_STEP_PHASE;
        print_step(plan, step, phase ? phase_column[depth] : column[depth], file);
        if (phase) {
            column[depth] = phase_column[depth] + 2;
        } else if (step->op == STRATA_STEP_REPEAT) {
            depth++;
            column[depth] = phase_column[depth] = column[depth - 1] + 2;
        }
    }
}

int strata_plan_print(const struct strata_plan *plan, FILE *file)
{
    const struct strata_exchange *exchange = &plan->exchange;
    fprintf(file, "plan %s %s rank %d of %d\n", strata_collective_name(plan->collective),
            plan->name, plan->rank, plan->topology->ranks);
    fprintf(file, "limits threshold %zu slice %zu passes %d\n", plan->limits.threshold,
            plan->limits.slice, plan->limits.passes);
    fprintf(file, "exchange lanes %d %s items %" PRId64 " messages %" PRId64 "%s\n",
            exchange->lanes, exchange->staged ? "staged" : "flat", exchange->lane_items,
            exchange->lane_messages, exchange->exposes ? " lends" : "");
    if (strata_plan_over_blocks(plan)) {
        const struct strata_blocks *blocks = &plan->blocks;
        const char *const rings[] = {"", " small", " middle"};
        fprintf(file, "blocks %d root %d work %d first %d%s", blocks->count, plan->root,
                blocks->work, blocks->work_first, blocks->work_alike ? " alike" : "");
        if (blocks->slot > 0) {
            fprintf(file, " slot %d", blocks->slot);
        }
        fprintf(file, "%s%s%s%s%s%s%s%s%s\n", rings[blocks->ring], blocks->shared ? " shared" : "",
                blocks->exposes & STRATA_EXPOSES_INPUT ? " lends_input" : "",
                blocks->exposes & STRATA_EXPOSES_WORK ? " lends_work" : "",
                blocks->by_position ? " by_position" : "",
                blocks->keeps_input ? " keeps_input" : "", blocks->once ? " once" : "",
                plan->keeps_order ? " ordered" : "", plan->left_fold ? " left_fold" : "");
    }
    print_steps(plan, file);
    return ferror(file) ? STRATA_ERR_MEMORY : STRATA_OK;
}
