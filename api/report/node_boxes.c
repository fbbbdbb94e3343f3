#include "api/report/node_boxes.h"

#include <string.h>

int strata_drawn_number(const struct strata_place *place, enum strata_drawn_level level)
{
    const int numbers[] = {[STRATA_DRAWN_HOST] = 0,
                           [STRATA_DRAWN_PACKAGE] = place->package,
                           [STRATA_DRAWN_DOMAIN] = place->domain,
                           [STRATA_DRAWN_CACHE] = place->cache,
                           [STRATA_DRAWN_CORE] = place->core};
    return numbers[level];
}

static int number_at(const struct strata_drawn_host *b, int unit, enum strata_drawn_level level)
{
    return strata_drawn_number(&b->map->hardware->unit[unit].place, level);
}

/* The end of the run of units that lie in one object of the level with unit `first`. */
static int run_end(const struct strata_drawn_host *b, int first, int end,
                   enum strata_drawn_level level)
{
    int unit = first + 1;
    while (unit < end && number_at(b, unit, level) == number_at(b, first, level)) {
        unit++;
    }
    return unit;
}

/* Goes down to the nearest level at which the box has several objects. */
static struct strata_drawn_box merged(const struct strata_drawn_host *b,
                                      struct strata_drawn_box box)
{
    while (box.level < STRATA_DRAWN_CACHE &&
           run_end(b, box.first, box.end, box.level + 1) == box.end) {
        box.level++;
    }
    return box;
}

struct strata_drawn_box strata_drawn_whole(const struct strata_drawn_host *b)
{
    return (struct strata_drawn_box){STRATA_DRAWN_HOST, STRATA_DRAWN_HOST, 0,
                                     b->map->hardware->units};
}

struct strata_drawn_box strata_drawn_before(const struct strata_drawn_box *box)
{
    return (struct strata_drawn_box){box->level + 1, box->level + 1, box->first, box->first};
}

bool strata_drawn_next(const struct strata_drawn_host *b, const struct strata_drawn_box *box,
                       struct strata_drawn_box *child)
{
    const int first = child->end;
    if (first == box->end) {
        return false;
    }
    *child = (struct strata_drawn_box){child->top, child->top, first,
                                       run_end(b, first, box->end, child->top)};
    *child = merged(b, *child);
    return true;
}

int strata_drawn_rank(const struct strata_drawn_host *b, const struct strata_drawn_box *box,
                      int rank)
{
    const struct strata_node_map *map = b->map;
    const struct strata_place *object = &map->hardware->unit[box->first].place;
    for (rank++; rank < map->ranks; rank++) {
        const struct strata_place *place = &map->placement[rank].place;
        if (map->host[rank] == b->host &&
            strata_drawn_number(place, box->top) == strata_drawn_number(object, box->top) &&
            (box->level == STRATA_DRAWN_CORE ||
             strata_drawn_number(place, box->level + 1) == STRATA_SEVERAL)) {
            break;
        }
    }
    return rank;
}

/* Whether the box is a package or a domain, and all of it is near a network adapter. */
static bool is_near_adapter(const struct strata_drawn_host *b, const struct strata_drawn_box *box)
{
    int unit = box->first;
    while (unit < box->end && b->map->hardware->unit[unit].place.adapter == 1) {
        unit++;
    }
    return box->top <= STRATA_DRAWN_DOMAIN && unit == box->end;
}

int strata_drawn_name(const struct strata_drawn_host *b, const struct strata_drawn_box *box,
                      char text[static 80])
{
    static const char *const words[] = {[STRATA_DRAWN_PACKAGE] = "package",
                                        [STRATA_DRAWN_DOMAIN] = "NUMA domain",
                                        [STRATA_DRAWN_CACHE] = "cache"};
    int used = 0;
    text[0] = '\0';
    for (enum strata_drawn_level level = box->top; level <= box->level && level > STRATA_DRAWN_HOST;
         level++) {
        const int number = number_at(b, box->first, level);
        if (number != STRATA_SEVERAL) {
            used += snprintf(text + used, 80 - (size_t)used, "%s%s %d", used > 0 ? ", " : "",
                             words[level], number);
        }
    }
    if (is_near_adapter(b, box)) {
        used += snprintf(text + used, 80 - (size_t)used, ", " STRATA_NEAR_ADAPTER);
    }
    return 6 * used + 10;
}

