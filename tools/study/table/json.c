/* Reads results that programs write as JSON, with jansson. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/table/json.h"

#include "tools/study/table/fields.h"
#include "tools/study/table/median.h"
#include "tools/study/table/memory.h"

static char *median(const json_t *array)
{
    size_t count = json_array_size(array);
    double *values = study_allocate(count, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = json_number_value(json_array_get(array, i));
    }
    double middle = study_median(values, count);
    free(values);
    return study_text("%.9g", middle);
}

/* The text of a value; NULL: the value is no cell. */
static char *cell_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        return study_text("%s", json_string_value(value));
    case JSON_INTEGER:
    case JSON_REAL:
        return study_text("%.9g", json_number_value(value));
    case JSON_TRUE:
    case JSON_FALSE:
        return study_text("%s", json_is_true(value) ? "true" : "false");
    case JSON_ARRAY:
        return json_is_number(json_array_get(value, 0)) ? median(value) : NULL;
    default:
        return NULL;
    }
}

/* Adds an object's members to the row, and a column for each new member. */
static void add_cells(struct study_table *table, json_t *object, char ***row)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        char *cell = cell_of(value);
        int column = cell ? study_table_column(table, key) : -1;
        if (cell && column < 0) {
            column = table->width++;
            table->columns = study_grow(table->columns, (size_t)table->width, sizeof(char *));
            table->columns[column] = study_copy(key, strlen(key));
            *row = study_grow(*row, (size_t)table->width, sizeof(char *));
            (*row)[column] = NULL;
        }
        if (cell) {
            free((*row)[column]);
            (*row)[column] = cell;
        }
    }
}

static json_t *find_results(const json_t *root)
{
    static const char *const names[] = {"results", "benchmarks", "Results"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *array = json_object_get(root, names[i]);
        if (json_is_array(array)) {
            return array;
        }
    }
    return NULL;
}

/* Adds the cells of an object as a row. The first row decides which columns there are. */
static void add_row(struct study_table *table, const struct study_table *all, char **cells)
{
    if (!table->width) {
        table->columns = study_allocate((size_t)all->width, sizeof(char *));
        for (table->width = 0; table->width < all->width; table->width++) {
            const char *name = all->columns[table->width];
            table->columns[table->width] = study_copy(name, strlen(name));
        }
    }
    char **row = study_allocate((size_t)table->width, sizeof *row);
    for (int i = 0; i < table->width; i++) {
        int from = study_table_column(all, table->columns[i]);
        row[i] = from < 0 ? "" : cells[from];
    }
    study_table_append(table, row);
    free(row);
}

/* An object without cells is no row. */
static void add_object(struct study_table *table, json_t *root, json_t *object)
{
    struct study_table all = {0};
    char **cells = study_allocate(1, sizeof *cells);
    add_cells(&all, root, &cells);
    add_cells(&all, object, &cells);
    if (all.width > 0) {
        add_row(table, &all, cells);
    }
    study_fields_release(cells, all.width);
    study_table_fini(&all);
}

bool study_json_parse(struct study_table *table, const char *text, char **why)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error), *results = root ? find_results(root) : NULL;
    *table = (struct study_table){0};
    *why = NULL;
    for (size_t i = 0; i < json_array_size(results); i++) {
        add_object(table, root, json_array_get(results, i));
    }
    if (!root) {
        *why = study_text("line %d of its JSON: %s", error.line, error.text);
    } else if (table->rows == 0) {
        *why = study_text("its JSON has no \"results\"");
    }
    json_decref(root);
    return !*why;
}

bool study_json_number(const char *text, const char *key, double *number, char **why)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error), *at = root;
    while (at && *key) {
        size_t length = strcspn(key, ".");
        char *name = study_copy(key, length);
        at = json_object_get(at, name);
        free(name);
        key += length + (key[length] == '.');
    }
    char *cell = at ? cell_of(at) : NULL, *end = cell;
    *number = cell ? strtod(cell, &end) : 0;
    *why = cell && end != cell && !*end ? NULL
           : root                       ? study_text("its JSON has no number at this key")
                  : study_text("line %d of its JSON: %s", error.line, error.text);
    free(cell);
    json_decref(root);
    return !*why;
}
