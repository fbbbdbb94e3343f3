/* Results that programs write as JSON. */
#ifndef STRATA_TOOLS_STUDY_TABLE_JSON_H
#define STRATA_TOOLS_STUDY_TABLE_JSON_H

#include "tools/study/table/table.h"

/* One row for each object of the array "results" (is_sort, fft) or "benchmarks" (Google
 * Benchmark); its members that are text or numbers are columns, and so are those of the whole;
 * of an array of numbers, its median. False: *why is a sentence. */
bool study_json_parse(struct study_table *table, const char *text, char **why);

#endif
