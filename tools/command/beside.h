/* Replacing a file by one that is whole. */
#ifndef STRATA_TOOLS_COMMAND_BESIDE_H
#define STRATA_TOOLS_COMMAND_BESIDE_H

#include <stddef.h>

/* Makes a new file in the folder of `path`, with the modes of the umask, whose name nobody
 * foresees. Sets that name, and returns a descriptor, or -1 with errno. */
int tool_file_beside(const char *path, char *fresh, size_t size);

#endif
