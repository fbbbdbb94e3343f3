/* What the columns of studies hold, in words. */
#ifndef STRATA_TOOLS_STUDY_TABLE_COLUMNS_H
#define STRATA_TOOLS_STUDY_TABLE_COLUMNS_H

/* NULL: no study has such a column. */
const char *study_column_text(const char *column);

#endif
