#include "api/call/execute.h"

#include "core/base/memory.h"

int strata_call_raise(const struct strata_call *c, int code, const char *text)
{
    return c->quiet ? code
                    : strata_raise(c->signature->comm, code,
                                   strata_collective_name(c->signature->collective), text);
}

int strata_call_decline(struct strata_call *c, struct strata_execution *x, int code,
                        const char *text)
{
    strata_engine_decline(x, code == MPI_ERR_NO_MEM ? STRATA_ERR_MEMORY : STRATA_ERR_TRANSPORT);
    strata_group_break(c->state->group); /* the others go on without this rank */
    return strata_call_raise(c, code, text);
}

int strata_call_grow_scratch(struct strata_call *c, struct strata_execution *x, size_t bytes)
{
    struct strata_group *g = c->state->group;
    strata_release(g->scratch);
    g->scratch = strata_allocate(bytes, 1);
    g->scratch_bytes = g->scratch ? bytes : 0;
    x->scratch = g->scratch;
    return g->scratch ? MPI_SUCCESS : strata_call_decline(c, x, MPI_ERR_NO_MEM, "out of memory");
}

void strata_call_count(struct strata_traffic_count *sum, const struct strata_traffic_count *one)
{
    sum->messages += one->messages;
    sum->messages_node += one->messages_node;
    sum->bytes += one->bytes;
    sum->bytes_node += one->bytes_node;
    sum->copied += one->copied;
    for (int way = 0; way < STRATA_WAYS; way++) {
        sum->exposed[way] += one->exposed[way];
    }
}

int strata_call_end_walk(struct strata_call *c, struct strata_execution *x, int error)
{
    if (x->abandoned) {
        strata_group_break(c->state->group);
    }
    strata_call_count(&c->state->count, &x->count);
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), x->message.text);
}
