/* The picture of a host as SVG. */
#include "api/report/node_boxes.h"

static const char style[] = "<style>\n"
                            "  text { font: 12px sans-serif; fill: #24292f; }\n"
                            "  .head { font: bold 15px sans-serif; }\n"
                            "  .small { font-size: 11px; fill: #57606a; }\n"
                            "  .tiny { font-size: 9px; }\n"
                            "  .ground { fill: #ffffff; }\n"
                            "  .package { fill: #f3f5f8; stroke: #8c959f; stroke-width: 1.5; }\n"
                            "  .domain { fill: #e6eef8; stroke: #a9bdd6; }\n"
                            "  .cache { fill: #ffffff; stroke: #c4cbd4; }\n"
                            "  .core { fill: #eceff3; stroke: #d0d7de; }\n"
                            "  .rank { fill: #2f6fbf; stroke: #2f6fbf; }\n"
                            "  .leader { fill: #d9730d; stroke: #d9730d; }\n"
                            "  .crowded { stroke: #cf222e; stroke-width: 3; }\n"
                            "  .on { fill: #ffffff; }\n"
                            "  @media (prefers-color-scheme: dark) {\n"
                            "    text { fill: #e6edf3; }\n"
                            "    .small { fill: #9da7b1; }\n"
                            "    .ground { fill: #0d1117; }\n"
                            "    .package { fill: #161b22; stroke: #6e7681; }\n"
                            "    .domain { fill: #15263b; stroke: #2f4a6b; }\n"
                            "    .cache { fill: #0d1117; stroke: #3d444d; }\n"
                            "    .core { fill: #21262d; stroke: #30363d; }\n"
                            "    .on { fill: #ffffff; }\n"
                            "  }\n"
                            "</style>\n";

enum { MARGIN = 16, TITLE = 50, LEGEND = 30, LEAST = 480 };

struct picture {
    struct strata_drawn_host boxes;
    const struct strata_node_map *map;
    FILE *file;
};

static const char *kind_of(const struct picture *p, int rank)
{
    return p->map->member[rank] == 0 ? "leader" : "rank";
}

static void draw_rect(const struct picture *p, const char *kind, int x, int y,
                      struct strata_drawn_size size)
{
    fprintf(p->file, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n",
            kind, x, y, size.width, size.height);
}

