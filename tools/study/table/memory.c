/* Memory of the studies. Where memory is short the program says so and ends. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/table/memory.h"

static void *checked(void *block)
{
    if (!block) {
        fprintf(stderr, "strata: out of memory\n");
        exit(1);
    }
    return block;
}

void *study_allocate(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size));
}

void *study_grow(void *block, size_t count, size_t size)
{
    return checked(reallocarray(block, count ? count : 1, size));
}

char *study_copy(const char *text, size_t length)
{
    char *copy = study_allocate(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char *study_text(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return checked(length < 0 ? NULL : text);
}
