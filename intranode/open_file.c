#define _GNU_SOURCE
#include "intranode/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"
#include "intranode/backing.h"

static const char directory[] = "/dev/shm";

enum { PATH_BYTES = 64 };

/* A longer file than this process may write ends it with a signal. */
static bool is_allowed(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

static int not_opened(void)
{
    return errno == ENOSPC || errno == ENOMEM || errno == ENFILE || errno == EMFILE
               ? STRATA_ERR_MEMORY
               : STRATA_ERR_UNSUPPORTED;
}

static int make_long(int number, size_t bytes)
{
    return bytes <= strata_backing_free() && is_allowed(bytes) &&
                   ftruncate(number, (off_t)bytes) == 0
               ? STRATA_OK
               : STRATA_ERR_MEMORY;
}

static int open_new(void)
{
    int number = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    bool none = number < 0 && errno != EMFILE && errno != ENFILE; /* or it has no such files */
    return none ? memfd_create("strata", MFD_CLOEXEC) : number;
}

int strata_open_file_create(size_t bytes, struct strata_open_file *file)
{
    struct stat found;
    *file = (struct strata_open_file){.owner = (int32_t)getpid(), .number = -1};
    int number = open_new();
    if (number < 0) {
        return not_opened();
    }
    /* whatever the umask, and where memfd_create gives all users rights */
    int error = fchmod(number, 0600) || fstat(number, &found) ? STRATA_ERR_UNSUPPORTED
                                                              : make_long(number, bytes);
    if (error != STRATA_OK) {
        close(number);
        return error;
    }
    file->number = number;
    file->device = found.st_dev;
    file->inode = found.st_ino;
    return STRATA_OK;
}

int strata_open_file_fill(const struct strata_open_file *file, size_t bytes)
{
    int error;
    do {
        error = posix_fallocate(file->number, 0, (off_t)bytes);
    } while (error == EINTR);
    return error == 0 ? STRATA_OK : STRATA_ERR_MEMORY;
}

static void name_of(const struct strata_open_file *file, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/strata.%016llx", directory, (unsigned long long)file->name);
}

static void open_path(const struct strata_open_file *file, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "/proc/%d/fd/%d", (int)file->owner, (int)file->number);
}

int strata_open_file_name(struct strata_open_file *file)
{
    char path[PATH_BYTES], name[PATH_BYTES];
    snprintf(path, sizeof path, "/proc/self/fd/%d", (int)file->number);
    bool drawn = getrandom(&file->name, sizeof file->name, GRND_NONBLOCK) == sizeof file->name;
    name_of(file, name);
    if (!drawn || linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0) {
        file->name = 0;
    }
    return file->name ? STRATA_OK : STRATA_ERR_UNSUPPORTED;
}

void strata_open_file_close(struct strata_open_file *file)
{
    if (file->name) {
        char name[PATH_BYTES];
        name_of(file, name);
        unlink(name);
        file->name = 0;
    }
    if (file->number >= 0) {
        close(file->number);
        file->number = -1;
    }
}

/* A process of another namespace may have the owner's id, and another file of that number. */
static bool is_that_file(int number, const struct strata_open_file *file)
{
    struct stat found;
    return fstat(number, &found) == 0 && found.st_dev == file->device &&
           found.st_ino == file->inode;
}

int strata_open_file_find(const struct strata_open_file *file, int *number)
{
    char path[PATH_BYTES];
    (file->name ? name_of : open_path)(file, path);
    int found =
        open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (file->name ? O_NOFOLLOW : 0));
    if (found < 0) {
        return not_opened();
    }
    if (!is_that_file(found, file)) {
        close(found);
        return STRATA_ERR_UNSUPPORTED;
    }
    *number = found;
    return STRATA_OK;
}
