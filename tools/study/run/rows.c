/* Makes rows of the study from the output of a command, by the labels of its point. */
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/rows.h"

#include "tools/study/run/points.h"
#include "tools/study/table/fields.h"
#include "tools/study/table/memory.h"

/* The alternative of this number in "a|b"; the last where there are fewer. */
static char *alternative(const char *label, int number)
{
    size_t length = strcspn(label, "|");
    for (; number > 0 && label[length]; number--) {
        label += length + 1;
        length = strcspn(label, "|");
    }
    return study_copy(label, length);
}

static int count_alternatives(const char *labels)
{
    int most = 1, here = 1;
    for (; *labels; labels++) {
        here = *labels == ';' ? 1 : here + (*labels == '|');
        most = here > most ? here : most;
    }
    return most;
}

/* Reads "column", "column*factor" or "1/column" of the output. */
static char *take_cell(const struct study_table *output, int row, const char *name)
{
    size_t length = strcspn(name, "*");
    if (strncmp(name, "1/", 2) == 0) {
        const double number = strtod(study_table_cell(output, row, name + 2), NULL);
        return number > 0 ? study_text("%.9g", 1 / number) : study_copy("", 0);
    }
    char *column = study_copy(name, length);
    const char *cell = study_table_cell(output, row, column);
    char *taken = name[length] && *cell
                      ? study_text("%.9g", strtod(cell, NULL) * strtod(name + length + 1, NULL))
                      : study_copy(cell, strlen(cell));
    free(column);
    return taken;
}

static char *make_cell(const struct study_point *point, const struct study_table *output, int row,
                       const char *column, int number)
{
    char *label = study_label(point->labels, column);
    if (!label) {
        return take_cell(output, row, column);
    }
    char *one = alternative(label, number);
    free(label);
    if (*one != '@') {
        return one;
    }
    char *cell = take_cell(output, row, one + 1);
    free(one);
    return cell;
}

void study_rows_take(struct study_table *table, const struct study_point *point,
                     const struct study_table *output, int row)
{
    char **cells = study_allocate((size_t)table->width, sizeof *cells);
    for (int number = 0; number < count_alternatives(point->labels); number++) {
        for (int i = 0; i < table->width; i++) {
            free(cells[i]);
            cells[i] = i == 0 ? study_copy(point->name, strlen(point->name))
                              : make_cell(point, output, row, table->columns[i], number);
        }
        study_table_append(table, cells);
    }
    study_fields_release(cells, table->width);
}
