#include "hier/select.h"

#include <stdio.h>
#include <string.h>

#include "core/cost/algorithm_cost.h"
#include "core/cost/round_cost.h"
#include "hier/node_segments.h"
#include "hier/registry.h"
#include "hier/tuning.h"

struct search {
    struct strata_problem problem; /* with the parameters that are being tried */
    const struct strata_machine *machine;
    int candidates;
    const char *refusal; /* why the last algorithm tried is not applicable */
    struct strata_selection *best;
    /* seconds of the cheapest that MPI libraries have, too, when they run it; 0: none applies */
    double classic;
    double exact;     /* the part of these seconds that is certain */
    bool nodes_known; /* its cost knows the nodes */
    bool automatic;   /* nobody names the algorithm */
};

/* Ranks of a node share its ports. */
static bool of_shared_ports(const struct search *s)
{
    return strata_cost_tells_nodes(s->problem.topology, s->machine);
}

/* The most seconds that a plan may cost to replace the native collective: nine tenths of the native
 * cost, for costs are no more exact than that, but all of its certain part. All of it is certain
 * where ranks of a node share its ports and both costs know the nodes. */
static double most_seconds(const struct search *s)
{
    const struct strata_algorithm *best = s->best->choice.algorithm;
    bool known = s->nodes_known && (best->knows_nodes || best->level == STRATA_NODE_AWARE);
    double exact = of_shared_ports(s) && known ? s->classic : s->exact;
    return exact + STRATA_CLEARLY_LESS * (s->classic - exact);
}

static double cost(const struct search *s, const struct strata_algorithm *algorithm,
                   const struct strata_machine *machine)
{
    struct strata_cost cost = strata_algorithm_cost(algorithm, &s->problem, machine);
    return strata_cost_time(&cost);
}

/* Vectors between ranks that have a node, and a port, each: costs count everything there. */
static bool of_ports_alone(const struct search *s)
{
    const struct strata_topology *t = s->problem.topology;
    enum strata_collective collective = s->problem.collective;
    return s->machine->ports > 0 && t->nodes == t->ranks && t->nodes > 1 &&
           (collective == STRATA_BCAST ||
            strata_collective_info[collective].result == STRATA_REDUCED);
}

/* Whether MPI libraries choose this algorithm where its cost is lowest. Where costs count all that
 * there is, they do not choose those with a parameter: they have only the one value that was best
 * elsewhere. An alltoallv is never left to MPI by its cost, and what MPI's own takes roughly is all
 * that its trial asks. */
static bool is_theirs(const struct search *s, const struct strata_algorithm *algorithm)
{
    bool counted =
        of_ports_alone(s) || (of_shared_ports(s) && s->problem.collective != STRATA_ALLTOALLV);
    return algorithm->level == STRATA_MPI ||
           (algorithm->classic && !(algorithm->torus && s->problem.torus) &&
            !(counted && algorithm->parameters[0].name));
}

/* Where bytes are on the wire for most of the time no algorithm takes less; only start-ups are
 * uncertain. */
static void note_theirs(struct search *s, const struct strata_algorithm *algorithm)
{
    struct strata_machine native = strata_machine_native(s->machine);
    struct strata_cost cost = strata_algorithm_cost(algorithm, &s->problem, &native);
    double seconds = strata_cost_time(&cost);
    bool busy = of_ports_alone(s) && cost.time_wire > seconds / 2;
    if (s->classic == 0 || seconds < s->classic) {
        s->classic = seconds;
        s->exact = busy ? seconds - cost.time_start : 0;
        s->nodes_known = algorithm->knows_nodes;
    }
}

/* Whether MPI libraries send the call's messages ahead, so that a program ends whose ranks call on
 * several communicators in another order each (docs/compatibility.md). They have outward algorithms
 * for these calls, and Strata takes no others, unless the same bits are asked for, or several
 * endpoints are one rank. */
static bool may_cross(const struct search *s)
{
    const struct strata_problem *p = &s->problem;
    return strata_collective_rooted(p->collective) && p->block_bytes <= STRATA_SENT_AHEAD &&
           !p->nonblocking && !p->left_fold && !p->plans_only && s->automatic;
}

/* The number of parameters that have their automatic value. */
static int plainness(const struct strata_algorithm *algorithm, const int *parameter)
{
    int plain = 0;
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        plain +=
            algorithm->parameters[i].name && parameter[i] == algorithm->parameters[i].automatic;
    }
    return plain;
}

/* Of a node-aware algorithm's plans with equal cost, which do the same, the one with the shortest
 * name is better. MPI's own is better than a plan that does the same. */
