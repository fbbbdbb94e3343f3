/* A topology's text, read (topology_text.c) but not yet applied to ranks (topology_deal.c). */
#ifndef STRATA_CORE_TOPOLOGY_TOPOLOGY_LEVELS_H
#define STRATA_CORE_TOPOLOGY_TOPOLOGY_LEVELS_H

#include <stdbool.h>

#include "core/topology/topology.h"

/* One row declares a level, from the largest on: its word, another word for it, and whether sizes
 * and order may be given. Behind NODE stand the inner levels of a topology. */
#define STRATA_LEVEL_TABLE(ROW)                                                                    \
    ROW(NODE, "node", "node", true)                                                                \
    ROW(PACKAGE, "package", "package", true)                                                       \
    ROW(DOMAIN, "domain", "numa", true)                                                            \
    ROW(CACHE, "cache", "cache", true)                                                             \
    ROW(ADAPTER, "adapter", "adapter", false)                                                      \
    ROW(RANK, "rank", "rank", false)

enum strata_level_name {
#define STRATA_LEVEL_NAME(id, word, other, divides) STRATA_LEVEL_##id,
    STRATA_LEVEL_TABLE(STRATA_LEVEL_NAME)
#undef STRATA_LEVEL_NAME
        STRATA_LEVELS
};

struct strata_level_text {
    const char *text; /* the level's part of the whole text; NULL: not given */
    int length;
    int count;  /* groups; for STRATA_LEVEL_RANK ranks, for ADAPTER the number from 1 on */
    int *sizes; /* [count] where sizes were listed, else NULL */
    bool cyclic;
};

struct strata_topology_text {
    const char *text;
    struct strata_diagnostic *message;
    struct strata_level_text level[STRATA_LEVELS];
};

/* topology_text.c: says what is wrong with a level's part of the text, and what is allowed. Returns
 * STRATA_ERR_SYNTAX. */
int strata_level_complain(const struct strata_topology_text *p, enum strata_level_name name,
                          const char *what);

extern const char *const strata_level_words[STRATA_LEVELS];

/* topology_deal.c: finds the number of ranks. The caller gives it (*ranks > 0), else rank:COUNT,
 * else the sum of the nodes' sizes. The levels must agree with it. */
int strata_levels_ranks(const struct strata_topology_text *p, int *ranks);
/* Deals the ranks to the nodes and the objects inside them. */
int strata_levels_deal(const struct strata_topology_text *p, int ranks,
                       struct strata_topology **topology);

#endif
