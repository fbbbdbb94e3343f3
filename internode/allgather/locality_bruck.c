/* Locality-aware Bruck: each round multiplies the blocks that a node has by the number of its
 * ranks, with one message between nodes for each rank.
 *
 * First the ranks of a node gather their own blocks. Then, while a node has the blocks of `held`
 * nodes, its own and those after it, its rank j gets as many from the node that is j * held nodes
 * further on; rank 0 gets none, for its portion is there. The ranks of the node gather these
 * portions from one another with Bruck's rounds. Portions beyond the last node are cut or left out.
 * Two things are ours: the case that the number of nodes is no power of the ranks of a node, and
 * not to send inside a node the blocks that all its ranks have. */
#include "core/base/memory.h"
#include "core/cost/links.h"
#include "core/cost/machine_cost.h"
#include "internode/algorithms.h"
#include "internode/parts/gather.h"

struct nodes {
    const struct strata_topology *topology;
    int count, size; /* nodes, members of each */
    int mine, local; /* my node, my number in it */
};

/* Counted from a node on (its own members' blocks, those of the next node, ..) portion j is the
 * blocks from j * length on, `length` of them as far as there are so many. These are the portions
 * first .. first+count-1, modulo a node's members, without the first `known` blocks. */
struct portions {
    int64_t length, known;
    int first, count;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static const char *applicable(const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    if (t->largest != t->smallest) {
        return "the nodes have different numbers of ranks";
    }
    return t->largest < 2 ? "every node has one rank only" : NULL;
}

static bool is_in(const struct nodes *r, const struct portions *p, int node, int member)
{
    int64_t ahead = (r->topology->node_of[member] - node + r->count) % r->count;
    int64_t at = ahead * r->size + r->topology->local_of[member], portion = at / p->length;
    return at >= p->known && portion < r->size &&
           (portion - p->first + r->size) % r->size < p->count;
}

/* The portions counted from `node` on, as runs of members; returns how many. boxes may be NULL. */
static int list_runs(const struct nodes *r, const struct portions *p, int node,
                     struct strata_box *boxes)
{
    int runs = 0;
    bool inside = false;
    for (int member = 0; member < r->topology->ranks; member++) {
        bool before = inside;
        inside = is_in(r, p, node, member);
        runs += inside && !before;
        if (inside && boxes && !before) {
            boxes[runs - 1] = strata_gather_blocks(r->topology->ranks, member, 1);
        } else if (inside && boxes) {
            boxes[runs - 1].dim[0].length++;
        }
    }
    return runs;
}

/* A message of portions counted from the node that gets them; none where there are none. */
typedef void append_message(struct strata_builder *b, int peer, int set, enum strata_how how);

static void message(const struct nodes *r, struct strata_builder *b, append_message *append,
                    int peer, const struct portions *portions)
{
    bool sending = append == strata_build_send_blocks;
    int node = sending ? r->topology->node_of[peer] : r->mine;
    int runs = list_runs(r, portions, node, NULL);
    if (runs == 0) {
        return;
    }
    struct strata_box *boxes = strata_allocate((size_t)runs, sizeof *boxes);
    if (!boxes) {
        strata_build_no_memory(b);
        return;
    }
    list_runs(r, portions, node, boxes);
    append(b, peer, strata_build_set_of(b, boxes, runs), STRATA_AS_FITS);
    strata_release(boxes);
}

/* Member j of my node has portion j; afterwards all members have all portions. All have the first
 * `known` blocks before. */
static void gather_inside(const struct nodes *r, struct strata_builder *b, int64_t length,
                          int64_t known)
{
    for (int held = 1; held < r->size; held *= 2) {
        int after = (r->local + held) % r->size, before = (r->local - held + r->size) % r->size;
        struct portions got = {length, known, after, (int)smaller(held, r->size - held)};
        struct portions sent = {length, known, r->local, got.count};
        message(r, b, strata_build_recv_blocks, strata_topology_rank(r->topology, r->mine, after),
                &got);
        message(r, b, strata_build_send_blocks, strata_topology_rank(r->topology, r->mine, before),
                &sent);
        strata_build_wait(b, 0);
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    int me = problem->rank;
    struct nodes r = {t, t->nodes, t->largest, t->node_of[me], t->local_of[me]};
    strata_gather_begin(b, t->ranks, me);
    strata_build_phase(b, "blocks of the node");
    gather_inside(&r, b, 1, 0);
    for (int64_t held = r.size; held < t->ranks; held *= r.size) {
        int distance = (int)(r.local * (held / r.size) % r.count);
        int after = (r.mine + distance) % r.count;
        int before = (r.mine - distance + r.count) % r.count;
        struct portions portion = {held, held, r.local, 1};
        strata_build_phase(b, "%lld nodes become %lld", (long long)(held / r.size),
                           (long long)smaller(held, r.count));
        message(&r, b, strata_build_recv_blocks, strata_topology_rank(t, after, r.local), &portion);
        message(&r, b, strata_build_send_blocks, strata_topology_rank(t, before, r.local),
                &portion);
        strata_build_wait(b, 0);
        gather_inside(&r, b, held, held);
    }
}

/* The formula of local rank 1, which sends most: its portions are there in every round. */
struct parts {
    struct strata_formula inside, between;
};

static void add(struct strata_formula *f, int64_t blocks)
{
    f->rounds++;
    f->messages++;
    f->blocks += (double)blocks;
}

static struct parts parts_of(const struct strata_problem *problem)
{
    int64_t ranks = problem->topology->ranks, size = problem->topology->largest;
    struct parts p = {.inside = {.rounds = 0}, .between = {.rounds = 0}};
    for (int64_t held = 1; held < ranks; held *= size) {
        if (held > 1) {
            add(&p.between, smaller(held, ranks - held));
        }
        for (int64_t had = 1; had < size; had *= 2) {
            int64_t count = smaller(had, size - had);
            add(&p.inside, held > 1 ? smaller(ranks, (count + 1) * held) - held : count);
        }
    }
    return p;
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct parts p = parts_of(problem);
    return (struct strata_formula){p.inside.rounds + p.between.rounds,
                                   p.inside.messages + p.between.messages,
                                   p.inside.blocks + p.between.blocks, .copied = 1};
}

/* Each rank of a node but one sends to another node. */
static void cost_between(struct strata_cost *total, const struct strata_problem *problem,
                         const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    const int64_t ranks = t->ranks, size = t->largest;
    struct strata_machine contended = strata_machine_contended(machine, (double)size - 1);
    for (int64_t held = size; held < ranks; held *= size) {
        double messages = (double)smaller(size - 1, (ranks - 1) / held);
        struct strata_flat_round round = strata_onward(held, held, messages, 0);
        strata_machine_route(&contended, t, &round, messages * t->largest);
        strata_cost_stage(total, 1, (double)smaller(held, ranks - held) * problem->block_bytes,
                          &contended);
    }
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_cost total = {0};
    struct parts p = parts_of(problem);
    double bytes = problem->block_bytes;
    cost_between(&total, problem, machine);
    if (p.inside.rounds > 0) {
        struct strata_cost inside = {0};
        strata_cost_stage_node(&inside, 1, p.inside.blocks * bytes / p.inside.rounds, machine);
        strata_cost_scale(&inside, p.inside.rounds);
        strata_cost_add(&total, &inside);
    }
    strata_cost_copy(&total, bytes, 1, machine);
    return total;
}

const struct strata_algorithm strata_locality_bruck = {
    .name = "locality_bruck",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "Bruck on nodes: each rank of a node fetches from another, then they share",
    .paper = "Bienz, Gautam, Kharel, EuroMPI/USA 2022",
    .title = "A Locality-Aware Bruck Allgather",
    .restrictions = "nodes of equal size, two ranks or more on each",
    .rounds_text = "L + log_S N (1 + L) for N nodes of S ranks, where L = log2 S, logarithms "
                   "rounded up; log_S N of them are between nodes",
    .volume_text =
        "between nodes S blocks, then S^2, ..., in the last round no more than are missing; inside "
        "nodes at most P S/(S-1) if N is a power of S, else up to P log2 S",
    .scratch_text = "none, but messages of blocks that do not lie side by side are packed",
    .applicable = applicable,
    .cost = cost,
    .formula = formula,
    .build = build,
};
