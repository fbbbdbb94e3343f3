/* Signal trees: how a node's members learn that all slots are filled.
 *
 * Flat: every member that must know reads every flag. On a crowded node this is the cheapest way:
 * the last member to arrive goes straight on, and no member waits until a middleman is scheduled.
 * Binomial: log2 flags in a row up to member 0, which then releases the others. The first member of
 * each cache, domain and package stands for it, so one flag each crosses to the next. Objects hold
 * any members: ranks may be dealt to packages in turn. */
#include "intranode/signal_tree.h"

/* The levels of a tree: from single members through caches, domains and packages to the node. */
enum { MEMBERS = STRATA_INNER_LEVELS, NODE = -1 };

static int object_at(const struct strata_tree_place *p, int member, int level)
{
    int rank = strata_topology_rank(p->topology, p->node, member);
    return strata_topology_object(p->topology, rank, level);
}

/* Whether two members lie in one object of the level. */
static bool together(const struct strata_tree_place *p, int a, int b, int level)
{
    return object_at(p, a, level) == object_at(p, b, level);
}

/* The member that stands for this member's object of the level: the root, or the first one. */
static int head_of(const struct strata_tree_place *p, int level)
{
    int first = 0;
    if (together(p, p->root, p->me, level)) {
        return p->root;
    }
    while (!together(p, first, p->me, level)) {
        first++;
    }
    return first;
}

struct strata_tree_place strata_tree_place(const struct strata_problem *problem, int root)
{
    const struct strata_topology *t = problem->topology;
    struct strata_tree_place p = {t, t->node_of[problem->rank], root, t->local_of[problem->rank],
                                  NODE};
    while (p.top < MEMBERS && head_of(&p, p.top) != p.me) {
        p.top++;
    }
    return p;
}

/* The group of the member's object of the level, before its first object. */
static struct strata_tree_group group_of(const struct strata_tree_place *p, int level)
{
    return (struct strata_tree_group){.place = p, .level = level, .at = -1};
}

/* Goes to the group's next object; false: there is none. */
static bool next_object(struct strata_tree_group *g)
{
    const struct strata_tree_place *p = g->place;
    while (++g->at < strata_topology_node_size(p->topology, p->node)) {
        if (object_at(p, g->at, g->level) == g->seen) {
            g->seen++;
            if (together(p, g->at, p->me, g->level - 1)) {
                bool first = together(p, g->at, p->root, g->level);
                bool beside = together(p, p->me, p->root, g->level - 1);
                g->member = first ? p->root : g->at;
                g->index = first ? 0 : beside + g->others++;
                return true;
            }
        }
    }
    return false;
}

static void enter_level(struct strata_tree_children *c, int level)
{
    const struct strata_tree_place *p = c->group.place;
    struct strata_tree_group g = group_of(p, level);
    while (next_object(&g) && g.member != p->me) {
    }
    c->mine = g.index;
    c->group = group_of(p, level);
}

void strata_tree_children_begin(struct strata_tree_children *c,
                                const struct strata_tree_place *place)
{
    c->group.place = place;
    enter_level(c, MEMBERS);
}

/* Parent of index i > 0 in a binomial tree: i without its lowest set bit. */
static int binomial_parent(int i)
{
    return i & (i - 1);
}

int strata_tree_children_next(struct strata_tree_children *c)
{
    const int top = c->group.place->top > 0 ? c->group.place->top : 0;
    for (;;) {
        while (next_object(&c->group)) {
            if (c->group.index > 0 && binomial_parent(c->group.index) == c->mine) {
                return c->group.member;
            }
        }
        if (c->group.level == top) {
            return -1;
        }
        enter_level(c, c->group.level - 1);
    }
}

int strata_tree_above(const struct strata_tree_place *place)
{
    return place->top == NODE ? -1 : head_of(place, place->top - 1);
}

bool strata_tree_tells(const struct strata_tree_place *place)
{
    return place->top < MEMBERS;
}

