/* Says in words what is wrong. */
#include <stdarg.h>
#include <stdio.h>

#include "core/check/check_internal.h"

struct check_text strata_check_step_text(const struct checker *k, int call, int rank, int at)
{
    struct check_text text;
    const struct strata_plan *plan = k->calls[call].plans[rank];
    snprintf(text.text, sizeof(text.text), "step %d (%s)", at,
             at < plan->nsteps ? strata_step_word((enum strata_op)plan->steps[at].op) : "end");
    return text;
}

struct check_text strata_check_set_text(struct strata_set set)
{
    enum { SHOWN = 6 };
    struct check_text text;
    struct strata_set_iterator it;
    struct strata_run run;
    int used = snprintf(text.text, sizeof(text.text), "{"), shown = 0;
    int32_t store = STRATA_ITEMS;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        if (run.store != store && shown < SHOWN) {
            used += snprintf(text.text + used, sizeof(text.text) - (size_t)used, "%s%s ",
                             shown ? " " : "", strata_store_word((enum strata_store)run.store));
            store = run.store;
        }
        for (int i = run.first; i < run.first + run.count && shown <= SHOWN; i++, shown++) {
            const char *comma = shown ? "," : "";
            used += shown == SHOWN
                        ? snprintf(text.text + used, sizeof(text.text) - (size_t)used, "...")
                        : snprintf(text.text + used, sizeof(text.text) - (size_t)used, "%s%d",
                                   comma, i);
        }
    }
    snprintf(text.text + used, sizeof(text.text) - (size_t)used, "}");
    return text;
}

/* Writes "call c, rank r, step s (word) in "label"". */
static int where(const struct checker *k, const struct check_rank *me, char *text, size_t size)
{
    struct check_text step = strata_check_step_text(k, me->call, me->rank, me->cursor.at);
    const char *label = strata_cursor_label(&me->cursor);
    return snprintf(text, size, "call %d%s, rank %d, %s%s%.40s%s", me->call,
                    k->options->in_place && over_blocks(me) ? " in place" : "", me->rank, step.text,
                    *label ? " in \"" : "", label, *label ? "\"" : "");
}

int strata_check_fail(const struct checker *k, const struct check_rank *me, const char *format, ...)
{
    char place[STRATA_DIAGNOSTIC_SIZE], what[STRATA_DIAGNOSTIC_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    where(k, me, place, sizeof(place));
    return strata_fail(k->message, STRATA_ERR_PLAN, "%s: %s", place, what);
}

/* Says what a stuck rank waits for in its step. */
static int awaited(const struct check_rank *me, char *text, size_t size)
{
    const struct strata_step *step = &plan_of(me)->steps[me->cursor.at];
    if (me->cursor.at >= plan_of(me)->nsteps) {
        return snprintf(text, size, " (that nobody reads what it lends)");
    }
    if (strata_step_act(step) == STRATA_ACT_WAIT) {
        enum strata_traffic kind = step->direct ? STRATA_DIRECT_TRAFFIC : STRATA_LANE_TRAFFIC;
        return snprintf(text, size, " (%d %s messages open)", me->incomplete[kind],
                        step->direct ? "direct" : "lane");
    }
    return step->peer == STRATA_ALL_MEMBERS
               ? snprintf(text, size, " (signal %d of all members)", step->count)
               : snprintf(text, size, " (signal %d of member %d)", step->count, step->peer);
}

/* The next part of a text that may be full already. */
struct tail {
    char text[STRATA_DIAGNOSTIC_SIZE];
    size_t used;
};

static void append_stuck(struct tail *tail, const struct checker *k, const struct check_rank *me)
{
    char place[STRATA_DIAGNOSTIC_SIZE / 2], reason[CHECK_TEXT];
    where(k, me, place, sizeof(place));
    awaited(me, reason, sizeof(reason));
    int more =
        snprintf(tail->text + tail->used, sizeof(tail->text) - tail->used, "; %s%s", place, reason);
    size_t room = sizeof(tail->text) - tail->used - 1;
    tail->used += (size_t)more < room ? (size_t)more : room;
}

int strata_check_deadlock(const struct checker *k)
{
    enum { SHOWN = 3 };
    struct tail tail = {.used = 0};
    int stuck = 0;
    for (int r = 0; r < k->ranks; r++) {
        if (k->rank[r].call < k->ncalls && stuck++ < SHOWN) {
            append_stuck(&tail, k, &k->rank[r]);
        }
    }
    return strata_fail(k->message, STRATA_ERR_PLAN, "deadlock in %s mode, %d ranks are stuck%s",
                       k->options->rendezvous ? "rendezvous" : "eager", stuck, tail.text);
}
