/* Tables of text with named columns, as CSV files hold them. */
#ifndef STRATA_TOOLS_STUDY_TABLE_TABLE_H
#define STRATA_TOOLS_STUDY_TABLE_TABLE_H

#include <stdbool.h>

struct study_table {
    char **columns;
    int width;
    char ***cells; /* [rows][width] */
    int rows;
};

/* Makes an empty table with the columns "a,b,c". */
void study_table_init(struct study_table *table, const char *columns);
void study_table_fini(struct study_table *table);

/* The index of a column; -1: the table has none of this name. */
int study_table_column(const struct study_table *table, const char *name);
/* The text of a cell; "" where the column or the row is missing. */
const char *study_table_cell(const struct study_table *table, int row, const char *column);
/* Appends a row of copies. Returns the row. */
char **study_table_append(struct study_table *table, char *const *cells);

/* Reads CSV text into a new table. The first line that is neither empty nor a comment names the
 * columns. Lines with another number of fields are skipped. Returns the number of rows; -1 without
 * a line of columns. */
int study_table_parse(struct study_table *table, char *text);

/* Whether the row matches "column=value;column<=number"; NULL matches all rows. */
bool study_table_matches(const struct study_table *table, int row, const char *where);

/* Whether other programs took more than a tenth of the machine during the row's measurement, as its
 * column not_ours says. */
bool study_row_is_busy(const struct study_table *table, int row);

/* A copy of the value of KEY in "key=value;key=value"; NULL: KEY is missing. */
char *study_label(const char *labels, const char *key);

#endif