/* A core with the ranks that are bound to it: the first one's number, and how many more. */
static void draw_core(const struct picture *p, const struct strata_drawn_box *box, int x, int y)
{
    const struct strata_drawn_size tile = {STRATA_DRAWN_TILE, STRATA_DRAWN_TILE};
    const int first = strata_drawn_rank(&p->boxes, box, -1), ranks = p->map->ranks;
    char kind[20] = "core", note[20] = "";
    int more = 0;
    for (int r = first; r < ranks; r = strata_drawn_rank(&p->boxes, box, r)) {
        more += r > first;
    }
    if (first < ranks) {
        snprintf(kind, sizeof kind, "%s%s", kind_of(p, first), more > 0 ? " crowded" : "");
    }
    draw_rect(p, kind, x, y, tile);
    if (first < ranks) {
        const int threads = p->map->threads[first];
        snprintf(note, sizeof note,
                 more > 0      ? "+%d"
                 : threads > 1 ? "&#215;%d"
                               : "",
                 more > 0 ? more : threads);
        fprintf(p->file, "<text class=\"on\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                x + tile.width / 2, y + (note[0] ? 17 : 21), first);
        fprintf(p->file,
                "<text class=\"on tiny\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                x + tile.width / 2, y + 28, note);
    }
}

/* The ranks that may run anywhere in the box. */
static void draw_chips(const struct picture *p, const struct strata_drawn_box *box, int left, int y,
                       int width)
{
    int x = 0;
    for (int r = -1; (r = strata_drawn_rank(&p->boxes, box, r)) < p->map->ranks;) {
        char text[40];
        const int chip = strata_drawn_chip(&p->boxes, r, text);
        if (x > 0 && x + chip > width) {
            x = 0;
            y += STRATA_DRAWN_CHIP + STRATA_DRAWN_GAP;
        }
        draw_rect(p, kind_of(p, r), left + x, y,
                  (struct strata_drawn_size){chip, STRATA_DRAWN_CHIP});
        fprintf(p->file, "<text class=\"on\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                left + x + chip / 2, y + 14, text);
        x += chip + STRATA_DRAWN_GAP;
    }
}

static void draw_box(const struct picture *p, const struct strata_drawn_box *box, int x, int y);

static void draw_inside(const struct picture *p, const struct strata_drawn_box *box, int left,
                        int y)
{
    const struct strata_drawn_size cell = strata_drawn_cell(&p->boxes, box);
    const int columns = strata_drawn_columns(&p->boxes, box);
    int at = 0;
    for (struct strata_drawn_box child = strata_drawn_before(box);
         strata_drawn_next(&p->boxes, box, &child); at++) {
        draw_box(p, &child, left + at % columns * (cell.width + STRATA_DRAWN_GAP),
                 y + at / columns * (cell.height + STRATA_DRAWN_GAP));
    }
}

static void draw_box(const struct picture *p, const struct strata_drawn_box *box, int x, int y)
{
    static const char *const kinds[] = {[STRATA_DRAWN_PACKAGE] = "package",
                                        [STRATA_DRAWN_DOMAIN] = "domain",
                                        [STRATA_DRAWN_CACHE] = "cache"};
    if (box->level == STRATA_DRAWN_CORE) {
        draw_core(p, box, x, y);
        return;
    }
    const struct strata_drawn_size size = strata_drawn_size(&p->boxes, box);
    const int left = x + STRATA_DRAWN_PAD, width = size.width - 2 * STRATA_DRAWN_PAD;
    char name[80];
    int down = y + STRATA_DRAWN_PAD;
    if (box->level > STRATA_DRAWN_HOST) {
        draw_rect(p, kinds[box->top], x, y, size);
        strata_drawn_name(&p->boxes, box, name);
        fprintf(p->file, "<text class=\"small\" x=\"%d\" y=\"%d\">%s</text>\n", left, down + 10,
                name);
        down += STRATA_DRAWN_HEAD;
    }
    draw_chips(p, box, left, down, width);
    draw_inside(p, box, left, down + strata_drawn_chips_height(&p->boxes, box, width));
}

static void write_title(const struct picture *p)
{
    const struct strata_placement *of = &p->map->placement[p->boxes.host];
    const struct strata_objects *h = &of->hardware;
    fprintf(p->file, "<text class=\"head\" x=\"%d\" y=\"%d\">", MARGIN, MARGIN + 12);
    for (const char *c = of->host; *c; c++) {
        fputc(*c == '<' || *c == '&' ? '?' : *c, p->file);
    }
    fprintf(p->file,
            "</text>\n<text class=\"small\" x=\"%d\" y=\"%d\">%d rank%s; %d package%s, %d NUMA "
            "domain%s, %d last-level cache%s, %d core%s</text>\n",
            MARGIN, MARGIN + 32, of->processes, strata_plural(of->processes), h->packages,
            strata_plural(h->packages), h->domains, strata_plural(h->domains), h->caches,
            strata_plural(h->caches), h->cores, strata_plural(h->cores));
}

static void write_legend(const struct picture *p, int y)
{
    static const struct {
        const char *kind, *text;
        int width;
    } rows[] = {{"leader", "first rank of a node", 145},
                {"rank", "rank", 58},
                {"rank crowded", "several on a core", 130},
                {"core", "core without a rank", 0}};
    int x = MARGIN;
    for (int i = 0; i < 4; i++) {
        draw_rect(p, rows[i].kind, x, y, (struct strata_drawn_size){12, 12});
        fprintf(p->file, "<text class=\"small\" x=\"%d\" y=\"%d\">%s</text>\n", x + 18, y + 10,
                rows[i].text);
        x += rows[i].width;
    }
}

void strata_node_map_draw(const struct strata_node_map *map, int first, FILE *file)
{
    struct picture p = {{map, first}, map, file};
    const struct strata_drawn_box host = strata_drawn_whole(&p.boxes);
    const struct strata_drawn_size size = strata_drawn_size(&p.boxes, &host);
    const int inside = size.width - 2 * STRATA_DRAWN_PAD;
    const int width = (inside > LEAST ? inside : LEAST) + 2 * MARGIN;
    const int height = TITLE + size.height - STRATA_DRAWN_HEAD + LEGEND;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\">\n%s",
            width, height, width, height, style);
    fprintf(file, "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", width, height);
    write_title(&p);
    draw_box(&p, &host, MARGIN - STRATA_DRAWN_PAD, TITLE);
    write_legend(&p, height - LEGEND + 4);
    fprintf(file, "</svg>\n");
}
