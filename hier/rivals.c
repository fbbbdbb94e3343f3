#include "hier/rivals.h"

#include "core/cost/machine.h"
#include "hier/candidates.h"

/* By what latency and bandwidth may be off. Inside one node the machine is measured. */
static const struct {
    double start, byte;
} off[] = {{1, 1}, {10, 1}, {0.1, 1}, {1, 10}, {1, 0.1}};
enum { MACHINES = sizeof off / sizeof off[0] };

static struct strata_machine other_machine(const struct strata_machine *machine, int i)
{
    struct strata_machine other = *machine;
    other.alpha *= off[i].start;
    other.overhead *= off[i].start;
    other.rendezvous *= off[i].start;
    other.gap *= off[i].start;
    other.beta *= off[i].byte;
    other.beta_eager *= off[i].byte;
    return other;
}

/* What the rivals are sought for, and those found so far. */
struct rivals {
    const struct strata_choice *taken;
    const struct strata_problem *problem;
    const struct strata_machine *machine;
    struct strata_rival *rival; /* [STRATA_RIVALS] */
    int found;
};

static bool is_new(const struct rivals *r, const struct strata_choice *choice)
{
    bool new = !strata_choice_same_plan(choice, r->taken);
    for (int i = 0; new &&i < r->found; i++) {
        new = !strata_choice_same_plan(choice, &r->rival[i].choice);
    }
    return new;
}

/* Takes a choice that is new, if it passes the tests of one that costs choose. */
static void add(struct rivals *r, struct strata_choice choice)
{
    struct strata_selection selection;
    choice.weight = STRATA_TRIED;
    if (r->found < STRATA_RIVALS && is_new(r, &choice) &&
        strata_select(&choice, r->problem, r->machine, &selection) == STRATA_OK &&
        strata_choice_same_plan(&choice, &selection.choice)) {
        r->rival[r->found++] = (struct strata_rival){choice, selection.seconds};
    }
}

int strata_rivals(const struct strata_choice *taken, const struct strata_problem *problem,
                  const struct strata_machine *machine, struct strata_rival rival[STRATA_RIVALS])
{
    struct rivals r = {.taken = taken, .problem = problem, .machine = machine, .rival = rival};
    const int machines = problem->topology->nodes > 1 ? MACHINES : 1;
    struct strata_choice next[2];
    for (int i = 0; i < machines; i++) {
        const struct strata_machine other = other_machine(machine, i);
        struct strata_selection selection;
        if (strata_select_plan(problem, &other, &selection)) {
            add(&r, selection.choice);
        }
    }
    const int near = strata_candidates(problem, machine, next, 2);
    for (int i = 0; i < near; i++) {
        add(&r, next[i]);
    }
    return r.found;
}
