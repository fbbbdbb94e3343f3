/* Results in JSON. */
#ifndef STRATA_TOOLS_STUDY_TABLE_JSON_H
#define STRATA_TOOLS_STUDY_TABLE_JSON_H

#include "tools/study/table/table.h"

/* Reads a row from each object of the array "results" (is_sort, fft), "benchmarks" (Google
 * Benchmark) or "Results". The columns are its members that are text or numbers, the medians of its
 * arrays of numbers, and the members of the whole. Returns false where that fails; *why is then a
 * sentence. */
bool study_json_parse(struct study_table *table, const char *text, char **why);

/* The number of a key, or of OUTER.INNER; of numbers the median. Returns false where there is none;
 * *why is then a sentence. */
bool study_json_number(const char *text, const char *key, double *number, char **why);

#endif
