/* The picture of a table as SVG: a row for each case, with how many times as fast its choice is as
 * what costs choose, and as MPI's own, on a logarithmic axis. */
#include <math.h>

#include "tools/command/html_text.h"
#include "tools/command/picture.h"
#include "tools/command/words.h"
#include "tools/tune/tune.h"

static const char style[] =
    "<style>\n" TOOL_PICTURE_LIGHT "  .one { stroke: #24292f; }\n"
    "  @media (prefers-color-scheme: dark) {\n" TOOL_PICTURE_DARK "    .one { stroke: #e6edf3; }\n"
    "  }\n"
    "</style>\n";

enum { MARGIN = 16, WIDTH = 1100, TITLE = 84, ROW = 18, AXIS = 36 };
enum { LEFT = 300, RIGHT = 700 }; /* of the axis */
/* The axis has powers of two, from a half on. */
enum { LOWEST = -1, LEAST_TOP = 2 };

static int top_of(const struct strata_tuned *tuned)
{
    double most = LEAST_TOP;
    for (int i = 0; i < tuned->count; i++) {
        const struct strata_tuned_row *row = &tuned->row[i];
        most = fmax(most, log2(tool_gain(row, row->untuned)));
        most = fmax(most, log2(tool_gain(row, row->native)));
    }
    return (int)ceil(most);
}

static double x_of(double ratio, int top)
{
    const double at = fmax(fmin(log2(ratio), top), LOWEST);
    return LEFT + (RIGHT - LEFT) * (at - LOWEST) / (top - LOWEST);
}

static void put_axis(int top, int rows, FILE *file)
{
    const int bottom = TITLE + rows * ROW;
    for (int power = LOWEST; power <= top; power++) {
        const double x = x_of(ldexp(1, power), top);
        fprintf(file,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n"
                "<text class=\"middle small\" x=\"%.1f\" y=\"%d\">%g</text>\n",
                power == 0 ? "one" : "line", x, TITLE, x, bottom, x, bottom + 16, ldexp(1, power));
    }
}

static void put_row(const struct strata_tuned_row *row, int number, int top, FILE *file)
{
    const int y = TITLE + number * ROW, base = y + ROW - 5;
    const double center = y + ROW / 2.0;
    const char *blocks = strata_tuned_blocks_name(row->blocks);
    char name[128], time[32], size[32], layout[48];
    if (number % 2 == 0) {
        fprintf(file, "<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                MARGIN, y, WIDTH - 2 * MARGIN, ROW);
    }
    fprintf(file,
            "<text x=\"%d\" y=\"%d\">%s%s%s</text>\n<text class=\"number\" x=\"205\" "
            "y=\"%d\">%s</text>\n<text class=\"number\" x=\"280\" y=\"%d\">%s</text>\n",
            MARGIN + 4, base, strata_collective_name(row->collective), blocks[0] ? ", " : "",
            blocks, base, tool_layout_name(row, layout, sizeof layout), base,
            tool_bytes(row->bytes, size, sizeof size));
    if (row->native > 0) {
        fprintf(file, "<circle class=\"native\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n",
                x_of(tool_gain(row, row->native), top), center);
    }
    if (row->untuned > 0) {
        fprintf(file, "<rect class=\"untuned\" x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\"/>\n",
                x_of(tool_gain(row, row->untuned), top) - 3.5, center - 3.5);
    }
    fprintf(file,
            "<text class=\"number\" x=\"770\" y=\"%d\">%s</text>\n<text class=\"small\" x=\"780\" "
            "y=\"%d\">",
            base, tool_seconds(row->seconds, time, sizeof time), base);
    tool_html_text(file, tool_choice_name(&row->choice, name, sizeof name));
    fprintf(file, "</text>\n");
}

void tool_table_draw(const struct strata_tuned *tuned, FILE *file)
{
    const int top = top_of(tuned), height = TITLE + tuned->count * ROW + AXIS;
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\">\n%s"
        "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n"
        "<text class=\"head\" x=\"%d\" y=\"30\">The choices of a table, and what they gain</text>\n"
        "<rect class=\"untuned\" x=\"%d\" y=\"49\" width=\"7\" height=\"7\"/>\n"
        "<text x=\"%d\" y=\"58\">times as fast as costs choose</text>\n"
        "<circle class=\"native\" cx=\"%d\" cy=\"53\" r=\"5\"/>\n"
        "<text x=\"%d\" y=\"58\">times as fast as MPI's own</text>\n",
        WIDTH, height, WIDTH, style, WIDTH, height, MARGIN, LEFT, LEFT + 14, LEFT + 214,
        LEFT + 226);
    for (int i = 0; i < tuned->count; i++) {
        put_row(&tuned->row[i], i, top, file);
    }
    put_axis(top, tuned->count, file);
    fprintf(file, "</svg>\n");
}
