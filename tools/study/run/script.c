/* Writes gnuplot scripts: titles with units, and logarithmic axes with ticks at the points.
 * Colour-blind readers can tell the colours apart (Okabe and Ito), and each line has its own
 * mark. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/script.h"

static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000", "#8C6D00"};
static const int marks[] = {7, 5, 9, 13, 11, 6, 4, 8};
enum { COLOURS = sizeof colours / sizeof *colours, MARKS = sizeof marks / sizeof *marks };

/* Writes text between double quotes; gnuplot's enhanced text is off. */
void study_script_quote(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            putc('\\', file);
        }
        putc(*text, file);
    }
    putc('"', file);
}

static void put_setting(FILE *file, const char *setting, const char *text)
{
    fprintf(file, "set %s ", setting);
    study_script_quote(file, text);
    putc('\n', file);
}

static void put_number(FILE *file, double value)
{
    if (isfinite(value)) {
        fprintf(file, " %.9g", value);
    } else {
        fputs(" NaN", file);
    }
}

/* Writes a line for each point: its place, then the values. */
static void put_data(FILE *file, const struct study_grid *grid)
{
    fputs("$data << END\n", file);
    for (int i = 0; i < grid->points; i++) {
        fprintf(file, "%.9g", grid->place[i]);
        for (int j = 0; j < grid->lines; j++) {
            put_number(file, grid->value[i * grid->lines + j]);
        }
        putc('\n', file);
    }
    fputs("END\n", file);
}

static bool is_logarithmic(const struct study_grid *grid, const struct study_picture *picture)
{
    return grid->numbers && !picture->linear_x && grid->place[0] > 0;
}

/* Writes a tick. On an axis of bytes "65536" becomes "64K". */
static void put_tick(FILE *file, const char *title, const char *text)
{
    char *end, name[32];
    long value = strtol(text, &end, 10);
    int unit = 0;
    while (unit < 3 && value >= 1024 && value % 1024 == 0) {
        value /= 1024;
        unit++;
    }
    bool bytes = strstr(title, "bytes") && !*end && unit > 0;
    snprintf(name, sizeof name, "%ld%c", value, " KMG"[unit]);
    study_script_quote(file, bytes ? name : text);
}

/* Writes the x axis, with ticks at the points. */
static void put_x(FILE *file, const struct study_picture *picture, const struct study_grid *grid)
{
    double first = grid->place[0], last = grid->place[grid->points - 1];
    bool logarithmic = is_logarithmic(grid, picture);
    put_setting(file, "xlabel", picture->x_title);
    fputs("set xtics (", file);
    for (int i = 0; i < grid->points; i++) {
        fputs(i ? ", " : "", file);
        put_tick(file, picture->x_title, grid->x[i]);
        fprintf(file, " %.9g", grid->place[i]);
    }
    fputs(")\n", file);
    if (logarithmic) {
        fprintf(file, "set logscale x 2\nset xrange [%.9g:%.9g]\n", first / 1.25, last * 1.25);
    } else {
        double margin = last > first ? 0.08 * (last - first) : 0.5;
        fprintf(file, "set xrange [%.9g:%.9g]\n", first - margin, last + margin);
    }
}

struct range {
    double low, high;
};

static struct range find_range(const struct study_grid *grid)
{
    struct range range = {INFINITY, -INFINITY};
    for (int i = 0; i < grid->points * grid->lines; i++) {
        if (isfinite(grid->value[i])) {
            range.low = fmin(range.low, grid->value[i]);
            range.high = fmax(range.high, grid->value[i]);
        }
    }
    return range;
}

/* Puts ticks at 1, 2 and 5 of each decade, at 1 where there are many decades, and at more digits
 * where there is less than one. */
