/* A host's hardware as boxes in boxes, for its picture: where each lies, and which ranks are
 * there. */
#ifndef STRATA_API_REPORT_NODE_BOXES_H
#define STRATA_API_REPORT_NODE_BOXES_H

#include "api/report/node_map.h"

enum strata_drawn_level {
    STRATA_DRAWN_HOST,
    STRATA_DRAWN_PACKAGE,
    STRATA_DRAWN_DOMAIN,
    STRATA_DRAWN_CACHE,
    STRATA_DRAWN_CORE
};

/* The parts of a picture, in pixels. */
enum {
    STRATA_DRAWN_TILE = 34,
    STRATA_DRAWN_GAP = 6,
    STRATA_DRAWN_PAD = 8,
    STRATA_DRAWN_HEAD = 20,
    STRATA_DRAWN_CHIP = 20,
    STRATA_DRAWN_WIDE = 700
};

struct strata_drawn_host {
    const struct strata_node_map *map;
    int host; /* the first rank of the host */
};

/* Units that follow each other in one object. A level that has one object there is no box of its
 * own: `top` is the largest level that the box stands for, and `level` the nearest one. */
struct strata_drawn_box {
    enum strata_drawn_level top, level;
    int first, end;
};

struct strata_drawn_size {
    int width, height;
};

/* The objects inside one, from the first: false where there are no more. *child begins as
 * strata_drawn_before(box). */
struct strata_drawn_box strata_drawn_before(const struct strata_drawn_box *box);
bool strata_drawn_next(const struct strata_drawn_host *b, const struct strata_drawn_box *box,
                       struct strata_drawn_box *child);
struct strata_drawn_box strata_drawn_whole(const struct strata_drawn_host *b);

/* The number of the object of that level that holds the place. */
int strata_drawn_number(const struct strata_place *place, enum strata_drawn_level level);
/* The next rank after `rank` that may run in the whole box and in nothing smaller; map->ranks:
 * none. */
int strata_drawn_rank(const struct strata_drawn_host *b, const struct strata_drawn_box *box,
                      int rank);

/* The levels that a box stands for, as "package 1, NUMA domain 1", and how wide that is. */
int strata_drawn_name(const struct strata_drawn_host *b, const struct strata_drawn_box *box,
                      char text[static 80]);
/* What a rank that is in no single core is shown as, and how wide that is. */
int strata_drawn_chip(const struct strata_drawn_host *b, int rank, char text[static 40]);

/* Inside a box objects stand in rows of so many columns, below the ranks of the box itself. */
int strata_drawn_columns(const struct strata_drawn_host *b, const struct strata_drawn_box *box);
struct strata_drawn_size strata_drawn_cell(const struct strata_drawn_host *b,
                                           const struct strata_drawn_box *box);
int strata_drawn_chips_height(const struct strata_drawn_host *b, const struct strata_drawn_box *box,
                              int width);
struct strata_drawn_size strata_drawn_size(const struct strata_drawn_host *b,
                                           const struct strata_drawn_box *box);

#endif
