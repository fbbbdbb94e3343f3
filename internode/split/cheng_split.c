/* Exact splitters: each leader proposes the middle of its range, the splitter's leader takes the
 * weighted median of the proposals, all leaders count their items below it, and ranges shrink by at
 * least a quarter: log P rounds of four exchanges among all leaders. */
#include <string.h>

#include "internode/split/cheng.h"

/* Before a proposed item: how many items its leader still considers. */
struct proposal {
    int64_t weight;
};

static const void *item_at(const struct strata_cheng *c, int i)
{
    return c->sort->mine.bytes + c->where[i];
}

static size_t propose(const struct strata_cheng *c, int splitter, unsigned char *out)
{
    struct proposal p = {c->high[splitter] - c->low[splitter]};
    size_t size = sizeof p;
    memcpy(out, &p, sizeof p);
    if (p.weight > 0) {
        const void *item = item_at(c, (c->low[splitter] + c->high[splitter]) / 2);
        size_t more = strata_item_size(item);
        memcpy(out + size, item, more);
        size += more;
    }
    return size;
}

/* All leaders to all, by shifts: what(k) gives the bytes for leader k; those that arrive go to the
 * place of their sender's number. */
typedef size_t give_function(struct strata_cheng *c, int to, unsigned char *out);
typedef void take_function(struct strata_cheng *c, int from, const unsigned char *in, size_t size);

static int exchange(struct strata_cheng *c, give_function *give, take_function *take)
{
    unsigned char *out = c->scratch, *in = c->scratch + c->stride;
    take(c, c->me, out, give(c, c->me, out));
    for (int distance = 1; distance < c->leaders; distance++) {
        int to = (c->me + distance) % c->leaders;
        int from = (c->me - distance + c->leaders) % c->leaders;
        struct strata_items sent = {out, give(c, to, out)}, got = {in, 0};
        int error = strata_cheng_shift(c, distance, &sent, &got, c->stride);
        if (error) {
            return error;
        }
        take(c, from, in, got.size);
    }
    return 0;
}

static size_t give_proposal(struct strata_cheng *c, int to, unsigned char *out)
{
    return propose(c, to, out);
}

static void take_proposal(struct strata_cheng *c, int from, const unsigned char *in, size_t size)
{
    memcpy(c->guesses + (size_t)from * c->stride, in, size);
}

static int64_t weight_of(const struct strata_cheng *c, int leader)
{
    struct proposal p;
    memcpy(&p, c->guesses + (size_t)leader * c->stride, sizeof p);
    return p.weight;
}

static const unsigned char *proposed(const struct strata_cheng *c, int leader)
{
    return c->guesses + (size_t)leader * c->stride + sizeof(struct proposal);
}

/* The weights of the proposals below this one. */
static int64_t weight_below(const struct strata_cheng *c, int leader)
{
    int64_t below = 0;
    for (int i = 0; i < c->leaders; i++) {
        int64_t weight = weight_of(c, i);
        if (weight > 0 && i != leader &&
            strata_item_compare(c->sort->split, proposed(c, i), proposed(c, leader)) < 0) {
            below += weight;
        }
    }
    return below;
}

/* NULL: the splitter is found, so no leader proposes. */
static const unsigned char *weighted_median(const struct strata_cheng *c)
{
    int64_t all = 0;
    for (int i = 0; i < c->leaders; i++) {
        all += weight_of(c, i);
    }
    for (int i = 0; i < c->leaders; i++) {
        int64_t weight = weight_of(c, i);
        if (weight > 0) {
            int64_t below = weight_below(c, i);
            if (2 * below <= all && 2 * (below + weight) >= all) {
                return proposed(c, i);
            }
        }
    }
    return NULL;
}

static size_t give_guess(struct strata_cheng *c, int to, unsigned char *out)
{
    (void)to;
    size_t size = c->guess ? strata_item_size((const void *)c->guess) : 0;
    if (size > 0) {
        memcpy(out, c->guess, size);
    }
    return size;
}

/* Items of mine below the guess, by bisection of my range; and whether the guess is mine. */
static void take_guess(struct strata_cheng *c, int from, const unsigned char *in, size_t size)
{
    if (size == 0) {
        return;
    }
    int low = 0, high = c->items;
    while (low < high) {
        int middle = (low + high) / 2;
        bool below = strata_item_compare(c->sort->split, item_at(c, middle), in) < 0;
        *(below ? &low : &high) = below ? middle + 1 : middle;
    }
    c->cut[from] = low;
    c->own[from] = low < c->items && strata_item_compare(c->sort->split, item_at(c, low), in) == 0;
}

static size_t give_count(struct strata_cheng *c, int to, unsigned char *out)
{
    memcpy(out, &c->cut[to], sizeof(int));
    return sizeof(int);
}

static void take_count(struct strata_cheng *c, int from, const unsigned char *in, size_t size)
{
    int below;
    (void)from;
    (void)size;
    memcpy(&below, in, sizeof below);
    c->below += below;
}

static size_t give_verdict(struct strata_cheng *c, int to, unsigned char *out)
{
    int verdict = !c->guess ? 0 : (c->below > c->target) - (c->below < c->target);
    (void)to;
    memcpy(out, &verdict, sizeof verdict);
    return sizeof verdict;
}

/* Where the splitter is found the range becomes empty, at the cut. */
static void take_verdict(struct strata_cheng *c, int from, const unsigned char *in, size_t size)
{
    int verdict;
    (void)size;
    memcpy(&verdict, in, sizeof verdict);
    if (verdict < 0) {
        c->low[from] = c->cut[from] + c->own[from];
    } else if (verdict > 0) {
        c->high[from] = c->cut[from];
    } else {
        c->low[from] = c->high[from] = c->cut[from];
    }
    c->open += verdict != 0;
}

int strata_cheng_split(struct strata_cheng *c)
{
    int error = 0;
    c->target = (int64_t)c->me * c->sort->width;
    c->open = 1;
    while (!error && c->open > 0) {
        error = exchange(c, give_proposal, take_proposal);
        c->guess = error ? NULL : weighted_median(c);
        c->below = 0;
        c->open = 0;
        error = error ? error : exchange(c, give_guess, take_guess);
        error = error ? error : exchange(c, give_count, take_count);
        error = error ? error : exchange(c, give_verdict, take_verdict);
    }
    return error;
}