static void arrive_flat(struct strata_builder *b, bool everybody)
{
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    if (everybody) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    }
}

void strata_signal_tree_rise(struct strata_builder *b, const struct strata_problem *problem)
{
    const struct strata_tree_place place = strata_tree_place(problem, 0);
    struct strata_tree_children children;
    strata_tree_children_begin(&children, &place);
    for (int child; (child = strata_tree_children_next(&children)) >= 0;) {
        strata_build_await(b, child, STRATA_SIGNAL_ARRIVED);
    }
    if (place.me != 0) {
        strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    }
}

void strata_signal_tree_release(struct strata_builder *b, const struct strata_problem *problem)
{
    const struct strata_tree_place place = strata_tree_place(problem, 0);
    if (place.me != 0) {
        strata_build_await(b, strata_tree_above(&place), STRATA_SIGNAL_RELEASED);
    }
    if (strata_tree_tells(&place)) {
        strata_build_signal(b, STRATA_SIGNAL_RELEASED);
    }
}

void strata_signal_tree_arrive(struct strata_builder *b, const struct strata_problem *problem,
                               enum strata_signal_tree tree, bool everybody)
{
    bool root = problem->topology->local_of[problem->rank] == 0;
    if (tree == STRATA_SIGNAL_TREE_FLAT) {
        arrive_flat(b, everybody);
        return;
    }
    strata_signal_tree_rise(b, problem);
    if (root) {
        strata_build_signal(b, STRATA_SIGNAL_RELEASED);
    } else if (everybody) {
        strata_build_await(b, 0, STRATA_SIGNAL_RELEASED);
    }
}

struct strata_tree_hops strata_tree_hops(const struct strata_topology *t)
{
    struct strata_tree_hops hops = {{0}, {0}};
    for (int level = 0; level <= MEMBERS; level++) {
        for (int reached = 1; reached < t->widest[level]; reached *= 2) {
            hops.up[level]++;
        }
        hops.down[level] = t->widest[level] > 1;
    }
    return hops;
}

/* The member at the top of a hop tells the others of its object, at this level and at all nearer
 * ones. The first reader of a line waits for nobody. */
int strata_tree_readers(const struct strata_topology *t)
{
    int in_turn = 0, readers = 0;
    for (int level = MEMBERS; level > NODE; level--) {
        readers += t->widest[level] - 1;
        in_turn += t->widest[level] > 1 ? readers - 1 : 0;
    }
    return in_turn + 1;
}

void strata_signal_tree_cost(struct strata_cost *total, const struct strata_topology *t,
                             enum strata_signal_tree tree, bool everybody,
                             const struct strata_machine *machine)
{
    const struct strata_tree_hops hops = strata_tree_hops(t);
    if (tree == STRATA_SIGNAL_TREE_FLAT) {
        strata_cost_sweep(total, t->largest - 1, machine);
        return;
    }
    for (int level = MEMBERS; level > NODE; level--) {
        struct strata_machine reading = *machine;
        reading.far = strata_machine_times(machine, level);
        for (int hop = 0; hop < hops.up[level]; hop++) {
            strata_cost_signal(total, 1, &reading);
        }
    }
    strata_cost_signal(total, everybody && strata_topology_has_levels(t), machine);
}

void strata_signal_tree_both_cost(struct strata_cost *total, const struct strata_topology *t,
                                  const struct strata_machine *machine)
{
    const struct strata_tree_hops longest = strata_tree_hops(t);
    int hops = 0;
    for (int level = MEMBERS; level > NODE; level--) {
        struct strata_machine reading = *machine;
        int deep = longest.up[level] + longest.down[level];
        reading.far = strata_machine_times(machine, level);
        strata_cost_signal(total, deep, &reading);
        hops += deep;
    }
    for (int hop = 1; hop < hops; hop++) {
        strata_cost_turn(total, machine);
    }
}
