/* Topologies from text; the grammar is in topology.h. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/topology.h"

#define ALLOWED                                                                                    \
    "allowed: node:COUNT or node:SIZE,SIZE,..., each with :cyclic or without; after it "           \
    "numa:COUNT "                                                                                  \
    "or numa:SIZE,SIZE,... likewise, and rank:COUNT"

/* One row declares a level: its word and whether sizes and order may be given. */
#define LEVEL_TABLE(ROW)                                                                           \
    ROW(NODE, "node", true)                                                                        \
    ROW(NUMA, "numa", true)                                                                        \
    ROW(RANK, "rank", false)

enum level_name {
#define LEVEL_NAME(id, word, divides) LEVEL_##id,
    LEVEL_TABLE(LEVEL_NAME)
#undef LEVEL_NAME
        LEVELS
};

static const struct {
    const char *word;
    bool divides;
} level_table[LEVELS] = {
#define LEVEL_ROW(id, word, divides) {word, divides},
    LEVEL_TABLE(LEVEL_ROW)
#undef LEVEL_ROW
};

struct level {
    const char *text; /* its part of the whole text; NULL: not given */
    int length;
    int count;  /* groups, or ranks for LEVEL_RANK */
    int *sizes; /* [count] where sizes were listed, else NULL */
    bool cyclic;
};

struct parser {
    const char *text;
    struct strata_message *message;
    struct level level[LEVELS];
};

/* Says what is wrong with a part of the text and what is allowed. */
static int complain(const struct parser *p, const char *part, int length, const char *what)
{
    return strata_fail(p->message, STRATA_ERR_SYNTAX, "topology \"%.100s\": \"%.*s\" %s; " ALLOWED,
                       p->text, length < 60 ? length : 60, part, what);
}

static int complain_level(const struct parser *p, enum level_name name, const char *what)
{
    return complain(p, p->level[name].text, p->level[name].length, what);
}

/* A number from 1 to INT_MAX; 0 when there is none. */
static int read_count(const char **at)
{
    long value = 0;
    while (**at >= '0' && **at <= '9' && value <= INT_MAX) {
        value = 10 * value + (*(*at)++ - '0');
    }
    return value <= INT_MAX ? (int)value : 0;
}

/* COUNT or SIZE,SIZE,... from `at` up to the order or the level's end. */
static int read_sizes(const struct parser *p, struct level *level, const char **at)
{
    int *sizes = strata_allocate((size_t)level->length, sizeof *sizes);
    if (!sizes) {
        return STRATA_ERR_MEMORY;
    }
    level->sizes = sizes;
    for (;;) {
        sizes[level->count] = read_count(at);
        if (sizes[level->count++] == 0) {
            return complain(p, level->text, level->length, "lacks a number of 1 or more");
        }
        if (**at != ',') {
            break;
        }
        ++*at;
    }
    if (level->count == 1) {
        level->count = sizes[0];
        level->sizes = NULL;
        strata_release(sizes);
    }
    return STRATA_OK;
}

static int read_level(struct parser *p, const char *text, int length)
{
    int name = 0, word = (int)strcspn(text, ": \t\n");
    while (name < LEVELS && (word != (int)strlen(level_table[name].word) ||
                             strncmp(text, level_table[name].word, (size_t)word) != 0)) {
        name++;
    }
    if (name == LEVELS) {
        return complain(p, text, length, "is no level");
    }
    struct level *level = &p->level[name];
    if (level->text) {
        return complain(p, text, length, "names a level for the second time");
    }
    level->text = text;
    level->length = length;
    const char *at = text + word, *end = text + length;
    if (*at != ':') {
        return complain(p, text, length, "lacks \":\" and a number");
    }
    at++;
    int status = read_sizes(p, level, &at);
    if (status != STRATA_OK) {
        return status;
    }
    if (end - at == 7 && strncmp(at, ":cyclic", 7) == 0) {
        level->cyclic = true;
        at = end;
    }
    if (at != end) {
        return complain(p, text, length, "goes on in a way that is not known");
    }
    if (!level_table[name].divides && (level->sizes || level->cyclic)) {
        return complain(p, text, length, "must be one number");
    }
    return STRATA_OK;
}

static int read_levels(struct parser *p)
{
    const char *at = p->text;
    int status = STRATA_OK;
    for (at += strspn(at, " \t\n"); *at && status == STRATA_OK; at += strspn(at, " \t\n")) {
        int length = (int)strcspn(at, " \t\n");
        status = read_level(p, at, length);
        at += length;
    }
    if (status == STRATA_OK && !p->level[LEVEL_NODE].text) {
        return complain(p, p->text, (int)strlen(p->text), "names no node level");
    }
    return status;
}

static int sum_of_sizes(const struct level *level)
{
    long sum = 0;
    for (int i = 0; i < level->count && sum <= INT_MAX; i++) {
        sum += level->sizes[i];
    }
    return sum <= INT_MAX ? (int)sum : INT_MAX;
}

