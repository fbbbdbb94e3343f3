/* Writes gnuplot scripts. Colour-blind readers can tell most colours apart (Okabe and Ito, then
 * Tol), and each line has its own pair of colour and mark. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/axes.h"
#include "tools/study/run/script.h"

/* Twelve colours and eight marks make 24 pairs. A colour's second line is dashed. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000", "#8C6D00",
                                      "#882255", "#117733", "#88AA00", "#7777CC"};
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

/* Writes a block for each series, with the place, the value and its spread of each point that it
 * has. Between words the series of a place stand side by side. */
static void put_data(FILE *file, const struct study_grid *grid, bool beside)
{
    for (int j = 0; j < grid->lines; j++) {
        double aside = beside ? 0.7 * (j + 0.5) / grid->lines - 0.35 : 0;
        fprintf(file, "$line%d << END\n", j);
        for (int i = 0; i < grid->points; i++) {
            int at = i * grid->lines + j;
            if (isfinite(grid->value[at])) {
                fprintf(file, "%.9g %.9g %.9g %.9g\n", (beside ? i : grid->place[i]) + aside,
                        grid->value[at], grid->least[at], grid->greatest[at]);
            }
        }
        fputs("END\n", file);
    }
}

const char *study_script_colour(int index)
{
    return colours[(index < 0 ? 0 : index) % COLOURS];
}

/* The letters before the name of a series that the paper prints; 0: it is our own. */
static size_t printed_length(const struct study_grid *grid, int line)
{
    const size_t length = strlen(STUDY_PRINTED);
    return strncmp(grid->series[line], STUDY_PRINTED, length) == 0 ? length : 0;
}

/* The number of a line's style: of the study's name, or behind all names. */
static int style_of(const struct study *study, const struct study_grid *grid, int line)
{
    int index = study_name_index(study, grid->series[line] + printed_length(grid, line));
    int names = 0;
    for (int i = 0; i < grid->lines && index < 0; i++) {
        int other = study_name_index(study, grid->series[i]);
        names = other >= names ? other + 1 : names;
    }
    return index >= 0 ? index : names + line;
}

static bool has_spread(const struct study_grid *grid, int line)
{
    bool spread = false;
    for (int i = line; i < grid->points * grid->lines; i += grid->lines) {
        spread = spread || grid->least[i] < grid->greatest[i];
    }
    return spread;
}

/* Whether a line drawn later covers this one: they differ by less than a line is wide. */
static bool is_covered(const struct study_picture *picture, const struct study_grid *grid, int line,
                       int by)
{
    enum { LINES_OF_A_PICTURE = 150 };
    const struct study_range range = study_range_find(grid);
    const bool logarithmic = !picture->linear_y && range.low > 0;
    const double all = logarithmic ? log(range.high / range.low) : range.high;
    int seen = 0;
    for (int i = 0; i < grid->points; i++) {
        double one = study_grid_value(grid, i, line), other = study_grid_value(grid, i, by);
        double apart = logarithmic ? log(one / other) : one - other;
        if (isfinite(one)) {
            seen++;
            if (!(fabs(apart) * LINES_OF_A_PICTURE <= all)) {
                return false;
            }
        }
    }
    return seen > 0;
}

/* The line that hides this one; -1: none. */
static int cover_of(const struct study_picture *picture, const struct study_grid *grid, int line)
{
    for (int i = grid->lines - 1; i > line; i--) {
        if (!printed_length(grid, i) && is_covered(picture, grid, line, i)) {
            return i;
        }
    }
    return -1;
}

/* The legend of a line: its name, and the line that it lies under. */
static const char *legend_of(const struct study *study, const struct study_grid *grid, int line,
                             int cover, char *text, size_t size)
{
    const size_t printed = printed_length(grid, line);
    snprintf(text, size, "%s%s%s%s", printed ? STUDY_PRINTED : "",
             study_name_of(study, grid->series[line] + printed), cover < 0 ? "" : ", under ",
             cover < 0 ? "" : study_name_of(study, grid->series[cover]));
    return text;
}

/* Draws a line that another one covers so wide that it is seen beside it. */
static void put_line(FILE *file, const struct study *study, const struct study_picture *picture,
                     const struct study_grid *grid, int line)
{
    char text[160];
    int index = style_of(study, grid, line), cover = cover_of(picture, grid, line);
    if (printed_length(grid, line)) {
        fprintf(file, " \\\n  $line%d using 1:2 with points lw 1.5 ps 1.4 pt 3 lc rgb \"%s\"", line,
                study_script_colour(index));
    } else {
        fprintf(file, " \\\n  $line%d using %s lw %s pt %d dashtype %d lc rgb \"%s\"", line,
                has_spread(grid, line) ? "1:2:3:4 with yerrorlines" : "1:2 with linespoints",
                cover < 0 ? "2.2 ps 0.9" : "6 ps 1.9", marks[index % MARKS], index / COLOURS + 1,
                study_script_colour(index));
    }
    fputs(" title ", file);
    study_script_quote(file, legend_of(study, grid, line, cover, text, sizeof text));
}

