/* Tables of text with named columns. */
#include <stdlib.h>
#include <string.h>

#include "tools/study/table/table.h"

#include "tools/study/table/fields.h"
#include "tools/study/table/memory.h"

void study_table_init(struct study_table *table, const char *columns)
{
    *table = (struct study_table){0};
    table->width = study_fields_split(columns, &table->columns);
}

void study_table_fini(struct study_table *table)
{
    for (int i = 0; i < table->rows; i++) {
        study_fields_release(table->cells[i], table->width);
    }
    free(table->cells);
    study_fields_release(table->columns, table->width);
    *table = (struct study_table){0};
}

int study_table_column(const struct study_table *table, const char *name)
{
    for (int i = 0; i < table->width; i++) {
        if (strcmp(table->columns[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *study_table_cell(const struct study_table *table, int row, const char *column)
{
    int place = study_table_column(table, column);
    return place < 0 || row < 0 || row >= table->rows ? "" : table->cells[row][place];
}

char **study_table_append(struct study_table *table, char *const *cells)
{
    char **row = study_allocate((size_t)table->width, sizeof *row);
    for (int i = 0; i < table->width; i++) {
        row[i] = study_copy(cells[i], strlen(cells[i]));
    }
    table->cells = study_grow(table->cells, (size_t)table->rows + 1, sizeof *table->cells);
    table->cells[table->rows++] = row;
    return row;
}

static bool is_content(const char *line)
{
    return *line && *line != '#' && *line != '\r';
}

static void parse_row(struct study_table *table, const char *line)
{
    char **fields;
    int count = study_fields_split(line, &fields);
    if (count == table->width) {
        study_table_append(table, fields);
    }
    study_fields_release(fields, count);
}

int study_table_parse(struct study_table *table, char *text)
{
    char *rest = NULL;
    *table = (struct study_table){0};
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!is_content(line)) {
            continue;
        }
        if (!table->width) {
            study_table_init(table, line);
        } else {
            parse_row(table, line);
        }
    }
    return table->width ? table->rows : -1;
}

/* Whether the row meets one condition: "column=value", "column<=number" or "column>=number". */
static bool condition_holds(const struct study_table *table, int row, const char *text)
{
    size_t name = strcspn(text, "<>=");
    char *column = study_copy(text, name);
    const char *cell = study_table_cell(table, row, column);
    const char *value = text + name + (text[name] == '=' ? 1 : 2);
    bool holds = text[name] == '='   ? strcmp(cell, value) == 0
                 : text[name] == '<' ? strtod(cell, NULL) <= strtod(value, NULL)
                                     : strtod(cell, NULL) >= strtod(value, NULL);
    free(column);
    return holds;
}

bool study_table_matches(const struct study_table *table, int row, const char *where)
{
    bool holds = true;
    while (where && *where && holds) {
        size_t length = strcspn(where, ";");
        char *condition = study_copy(where, length);
        holds = condition_holds(table, row, condition);
        free(condition);
        where += length + (where[length] == ';');
    }
    return holds;
}

bool study_row_is_busy(const struct study_table *table, int row)
{
    return strtod(study_table_cell(table, row, "not_ours"), NULL) > 0.1;
}

char *study_label(const char *labels, const char *key)
{
    size_t length = strlen(key);
    while (labels && *labels) {
        size_t end = strcspn(labels, ";");
        if (strncmp(labels, key, length) == 0 && labels[length] == '=') {
            return study_copy(labels + length + 1, end - length - 1);
        }
        labels += end + (labels[end] == ';');
    }
    return NULL;
}
