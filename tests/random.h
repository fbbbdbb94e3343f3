/* Random numbers from a seed, and random datatypes, for tests. */
#ifndef STRATA_TESTS_RANDOM_H
#define STRATA_TESTS_RANDOM_H

#include <stdint.h>
#include <string.h>

#include "core/base/error.h"
#include "core/engine/layout.h"

/* Splitmix64: any seed will do, and the same seed gives the same numbers on all machines. */
struct random {
    uint64_t state;
};

static inline uint64_t random_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t random_next(struct random *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    return random_mix(r->state);
}

/* 0 .. n-1 */
static inline int random_below(struct random *r, int n)
{
    return (int)(random_next(r) % (uint64_t)n);
}

/* least .. most */
static inline int random_between(struct random *r, int least, int most)
{
    return least + random_below(r, most - least + 1);
}

static inline bool random_one_in(struct random *r, int n)
{
    return random_below(r, n) == 0;
}

static inline void random_shuffle(struct random *r, int *values, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = random_below(r, i + 1), other = values[j];
        values[j] = values[i];
        values[i] = other;
    }
}

/* Gives each rank a node. No node stays empty; where the ranks divide by the nodes and `even` is
 * set, all nodes have as many. */
static inline void random_nodes(struct random *r, int ranks, int nodes, bool even, int *node)
{
    for (int rank = 0; rank < ranks; rank++) {
        node[rank] = rank < nodes || even ? rank % nodes : random_below(r, nodes);
    }
    random_shuffle(r, node, ranks);
}

#define RANDOM_PIECES 8

/* Cuts `size` > 0 bytes into at most RANDOM_PIECES pieces without overlap, with gaps between them,
 * in any order of memory, anywhere around the origin. Returns their number. *low is the offset of
 * the first byte, *high the one after the last. */
static inline size_t random_pieces(struct random *r, int size, struct strata_piece *pieces,
                                   ptrdiff_t *low, ptrdiff_t *high)
{
    int count = random_between(r, 1, size < RANDOM_PIECES ? size : RANDOM_PIECES);
    int order[RANDOM_PIECES];
    for (int i = 0; i < count; i++) {
        order[i] = i;
        pieces[i].length = 1;
    }
    for (int left = size - count; left > 0;) {
        int more = random_between(r, 1, left);
        pieces[random_below(r, count)].length += (size_t)more;
        left -= more;
    }
    if (random_one_in(r, 2)) {
        random_shuffle(r, order, count);
    }
    *low = random_between(r, -16, 16);
    *high = *low;
    for (int i = 0; i < count; i++) {
        *high += random_one_in(r, 3) ? random_between(r, 1, 9) : 0;
        pieces[order[i]].offset = *high;
        *high += (ptrdiff_t)pieces[order[i]].length;
    }
    return (size_t)count;
}

#endif
