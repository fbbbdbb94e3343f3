/* The partition rule of minimum-spanning trees on meshes and tori (internode/torus/mst_torus.c).
 *
 * The rule takes the axes in turn, the longest first. From each axis it cuts off a slab of planes
 * that the root is not in: one slab on the side where there is more room (one way), or one on each
 * side of the root (both ways). On the later axes a slab is as long as the whole box, on the
 * earlier axes as long as the rest that earlier cuts left. The slab's own root is in the root's
 * line, in the middle of the slab. So all messages of a stage go along different axes, or different
 * ways of one axis.
 *
 * The thickness of a slab comes from a counter. It runs down from N+1 (or 2N+1) to 2, first over
 * the axes and then over their second slabs. A slab has as many planes as the rest of its axis has,
 * divided by the counter: rounded down, but at least one. Only axes longer than 1 are counted.
 *
 * Two details are ours, for the paper does not give them. The paper divides the size of the axis;
 * when we cut the second slab we divide the rest of the axis. Else 27 nodes in a row would take
 * four stages, not the three that the paper promises. On a ring that is still whole the root can be
 * taken to stand where the slabs leave it. In a part of an axis the root has its place, and the
 * thicker slab goes where there is room for it. In a few small boxes neither slab fits on one side.
 * Then both slabs lie on the other side and their messages share a direction, so that sizes and
 * stages stay those of the rule. On a mesh the paper divides such an axis in two only, and begins
 * the counter one lower for each such axis. */
#include "internode/torus/mst_partition.h"

#include "internode/torus/mst_balanced.h"

int64_t strata_region_count(const struct strata_region *part)
{
    int64_t count = 1;
    for (int axis = 0; axis < STRATA_TORUS_DIMS; axis++) {
        count *= part->size[axis];
    }
    return count;
}

int strata_region_root(const struct strata_torus *torus, const struct strata_region *part)
{
    int rank = 0;
    for (int axis = 0; axis < torus->ndims; axis++) {
        int size = torus->size[axis];
        rank = rank * size + (int)(((int64_t)part->first[axis] + part->at[axis]) % size);
    }
    return rank;
}

bool strata_region_has(const struct strata_torus *torus, const struct strata_region *part, int rank)
{
    bool has = true;
    for (int axis = torus->ndims - 1; axis >= 0; axis--) {
        int size = torus->size[axis];
        int beyond = rank % size - part->first[axis];
        has = has && (beyond < 0 ? beyond + size : beyond) < part->size[axis];
        rank /= size;
    }
    return has;
}

/* Sees axis from a root that has `at` planes before it. The axis is a ring. */
static void stand(const struct strata_torus *torus, struct strata_region *part, int axis, int at)
{
    int first = part->first[axis] + part->at[axis] - at;
    part->first[axis] = (first % torus->size[axis] + torus->size[axis]) % torus->size[axis];
    part->at[axis] = at;
}

struct strata_region strata_mst_whole(const struct strata_mst_scheme *mst, int root)
{
    const struct strata_torus *torus = &mst->torus;
    struct strata_region whole = {.size = {1, 1, 1, 1}};
    for (int axis = torus->ndims - 1; axis >= 0; axis--) {
        whole.size[axis] = torus->size[axis];
        whole.at[axis] = root % torus->size[axis];
        root /= torus->size[axis];
        if (!torus->mesh) {
            stand(torus, &whole, axis, (torus->size[axis] - 1) / 2);
            whole.rings |= mst->rule == STRATA_MST_PAPER ? 1u << axis : 0;
        }
    }
    return whole;
}

int strata_mst_axes(const struct strata_region *part, int *axes)
{
    int count = 0;
    for (int axis = 0; axis < STRATA_TORUS_DIMS; axis++) {
        int place = count;
        if (part->size[axis] == 1) {
            continue;
        }
        for (; place > 0; place--) {
            int before = axes[place - 1];
            if (part->size[before] > part->size[axis] ||
                (part->size[before] == part->size[axis] && part->at[before] <= part->at[axis])) {
                break;
            }
            axes[place] = before;
        }
        axes[place] = axis;
        count++;
    }
    return count;
}

void strata_mst_cut(const struct strata_mst_scheme *mst, struct strata_mst_split *split, int axis,
                    int size, bool high)
{
    struct strata_region *rest = &split->rest, *part = &split->part[split->count++];
    int length = mst->torus.size[axis];
    rest->rings &= ~(1u << axis);
    *part = *rest;
    rest->size[axis] -= size;
    if (high) {
        part->first[axis] = (int)(((int64_t)rest->first[axis] + rest->size[axis]) % length);
    } else {
        rest->first[axis] = (int)(((int64_t)rest->first[axis] + size) % length);
        rest->at[axis] -= size;
    }
    part->size[axis] = size;
    part->at[axis] = (size - 1) / 2;
}

/* The planes before the root and after it. */
static int low_room(const struct strata_region *part, int axis)
{
    return part->at[axis];
}

static int high_room(const struct strata_region *part, int axis)
{
    return part->size[axis] - 1 - part->at[axis];
}