int strata_drawn_chip(const struct strata_drawn_host *b, int rank, char text[static 40])
{
    const int threads = b->map->threads[rank];
    snprintf(text, 40, threads > 1 ? "rank %d, %d threads" : "rank %d", rank, threads);
    return 7 * (int)strlen(text) + 14;
}

static int children(const struct strata_drawn_host *b, const struct strata_drawn_box *box)
{
    struct strata_drawn_box child = strata_drawn_before(box);
    int count = 0;
    while (strata_drawn_next(b, box, &child)) {
        count++;
    }
    return count;
}

/* Up to eight cores stand in a row. More stand in full rows, a little wider than high, where that
 * is possible in up to 16 columns. */
static int core_columns(int cores)
{
    int columns = cores > 1 ? cores : 1;
    if (cores > 8) {
        columns = 4;
        while (2 * columns * columns < 3 * cores || cores % columns > 0) {
            columns++;
        }
        columns = columns <= 16 ? columns : 8;
    }
    return columns;
}

/* Larger objects stand side by side in pairs, and wide ones below each other. */
int strata_drawn_columns(const struct strata_drawn_host *b, const struct strata_drawn_box *box)
{
    const int count = children(b, box);
    struct strata_drawn_box child = strata_drawn_before(box);
    strata_drawn_next(b, box, &child);
    if (child.level == STRATA_DRAWN_CORE) {
        return core_columns(count);
    }
    return count > 1 && strata_drawn_cell(b, box).width <= STRATA_DRAWN_WIDE ? 2 : 1;
}

struct strata_drawn_size strata_drawn_cell(const struct strata_drawn_host *b,
                                           const struct strata_drawn_box *box)
{
    struct strata_drawn_size cell = {0, 0};
    for (struct strata_drawn_box child = strata_drawn_before(box);
         strata_drawn_next(b, box, &child);) {
        const struct strata_drawn_size size = strata_drawn_size(b, &child);
        cell.width = size.width > cell.width ? size.width : cell.width;
        cell.height = size.height > cell.height ? size.height : cell.height;
    }
    return cell;
}

int strata_drawn_chips_height(const struct strata_drawn_host *b, const struct strata_drawn_box *box,
                              int width)
{
    char text[40];
    int x = 0, rows = 0;
    for (int r = -1; (r = strata_drawn_rank(b, box, r)) < b->map->ranks;) {
        const int chip = strata_drawn_chip(b, r, text);
        rows += rows == 0 || x + chip > width;
        x = (x + chip > width ? 0 : x) + chip + STRATA_DRAWN_GAP;
    }
    return rows * (STRATA_DRAWN_CHIP + STRATA_DRAWN_GAP);
}

/* The least width that has room for the box's name and for each of its ranks. */
static int least_width(const struct strata_drawn_host *b, const struct strata_drawn_box *box)
{
    char text[80];
    int least = strata_drawn_name(b, box, text);
    for (int r = -1; (r = strata_drawn_rank(b, box, r)) < b->map->ranks;) {
        const int chip = strata_drawn_chip(b, r, text);
        least = chip > least ? chip : least;
    }
    return least;
}

struct strata_drawn_size strata_drawn_size(const struct strata_drawn_host *b,
                                           const struct strata_drawn_box *box)
{
    if (box->level == STRATA_DRAWN_CORE) {
        return (struct strata_drawn_size){STRATA_DRAWN_TILE, STRATA_DRAWN_TILE};
    }
    const int columns = strata_drawn_columns(b, box);
    const int rows = (children(b, box) + columns - 1) / columns;
    const struct strata_drawn_size cell = strata_drawn_cell(b, box);
    const int inside = columns * (cell.width + STRATA_DRAWN_GAP) - STRATA_DRAWN_GAP;
    const int least = least_width(b, box), width = inside > least ? inside : least;
    return (struct strata_drawn_size){width + 2 * STRATA_DRAWN_PAD,
                                      STRATA_DRAWN_HEAD + strata_drawn_chips_height(b, box, width) +
                                          rows * (cell.height + STRATA_DRAWN_GAP) -
                                          STRATA_DRAWN_GAP + 2 * STRATA_DRAWN_PAD};
}