static void put_logarithmic_ticks(FILE *file, struct range range)
{
    static const double digits[] = {1, 2, 5}, narrow[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    int from = (int)floor(log10(range.low)), to = (int)ceil(log10(range.high)), count = 0;
    bool less = range.high < 6 * range.low;
    int each = less ? sizeof narrow / sizeof *narrow : to - from > 3 ? 1 : 3;
    fputs("set ytics (", file);
    for (int i = from; i <= to; i++) {
        for (int j = 0; j < each; j++) {
            double value = (less ? narrow : digits)[j] * pow(10, i);
            fprintf(file, "%s\"%.10g\" %.9g", count++ ? ", " : "", value, value);
        }
    }
    fprintf(file, ")\nset logscale y\nset yrange [%.9g:%.9g]\n", range.low / 1.3, range.high * 1.3);
}

static void put_y(FILE *file, const struct study_picture *picture, const struct study_grid *grid)
{
    struct range range = find_range(grid);
    for (int i = 0; picture->drawing == STUDY_DOTS && i < grid->points * grid->lines; i++) {
        range.low = fmin(range.low, grid->least[i]);
        range.high = fmax(range.high, grid->greatest[i]);
    }
    put_setting(file, "ylabel", picture->y_title);
    if (picture->drawing == STUDY_RATIO) {
        range.low = fmin(range.low, 1);
        range.high = fmax(range.high, 1);
    }
    if (!picture->linear_y && range.low > 0) {
        put_logarithmic_ticks(file, range);
    } else {
        fputs("set yrange [0:*]\nset format y \"%g\"\n", file);
    }
}

const char *study_script_colour(int index)
{
    return colours[(index < 0 ? 0 : index) % COLOURS];
}

static int colour_of(const struct study *study, const struct study_grid *grid, int line)
{
    int index = study_name_index(study, grid->series[line]);
    return index >= 0 ? index : line;
}

static void put_lines(FILE *file, const struct study *study, const struct study_picture *picture,
                      const struct study_grid *grid)
{
    bool ratio = picture->drawing == STUDY_RATIO;
    fputs(ratio ? "plot 1 with lines lc rgb \"#555555\" dashtype 2 lw 1.5 notitle" : "plot", file);
    for (int i = 0, shown = 0; i < grid->lines; i++) {
        bool self = ratio && strcmp(grid->series[i], picture->reference) == 0;
        int index = colour_of(study, grid, i);
        if (!self) {
            fprintf(file,
                    "%s \\\n  $data using 1:%d with linespoints lw 2.2 ps 0.9 pt %d lc rgb \"%s\" "
                    "title ",
                    shown++ || ratio ? "," : "", i + 2, marks[index % MARKS],
                    study_script_colour(index));
            study_script_quote(file, study_name_of(study, grid->series[i]));
        }
    }
    putc('\n', file);
}

static void put_names(FILE *file, const char *axis, const char *title, char *const *names,
                      int count)
{
    fprintf(file, "set %stics scale 0 (", axis);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", file);
        put_tick(file, title, names[i]);
        fprintf(file, " %d", i);
    }
    fprintf(file, ")\nset %srange [-0.5:%g]\n", axis, count - 0.5);
}

/* Writes the places of a mark for each series, with its spread. The marks of a place stand side by
 * side. */
static void put_dots(FILE *file, const struct study *study, const struct study_grid *grid)
{
    for (int j = 0; j < grid->lines; j++) {
        fprintf(file, "$line%d << END\n", j);
        for (int i = 0; i < grid->points; i++) {
            int at = i * grid->lines + j;
            fprintf(file, "%.9g", i + 0.5 * (j + 0.5) / grid->lines - 0.25);
            put_number(file, grid->value[at]);
            put_number(file, grid->least[at]);
            put_number(file, grid->greatest[at]);
            putc('\n', file);
        }
        fputs("END\n", file);
    }
    fputs("plot", file);
    for (int j = 0; j < grid->lines; j++) {
        int index = colour_of(study, grid, j);
        fprintf(file,
                "%s \\\n  $line%d using 1:2:3:4 with yerrorbars lw 1.6 ps 0.9 pt %d lc rgb \"%s\" "
                "title ",
                j ? "," : "", j, marks[index % MARKS], study_script_colour(index));
        study_script_quote(file, study_name_of(study, grid->series[j]));
    }
    putc('\n', file);
}

