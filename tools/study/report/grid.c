/* Arranges the values of a table over two axes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/grid.h"

#include "tools/study/table/fields.h"
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

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median_at(const struct study_table *table, const struct study_axes *axes,
                        const char *x, const char *series)
{
    double *values = study_allocate((size_t)table->rows, sizeof *values), middle = NAN;
    size_t count = 0;
    for (int row = 0; row < table->rows; row++) {
        const char *cell = study_table_cell(table, row, axes->y);
        if (is_number(cell) && is_at(table, row, axes, x, series)) {
            values[count++] = strtod(cell, NULL);
        }
    }
    if (count) {
        qsort(values, count, sizeof *values, by_value);
        middle = (values[(count - 1) / 2] + values[count / 2]) / 2;
    }
    free(values);
    return middle;
}

void study_grid_build(struct study_grid *grid, const struct study_table *table,
                      const struct study *study, const struct study_axes *axes)
{
    *grid = (struct study_grid){0};
    for (int row = 0; row < table->rows; row++) {
        if (study_table_matches(table, row, axes->where)) {
            add_word(&grid->x, &grid->points, study_table_cell(table, row, axes->x));
            add_word(&grid->series, &grid->lines,
                     axes->series ? study_table_cell(table, row, axes->series) : "");
        }
    }
    order_points(grid);
    order_series(grid, study);
    grid->value = study_allocate((size_t)grid->points * (size_t)grid->lines, sizeof *grid->value);
    for (int i = 0; i < grid->points * grid->lines; i++) {
        grid->value[i] =
            median_at(table, axes, grid->x[i / grid->lines], grid->series[i % grid->lines]);
    }
}

void study_grid_fini(struct study_grid *grid)
{
    study_fields_release(grid->x, grid->points);
    study_fields_release(grid->series, grid->lines);
    free(grid->place);
    free(grid->value);
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
