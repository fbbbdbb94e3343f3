/* Reads topologies from text, whose grammar is in topology.h, and describes them in a line for
 * people. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/topology/topology_levels.h"

#define ALLOWED                                                                                    \
    "allowed: node:COUNT or node:SIZE,SIZE,..., each with :cyclic or without; after it package:, " \
    "domain: (or numa:) and cache: likewise, adapter:NUMBER of a domain, and rank:COUNT"

const char *const strata_level_words[STRATA_LEVELS] = {
#define LEVEL_WORD(id, word, other, divides) word,
    STRATA_LEVEL_TABLE(LEVEL_WORD)
#undef LEVEL_WORD
};

static const struct {
    const char *other;
    bool divides;
} level_table[STRATA_LEVELS] = {
#define LEVEL_ROW(id, word, other, divides) {other, divides},
    STRATA_LEVEL_TABLE(LEVEL_ROW)
#undef LEVEL_ROW
};

/* Whether the level has this name of `length` characters. */
static bool is_named(int level, const char *text, int length)
{
    const char *word = strata_level_words[level], *other = level_table[level].other;
    return (length == (int)strlen(word) && strncmp(text, word, (size_t)length) == 0) ||
           (length == (int)strlen(other) && strncmp(text, other, (size_t)length) == 0);
}

/* Says what is wrong with a part of the text and what is allowed. */
static int complain(const struct strata_topology_text *p, const char *part, int length,
                    const char *what)
{
    return strata_fail(p->message, STRATA_ERR_SYNTAX, "topology \"%.100s\": \"%.*s\" %s; " ALLOWED,
                       p->text, length < 60 ? length : 60, part, what);
}

int strata_level_complain(const struct strata_topology_text *p, enum strata_level_name name,
                          const char *what)
{
    return complain(p, p->level[name].text, p->level[name].length, what);
}

/* Reads a number from 1 to INT_MAX; 0 when there is none. */
static int read_count(const char **at)
{
    long value = 0;
    while (**at >= '0' && **at <= '9' && value <= INT_MAX) {
        value = 10 * value + (*(*at)++ - '0');
    }
    return value <= INT_MAX ? (int)value : 0;
}

/* Reads COUNT or SIZE,SIZE,... from `at` up to the order or the end of the level. */
static int read_sizes(const struct strata_topology_text *p, struct strata_level_text *level,
                      const char **at)
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

static int read_level(struct strata_topology_text *p, const char *text, int length)
{
    int name = 0, word = (int)strcspn(text, ": \t\n");
    while (name < STRATA_LEVELS && !is_named(name, text, word)) {
        name++;
    }
    if (name == STRATA_LEVELS) {
        return complain(p, text, length, "is no level");
    }
    struct strata_level_text *level = &p->level[name];
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

static int read_levels(struct strata_topology_text *p)
{
    const char *at = p->text;
    int status = STRATA_OK;
    for (at += strspn(at, " \t\n"); *at && status == STRATA_OK; at += strspn(at, " \t\n")) {
        int length = (int)strcspn(at, " \t\n");
        status = read_level(p, at, length);
        at += length;
    }
    if (status == STRATA_OK && !p->level[STRATA_LEVEL_NODE].text) {
        return complain(p, p->text, (int)strlen(p->text), "names no node level");
    }
    return status;
}

int strata_topology_parse(const char *text, int ranks, struct strata_topology **topology,
                          struct strata_diagnostic *message)
{
    struct strata_topology_text p = {.text = text, .message = message};
    int status = read_levels(&p);
    if (status == STRATA_OK) {
        status = strata_levels_ranks(&p, &ranks);
    }
    if (status == STRATA_OK) {
        status = strata_levels_deal(&p, ranks, topology);
    }
    for (int i = 0; i < STRATA_LEVELS; i++) {
        strata_release(p.level[i].sizes);
    }
    return status == STRATA_ERR_MEMORY
               ? strata_fail(message, status, "no memory for a topology of %d ranks", ranks)
               : status;
}

/* Whether ranks are dealt in turn: in rank order they go through the nodes again and again, past
 * the nodes that are full. */
static bool order_is_cyclic(const struct strata_topology *t)
{
    for (int rank = 1; rank < t->ranks; rank++) {
        int round = t->local_of[rank], before = t->local_of[rank - 1];
        if (round < before || (round == before && t->node_of[rank] < t->node_of[rank - 1])) {
            return false;
        }
    }
    return true;
}

static const char *order_name(const struct strata_topology *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        if (t->rank_at[rank] != rank) {
            return order_is_cyclic(t) ? "cyclic order" : "mixed order";
        }
    }
    return "block order";
}

/* Writes ", 2 packages, 4 NUMA domains a node": the most of any node. */
static void describe_inside(const struct strata_topology *t, char *text, size_t size)
{
    static const char *const words[STRATA_INNER_LEVELS] = {"package", "NUMA domain", "cache"};
    size_t used = 0;
    text[0] = '\0';
    for (int level = 0; level < STRATA_INNER_LEVELS && used < size; level++) {
        int most = 0;
        for (int rank = 0; rank < t->ranks; rank++) {
            int count = t->inner_of[level][rank] + 1;
            most = count > most ? count : most;
        }
        if (t->known[level]) {
            used += (size_t)snprintf(text + used, size - used, ", %d %s%s", most, words[level],
                                     most == 1 ? "" : "s");
        }
    }
    if (used > 0 && used < size) {
        snprintf(text + used, size - used, " a node");
    }
}

int strata_topology_describe(const struct strata_topology *t, char *text, size_t size)
{
    char each[48], inside[120];
    describe_inside(t, inside, sizeof inside);
    if (t->smallest == t->largest) {
        snprintf(each, sizeof each, "%d each", t->largest);
    } else {
        snprintf(each, sizeof each, "%d to %d each", t->smallest, t->largest);
    }
    return snprintf(text, size, "%d rank%s on %d node%s (%s), %s%s", t->ranks,
                    t->ranks == 1 ? "" : "s", t->nodes, t->nodes == 1 ? "" : "s", each,
                    order_name(t), inside);
}
