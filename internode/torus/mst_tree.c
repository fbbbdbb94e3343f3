#include "internode/torus/mst_tree.h"

/* The rank is the root of `part`: its children are the other parts, again and again. */
static void descend(const struct strata_mst_scheme *mst, struct strata_region part,
                    struct strata_mst_tree *tree)
{
    struct strata_mst_split split;
    tree->mine = part;
    tree->begin[0] = 0;
    for (strata_mst_divide(mst, &part, &split); split.count > 0;
         strata_mst_divide(mst, &part, &split)) {
        int children = tree->begin[tree->stages];
        for (int i = 0; i < split.count; i++) {
            tree->child[children++] = split.part[i];
        }
        tree->begin[++tree->stages] = children;
        part = split.rest;
    }
}

void strata_mst_walk(const struct strata_mst_scheme *mst, int root, int me,
                     struct strata_mst_tree *tree)
{
    struct strata_region part = strata_mst_whole(mst, root);
    struct strata_mst_split split;
    tree->torus = mst->torus;
    tree->parent = -1;
    tree->stages = 0;
    while (strata_region_root(&mst->torus, &part) != me) {
        int above = strata_region_root(&mst->torus, &part);
        strata_mst_divide(mst, &part, &split);
        part = split.rest;
        for (int i = 0; i < split.count; i++) {
            if (strata_region_has(&mst->torus, &split.part[i], me)) {
                part = split.part[i];
                tree->parent = above;
            }
        }
    }
    descend(mst, part, tree);
}

int strata_mst_widest(const struct strata_mst_tree *tree)
{
    int widest = 0;
    for (int stage = 0; stage < tree->stages; stage++) {
        int children = tree->begin[stage + 1] - tree->begin[stage];
        widest = children > widest ? children : widest;
    }
    return widest;
}

void strata_mst_stage(const struct strata_mst_messages *m, struct strata_builder *b, int stage,
                      bool down)
{
    const struct strata_mst_tree *tree = m->tree;
    for (int i = tree->begin[stage]; i < tree->begin[stage + 1]; i++) {
        const struct strata_region *child = &tree->child[i];
        int peer = strata_region_root(&tree->torus, child);
        int set = m->set(m, b, child);
        (down ? strata_build_send_blocks : strata_build_recv_blocks)(b, peer, set, STRATA_AS_FITS);
    }
}

void strata_mst_down(const struct strata_mst_messages *m, struct strata_builder *b)
{
    const struct strata_mst_tree *tree = m->tree;
    if (tree->parent >= 0) {
        strata_build_recv_blocks(b, tree->parent, m->set(m, b, &tree->mine), STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
    for (int stage = 0; stage < tree->stages; stage++) {
        strata_mst_stage(m, b, stage, true);
        strata_build_wait(b, 0);
    }
}

void strata_mst_up(const struct strata_mst_messages *m, struct strata_builder *b)
{
    const struct strata_mst_tree *tree = m->tree;
    for (int stage = tree->stages - 1; stage >= 0; stage--) {
        strata_mst_stage(m, b, stage, false);
        strata_build_wait(b, 0);
    }
    if (tree->parent >= 0) {
        strata_build_send_blocks(b, tree->parent, m->set(m, b, &tree->mine), STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

struct strata_mst_position strata_mst_position_all(enum strata_store store, int space, int origin)
{
    return (struct strata_mst_position){store, space, origin, .axis = 0, .from = -1};
}

/* Ranks between neighbours on an axis. */
static int stride_of(const struct strata_torus *torus, int axis)
{
    int stride = 1;
    for (int after = axis + 1; after < torus->ndims; after++) {
        stride *= torus->size[after];
    }
    return stride;
}

struct strata_mst_position strata_mst_position_part(const struct strata_torus *torus,
                                                    const struct strata_region *part,
                                                    struct strata_blocks *blocks)
{
    struct strata_mst_position place = {.store = STRATA_WORK, .from = -1};
    int last = torus->ndims - 1, first = 0;
    while (place.axis < last && part->size[place.axis] == 1) {
        first += part->first[place.axis] * stride_of(torus, place.axis);
        place.axis++;
    }
    int axis = place.axis, length = torus->size[axis], stride = stride_of(torus, axis);
    /* Work blocks follow each other as ranks do, so only on the first axis can they begin anywhere;
     * and parts of a whole ring may lie across its end. */
    bool whole = part->size[axis] == length;
    if (!whole && (axis == 0 || part->first[axis] <= length - part->size[axis])) {
        place.from = part->first[axis];
        first += place.from * stride;
        length = part->size[axis];
    }
    place.space = blocks->work = length * stride;
    blocks->work_first = first;
    return place;
}

struct strata_box strata_mst_position_box(const struct strata_mst_position *place,
                                          const struct strata_torus *torus,
                                          const struct strata_region *part)
{
    struct strata_box box = {.space = place->space, .origin = place->origin, .limit = place->space};
    box.store = (int16_t)place->store;
    for (int axis = place->axis; axis < torus->ndims; axis++) {
        int start = part->first[axis], extent = torus->size[axis];
        if (axis == place->axis && place->from >= 0) {
            start = start < place->from ? start + extent - place->from : start - place->from;
            extent = 0;
        }
        box.dim[box.ndims++] =
            (struct strata_dim){start, part->size[axis], stride_of(torus, axis), extent};
    }
    return box;
}
