#include "internode/butterfly/bine_tree.h"

#include <stdbool.h>
#include <stdint.h>

int strata_bine_depth(int ranks)
{
    int depth = 0;
    while (ranks >> depth > 1) {
        depth++;
    }
    return depth;
}

int strata_bine_children(int ranks)
{
    int depth = strata_bine_depth(ranks);
    return depth + (ranks > 1 << depth);
}

/* Places first .. first + count-1; the root is nearer to the left end, or to the right one. */
struct row {
    int first, count;
    bool left;
};

/* The number of ranks between the root and the nearer end. */
static int beside_root(int count)
{
    int half = (count + 1) / 2;
    return count == 1 ? 0 : half - 1 - beside_root(half);
}

static int root_of(struct row row)
{
    int beside = beside_root(row.count);
    return row.left ? row.first + beside : row.first + row.count - 1 - beside;
}

/* Cuts a row in two: the part that keeps the root is at the end that is nearer to it. */
static void cut(struct row row, struct row *kept, struct row *other)
{
    int half = (row.count + 1) / 2, rest = row.count / 2;
    *kept = (struct row){row.left ? row.first : row.first + rest, half, !row.left};
    *other = (struct row){row.left ? row.first + half : row.first, rest, row.left};
}

/* The whole tree as it lies around its root. */
struct whole {
    int ranks, root, root_place;
};

static int rank_at(const struct whole *w, int place)
{
    int64_t rank = (int64_t)w->root + place - w->root_place + w->ranks;
    return (int)(rank % w->ranks);
}

static struct strata_bine_subtree subtree(const struct whole *w, struct row row)
{
    return (struct strata_bine_subtree){rank_at(w, root_of(row)), rank_at(w, row.first), row.count};
}

static bool has(struct row row, int place)
{
    return place >= row.first && place < row.first + row.count;
}

struct strata_bine_node strata_bine_tree(int ranks, int root, int rank)
{
    struct row row = {0, ranks, strata_bine_children(ranks) % 2 == 1}, kept, other;
    struct whole w = {ranks, root, root_of(row)};
    int place = (int)(((int64_t)w.root_place + rank - root + ranks) % ranks);
    struct strata_bine_node node = {.parent = -1, .self = subtree(&w, row)};
    while (row.count > 1) {
        cut(row, &kept, &other);
        if (has(other, place)) {
            node.parent = rank_at(&w, root_of(row));
            node.self = subtree(&w, other);
            row = other;
        } else {
            if (node.self.rank == rank) {
                node.child[node.children++] = subtree(&w, other);
            }
            row = kept;
        }
    }
    return node;
}
