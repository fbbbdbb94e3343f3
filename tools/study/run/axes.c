/* Writes axes: ticks at the points of x, and ticks of y with units that fit their own size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/axes.h"
#include "tools/study/run/script.h"
#include "tools/study/table/memory.h"

/* Pixels of a letter and between two ticks' texts, and of a line of text. */
enum { LETTER = 8, GAP = 8, LINE = 18 };

struct study_range study_range_find(const struct study_grid *grid)
{
    struct study_range range = {INFINITY, -INFINITY};
    for (int i = 0; i < grid->points * grid->lines; i++) {
        if (isfinite(grid->value[i])) {
            range.low = fmin(range.low, fmin(grid->value[i], grid->least[i]));
            range.high = fmax(range.high, fmax(grid->value[i], grid->greatest[i]));
        }
    }
    return range;
}

static void put_title(FILE *file, char axis, const char *title)
{
    fprintf(file, "set %clabel ", axis);
    study_script_quote(file, title);
    putc('\n', file);
}

/* The text of a tick. On an axis of bytes "65536" becomes "64K". */
static const char *tick_text(const char *title, const char *text, char *name, size_t size)
{
    char *end;
    long value = strtol(text, &end, 10);
    int unit = 0;
    while (unit < 3 && value >= 1024 && value % 1024 == 0) {
        value /= 1024;
        unit++;
    }
    bool bytes = strstr(title, "bytes") && !*end && unit > 0;
    snprintf(name, size, "%ld%c", value, " KMG"[unit]);
    return bytes ? name : text;
}

/* Pixels from the first point's place to the middle of a tick. */
static double pixels_at(const struct study_grid *grid, int point, bool logarithmic, int width)
{
    double first = grid->place[0], last = grid->place[grid->points - 1], at = grid->place[point];
    double part = last <= first ? 0
                  : logarithmic ? log(at / first) / log(last / first)
                                : (at - first) / (last - first);
    return 0.85 * width * part;
}

static double half_width(const struct study_picture *picture, const struct study_grid *grid,
                         int point)
{
    char name[32];
    return LETTER / 2.0 *
           (double)strlen(tick_text(picture->x_title, grid->x[point], name, sizeof name));
}

/* Marks the ticks with a text: the first and the last one, and between them from the left those
 * that have room. Returns whether all have. */
static bool choose_ticks(const struct study_picture *picture, const struct study_grid *grid,
                         bool logarithmic, int width, bool *chosen)
{
    int last = grid->points - 1, count = 0;
    double from = -INFINITY;
    double to = pixels_at(grid, last, logarithmic, width) - half_width(picture, grid, last);
    for (int i = 0; i <= last; i++) {
        double middle = pixels_at(grid, i, logarithmic, width);
        double half = half_width(picture, grid, i);
        chosen[i] = i == last || (middle - half > from && (i == 0 || middle + half + GAP < to));
        from = chosen[i] ? middle + half + GAP : from;
        count += chosen[i];
    }
    return count == grid->points;
}

void study_axes_x(FILE *file, const struct study_picture *picture, const struct study_grid *grid,
                  int width)
{
    double first = grid->place[0], last = grid->place[grid->points - 1];
    bool logarithmic = grid->numbers && !picture->linear_x && first > 0;
    bool *chosen = study_allocate((size_t)grid->points, sizeof *chosen);
    bool turned = !choose_ticks(picture, grid, logarithmic, width, chosen) && !grid->numbers;
    put_title(file, 'x', picture->x_title);
    fputs(turned ? "set xtics rotate by 45 right (" : "set xtics (", file);
    for (int i = 0; i < grid->points; i++) {
        char name[32];
        fputs(i ? ", " : "", file);
        study_script_quote(file, chosen[i] || turned
                                     ? tick_text(picture->x_title, grid->x[i], name, sizeof name)
                                     : "");
        fprintf(file, " %.9g", grid->place[i]);
    }
    fputs(")\n", file);
    if (logarithmic) {
        double margin = last > first ? pow(last / first, 0.08) : 1.5;
        fprintf(file, "set logscale x 2\nset xrange [%.9g:%.9g]\n", first / margin, last * margin);
    } else {
        double margin = last > first ? 0.08 * (last - first) : 0.5;
        fprintf(file, "set xrange [%.9g:%.9g]\n", first - margin, last + margin);
    }
    free(chosen);
}

