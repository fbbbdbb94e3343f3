/* Arranges the values of a table over two axes. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/grid.h"

#include "tools/study/table/fields.h"
#include "tools/study/table/median.h"
#include "tools/study/table/memory.h"

/* Adds a word to a list that holds each word once. */
static void add_word(char ***words, int *count, const char *word)
{
    for (int i = 0; i < *count; i++) {
        if (strcmp((*words)[i], word) == 0) {
            return;
        }
    }
    *words = study_grow(*words, (size_t)*count + 1, sizeof **words);
    (*words)[(*count)++] = study_copy(word, strlen(word));
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return *text && !*end;
}

/* Sorts by insertion: the lists are short, and equal keys keep their order. */
static void sort_words(char **words, double *keys, int count)
{
    for (int i = 1; i < count; i++) {
        char *word = words[i];
        double key = keys[i];
        int j = i;
        for (; j > 0 && keys[j - 1] > key; j--) {
            words[j] = words[j - 1];
            keys[j] = keys[j - 1];
        }
        words[j] = word;
        keys[j] = key;
    }
}

static void order_points(struct study_grid *grid)
{
    grid->numbers = grid->points > 0;
    grid->place = study_allocate((size_t)grid->points, sizeof *grid->place);
    for (int i = 0; i < grid->points; i++) {
        grid->numbers = grid->numbers && is_number(grid->x[i]);
    }
    for (int i = 0; i < grid->points; i++) {
        grid->place[i] = grid->numbers ? strtod(grid->x[i], NULL) : i;
    }
    sort_words(grid->x, grid->place, grid->points);
}

static void order_series(struct study_grid *grid, const struct study *study)
{
    double *keys = study_allocate((size_t)grid->lines, sizeof *keys);
    for (int i = 0; i < grid->lines; i++) {
        int index = study_name_index(study, grid->series[i]);
        keys[i] = index >= 0                   ? index
                  : is_number(grid->series[i]) ? 1e6 + strtod(grid->series[i], NULL)
                                               : 1e12 + i;
    }
    sort_words(grid->series, keys, grid->lines);
    free(keys);
}

static bool is_at(const struct study_table *table, int row, const struct study_axes *axes,
                  const char *x, const char *series)
{
    return strcmp(study_table_cell(table, row, axes->x), x) == 0 &&
           (!axes->series || strcmp(study_table_cell(table, row, axes->series), series) == 0) &&
           study_table_matches(table, row, axes->where);
}

int study_grid_row(const struct study_table *table, const struct study_axes *axes, const char *x,
                   const char *series)
{
    for (int row = 0; row < table->rows; row++) {
        if (is_at(table, row, axes, x, series)) {
            return row;
        }
    }
    return -1;
}

/* Reads the column y with an ending; otherwise `absent`. */
static double read_bound(const struct study_table *table, int row, const char *y,
                         const char *ending, double absent)
{
    char *column = study_text("%s%s", y, ending);
    const char *cell = study_table_cell(table, row, column);
    double value = is_number(cell) ? strtod(cell, NULL) : absent;
    free(column);
    return value;
}

struct study_value study_grid_read(const struct study_table *table, int row, const char *y)
{
    double value = read_bound(table, row, y, "", NAN);
    return (struct study_value){value, read_bound(table, row, y, "_low", value),
                                read_bound(table, row, y, "_high", value)};
}

/* Fills the grid's place i from all rows there. */
static void fill_place(struct study_grid *grid, int i, const struct study_table *table,
                       const struct study_axes *axes)
{
    const char *x = grid->x[i / grid->lines], *series = grid->series[i % grid->lines];
    double *values = study_allocate((size_t)table->rows, sizeof *values);
    size_t count = 0;
    grid->value[i] = grid->least[i] = grid->greatest[i] = NAN;
    for (int row = 0; row < table->rows; row++) {
        if (is_at(table, row, axes, x, series) &&
            is_number(study_table_cell(table, row, axes->y))) {
            struct study_value value = study_grid_read(table, row, axes->y);
            values[count++] = value.value;
            grid->least[i] = fmin(grid->least[i], value.low);
            grid->greatest[i] = fmax(grid->greatest[i], value.high);
        }
    }
    if (count) {
        grid->value[i] = study_median(values, count);
    }
    free(values);
}

