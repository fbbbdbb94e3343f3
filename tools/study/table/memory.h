/* Memory of the studies. Where memory is short the program ends. */
#ifndef STRATA_TOOLS_STUDY_TABLE_MEMORY_H
#define STRATA_TOOLS_STUDY_TABLE_MEMORY_H

#include <stddef.h>

void *study_allocate(size_t count, size_t size);
void *study_grow(void *block, size_t count, size_t size);
char *study_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *study_copy(const char *text, size_t length);

#endif