/* The number of planes of `size` by the rule; 0 for a single one, which is the root's. */
static int portion(int size, int counter)
{
    int planes = size / counter;
    return size > 1 && planes == 0 ? 1 : planes;
}

static void one_way(const struct strata_mst_scheme *mst, struct strata_mst_split *split)
{
    int axes[STRATA_TORUS_DIMS], count = strata_mst_axes(&split->rest, axes);
    for (int i = 0; i < count; i++) {
        int axis = axes[i];
        strata_mst_cut(mst, split, axis, portion(split->rest.size[axis], count + 1 - i),
                       high_room(&split->rest, axis) >= low_room(&split->rest, axis));
    }
}

/* The slabs of one axis, both ways: their planes, in the order of the counter. */
struct slabs {
    int first, second;
    bool halved; /* a mesh's axis whose root is not near the middle: one slab only */
};

static void find_slabs(const struct strata_region *part, const int *axes, int count,
                       struct slabs *slabs)
{
    int counter = 2 * count + 1;
    for (int i = 0; i < count; i++) {
        counter -= slabs[i].halved;
    }
    for (int i = 0; i < count; i++) {
        slabs[i].first = portion(part->size[axes[i]], counter--);
        slabs[i].second = 0;
    }
    for (int i = 0; i < count; i++) {
        if (!slabs[i].halved) {
            slabs[i].second = portion(part->size[axes[i]] - slabs[i].first, counter--);
        }
    }
}

/* The distance of the root from the middle when `low` planes before it and `high` after it are cut
 * off; -1 where these do not fit. */
static int distance(const struct strata_region *part, int axis, int low, int high)
{
    int before = low_room(part, axis) - low, after = high_room(part, axis) - high;
    return before < 0 || after < 0 ? -1 : before < after ? after - before : before - after;
}

/* Halves the axes of a mesh on which the slabs do not fit; false when all do. */
static bool halve(const struct strata_region *part, const int *axes, int count, struct slabs *slabs)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        int first = slabs[i].first, second = slabs[i].second;
        if (second > 0 && distance(part, axes[i], first, second) < 0 &&
            distance(part, axes[i], second, first) < 0) {
            slabs[i].halved = any = true;
        }
    }
    return any;
}

static void cut_axis(const struct strata_mst_scheme *mst, struct strata_mst_split *split, int axis,
                     struct slabs slabs)
{
    struct strata_region *rest = &split->rest;
    if (rest->rings >> axis & 1) {
        int left = rest->size[axis] - slabs.first - slabs.second;
        stand(&mst->torus, rest, axis, slabs.second > 0 ? slabs.first + (left - 1) / 2 : 0);
    }
    int low = distance(rest, axis, slabs.first, slabs.second); /* the first slab before the root */
    int high = distance(rest, axis, slabs.second, slabs.first);
    bool above = high_room(rest, axis) >= low_room(rest, axis);
    if (slabs.second == 0) {
        strata_mst_cut(mst, split, axis, slabs.first, above);
    } else if (low < 0 && high < 0) {
        strata_mst_cut(mst, split, axis, slabs.second, above);
        strata_mst_cut(mst, split, axis, slabs.first, above);
    } else {
        bool first_low = high < 0 || (low >= 0 && low <= high);
        strata_mst_cut(mst, split, axis, slabs.first, !first_low);
        strata_mst_cut(mst, split, axis, slabs.second, first_low);
    }
}

static void both_ways(const struct strata_mst_scheme *mst, struct strata_mst_split *split)
{
    int axes[STRATA_TORUS_DIMS], count = strata_mst_axes(&split->rest, axes);
    struct slabs slabs[STRATA_TORUS_DIMS] = {{0}};
    do {
        find_slabs(&split->rest, axes, count, slabs);
    } while (mst->torus.mesh && halve(&split->rest, axes, count, slabs));
    for (int i = 0; i < count; i++) {
        cut_axis(mst, split, axes[i], slabs[i]);
    }
}

/* The root's range is where the root is. */
static void line(const struct strata_mst_scheme *mst, struct strata_mst_split *split)
{
    int64_t size = split->rest.size[0], at = split->rest.at[0];
    int parts = size < mst->parts ? (int)size : mst->parts, mine = 0;
    for (; size * (mine + 1) / parts <= at; mine++) {
        int planes = (int)(size * (mine + 1) / parts - size * mine / parts);
        strata_mst_cut(mst, split, 0, planes, false);
    }
    for (int i = parts - 1; i > mine; i--) {
        int planes = (int)(size * (i + 1) / parts - size * i / parts);
        strata_mst_cut(mst, split, 0, planes, true);
    }
}

void strata_mst_divide(const struct strata_mst_scheme *mst, const struct strata_region *whole,
                       struct strata_mst_split *split)
{
    split->count = 0;
    split->rest = *whole;
    if (mst->rule == STRATA_MST_LINE) {
        line(mst, split);
    } else if (mst->rule == STRATA_MST_BALANCED) {
        strata_mst_balance(mst, whole, split);
    } else if (mst->ways == 1) {
        one_way(mst, split);
    } else {
        both_ways(mst, split);
    }
}
