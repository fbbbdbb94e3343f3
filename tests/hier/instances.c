#include "tests/hier/instances.h"

#include "tests/algorithms.h"

#include <stdio.h>
#include <stdlib.h>

#include "hier/capacity.h"

/* Ends the program: the test needs the instance. */
static void require(int status, const char *what)
{
    if (status != STRATA_OK) {
        fprintf(stderr, "%s: %s\n", what, strata_error_text(status));
        abort();
    }
}

static struct instance instance_around(struct strata_topology *topology)
{
    struct instance x = {.topology = topology};
    require(strata_topology_flat(topology->ranks, &x.flat), "flat topology");
    x.problem = (struct strata_problem){
        .collective = STRATA_ALLTOALLV, .topology = topology, .flat = x.flat, .block_bytes = 8};
    return x;
}

struct instance instance_of(const char *text, int ranks)
{
    struct strata_topology *topology = NULL;
    struct strata_diagnostic message;
    require(strata_topology_parse(text, ranks, &topology, &message), text);
    return instance_around(topology);
}

struct instance instance_random(struct random *r, int most)
{
    char text[64];
    int ranks = random_between(r, 1, most), nodes = random_between(r, 1, ranks);
    if (random_one_in(r, 2)) {
        snprintf(text, sizeof text, "node:%d%s", nodes, random_one_in(r, 2) ? ":cyclic" : "");
        return instance_of(text, ranks);
    }
    struct strata_topology *topology = NULL;
    int *colour = malloc((size_t)ranks * sizeof *colour);
    for (int i = 0; i < ranks; i++) {
        colour[i] = random_below(r, nodes);
    }
    require(strata_topology_from_colours(ranks, colour, NULL, &topology), "colours");
    free(colour);
    return instance_around(topology);
}

void instance_fini(struct instance *x)
{
    strata_topology_destroy(x->flat);
    strata_topology_destroy(x->topology);
}

int instance_divide(struct instance *x, size_t budget, size_t threshold, int passes, bool check)
{
    x->budget = budget;
    return strata_capacity_divide(x->topology, budget, threshold, passes, check,
                                  &x->problem.capacity);
}

void instance_parameters(struct instance *x, struct random *r,
                         const struct strata_algorithm *algorithm)
{
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        int choices = algorithm_choices(p);
        x->problem.parameter[i] = choices && random_one_in(r, 2)
                                      ? strata_parameter_choice(p, random_below(r, choices))
                                      : random_between(r, p->least, algorithm_most_drawn(p, 20));
    }
}
