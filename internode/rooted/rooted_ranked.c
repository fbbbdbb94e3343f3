/* Gather and scatter on a tree: a rank holds the blocks of its part, and no others. */
#include "internode/rooted/rooted_ranked.h"

#include "internode/rooted/rooted_tree.h"

static int my_block(const struct strata_rooted_tree *t, enum strata_store store)
{
    return strata_build_item(t->b, store, t->ranks, t->rank);
}

/* The blocks of `count` members from `offset` after me on: in the root's own buffer, else in
 * work. */
static int part_set(const struct strata_rooted_tree *t, enum strata_store at_root, int64_t offset,
                    int count)
{
    if (t->member == 0) {
        struct strata_box box = strata_box_range(t->ranks, strata_rooted_rank(t, offset), count);
        return strata_build_set(t->b, strata_box_in(at_root, box));
    }
    struct strata_box box = strata_box_range(strata_rooted_part(t, 0, t->span), (int)offset, count);
    return strata_build_set(t->b, strata_box_in(STRATA_WORK, box));
}

static void build_ranked_blocks(const struct strata_rooted_tree *t)
{
    int held = strata_rooted_part(t, 0, t->span);
    bool works = t->member > 0 && held > 1;
    strata_build_blocks(t->b, (struct strata_blocks){.count = t->ranks,
                                                     .work = works ? held : 0,
                                                     .work_first = works ? t->rank : 0});
}

/* One message for each child at this weight, with the blocks of its part. */
static void move_parts(const struct strata_rooted_tree *t, enum strata_store at_root,
                       int64_t weight)
{
    int count = strata_rooted_children(t, weight);
    for (int i = 1; i <= count; i++) {
        int set = part_set(t, at_root, i * weight, strata_rooted_part(t, i * weight, weight));
        if (at_root == STRATA_INPUT) {
            strata_build_send_blocks(t->b, strata_rooted_child(t, weight, i), set, STRATA_AS_FITS);
        } else {
            strata_build_recv_blocks(t->b, strata_rooted_child(t, weight, i), set, STRATA_AS_FITS);
        }
    }
    if (count > 0) {
        strata_build_wait(t->b, 0);
    }
}

void strata_rooted_gather(const struct strata_problem *problem, int radix, struct strata_builder *b)
{
    struct strata_rooted_tree t = strata_rooted_of(problem, problem->root, radix, b);
    int held = strata_rooted_part(&t, 0, t.span);
    build_ranked_blocks(&t);
    int mine = my_block(&t, STRATA_INPUT);
    if (t.member == 0 || held > 1) {
        strata_build_phase(b, "my block");
        strata_build_copy(b, mine, part_set(&t, STRATA_OUTPUT, 0, 1));
        mine = part_set(&t, STRATA_OUTPUT, 0, held);
    }
    if (held > 1) {
        strata_build_phase(b, "from the children");
    }
    for (int64_t weight = 1; weight < t.span; weight *= radix) {
        move_parts(&t, STRATA_OUTPUT, weight);
    }
    if (t.member > 0) {
        strata_build_phase(b, "to the parent");
        strata_build_send_blocks(b, strata_rooted_parent(&t), mine, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

void strata_rooted_scatter(const struct strata_problem *problem, int radix,
                           struct strata_builder *b)
{
    struct strata_rooted_tree t = strata_rooted_of(problem, problem->root, radix, b);
    int held = strata_rooted_part(&t, 0, t.span);
    bool leaf = t.member > 0 && held == 1;
    build_ranked_blocks(&t);
    if (t.member > 0) {
        int mine = leaf ? my_block(&t, STRATA_OUTPUT) : part_set(&t, STRATA_INPUT, 0, held);
        strata_build_phase(b, "from the parent");
        strata_build_recv_blocks(b, strata_rooted_parent(&t), mine, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
    if (held > 1) {
        strata_build_phase(b, "to the children");
    }
    for (int64_t weight = t.span / radix; weight > 0; weight /= radix) {
        move_parts(&t, STRATA_INPUT, weight);
    }
    if (!leaf) {
        strata_build_phase(b, "my block");
        strata_build_copy(b, part_set(&t, STRATA_INPUT, 0, 1), my_block(&t, STRATA_OUTPUT));
    }
}
