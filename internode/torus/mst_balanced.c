/* The balanced rule: parts as large as the remaining stages can finish.
 *
 * The paper's slabs have fixed shares, so some parts are finished early and others late. Here a box
 * that s stages are known to finish is divided so that s-1 stages finish every part, with no part
 * larger than it needs to be for that. Parts are cut off in three ways:
 *
 *   slabs     one on each side of the root (one way: on one side), on one axis after the other, the
 *             longest first
 *   pinwheel  in the plane of two axes, four arms that turn around the root's part, each as long as
 *             the plane less the width of the next. Here two arms along one axis (a, c) are p = 3
 *             wide, and two along the other (b, d) q = 3 wide:
 *                 a a a a a b b b
 *                 a a a a a b b b
 *                 a a a a a b b b
 *                 d d d . . b b b
 *                 d d d . . b b b
 *                 d d d c c c c c
 *                 d d d c c c c c
 *                 d d d c c c c c
 *   both      a pinwheel in two of the axes, slabs on the others before it or after it
 *
 * Slabs are preferred. On a torus the middle of every slab lies in the root's line. The root of an
 * arm is in the arm's middle too, which that line may miss. Then a message leaves along its own
 * axis and turns inside its own part. So the messages of a stage still leave in different
 * directions, and meet nowhere if routes follow the axis of their part first. On a mesh, boxes
 * whose root is not in the middle are divided into slabs only.
 *
 * Trials find the number of stages that a box needs; a small table keeps the results. Two bounds
 * keep trials short. First, s stages, both ways in n axes, serve at most 3 (2n+1)^(s-1) ranks (one
 * way 2 (n+1)^(s-1)), since the last stage serves lines of three (pairs). Second, s stages are
 * enough when dividing the axes one by one in three (two) takes no more.
 *
 * No rule that sends along axes only can always reach ceil(log_(2N+1) P). On 5x5 two stages would
 * have to reach exactly 25 ranks. But after the first stage informed ranks are in at most three
 * rows and three columns, and the four ranks in none of them are out of reach. */
#include <string.h>

#include "core/base/memory.h"
#include "internode/torus/mst_balanced.h"

/* A box, its axes the longest first, and how many stages have been tried. */
struct strata_mst_known {
    int size[STRATA_TORUS_DIMS], at[STRATA_TORUS_DIMS];
    int too_few, enough; /* enough is 0 where not known */
};

int strata_mst_open(struct strata_mst_scheme *mst)
{
    enum { FEWEST = 512, MOST = 1 << 14 };
    int ranks = 1;
    for (int axis = 0; axis < mst->torus.ndims; axis++) {
        ranks *= mst->torus.size[axis];
    }
    mst->known = NULL;
    mst->nknown = ranks < FEWEST ? FEWEST : ranks < MOST ? ranks : MOST;
    if (mst->rule == STRATA_MST_BALANCED) {
        mst->known = strata_allocate((size_t)mst->nknown, sizeof *mst->known);
    }
    return mst->known || mst->rule != STRATA_MST_BALANCED ? STRATA_OK : STRATA_ERR_MEMORY;
}

void strata_mst_close(struct strata_mst_scheme *mst)
{
    strata_release(mst->known);
    mst->known = NULL;
}

static bool can(const struct strata_mst_scheme *mst, const struct strata_region *part, int stages);

/* A try: the parts cut off so far from a box that must be finished in `stages` more stages after
 * this one, in parts of at most `largest` ranks. */
struct attempt {
    const struct strata_mst_scheme *mst;
    int stages;
    int64_t largest;
    bool straight; /* slabs only */
    struct strata_mst_split split;
};

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The box of `part`, so long on one axis, with its root in the middle. */
static struct strata_region sized(const struct strata_region *part, int axis, int size)
{
    struct strata_region box = *part;
    box.size[axis] = size;
    for (int i = 0; i < STRATA_TORUS_DIMS; i++) {
        box.at[i] = (box.size[i] - 1) / 2;
    }
    return box;
}

/* Whether a part so long on this axis, like `part` on the others, is small enough. */
static bool allowed(const struct attempt *a, const struct strata_region *part, int axis, int size)
{
    struct strata_region box = sized(part, axis, size);
    return strata_region_count(&box) <= a->largest && can(a->mst, &box, a->stages);
}

/* The most planes, up to `limit`, that such a part can have. */
static int thickest(const struct attempt *a, const struct strata_region *part, int axis, int limit)
{
    int good = 0;
    while (good < limit) {
        int middle = good + (limit - good + 1) / 2;
        if (allowed(a, part, axis, middle)) {
            good = middle;
        } else {
            limit = middle - 1;
        }
    }
    return good;
}

