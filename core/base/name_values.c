#include "core/base/name_values.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/whole_file.h"

/* The first byte of the line that no text has; -1: there is none. */
static int wrong_byte(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)line[i];
        if ((byte < ' ' && !isspace(byte)) || byte == 0x7f) {
            return byte;
        }
    }
    return -1;
}

/* Ends the text behind its last byte that is no blank, and returns its first. */
static char *trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    text[length] = '\0';
    return text + strspn(text, " \t\v\f\r");
}

static int take_line(const char *line, size_t length, strata_take_value *take, void *context,
                     struct strata_diagnostic *message)
{
    char text[STRATA_LONGEST_LINE + 1];
    int wrong = wrong_byte(line, length);
    if (length > STRATA_LONGEST_LINE) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "it is longer than %d bytes",
                           STRATA_LONGEST_LINE);
    }
    if (wrong >= 0) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "a byte 0x%02x is no text", (unsigned)wrong);
    }
    memcpy(text, line, length);
    text[length] = '\0';
    text[strcspn(text, "#")] = '\0';
    char *value = strchr(text, '=');
    if (value) {
        *value++ = '\0';
    }
    char *name = trim(text);
    return *name || value ? take(context, name, value ? trim(value) : "", message) : STRATA_OK;
}

int strata_name_values_parse(const char *text, size_t size, strata_take_value *take, void *context,
                             struct strata_diagnostic *message)
{
    struct strata_diagnostic why = {""};
    int status = STRATA_OK, number = 0;
    for (size_t at = 0; status == STRATA_OK && at < size; number++) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - text) - at : size - at;
        status = take_line(text + at, length, take, context, &why);
        at += length + 1;
    }
    return status == STRATA_OK ? status
                               : strata_fail(message, status, "line %d: %.400s", number, why.text);
}

int strata_name_values_read(const char *path, strata_take_value *take, void *context,
                            struct strata_diagnostic *message)
{
    size_t size = 0;
    char *text = strata_whole_file(path, STRATA_LONGEST_FILE, &size);
    int status = STRATA_OK;
    if (text) {
        status = strata_name_values_parse(text, size, take, context, message);
    } else if (errno == ENOMEM) {
        status = strata_fail(message, STRATA_ERR_MEMORY, "out of memory");
    } else if (errno == EFBIG) {
        status = strata_fail(message, STRATA_ERR_SYNTAX, "it is longer than %d bytes",
                             STRATA_LONGEST_FILE);
    } else {
        bool none = errno != EISDIR && errno != EINVAL; /* it cannot be opened */
        status = strata_fail(message, none ? STRATA_ERR_UNSUPPORTED : STRATA_ERR_SYNTAX,
                             "cannot be read: %s", strata_whole_file_why());
    }
    strata_release(text);
    return status;
}