static bool is_better(const struct search *s, const struct strata_algorithm *algorithm,
                      double seconds)
{
    const struct strata_selection *best = s->best;
    const struct strata_algorithm *row = best->choice.algorithm;
    return !row || seconds < best->seconds ||
           (algorithm->level == STRATA_MPI && seconds == best->seconds) ||
           (row == algorithm && row->level == STRATA_NODE_AWARE && seconds == best->seconds &&
            plainness(row, s->problem.parameter) > plainness(row, best->choice.parameter));
}

static void try_candidate(struct search *s, const struct strata_algorithm *algorithm)
{
    const char *reason = strata_algorithm_refusal(algorithm, &s->problem);
    if (reason) {
        s->refusal = reason;
        return;
    }
    if (may_cross(s) && !strata_algorithm_outward(algorithm, &s->problem)) {
        s->refusal = "calls on crossed communicators might stand still";
        return;
    }
    double seconds = cost(s, algorithm, s->machine);
    s->candidates++;
    if (is_theirs(s, algorithm)) {
        note_theirs(s, algorithm);
    }
    if (is_better(s, algorithm, seconds)) {
        s->best->seconds = seconds;
        s->best->choice.algorithm = algorithm;
        memcpy(s->best->choice.parameter, s->problem.parameter, sizeof s->best->choice.parameter);
    }
}

/* All values of the parameters from `index` on; one that is set in `fixed` keeps its value. */
static void try_parameters(struct search *s, const struct strata_algorithm *algorithm, int index,
                           const int *fixed)
{
    if (index == STRATA_PARAMETERS || !algorithm->parameters[index].name) {
        try_candidate(s, algorithm);
        return;
    }
    int *value = &s->problem.parameter[index];
    if (fixed[index] != 0) {
        *value = fixed[index];
        try_parameters(s, algorithm, index + 1, fixed);
        return;
    }
    const struct strata_parameter *parameter = &algorithm->parameters[index];
    for (int i = 0; (*value = strata_parameter_choice(parameter, i)) != 0; i++) {
        try_parameters(s, algorithm, index + 1, fixed);
    }
}

static void try_algorithm(struct search *s, const struct strata_algorithm *algorithm)
{
    int fixed[STRATA_PARAMETERS];
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        fixed[i] = p->across && s->problem.topology->nodes > 1 ? 0 : p->automatic;
    }
    memset(s->problem.parameter, 0, sizeof s->problem.parameter);
    if (algorithm->collectives >> s->problem.collective & 1) {
        try_parameters(s, algorithm, 0, fixed);
    }
}

static bool goes_ahead(const struct search *s, const struct strata_algorithm *algorithm)
{
    return algorithm->goes_ahead && s->machine->cores > 0 &&
           !strata_collective_one_knows(s->problem.collective) &&
           strata_segments_ring(&s->problem, 0) == STRATA_SMALL_RING;
}

/* Each rank waits for all others, so no rank's time is hidden behind that of another call. */
static bool all_wait(const struct search *s)
{
    const struct strata_collective_info *info = &strata_collective_info[s->problem.collective];
    return info->root == '-' && info->result == STRATA_REDUCED;
}

static bool of_good_size(const struct search *s, const struct strata_algorithm *algorithm)
{
    struct strata_good_sizes sizes = strata_good_sizes_of(algorithm);
    double bytes = s->problem.block_bytes;
    if (sizes.levels && strata_topology_depth(s->problem.topology) < 2) {
        return false;
    }
    if (s->problem.topology->nodes > 1) {
        return bytes >= sizes.from_across || (all_wait(s) && of_shared_ports(s));
    }
    bool crowded = s->machine->cores > 0;
    bool good = bytes >= sizes.from && (sizes.to == 0 || bytes < sizes.to) &&
                (!crowded || bytes >= sizes.from_crowded);
    return good || goes_ahead(s, algorithm);
}

/* Whether ranks would never learn the lengths of blocks. A call whose lengths are not known agrees
 * on them for the next one. One message for each pair agrees on nothing, so it would stay for good,
 * whatever the sizes. */
static bool stays_ignorant(const struct search *s, const struct strata_algorithm *algorithm)
{
    const struct strata_collective_info *info = &strata_collective_info[s->problem.collective];
    return strata_collective_transposes(s->problem.collective) && info->varying &&
           !s->problem.nonblocking && s->problem.most_bytes == 0 &&
           algorithm->level == STRATA_FLAT && algorithm->classic;
}

/* Between ports alone flat algorithms that fold may be the cheapest even where left folds are not
 * asked for. */
static bool folds_as_asked(const struct search *s, const struct strata_algorithm *algorithm)
{
    return strata_algorithm_folds_as_asked(algorithm, &s->problem) ||
           (!s->problem.left_fold && of_ports_alone(s));
}

/* Of the native collectives only alltoall has a cost: its blocks go rank to rank once they are
 * large. The cost of nonblocking native calls is not known, and native reductions do not fold. So
 * good sizes do not count there. */