static void put_lines(FILE *file, const struct study *study, const struct study_picture *picture,
                      const struct study_grid *grid)
{
    bool ratio = picture->drawing == STUDY_RATIO;
    fputs(ratio ? "plot 1 with lines lc rgb \"#555555\" dashtype 2 lw 1.5 notitle" : "plot", file);
    for (int i = 0, shown = 0; i < grid->lines; i++) {
        if (!ratio || strcmp(grid->series[i], picture->reference) != 0) {
            fputs(shown++ || ratio ? "," : "", file);
            put_line(file, study, picture, grid, i);
        }
    }
    putc('\n', file);
}

static void put_dots(FILE *file, const struct study *study, const struct study_grid *grid)
{
    fputs("plot", file);
    for (int j = 0; j < grid->lines; j++) {
        int index = style_of(study, grid, j);
        fprintf(file, "%s \\\n  $line%d using %s lw 1.6 ps 0.9 pt %d lc rgb \"%s\" title ",
                j ? "," : "", j,
                has_spread(grid, j) ? "1:2:3:4 with yerrorbars" : "1:2 with points",
                marks[index % MARKS], study_script_colour(index));
        study_script_quote(file, study_name_of(study, grid->series[j]));
    }
    putc('\n', file);
}

/* Ticks that stand close are turned. */
static void put_words(FILE *file, const struct study_picture *picture,
                      const struct study_grid *grid)
{
    enum { UPRIGHT = 8 };
    if (grid->points > UPRIGHT) {
        fputs("set xtics rotate by 45 right\n", file);
    }
    study_axes_names(file, 'x', picture->x_title, grid->x, grid->points,
                     grid->points > UPRIGHT ? grid->points * STUDY_MAP_WIDTH : STUDY_MAP_WIDTH);
}

/* Writes "x y log2(value) label" for each cell. */
static void put_cells(FILE *file, const struct study_grid *grid)
{
    fputs("$data << END\n", file);
    for (int i = 0; i < grid->points * grid->lines; i++) {
        double value = grid->value[i];
        fprintf(file, "%d %d", i / grid->lines, i % grid->lines);
        put_number(file, log2(value));
        fprintf(file, !isfinite(value) ? " -\n" : value < 10 ? " %.2g\n" : " %.0f\n", value);
    }
    fputs("END\n", file);
}

void study_script_places(FILE *file, const struct study_picture *picture,
                         const struct study_grid *grid)
{
    study_axes_names(file, 'x', picture->x_title, grid->x, grid->points, STUDY_MAP_WIDTH);
    study_axes_names(file, 'y', picture->y_title, grid->series, grid->lines, STUDY_MAP_HEIGHT);
}

static void put_heat(FILE *file, const struct study_picture *picture, const struct study_grid *grid)
{
    struct study_range range = study_range_find(grid);
    double most = fmax(fabs(log2(range.low)), fabs(log2(range.high)));
    int limit = (int)ceil(fmax(most, 1));
    put_cells(file, grid);
    study_script_places(file, picture, grid);
    fprintf(file,
            "set palette defined (0 \"#D55E00\", 0.5 \"#F7F7F7\", 1 \"#0072B2\")\n"
            "set cbrange [%d:%d]\nset cblabel \"times faster\" offset -0.5\nset rmargin 12\nset "
            "cbtics (",
            -limit, limit);
    for (int i = -limit; i <= limit; i += limit > 5 ? 2 : 1) {
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

/* Pixels of the x axis, beside which the legend stands. */
static int width_of(const struct study *study, const struct study_picture *picture,
                    const struct study_grid *grid)
{
    enum { ALL = 630, LETTER = 8, LEAST = 200 };
    size_t longest = picture->key_title ? strlen(picture->key_title) : 0;
    for (int i = 0; i < grid->lines; i++) {
        char text[160];
        int cover = cover_of(picture, grid, i);
        size_t length = strlen(legend_of(study, grid, i, cover, text, sizeof text));
        longest = length > longest ? length : longest;
    }
    int width = ALL - LETTER * (int)longest;
    return width > LEAST ? width : LEAST;
}

void study_script_write(FILE *file, const struct study *study, const struct study_picture *picture,
                        const struct study_grid *grid)
{
    study_script_head(file, study, picture);
    if (picture->drawing == STUDY_HEAT) {
        put_heat(file, picture, grid);
    } else if (picture->drawing == STUDY_DOTS) {
        put_words(file, picture, grid);
        study_axes_y(file, picture, grid);
        put_data(file, grid, true);
        put_dots(file, study, grid);
    } else {
        put_data(file, grid, false);
        study_axes_x(file, picture, grid, width_of(study, picture, grid));
        study_axes_y(file, picture, grid);
        put_lines(file, study, picture, grid);
    }
    study_script_foot(file, study, picture);
}
