/* Lines of CSV. */
#ifndef STRATA_TOOLS_STUDY_TABLE_FIELDS_H
#define STRATA_TOOLS_STUDY_TABLE_FIELDS_H

#include <stdio.h>

/* Splits a line of CSV and takes quotes off. Returns the number of fields, which the caller
 * releases with study_fields_release. */
int study_fields_split(const char *line, char ***fields);
void study_fields_release(char **fields, int count);
void study_row_write(FILE *file, char *const *cells, int width);

#endif