static bool stands_for_choice(const struct search *s, const struct strata_algorithm *algorithm)
{
    bool alone = s->problem.nonblocking || s->problem.left_fold || s->problem.plans_only;
    return (algorithm->level != STRATA_MPI ||
            (s->problem.collective == STRATA_ALLTOALL && !s->problem.nonblocking &&
             !s->problem.plans_only)) &&
           folds_as_asked(s, algorithm) && algorithm->once == s->problem.once &&
           ((alone && !strata_good_sizes_of(algorithm).always) || of_good_size(s, algorithm));
}

/* The measured time of the native collective, as a part of the estimated cost of the classic
 * algorithms. */
static double measured_part(const struct search *s)
{
    enum strata_collective collective = s->problem.collective;
    double part = collective == STRATA_REDUCE              ? s->machine->native_reduce
                  : collective == STRATA_ALLREDUCE         ? s->machine->native_allreduce
                  : strata_collective_scatters(collective) ? s->machine->native_reduce_scatter
                  : collective == STRATA_SCAN || collective == STRATA_EXSCAN
                      ? s->machine->native_scan
                      : 0;
    return part > 0 && s->problem.block_bytes >= STRATA_NATIVE_VECTOR / 4.0 ? part : 1;
}

/* Other native collectives are not known, but MPI libraries have the classic algorithms and choose
 * among them with more knowledge of the network. So a plan has to cost less than all of those. A
 * native alltoallv would agree on no lengths, and so stay for good; besides, plans send large
 * blocks directly anyway. Nor do MPI libraries know a torus that the machine tells. */
static bool mpi_is_as_good(const struct search *s)
{
    return !s->problem.nonblocking && !s->problem.plans_only &&
           s->problem.collective != STRATA_ALLTOALLV && s->classic > 0 &&
           !(strata_machine_has_torus(s->machine) && s->problem.topology->nodes > 1) &&
           s->best->choice.algorithm->level != STRATA_MPI &&
           s->best->seconds > measured_part(s) * most_seconds(s);
}

/* Selects by the native cost, as where native is forced. */
static void take_native(struct search *s)
{
    const struct strata_algorithm *native = strata_registry_find("native");
    s->best->choice = (struct strata_choice){.algorithm = native};
    s->best->seconds = cost(s, native, s->machine);
    snprintf(s->best->why, sizeof s->best->why,
             "MPI's own: none of %d would save a tenth of what its libraries' algorithms take",
             s->candidates);
}

/* The thing whose size counts, in words. */
static const char *sized(enum strata_collective collective)
{
    return strata_collective_info[collective].ranked ? "blocks" : "a vector";
}

/* Tries the algorithms after which lengths stay unknown, or the others. */
static void try_algorithms(struct search *s, bool ignorant)
{
    const struct strata_algorithm *row;
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (stands_for_choice(s, row) && stays_ignorant(s, row) == ignorant) {
            try_algorithm(s, row);
        }
    }
}

static void take_cheapest(struct search *s)
{
    struct strata_selection *best = s->best;
    const char *limit = s->problem.messages_only ? " without node memory" : "";
    s->automatic = true;
    try_algorithms(s, false);
    if (!best->choice.algorithm) {
        try_algorithms(s, true);
    }
    best->native = s->classic;
    if (best->choice.algorithm && mpi_is_as_good(s)) {
        take_native(s);
    } else if (!best->choice.algorithm) {
        const char *refusal = s->refusal;
        try_algorithm(s, strata_registry_find("native"));
        snprintf(best->why, sizeof best->why, "MPI's own: nothing else is applicable: %s", refusal);
    } else if (s->problem.collective == STRATA_BARRIER) {
        snprintf(best->why, sizeof best->why, "cheapest of %d%s on %s", s->candidates, limit,
                 s->machine->name);
    } else {
        char few[48] = "";
        if (s->problem.degree > 0) {
            snprintf(few, sizeof few, " on the mean, to %d rank%s at most,", s->problem.degree,
                     s->problem.degree == 1 ? "" : "s");
        }
        snprintf(best->why, sizeof best->why, "cheapest of %d%s for %s of %.0f B%s%s on %s",
                 s->candidates, limit, sized(s->problem.collective), s->problem.block_bytes, few,
                 s->problem.mapped ? " in mapped memory" : "", s->machine->name);
    }
}

/* No native reduction is sure to combine from left to right. */
static void take_instead(struct search *s)
{
    if (s->problem.left_fold || s->problem.plans_only) {
        take_cheapest(s);
    } else {
        try_algorithm(s, strata_registry_find("native"));
    }
}

