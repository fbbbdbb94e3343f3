#include "core/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"

static char *give_up(char *text, int why)
{
    strata_release(text);
    errno = why;
    return NULL;
}

static char *grow(char *text, size_t room)
{
    char *grown = strata_reallocate(text, room, 1);
    return grown ? grown : give_up(text, ENOMEM);
}

char *strata_whole_descriptor(int descriptor, size_t longest, size_t *size)
{
    size_t room = 4096;
    ssize_t got = 0;
    char *text = grow(NULL, room);
    *size = 0;
    while (text && (got = read(descriptor, text + *size, room - *size - 1)) > 0) {
        *size += (size_t)got;
        if (*size > longest) {
            return give_up(text, EFBIG);
        }
        if (*size + 1 == room) {
            room *= 2;
            text = grow(text, room);
        }
    }
    if (text) {
        text[*size] = '\0';
    }
    return got < 0 ? give_up(text, errno) : text;
}

char *strata_whole_file(const char *path, size_t longest, size_t *size)
{
    struct stat file;
    char *text = NULL;
    int number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (number < 0) {
        return NULL;
    }
    if (fstat(number, &file) == 0 && !S_ISREG(file.st_mode)) {
        errno = S_ISDIR(file.st_mode) ? EISDIR : EINVAL;
    } else {
        text = strata_whole_descriptor(number, longest, size);
    }
    int why = errno;
    close(number);
    errno = why;
    return text;
}

const char *strata_whole_file_why(void)
{
    return errno == EINVAL ? "it is no regular file" : strerror(errno);
}
