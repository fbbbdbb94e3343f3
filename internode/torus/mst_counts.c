/* Counts of a tree. The counts below a part follow from its sizes and from its root's place, and
 * parts of few kinds come again and again. So each kind is counted once, as long as the table has
 * an entry free for it. */
#include "internode/torus/mst_counts.h"

#include <string.h>

enum { KINDS = 128 };

/* A part, as far as the rules look at it: its axes, the longest first. */
struct kind {
    int size[STRATA_TORUS_DIMS], at[STRATA_TORUS_DIMS];
    unsigned rings;
};

struct count {
    const struct strata_mst_scheme *mst;
    double weight;
    struct {
        struct kind kind;
        struct strata_mst_counts counts;
    } known[KINDS];
};

static struct kind kind_of(const struct strata_region *part)
{
    struct kind kind = {.rings = 0};
    int axes[STRATA_TORUS_DIMS], count = strata_mst_axes(part, axes);
    for (int i = 0; i < count; i++) {
        kind.size[i] = part->size[axes[i]];
        kind.at[i] = part->at[axes[i]];
        kind.rings |= (part->rings >> axes[i] & 1) << i;
    }
    return kind;
}

static int place_of(const struct kind *kind)
{
    uint32_t hash = kind->rings;
    for (int i = 0; i < STRATA_TORUS_DIMS; i++) {
        hash = (hash ^ (uint32_t)kind->size[i]) * 0x9e3779b1u + (uint32_t)kind->at[i];
    }
    return (int)((hash ^ hash >> 15) % KINDS);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Adds the counts of another rank, which has `part` ranks in its part, to `f`. */
static void add_other(struct strata_mst_counts *f, const struct strata_mst_counts *other,
                      int64_t part, double weight)
{
    f->others_send = (int)larger(f->others_send, larger(other->sends, other->others_send));
    f->handed = (int)larger(f->handed, other->sends + other->handed);
    f->blocks = (int64_t)larger((double)f->blocks, (double)(part - 1 + other->blocks));
    f->load = larger(f->load, larger(other->load, (double)part + weight * other->sends));
    f->others_left = f->others_left || other->left || other->others_left;
    f->largest = part > f->largest ? part : f->largest;
}

static struct strata_mst_counts count_part(struct count *c, const struct strata_region *part);

static struct strata_mst_counts count_new(struct count *c, const struct strata_region *whole)
{
    struct strata_mst_counts f = {0};
    struct strata_mst_split split;
    int root = strata_region_root(&c->mst->torus, whole), stages = -1;
    strata_mst_divide(c->mst, whole, &split);
    if (split.count > 0) {
        f = count_part(c, &split.rest);
        stages = f.stages;
    }
    bool innermost = strata_region_count(&split.rest) == 1;
    f.left = innermost ? split.count > 0 : f.left;
    for (int i = 0; i < split.count; i++) {
        struct strata_mst_counts other = count_part(c, &split.part[i]);
        add_other(&f, &other, strata_region_count(&split.part[i]), c->weight);
        stages = other.stages > stages ? other.stages : stages;
        f.path = other.path > f.path ? other.path : f.path;
        f.left =
            f.left && (!innermost || strata_region_root(&c->mst->torus, &split.part[i]) < root);
    }
    f.path += split.count;
    f.sends += split.count;
    f.stages = stages + 1;
    return f;
}

static struct strata_mst_counts count_part(struct count *c, const struct strata_region *part)
{
    struct kind kind = kind_of(part);
    int place = place_of(&kind);
    if (kind.size[0] == 0) {
        return (struct strata_mst_counts){0};
    }
    if (memcmp(&c->known[place].kind, &kind, sizeof kind) != 0) {
        struct strata_mst_counts counts = count_new(c, part);
        c->known[place].kind = kind;
        c->known[place].counts = counts;
    }
    return c->known[place].counts;
}

struct strata_mst_counts strata_mst_count(const struct strata_mst_scheme *mst, int root,
                                          double weight)
{
    struct count count = {.mst = mst, .weight = weight};
    struct strata_region whole = strata_mst_whole(mst, root);
    return count_part(&count, &whole);
}