/* What values measure, by units a thousand times each other. */
static const struct measure {
    const char *const units[5];
    double first; /* the first unit */
} plain = {{NULL}, 1}, seconds = {{"ns", "us", "ms", "s"}, 1e-9},
  bytes = {{"B", "kB", "MB", "GB", "TB"}, 1};

static const struct measure *measure_of(const struct study_picture *picture)
{
    return picture->drawing == STUDY_RATIO ? &plain
           : strcmp(picture->axes.y, "seconds") == 0 || strcmp(picture->axes.y, "predicted") == 0
               ? &seconds
           : strstr(picture->y_title, "ytes") != NULL ? &bytes
                                                      : &plain;
}

static void put_value(FILE *file, const struct measure *measure, double value)
{
    char text[48];
    double scaled = value / measure->first;
    int unit = 0;
    while (unit < 4 && measure->units[unit] && measure->units[unit + 1] && scaled >= 999.5) {
        scaled /= 1000;
        unit++;
    }
    snprintf(text, sizeof text, measure->units[0] ? "%.6g %s" : "%.10g", scaled,
             measure->units[0] ? measure->units[unit] : "");
    study_script_quote(file, text);
    fprintf(file, " %.9g", value);
}

/* Digits of ticks in a decade, from few to many. */
static const struct digits {
    int count;
    double digit[17];
} series[] = {{1, {1}},
              {3, {1, 2, 5}},
              {6, {1, 1.5, 2, 3, 5, 7}},
              {17, {1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 6, 7, 8}}};
enum { SERIES = sizeof series / sizeof *series, MOST_TICKS = 10 };

/* Writes the ticks of the range, where there is a file. Returns their number. */
static int put_ticks(FILE *file, const struct measure *measure, const struct digits *digits,
                     struct study_range range)
{
    int count = 0;
    for (int i = (int)floor(log10(range.low)); i <= (int)ceil(log10(range.high)); i++) {
        for (int j = 0; j < digits->count; j++) {
            double value = digits->digit[j] * pow(10, i);
            if (value >= range.low && value <= range.high) {
                if (file) {
                    fputs(count ? ", " : "", file);
                    put_value(file, measure, value);
                }
                count++;
            }
        }
    }
    return count;
}

/* Takes as many ticks as have room. The range is so wide that there are three. */
static void put_logarithmic(FILE *file, const struct measure *measure, struct study_range range)
{
    double margin = range.high > 1.2 * range.low ? 1.3 : 1.45;
    struct study_range shown = {range.low / margin, range.high * margin};
    const struct digits *digits = &series[SERIES - 1];
    while (digits > series && put_ticks(NULL, measure, digits, shown) > MOST_TICKS) {
        digits--;
    }
    fputs("set ytics (", file);
    put_ticks(file, measure, digits, shown);
    fprintf(file, ")\nset logscale y\nset yrange [%.9g:%.9g]\n", shown.low, shown.high);
}

void study_axes_y(FILE *file, const struct study_picture *picture, const struct study_grid *grid)
{
    struct study_range range = study_range_find(grid);
    const struct measure *measure = measure_of(picture);
    put_title(file, 'y', picture->y_title);
    if (picture->drawing == STUDY_RATIO) {
        range.low = fmin(range.low, 1);
        range.high = fmax(range.high, 1);
    }
    if (!picture->linear_y && range.low > 0) {
        put_logarithmic(file, measure, range);
    } else {
        fprintf(file, "set yrange [0:*]\nset format y \"%s\"\n",
                measure == &seconds ? "%.0s %cs"
                : measure == &bytes ? "%.0s %cB"
                                    : "%g");
    }
}

void study_axes_names(FILE *file, char axis, const char *title, char *const *names, int count,
                      int room)
{
    size_t longest = 0;
    char name[32];
    for (int i = 0; i < count; i++) {
        size_t length = strlen(tick_text(title, names[i], name, sizeof name));
        longest = length > longest ? length : longest;
    }
    int each = axis == 'y' ? LINE : (int)longest * LETTER + GAP;
    int step = (count * each + room - 1) / room;
    put_title(file, axis, title);
    fprintf(file, "set %ctics scale 0 (", axis);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", file);
        study_script_quote(
            file, i % (step ? step : 1) ? "" : tick_text(title, names[i], name, sizeof name));
        fprintf(file, " %d", i);
    }
    fprintf(file, ")\nset %crange [-0.5:%g]\n", axis, count - 0.5);
}