/* Cuts off planes, if any. Both ways, the root of the part is put in its middle. */
static void cut(struct attempt *a, int axis, int size, bool high)
{
    if (size > 0) {
        strata_mst_cut(a->mst, &a->split, axis, size, high);
        struct strata_region *part = &a->split.part[a->split.count - 1];
        *part = a->mst->ways == 1 ? *part : sized(part, axis, size);
    }
}

static void slabs(struct attempt *a, int axis)
{
    const struct strata_region *rest = &a->split.rest;
    int low = rest->at[axis], high = rest->size[axis] - 1 - low;
    if (a->mst->ways == 1) {
        cut(a, axis, thickest(a, rest, axis, rest->size[axis] / 2), high >= low);
        return;
    }
    int planes = thickest(a, rest, axis, most(low, high));
    cut(a, axis, least(planes, low), false);
    cut(a, axis, least(planes, high), true);
}

/* Cuts slabs on these axes; returns whether the rest can be finished then. */
static bool finish(struct attempt *a, const int *axes, int count)
{
    for (int i = 0; i < count; i++) {
        slabs(a, axes[i]);
    }
    return can(a->mst, &a->split.rest, a->stages);
}

/* An arm: `planes` of one axis at its low or high end, and on the other axis the planes up to
 * `past` planes from the other end. */
struct arm {
    int axis, planes, other, past;
    bool high;
};

static void cut_arm(struct attempt *a, const struct strata_region *whole, struct arm arm)
{
    const int *length = a->mst->torus.size;
    int length_other = whole->size[arm.other] - arm.past;
    struct strata_region part = sized(whole, arm.axis, arm.planes);
    part = sized(&part, arm.other, length_other);
    int beyond = arm.high ? whole->size[arm.axis] - arm.planes : 0;
    part.first[arm.axis] = (int)(((int64_t)part.first[arm.axis] + beyond) % length[arm.axis]);
    beyond = arm.high == (arm.axis < arm.other) ? arm.past : 0; /* all turn the same way */
    part.first[arm.other] = (int)(((int64_t)part.first[arm.other] + beyond) % length[arm.other]);
    a->split.part[a->split.count++] = part;
}

/* Whether the root is in the middle, or one off where there is none. */
static bool central(const struct strata_region *part, int axis)
{
    int off = 2 * part->at[axis] - (part->size[axis] - 1);
    return off >= -1 && off <= 1;
}

/* Four arms in the plane of two axes: those along the first are p wide, the others as wide as
 * can be with that. False if there are none. */
static bool pinwheel(struct attempt *a, const int *axes, int p)
{
    struct strata_region whole = a->split.rest, *rest = &a->split.rest;
    int x = axes[0], y = axes[1];
    struct strata_region crossing = sized(&whole, x, whole.size[x] - p);
    int q = thickest(a, &crossing, y, (whole.size[y] - 1) / 2);
    struct strata_region along = sized(&whole, y, whole.size[y] - q);
    if (q == 0 || !allowed(a, &along, x, p)) {
        return false;
    }
    cut_arm(a, &whole, (struct arm){x, p, y, q, false});
    cut_arm(a, &whole, (struct arm){x, p, y, q, true});
    cut_arm(a, &whole, (struct arm){y, q, x, p, false});
    cut_arm(a, &whole, (struct arm){y, q, x, p, true});
    for (int i = 0; i < 2; i++) {
        int axis = axes[i], width = i == 0 ? p : q, length = a->mst->torus.size[axis];
        rest->first[axis] = (int)(((int64_t)rest->first[axis] + width) % length);
        rest->size[axis] -= 2 * width;
        rest->at[axis] -= width;
    }
    return true;
}

/* A pinwheel in the first two axes and slabs on the others, before it or after it. Of its widths
 * the largest that there are arms for is taken: with a smaller one, more would be left. */
static bool turn(struct attempt *a, const int *axes, int count, bool before)
{
    const struct strata_region *rest = &a->split.rest;
    bool good = false;
    for (int i = 2; before && i < count; i++) {
        slabs(a, axes[i]);
    }
    if (central(rest, axes[0]) && central(rest, axes[1])) {
        for (int p = (rest->size[axes[0]] - 1) / 2; p > 0 && !good; p--) {
            good = pinwheel(a, axes, p);
        }
    }
    return good && finish(a, axes + 2, before ? 0 : count - 2);
}