/* Adds the words of the paper's values, whose place is known only when all words are there. */
static void add_printed(struct study_grid *grid, const struct study_printed *printed)
{
    for (; printed && printed->series && grid->points > 0; printed++) {
        char *x = study_text("%.9g", printed->x);
        char *series = study_text(STUDY_PRINTED "%s", printed->series);
        add_word(&grid->x, &grid->points, x);
        add_word(&grid->series, &grid->lines, series);
        free(series);
        free(x);
    }
}

static void fill_printed(struct study_grid *grid, const struct study_printed *printed)
{
    for (; printed && printed->series && grid->points > 0; printed++) {
        char *series = study_text(STUDY_PRINTED "%s", printed->series);
        int line = study_grid_line(grid, series), point = 0;
        while (point < grid->points && grid->place[point] != printed->x) {
            point++;
        }
        if (point == grid->points) { /* some x is no number, and places are not its values */
            free(series);
            continue;
        }
        grid->value[point * grid->lines + line] = printed->y;
        grid->least[point * grid->lines + line] = printed->y;
        grid->greatest[point * grid->lines + line] = printed->y;
        free(series);
    }
}

void study_grid_build(struct study_grid *grid, const struct study_table *table,
                      const struct study *study, const struct study_axes *axes)
{
    study_grid_build_printed(grid, table, study, axes, NULL);
}

void study_grid_build_printed(struct study_grid *grid, const struct study_table *table,
                              const struct study *study, const struct study_axes *axes,
                              const struct study_printed *printed)
{
    *grid = (struct study_grid){0};
    for (int row = 0; row < table->rows; row++) {
        if (study_table_matches(table, row, axes->where)) {
            add_word(&grid->x, &grid->points, study_table_cell(table, row, axes->x));
            add_word(&grid->series, &grid->lines,
                     axes->series ? study_table_cell(table, row, axes->series) : "");
        }
    }
    add_printed(grid, printed);
    order_points(grid);
    order_series(grid, study);
    const size_t places = (size_t)grid->points * (size_t)grid->lines;
    grid->value = study_allocate(places, sizeof *grid->value);
    grid->least = study_allocate(places, sizeof *grid->least);
    grid->greatest = study_allocate(places, sizeof *grid->greatest);
    for (int i = 0; i < grid->points * grid->lines; i++) {
        fill_place(grid, i, table, axes);
    }
    fill_printed(grid, printed);
}

static void swap_numbers(double *numbers, int left, int right)
{
    double number = numbers[left];
    numbers[left] = numbers[right];
    numbers[right] = number;
}

static void swap_points(struct study_grid *grid, int left, int right)
{
    char *word = grid->x[left];
    grid->x[left] = grid->x[right];
    grid->x[right] = word;
    for (int i = 0; i < grid->lines; i++) {
        int one = left * grid->lines + i, other = right * grid->lines + i;
        swap_numbers(grid->value, one, other);
        swap_numbers(grid->least, one, other);
        swap_numbers(grid->greatest, one, other);
    }
}

void study_grid_order_words(struct study_grid *grid)
{
    for (int i = 1; i < grid->points; i++) {
        for (int j = i; j > 0 && strverscmp(grid->x[j - 1], grid->x[j]) > 0; j--) {
            swap_points(grid, j - 1, j);
        }
    }
}

void study_grid_fini(struct study_grid *grid)
{
    study_fields_release(grid->x, grid->points);
    study_fields_release(grid->series, grid->lines);
    free(grid->place);
    free(grid->value);
    free(grid->least);
    free(grid->greatest);
    *grid = (struct study_grid){0};
}

int study_grid_line(const struct study_grid *grid, const char *series)
{
    for (int i = 0; i < grid->lines; i++) {
        if (strcmp(grid->series[i], series) == 0) {
            return i;
        }
    }
    return -1;
}

double study_grid_value(const struct study_grid *grid, int point, int line)
{
    return point < 0 || line < 0 ? NAN : grid->value[point * grid->lines + line];
}
