#include "tools/tune/switches.h"

#include <stdio.h>
#include <string.h>

/* The parts of a name with points that begin it. */
static size_t length_of_parts(const char *name, int parts)
{
    const char *at = name;
    for (; parts > 0 && *at; parts--) {
        at += strcspn(at, ".");
        at += *at == '.';
    }
    return parts == 0 ? (size_t)(at - name) : 0;
}

struct tool_below tool_below_of(const char *names, const char *kinds)
{
    struct tool_below below = {""};
    int switches = 0;
    while (kinds && strncmp(kinds, "switch.", strlen("switch.")) == 0) {
        kinds += strlen("switch.");
        switches++;
    }
    const size_t length = names && switches > 0 ? length_of_parts(names, switches) : 0;
    if (length > 0 && names[length] && strlen(names) < sizeof below.path) {
        memcpy(below.path, names, strlen(names));
        below.path[length - 1] = '/'; /* a point is part of many a node's name */
    }
    return below;
}

bool tool_below_known(const struct tool_below *below, int nodes)
{
    bool known = true;
    for (int i = 0; i < nodes && known; i++) {
        known = below[i].path[0] != '\0';
        for (int k = 0; k < i && known; k++) {
            known = strcmp(below[i].path, below[k].path) != 0;
        }
    }
    return known;
}

/* What a switch's name ends with. */
static bool ends(char c)
{
    return c == '.' || c == '/';
}

int tool_below_levels(const struct tool_below *a, const struct tool_below *b)
{
    int all[2] = {0, 0}, common = 0;
    size_t same = 0;
    for (int i = 0; i < 2; i++) {
        const char *path = (i ? b : a)->path;
        for (size_t k = 0; k == 0 || path[k - 1] != '/'; k++) {
            all[i] += ends(path[k]);
        }
    }
    while (a->path[same] == b->path[same] && common < all[0]) {
        common += ends(a->path[same++]);
    }
    common += common < all[0] && ends(a->path[same]) && ends(b->path[same]);
    return (all[0] > all[1] ? all[0] : all[1]) - common + 1;
}

int tool_below_pair(const struct tool_below *below, int nodes, int levels, int *partner)
{
    int pairs = 0;
    for (int i = 0; i < nodes; i++) {
        partner[i] = -1;
    }
    for (int i = 0; i < nodes; i++) {
        for (int k = i + 1; k < nodes && partner[i] < 0; k++) {
            if (partner[k] < 0 && tool_below_levels(&below[i], &below[k]) == levels) {
                partner[i] = k;
                partner[k] = i;
                pairs++;
            }
        }
    }
    return pairs;
}
