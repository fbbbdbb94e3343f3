/* The picture of a plan's rounds as SVG. */
#include "tools/catalogue/rounds_picture.h"

#include <math.h>

enum { COLUMN = 34, ROW = 40, LEFT = 64, TOP = 34, RIGHT = 14, BOTTOM = 12 };

static int x_of(const struct strata_topology *t, int rank)
{
    return LEFT + COLUMN / 2 + COLUMN * strata_topology_position(t, rank);
}

/* Draws a common ground under the ranks of each node. */
static void draw_nodes(const struct strata_topology *t, int height, FILE *file)
{
    for (int node = 0; t->largest > 1 && node < t->nodes; node++) {
        fprintf(file,
                "<rect x=\"%d\" y=\"4\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#8888\" "
                "fill-opacity=\"0.22\"/>\n",
                LEFT + COLUMN * t->first[node] + 3, COLUMN * strata_topology_node_size(t, node) - 6,
                height - 8);
    }
}

static void draw_ranks(const struct strata_topology *t, int height, FILE *file)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        int x = x_of(t, rank);
        fprintf(file, "<text x=\"%d\" y=\"22\" text-anchor=\"middle\">%d</text>\n", x, rank);
        fprintf(file, "<path d=\"M%d %dV%d\" stroke=\"#888\" stroke-width=\"1\"/>\n", x, TOP,
                height - BOTTOM);
    }
}

/* Writes each round's number, and the volume of its largest message. A round without messages has
 * only signals. */
static void draw_rounds(const struct tool_rounds *r, FILE *file)
{
    for (int round = 0; round < r->rounds; round++) {
        double most = -1;
        for (int i = 0; i < r->narrows; i++) {
            const struct tool_arrow *a = &r->arrows[i];
            bool counts = a->end == round + 1 && !a->signal;
            most = counts && a->volume > most ? a->volume : most;
        }
        fprintf(file, "<text x=\"4\" y=\"%d\">%d: ", TOP + ROW * round + ROW / 2 + 4, round + 1);
        fprintf(file, most < 0 ? "node</text>\n" : "%.3g</text>\n", most);
    }
}

static void draw_arrow(const struct tool_arrow *a, const struct strata_topology *t, FILE *file)
{
    bool near = t->node_of[a->from] == t->node_of[a->to];
    double width = a->volume > 0 ? 1 + 0.6 * log2(1 + a->volume) : 0.8;
    fprintf(file,
            "<path d=\"M%d %dL%d %d\" stroke=\"%s\" stroke-width=\"%.2f\"%s "
            "marker-end=\"url(#head)\"/>\n",
            x_of(t, a->from), TOP + ROW * a->round + 4, x_of(t, a->to), TOP + ROW * a->end - 5,
            near ? "#3a9" : "#38c", width, a->signal ? " stroke-dasharray=\"3 2\"" : "");
}

void tool_picture_write(const struct tool_rounds *rounds, const struct strata_topology *topology,
                        FILE *file)
{
    int width = LEFT + COLUMN * topology->ranks + RIGHT;
    int height = TOP + ROW * (rounds->rounds > 0 ? rounds->rounds : 1) + BOTTOM;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#888\">\n",
            width, height, width, height);
    fprintf(file, "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"6\" refY=\"4\" "
                  "markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" "
                  "orient=\"auto\"><path d=\"M0 0L8 4L0 8Z\"/></marker></defs>\n");
    draw_nodes(topology, height, file);
    draw_ranks(topology, height, file);
    draw_rounds(rounds, file);
    for (int i = 0; i < rounds->narrows; i++) {
        draw_arrow(&rounds->arrows[i], topology, file);
    }
    fprintf(file, "</svg>\n");
}
