/* Files that people write: a line "NAME = VALUE" for each thing, "#" before a comment. */
#ifndef STRATA_CORE_BASE_NAME_VALUES_H
#define STRATA_CORE_BASE_NAME_VALUES_H

#include <stddef.h>

#include "core/base/error.h"

/* The longest file, and the longest line without its newline, in bytes. */
enum { STRATA_LONGEST_FILE = 65536, STRATA_LONGEST_LINE = 1023 };

/* Takes one line. A line without "=" has an empty value. Returns an error, and says why. */
typedef int strata_take_value(void *context, const char *name, const char *value,
                              struct strata_diagnostic *message);

/* Hands each line of a text of `size` bytes to `take`, without comments and blanks around name and
 * value. Stops at the first line that is wrong; message then begins with "line 7: ". */
int strata_name_values_parse(const char *text, size_t size, strata_take_value *take, void *context,
                             struct strata_diagnostic *message);

/* Reads a file in the same way. Only a regular file is read, so that no open waits.
 * STRATA_ERR_UNSUPPORTED: there is no such file. */
int strata_name_values_read(const char *path, strata_take_value *take, void *context,
                            struct strata_diagnostic *message);

#endif
