/* Splits and writes lines of CSV. */
#include <stdlib.h>
#include <string.h>

#include "tools/study/table/fields.h"

#include "tools/study/table/memory.h"
#include "tools/study/table/table.h"

/* Copies one field to `out` without its quotes. Returns the text behind it. */
static const char *read_field(const char *text, char *out)
{
    bool quoted = *text == '"';
    text += quoted;
    while (*text && *text != '\n' && *text != '\r') {
        if (quoted && text[0] == '"' && text[1] != '"') {
            quoted = false;
        } else if (!quoted && *text == ',') {
            break;
        } else {
            text += quoted && *text == '"';
            *out++ = *text;
        }
        text++;
    }
    *out = '\0';
    return text;
}

int study_fields_split(const char *line, char ***fields)
{
    int count = 0;
    bool more = true;
    char *buffer = study_allocate(strlen(line) + 1, 1);
    *fields = NULL;
    while (more) {
        line = read_field(line, buffer);
        *fields = study_grow(*fields, (size_t)count + 1, sizeof **fields);
        (*fields)[count++] = study_copy(buffer, strlen(buffer));
        more = *line == ',';
        line += more;
    }
    free(buffer);
    return count;
}

void study_fields_release(char **fields, int count)
{
    for (int i = 0; i < count; i++) {
        free(fields[i]);
    }
    free(fields);
}

static void write_field(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"")) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"') {
            putc('"', file);
        }
        putc(*text, file);
    }
    putc('"', file);
}

void study_row_write(FILE *file, char *const *cells, int width)
{
    for (int i = 0; i < width; i++) {
        if (i) {
            putc(',', file);
        }
        write_field(file, cells[i]);
    }
    putc('\n', file);
}
