/* Tables of text with named columns: what a CSV file holds. */
#ifndef STRATA_TOOLS_STUDY_TABLE_TABLE_H
#define STRATA_TOOLS_STUDY_TABLE_TABLE_H

#include <stdbool.h>

struct study_table {
    char **columns;
    int width;
    char ***cells; /* rows of width cells */
    int rows;
};

/* Reads "a,b,c" as the columns of an empty table. */
void study_table_init(struct study_table *table, const char *columns);
void study_table_fini(struct study_table *table);

/* -1: there is no such column. */
int study_table_column(const struct study_table *table, const char *name);
/* "" where the column or the row is missing. */
const char *study_table_cell(const struct study_table *table, int row, const char *column);
/* Appends a row of copies; returns it. */
char **study_table_append(struct study_table *table, char *const *cells);

/* Reads CSV text into a new table: the first line that is neither empty nor a comment names the
 * columns; lines with another number of fields are passed over. Returns rows read, -1 without a
 * line of columns. */
int study_table_parse(struct study_table *table, char *text);

/* Does the row match "column=value;column<=number"? NULL matches all. */
bool study_table_matches(const struct study_table *table, int row, const char *where);

/* The value of KEY in "key=value;key=value", copied; NULL: not there. */
char *study_label(const char *labels, const char *key);

#endif