/* How many ranks: as the caller says, else rank:COUNT, else the sum of the nodes' sizes. */
static int find_ranks(const struct parser *p, int *ranks)
{
    const struct level *node = &p->level[LEVEL_NODE], *rank = &p->level[LEVEL_RANK];
    char what[128];
    if (*ranks <= 0 && !rank->text && !node->sizes) {
        return complain_level(p, LEVEL_NODE, "leaves the number of ranks open: add rank:COUNT");
    }
    *ranks = *ranks > 0 ? *ranks : rank->text ? rank->count : sum_of_sizes(node);
    if (rank->text && rank->count != *ranks) {
        snprintf(what, sizeof what, "is not the number of ranks, which is %d", *ranks);
        return complain_level(p, LEVEL_RANK, what);
    }
    if (node->sizes && sum_of_sizes(node) != *ranks) {
        snprintf(what, sizeof what, "adds up to %d ranks, but there are %d", sum_of_sizes(node),
                 *ranks);
        return complain_level(p, LEVEL_NODE, what);
    }
    if (node->count > *ranks) {
        snprintf(what, sizeof what, "is more nodes than there are ranks (%d)", *ranks);
        return complain_level(p, LEVEL_NODE, what);
    }
    return STRATA_OK;
}

/* Deals `members` things to the level's groups; group[i] says where thing i goes. `left` has room
 * for one number a group. */
static void deal(const struct level *level, int members, int *left, int *group)
{
    for (int g = 0; g < level->count; g++) {
        left[g] =
            level->sizes ? level->sizes[g] : members / level->count + (g < members % level->count);
    }
    for (int i = 0, g = 0; i < members; i++) {
        while (left[g] == 0) {
            g = (g + 1) % level->count;
        }
        group[i] = g;
        left[g]--;
        g = level->cyclic ? (g + 1) % level->count : g;
    }
}

/* numa[rank] := domain, from the nodes of t. */
static int deal_domains(const struct parser *p, const struct strata_topology *t, int *numa)
{
    const struct level *level = &p->level[LEVEL_NUMA];
    char what[128];
    if (!level->sizes && level->count > t->largest) {
        snprintf(what, sizeof what, "is more domains than the largest node has ranks (%d)",
                 t->largest);
        return complain_level(p, LEVEL_NUMA, what);
    }
    int *left = strata_allocate((size_t)level->count + (size_t)t->largest, sizeof *left);
    if (!left) {
        return STRATA_ERR_MEMORY;
    }
    int status = STRATA_OK, *group = left + level->count;
    for (int node = 0; node < t->nodes && status == STRATA_OK; node++) {
        int size = strata_topology_node_size(t, node);
        if (level->sizes && sum_of_sizes(level) != size) {
            snprintf(what, sizeof what, "adds up to %d ranks, but node %d has %d",
                     sum_of_sizes(level), node, size);
            status = complain_level(p, LEVEL_NUMA, what);
            break;
        }
        deal(level, size, left, group);
        for (int i = 0; i < size; i++) {
            numa[strata_topology_rank(t, node, i)] = group[i];
        }
    }
    strata_release(left);
    return status;
}

/* With the levels read: nodes first, then their domains. */
static int make_topology(const struct parser *p, int ranks, struct strata_topology **topology)
{
    const struct level *nodes = &p->level[LEVEL_NODE];
    int *node = strata_allocate(2 * (size_t)ranks + (size_t)nodes->count, sizeof *node);
    if (!node) {
        return STRATA_ERR_MEMORY;
    }
    int *numa = node + ranks;
    struct strata_topology *t = NULL;
    deal(nodes, ranks, numa + ranks, node);
    int status = strata_topology_from_colours(ranks, node, NULL, &t);
    if (status == STRATA_OK && p->level[LEVEL_NUMA].text) {
        status = deal_domains(p, t, numa);
        strata_topology_destroy(t);
        t = NULL;
        if (status == STRATA_OK) {
            status = strata_topology_from_colours(ranks, node, numa, &t);
        }
    }
    if (status == STRATA_OK) {
        *topology = t;
    }
    strata_release(node);
    return status;
}

int strata_topology_parse(const char *text, int ranks, struct strata_topology **topology,
                          struct strata_message *message)
{
    struct parser p = {.text = text, .message = message};
    int status = read_levels(&p);
    if (status == STRATA_OK) {
        status = find_ranks(&p, &ranks);
    }
    if (status == STRATA_OK) {
        status = make_topology(&p, ranks, topology);
    }
    for (int i = 0; i < LEVELS; i++) {
        strata_release(p.level[i].sizes);
    }
    return status == STRATA_ERR_MEMORY
               ? strata_fail(message, status, "no memory for a topology of %d ranks", ranks)
               : status;
}
