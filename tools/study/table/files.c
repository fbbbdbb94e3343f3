/* Reads and writes whole files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/whole_file.h"
#include "tools/command/beside.h"
#include "tools/study/table/files.h"
#include "tools/study/table/memory.h"
#include "tools/study/table/table.h"

char *study_descriptor_read(int descriptor)
{
    size_t size;
    lseek(descriptor, 0, SEEK_SET);
    return strata_whole_descriptor(descriptor, STRATA_LONGEST_TEXT, &size);
}

char *study_file_read(const char *path)
{
    size_t size;
    return strata_whole_file(path, STRATA_LONGEST_TEXT, &size);
}

/* Writes all text, and closes the file. */
static bool write_all(int file, const char *text, size_t size)
{
    bool written = file >= 0;
    while (written && size > 0) {
        ssize_t put = write(file, text, size);
        written = put >= 0 || errno == EINTR;
        size -= put > 0 ? (size_t)put : 0;
        text += put > 0 ? put : 0;
    }
    const int reason = errno;
    bool closed = file >= 0 && close(file) == 0;
    errno = written ? errno : reason;
    return closed && written;
}

bool study_file_replace(const char *path, const char *text, size_t size)
{
    char other[PATH_MAX];
    int file = tool_file_beside(path, other, sizeof other);
    bool done = write_all(file, text, size) && rename(other, path) == 0;
    const int reason = errno;
    if (file >= 0 && !done) {
        unlink(other);
    }
    errno = reason;
    return done;
}

/* Takes back a partial write: half of the text would run into the next one. */
bool study_file_append(const char *path, const char *text, size_t size)
{
    struct stat before;
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    bool known = file >= 0 && fstat(file, &before) == 0;
    bool done = write_all(file, text, size);
    const int reason = errno;
    if (!done && known && truncate(path, before.st_size) != 0) {
        fprintf(stderr, "strata study: %s ends in half a line\n", path);
    }
    errno = reason;
    return done;
}

bool study_folder_make(const char *path)
{
    char *part = study_copy(path, strlen(path));
    bool made = true;
    for (char *slash = part; made && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) {
            *slash = '\0';
        }
        made = mkdir(part, 0777) == 0 || errno == EEXIST;
        if (slash) {
            *slash = '/';
        }
    }
    struct stat found;
    made = made && stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    free(part);
    return made;
}