static void keep_forced(struct search *s, const struct strata_choice *forced)
{
    struct strata_selection *best = s->best;
    best->forced = true;
    if (forced->algorithm->once && !s->problem.once) {
        s->refusal = "its result lies once in a node, and each rank is to have its own";
    } else if (forced->algorithm->collectives >> s->problem.collective & 1) {
        try_parameters(s, forced->algorithm, 0, forced->parameter);
    } else {
        s->refusal = "it does not do this collective";
    }
    if (!best->choice.algorithm) {
        best->refused = forced->algorithm;
        best->refusal = s->refusal;
        take_instead(s);
    } else if (s->candidates > 1) {
        snprintf(best->why, sizeof best->why, "open parameters by cost");
    }
}

/* Whether MPI's own may serve a call because somebody prefers it. It learns no lengths. */
static bool may_be_native(const struct search *s)
{
    const struct strata_problem *p = &s->problem;
    const bool learns = strata_collective_transposes(p->collective) &&
                        strata_collective_info[p->collective].varying && p->most_bytes == 0;
    return !p->left_fold && !p->plans_only && !p->once && !learns;
}

/* Returns whether the choice can be kept. */
static bool keep_preferred(struct search *s, const struct strata_choice *preferred)
{
    const struct strata_algorithm *row = preferred->algorithm;
    const struct strata_problem *p = &s->problem;
    s->automatic = true;
    if (p->nonblocking || !(row->collectives >> p->collective & 1) ||
        (row->level == STRATA_MPI
             ? !may_be_native(s)
             : !folds_as_asked(s, row) || row->once != p->once || stays_ignorant(s, row))) {
        return false;
    }
    try_parameters(s, row, 0, preferred->parameter);
    if (!s->best->choice.algorithm) {
        return false;
    }
    s->best->native = strata_classic_seconds(p, s->machine);
    snprintf(s->best->why, sizeof s->best->why, "%s%s",
             row->level == STRATA_MPI ? "MPI's own: " : "",
             preferred->weight == STRATA_TIMED ? "the table of STRATA_TUNED says so" : "preferred");
    return true;
}

double strata_classic_seconds(const struct strata_problem *problem,
                              const struct strata_machine *machine)
{
    struct strata_selection best = {.choice = {.algorithm = NULL}};
    struct search s = {.problem = *problem, .machine = machine, .best = &best};
    const struct strata_algorithm *row;
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (row->classic) {
            try_algorithm(&s, row);
        }
    }
    return s.classic;
}

bool strata_select_algorithm(const struct strata_algorithm *row,
                             const struct strata_problem *problem,
                             const struct strata_machine *machine,
                             struct strata_selection *selection)
{
    struct search s = {
        .problem = *problem, .machine = machine, .automatic = true, .best = selection};
    *selection = (struct strata_selection){.seconds = 0};
    try_algorithm(&s, row);
    return selection->choice.algorithm != NULL;
}

bool strata_select_plan(const struct strata_problem *problem, const struct strata_machine *machine,
                        struct strata_selection *selection)
{
    struct search s = {
        .problem = *problem, .machine = machine, .automatic = true, .best = selection};
    *selection = (struct strata_selection){.seconds = 0};
    try_algorithms(&s, false);
    return selection->choice.algorithm && selection->choice.algorithm->level != STRATA_MPI;
}

int strata_select(const struct strata_choice *forced, const struct strata_problem *problem,
                  const struct strata_machine *machine, struct strata_selection *selection)
{
    struct strata_selection best = {.choice = {.algorithm = NULL}};
    struct search s = {.problem = *problem,
                       .machine = machine,
                       .refusal = "no algorithm of Strata does this",
                       .best = &best};
    memset(s.problem.parameter, 0, sizeof s.problem.parameter);
    if (problem->native_size && !problem->plans_only) {
        try_algorithm(&s, strata_registry_find("native"));
        snprintf(best.why, sizeof best.why, "MPI's own: STRATA_SIZES leaves it such sizes");
    } else if (forced && strata_choice_forces(forced) &&
               !(problem->plans_only && strata_choice_native(forced))) {
        keep_forced(&s, forced);
    } else if (!forced || !forced->algorithm || strata_choice_forces(forced) ||
               !keep_preferred(&s, forced)) {
        s.candidates = 0;
        take_cheapest(&s);
    }
    if (!best.choice.algorithm) {
        return STRATA_ERR_UNSUPPORTED;
    }
    *selection = best;
    return STRATA_OK;
}

void strata_selection_say(const struct strata_selection *selection, const char *by, char *text,
                          size_t size)
{
    if (selection->refused) {
        bool native = selection->choice.algorithm->level == STRATA_MPI;
        snprintf(text, size, "%s: %s, forced by %s, is not applicable: %s",
                 native ? "MPI's own" : selection->choice.algorithm->name, selection->refused->name,
                 by, selection->refusal);
    } else if (selection->forced) {
        snprintf(text, size, "forced by %s%s%s", by, selection->why[0] ? ", " : "", selection->why);
    } else {
        snprintf(text, size, "%s", selection->why);
    }
}
