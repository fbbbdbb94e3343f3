/* Files that a setting names, or that lie where the user and the site keep such things. */
#ifndef STRATA_CORE_BASE_FOUND_FILE_H
#define STRATA_CORE_BASE_FOUND_FILE_H

#include "core/base/error.h"

enum { STRATA_FOUND_PATH = 256 };

/* Reads a file. STRATA_ERR_UNSUPPORTED: there is no such file. */
typedef int strata_read_found(void *context, const char *path, struct strata_diagnostic *message);

/* Reads the file `named`; NULL: the user's file `name`, or where there is none the site's. Sets
 * `path`, "" where no file was read; only where one is wrong, or a named one is not there, an error
 * is returned, and message says which and why. */
int strata_find_file(const char *named, const char *name, strata_read_found *read, void *context,
                     char path[STRATA_FOUND_PATH], struct strata_diagnostic *message);

#endif