/* Tries turn for every two of the axes. */
static bool turn_any(struct attempt *a, const struct strata_region *whole, const int *axes,
                     int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            int order[STRATA_TORUS_DIMS] = {axes[i], axes[j]}, used = 2;
            for (int k = 0; k < count; k++) {
                if (k != i && k != j) {
                    order[used++] = axes[k];
                }
            }
            for (int before = count > 2; before >= 0; before--) {
                a->split.rest = *whole;
                a->split.count = 0;
                if (turn(a, order, count, before)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool divided(struct attempt *a, const struct strata_region *whole)
{
    int axes[STRATA_TORUS_DIMS], count = strata_mst_axes(whole, axes);
    a->split.rest = *whole;
    a->split.count = 0;
    return finish(a, axes, count) ||
           (a->mst->ways == 2 && !a->straight && turn_any(a, whole, axes, count));
}

/* With slabs only, if that will do. */
static bool divided_any(struct attempt *a, const struct strata_region *whole)
{
    a->straight = true;
    if (!divided(a, whole)) {
        a->straight = false;
        return divided(a, whole);
    }
    return true;
}

/* The least x with base^x >= size. */
static int digits(int size, int base)
{
    int count = 0;
    for (int64_t reach = 1; reach < size; reach *= base) {
        count++;
    }
    return count;
}

/* 0: too few stages, 1: enough, -1: not known without trying. */
static int plain_answer(const struct strata_mst_scheme *mst, const struct strata_region *part,
                        int stages)
{
    int axes[STRATA_TORUS_DIMS], count = strata_mst_axes(part, axes), sum = 0;
    int64_t bound = mst->ways + 1, ranks = strata_region_count(part);
    for (int i = 0; i < count; i++) {
        bool thirds = mst->ways == 2 && central(part, axes[i]);
        sum += digits(part->size[axes[i]], thirds ? 3 : 2);
    }
    if (sum <= stages) {
        return 1;
    }
    for (int stage = 1; stage < stages && bound < ranks; stage++) {
        bound *= mst->ways * count + 1;
    }
    return stages <= 0 || bound < ranks ? 0 : -1;
}

/* The entry for boxes like this one; a new entry replaces an old one. */
static struct strata_mst_known *known(const struct strata_mst_scheme *mst,
                                      const struct strata_region *part)
{
    int axes[STRATA_TORUS_DIMS], count = strata_mst_axes(part, axes);
    struct strata_mst_known box = {.too_few = 0};
    uint32_t hash = 0;
    for (int i = 0; i < count; i++) {
        box.size[i] = part->size[axes[i]];
        box.at[i] = mst->ways == 1 ? 0 : part->at[axes[i]];
        hash = (hash ^ (uint32_t)box.size[i]) * 0x9e3779b1u + (uint32_t)box.at[i];
    }
    struct strata_mst_known *entry = &mst->known[(hash ^ hash >> 15) % (uint32_t)mst->nknown];
    if (memcmp(entry->size, box.size, sizeof box.size) != 0 ||
        memcmp(entry->at, box.at, sizeof box.at) != 0) {
        *entry = box;
    }
    return entry;
}

static bool can(const struct strata_mst_scheme *mst, const struct strata_region *part, int stages)
{
    int answer = plain_answer(mst, part, stages);
    if (answer >= 0) {
        return answer;
    }
    const struct strata_mst_known *entry = known(mst, part);
    if (stages <= entry->too_few || (entry->enough > 0 && stages >= entry->enough)) {
        return stages > entry->too_few;
    }
    struct attempt a = {.mst = mst, .stages = stages - 1, .largest = INT64_MAX};
    bool good = divided(&a, part);
    struct strata_mst_known *now = known(mst, part);
    if (good) {
        now->enough = now->enough > 0 ? least(now->enough, stages) : stages;
    } else {
        now->too_few = most(now->too_few, stages);
    }
    return good;
}

static int64_t largest_part(const struct strata_mst_split *split)
{
    int64_t largest = 0;
    for (int i = 0; i < split->count; i++) {
        int64_t count = strata_region_count(&split->part[i]);
        largest = count > largest ? count : largest;
    }
    return largest;
}

void strata_mst_balance(const struct strata_mst_scheme *mst, const struct strata_region *whole,
                        struct strata_mst_split *split)
{
    struct attempt a = {.mst = mst, .largest = INT64_MAX};
    int64_t ranks = strata_region_count(whole);
    if (ranks == 1) {
        return;
    }
    while (!can(mst, whole, a.stages + 1) || !divided_any(&a, whole)) {
        a.stages++;
    }
    *split = a.split;
    int64_t high = largest_part(split), low = ranks / (split->count + 1);
    while (high - low > high / 8) {
        a.largest = low + (high - low) / 2;
        if (divided(&a, whole)) {
            *split = a.split;
            high = largest_part(split);
        } else {
            low = a.largest + 1;
        }
    }
}
