/* The details of findings. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/study/study.h"
#include "tools/study/table/memory.h"

void study_finding_tell(struct study_finding *finding, const char *format, ...)
{
    va_list arguments;
    char *line = NULL;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    char *longer =
        study_text("%s%s\n", finding->details ? finding->details : "", length < 0 ? "" : line);
    free(length < 0 ? NULL : line);
    free(finding->details);
    finding->details = longer;
}
