#include "core/topology/torus.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#define ALLOWED                                                                                    \
    "allowed: 1 to 4 sizes with an x between them, like 8x8x4, whose product is the number of "    \
    "ranks; :mesh after them where the ends of an axis are not joined"

static int complain(const char *text, struct strata_diagnostic *message, const char *what)
{
    return strata_fail(message, STRATA_ERR_SYNTAX, "torus \"%.100s\": %s; " ALLOWED, text, what);
}

/* Reads a number from 1 to INT_MAX; 0 when there is none. */
static int read_size(const char **at)
{
    int64_t value = 0;
    while (**at >= '0' && **at <= '9' && value <= INT_MAX) {
        value = 10 * value + (*(*at)++ - '0');
    }
    return value <= INT_MAX ? (int)value : 0;
}

int strata_torus_parse(const char *text, int ranks, struct strata_torus *torus,
                       struct strata_diagnostic *message)
{
    struct strata_torus found = {0};
    const char *at = text;
    int64_t product = 1;
    do {
        at += found.ndims > 0; /* the x */
        int size = read_size(&at);
        if (size == 0) {
            return complain(text, message, "a size must be a number from 1 on");
        }
        product = product > INT_MAX ? product : product * size;
        found.size[found.ndims++] = size;
    } while (*at == 'x' && found.ndims < STRATA_TORUS_DIMS);
    found.mesh = strcmp(at, ":mesh") == 0;
    if (*at && !found.mesh) {
        return complain(text, message, *at == 'x' ? "too many sizes" : "something follows");
    }
    if (product != ranks) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "torus \"%.100s\" is not a shape of %d ranks; " ALLOWED, text, ranks);
    }
    *torus = found;
    return STRATA_OK;
}

/* Whether base^exponent >= limit. */
static bool power_reaches(int64_t base, int exponent, int64_t limit)
{
    int64_t power = 1;
    for (int i = 0; i < exponent && power < limit; i++) {
        power *= base;
    }
    return power >= limit;
}

/* Divides ranks over ndims axes of at most `most` each. The first axis is as short as can be, then
 * the second, and so on. False: no division exists. */
static bool divide(int ranks, int ndims, int most, int *size)
{
    int root = 1; /* the longest axis cannot be shorter than this */
    while (!power_reaches(root, ndims, ranks)) {
        root++;
    }
    for (int others = ranks / root; others >= 1 && ranks / others <= most; others--) {
        size[0] = ranks / others;
        if (ndims == 1 ? others == 1
                       : ranks % others == 0 && divide(others, ndims - 1, size[0], size + 1)) {
            return true;
        }
    }
    return false;
}

struct strata_torus strata_torus_balanced(int ranks, int ndims)
{
    struct strata_torus torus = {.ndims = ndims};
    divide(ranks, ndims, ranks, torus.size);
    return torus;
}