/* Ticks that stand close are turned. */
static void put_words(FILE *file, const struct study_picture *picture,
                      const struct study_grid *grid)
{
    put_setting(file, "xlabel", picture->x_title);
    put_names(file, "x", picture->x_title, grid->x, grid->points);
    if (grid->points > 8) {
        fputs("set xtics rotate by 45 right\n", file);
    }
}

/* Writes "x y log2(value) label" for each cell. */
static void put_cells(FILE *file, const struct study_grid *grid)
{
    fputs("$data << END\n", file);
    for (int i = 0; i < grid->points * grid->lines; i++) {
        double value = grid->value[i];
        fprintf(file, "%d %d", i / grid->lines, i % grid->lines);
        put_number(file, log2(value));
        fprintf(file, isfinite(value) ? " %.2g\n" : " -\n", value);
    }
    fputs("END\n", file);
}

void study_script_places(FILE *file, const struct study_picture *picture,
                         const struct study_grid *grid)
{
    put_setting(file, "xlabel", picture->x_title);
    put_setting(file, "ylabel", picture->y_title);
    put_names(file, "x", picture->x_title, grid->x, grid->points);
    put_names(file, "y", picture->y_title, grid->series, grid->lines);
}

static void put_heat(FILE *file, const struct study_picture *picture, const struct study_grid *grid)
{
    struct range range = find_range(grid);
    double most = fmax(fabs(log2(range.low)), fabs(log2(range.high)));
    int limit = (int)ceil(fmax(most, 1));
    put_cells(file, grid);
    study_script_places(file, picture, grid);
    fprintf(file,
            "set palette defined (0 \"#D55E00\", 0.5 \"#F7F7F7\", 1 \"#0072B2\")\n"
            "set cbrange [%d:%d]\nset cblabel \"times faster\" offset -0.5\nset rmargin 12\nset "
            "cbtics (",
            -limit, limit);
    for (int i = -limit; i <= limit; i++) {
        fprintf(file, "%s\"%.3g\" %d", i > -limit ? ", " : "", exp2(i), i);
    }
    fputs(")\nunset grid\nunset key\nplot $data using 1:2:3 with image pixels, \\\n"
          "  $data using 1:2:4 with labels textcolor rgb \"#000000\"\n",
          file);
}

void study_script_head(FILE *file, const struct study *study, const struct study_picture *picture)
{
    fprintf(file, "# %s: %s. Run by gnuplot in this folder.\n", study->name, picture->title);
    fprintf(file,
            "set terminal svg noenhanced size 760,420 font \"DejaVu Sans,Helvetica,sans-serif,13\" "
            "background "
            "\"#ffffff\"\nset output \"%s-%s.svg\"\n",
            study->name, picture->name);
    fputs(
        "set border 3 lc rgb \"#444444\"\nset tics nomirror out\nset grid lc rgb \"#dddddd\" lt 1\n"
        "set key outside right top vertical Left reverse spacing 1.25\n",
        file);
    if (picture->key_title) {
        put_setting(file, "key title", picture->key_title);
    }
}

void study_script_foot(FILE *file, const struct study *study, const struct study_picture *picture)
{
    fprintf(file,
            "set terminal pngcairo noenhanced size 1140,630 font \"DejaVu Sans,14\" background "
            "\"#ffffff\"\nset output \"%s-%s.png\"\nreplot\n"
            "set terminal pdfcairo noenhanced size 7.6in,4.2in font \"DejaVu Sans,11\"\n"
            "set output \"%s-%s.pdf\"\nreplot\n",
            study->name, picture->name, study->name, picture->name);
}

void study_script_write(FILE *file, const struct study *study, const struct study_picture *picture,
                        const struct study_grid *grid)
{
    study_script_head(file, study, picture);
    if (picture->drawing == STUDY_HEAT) {
        put_heat(file, picture, grid);
    } else if (picture->drawing == STUDY_DOTS) {
        put_words(file, picture, grid);
        put_y(file, picture, grid);
        put_dots(file, study, grid);
    } else {
        put_data(file, grid);
        put_x(file, picture, grid);
        put_y(file, picture, grid);
        put_lines(file, study, picture, grid);
    }
    study_script_foot(file, study, picture);
}
