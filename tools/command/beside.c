#define _GNU_SOURCE
#include "tools/command/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int tool_file_beside(const char *path, char *fresh, size_t size)
{
    if ((size_t)snprintf(fresh, size, "%s.XXXXXX", path) >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkostemp(fresh, O_CLOEXEC);
    const mode_t mask = umask(0);
    umask(mask);
    if (file >= 0 && fchmod(file, 0666 & ~mask) != 0) {
        close(file);
        unlink(fresh);
        return -1;
    }
    return file;
}
