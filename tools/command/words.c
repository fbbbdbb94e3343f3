#include "tools/command/words.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void tool_complain(const struct tool_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "strata %s: ", command->name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

bool tool_number(const char *text, double least, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && !*end && *value >= least && *value <= most;
}

const char *tool_plural(long long count)
{
    return count == 1 ? "" : "s";
}

const char *tool_seconds(double seconds, char *text, size_t size)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = seconds * 1e9;
    int unit = seconds == 0 ? 3 : 0;
    while (value >= 1000 && unit < 3) {
        value /= 1000;
        unit++;
    }
    const int digits = value == 0 || value >= 100 ? 0 : value < 10 ? 2 : 1;
    snprintf(text, size, "%.*f %s", digits, value, units[unit]);
    return text;
}

const char *tool_bytes(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        unit++;
    }
    bool whole = bytes >= 100 || bytes == (double)(int)bytes;
    snprintf(text, size, "%.*f %s", whole ? 0 : 1, bytes, units[unit]);
    return text;
}
