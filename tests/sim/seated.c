#include "tests/sim/seated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/engine/engine_sizes.h"
#include "hier/registry.h"

void seated_init(struct seated *t, size_t bytes, uint64_t seed)
{
    memset(t, 0, offsetof(struct seated, input));
    t->bytes = bytes;
    t->r.state = random_mix(seed);
}

void seated_plan(struct seated *t, int ranks, const int *node_of, const char *row,
                 struct strata_problem problem)
{
    struct strata_diagnostic message = {""};
    t->ranks = ranks;
    assert_int_equal(strata_topology_from_colours(ranks, node_of, NULL, &t->topology), STRATA_OK);
    assert_int_equal(strata_topology_flat(ranks, &t->flat), STRATA_OK);
    problem.collective = STRATA_ALLGATHER;
    problem.topology = t->topology;
    problem.flat = t->flat;
    problem.block_bytes = (double)t->bytes;
    problem.most_bytes = t->bytes;
    for (problem.rank = 0; problem.rank < ranks; problem.rank++) {
        assert_int_equal(strata_algorithm_plan(strata_registry_find(row), &problem,
                                               &t->plan[problem.rank], &message),
                         STRATA_OK);
    }
}

struct strata_execution *seated_sit(struct seated *t, int rank,
                                    const struct strata_transport *transport, void *self)
{
    struct strata_layout l = {.type = &strata_byte_type, .count = t->bytes};
    struct strata_execution *x = &t->x[rank];
    memset(t->input[rank], 0x10 + rank, t->bytes);
    memset(t->output[rank], 0, (size_t)t->ranks * t->bytes);
    *x = (struct strata_execution){.plan = t->plan[rank],
                                   .nodes = t->topology,
                                   .input = l,
                                   .output = l,
                                   .work = l,
                                   .memory = &t->world->node_memory[rank],
                                   .transport = transport,
                                   .transport_self = self};
    x->input.base = t->input[rank];
    x->output.base = t->output[rank];
    t->scratch[rank] = calloc(1, strata_engine_scratch(x) + 1);
    assert_non_null(t->scratch[rank]);
    return x;
}

void seated_start(struct seated *t, int rank)
{
    t->x[rank].scratch = t->scratch[rank];
    t->status[rank] = STRATA_PENDING;
    assert_int_equal(strata_engine_start(&t->x[rank]), STRATA_OK);
}

void seated_run(struct seated *t, int draws, int rounds)
{
    for (int i = 0; i < draws + rounds * t->ranks; i++) {
        int rank = i < draws ? random_below(&t->r, t->ranks) : i % t->ranks;
        if (i >= draws) {
            strata_mailboxes_flush(t->world->mail);
        }
        if (t->status[rank] == STRATA_PENDING) {
            t->status[rank] = strata_engine_advance(&t->x[rank]);
        }
    }
}

void seated_check(const struct seated *t, int rank)
{
    for (size_t i = 0; t->status[rank] == STRATA_OK && i < (size_t)t->ranks * t->bytes; i++) {
        assert_int_equal(t->output[rank][i], 0x10 + i / t->bytes);
    }
}

void seated_fini(struct seated *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        free(t->scratch[rank]);
        strata_plan_destroy(t->plan[rank]);
    }
    strata_virtual_destroy(t->world);
    strata_topology_destroy(t->topology);
    strata_topology_destroy(t->flat);
}
