/* Helpers for all parts of the engine. */
#include "core/engine/engine_common.h"

#include <stdarg.h>
#include <stdio.h>

void strata_record_error(struct strata_execution *x, int error, const char *format, ...)
{
    if (x->progress.status != STRATA_OK) {
        return;
    }
    x->progress.status = error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(x->message.text, sizeof x->message.text, format, arguments);
    va_end(arguments);
}

void strata_workshare(const struct strata_execution *x, const struct strata_step *step,
                      size_t bytes, void (*body)(void *argument, int chunk, int chunks),
                      void *argument)
{
    if (strata_may_share(x, step) && bytes >= x->team->least_bytes) {
        x->team->run(body, argument, x->team->threads);
    } else {
        body(argument, 0, 1);
    }
}

void strata_count_message(struct strata_execution *x, int peer, size_t bytes)
{
    bool near = x->nodes->node_of[peer] == x->nodes->node_of[x->plan->rank];
    *(near ? &x->count.messages_node : &x->count.messages) += 1;
    *(near ? &x->count.bytes_node : &x->count.bytes) += bytes;
}
