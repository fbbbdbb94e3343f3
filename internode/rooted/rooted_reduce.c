/* Reductions on a tree. The results of the children of one weight are received side by side. Then
 * this rank's operands are combined into the first of them, that into the second, and so on: lower
 * ranks are always on the left, and nothing is copied. `held` is the place of the result then; the
 * next weight uses the other places. */
#include "internode/rooted/rooted_reduce.h"

#include "internode/rooted/rooted_tree.h"

static int vector_set(struct strata_builder *b, enum strata_store store)
{
    return strata_build_item(b, store, 1, 0);
}

struct reducing {
    struct strata_rooted_tree t;
    bool delivers; /* the last result of all goes to the output */
    int work;      /* places */
};

static bool is_last(const struct strata_rooted_tree *t, int64_t weight)
{
    return weight * t->radix >= t->span || t->member + weight * t->radix >= t->ranks;
}

/* The number of places that the reduction takes. */
static int count_places(const struct strata_rooted_tree *t, bool delivers)
{
    int stages = 0, last = 0;
    for (int64_t weight = 1; weight < t->span && strata_rooted_children(t, weight) > 0;
         weight *= t->radix) {
        last = strata_rooted_children(t, weight) - (delivers && is_last(t, weight));
        stages++;
    }
    return stages <= 1 ? last : t->radix - (stages == 2 && last == 0);
}

/* Where the result of child `number` is received. */
static int place_set(const struct reducing *r, int64_t weight, int held, int number)
{
    const struct strata_rooted_tree *t = &r->t;
    if (r->delivers && is_last(t, weight) && number == strata_rooted_children(t, weight)) {
        return vector_set(t->b, STRATA_OUTPUT);
    }
    struct strata_box box = strata_box_item(r->work, (held + number) % t->radix);
    return strata_build_set(t->b, strata_box_in(STRATA_WORK, box));
}

/* Reduces my part; the set that the result is in. */
static int reduce_part(const struct reducing *r)
{
    const struct strata_rooted_tree *t = &r->t;
    int result = vector_set(t->b, STRATA_INPUT), held = -1;
    for (int64_t weight = 1; weight < t->span && strata_rooted_children(t, weight) > 0;
         weight *= t->radix) {
        int count = strata_rooted_children(t, weight);
        for (int i = 1; i <= count; i++) {
            strata_build_recv_blocks(t->b, strata_rooted_child(t, weight, i),
                                     place_set(r, weight, held, i), STRATA_AS_FITS);
        }
        strata_build_wait(t->b, 0);
        for (int i = 1; i <= count; i++) {
            int higher = place_set(r, weight, held, i);
            strata_build_reduce(t->b, result, higher);
            result = higher;
        }
        held = (held + count) % t->radix;
    }
    return result;
}

static void hand_over(const struct strata_problem *problem, int result, struct strata_builder *b)
{
    int top = strata_rooted_top(problem);
    if (problem->rank == top && top != problem->root) {
        strata_build_phase(b, "to the root");
        strata_build_send_blocks(b, problem->root, result, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    } else if (problem->rank == problem->root && top != problem->root) {
        strata_build_phase(b, "from rank 0");
        strata_build_recv_blocks(b, top, vector_set(b, STRATA_OUTPUT), STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

void strata_rooted_reduce(const struct strata_problem *problem, int radix, struct strata_builder *b)
{
    struct reducing r = {.t = strata_rooted_of(problem, strata_rooted_top(problem), radix, b)};
    bool direct = strata_rooted_top(problem) == problem->root;
    r.delivers = r.t.member == 0 && direct;
    r.work = count_places(&r.t, r.delivers);
    /* With one stage the output is written while the root's input is still needed. */
    strata_build_blocks(b, (struct strata_blocks){.count = 1,
                                                  .work = r.work,
                                                  .keeps_input = direct && r.t.ranks <= radix});
    if (strata_rooted_part(&r.t, 0, r.t.span) > 1) {
        strata_build_phase(b, "from the children");
    }
    int result = reduce_part(&r);
    if (r.t.ranks == 1) {
        strata_build_copy(b, result, vector_set(b, STRATA_OUTPUT));
    }
    if (r.t.member > 0) {
        strata_build_phase(b, "to the parent");
        strata_build_send_blocks(b, strata_rooted_parent(&r.t), result, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
    hand_over(problem, result, b);
}
