#define _GNU_SOURCE
#include "intranode/twice_mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"
#include "intranode/backing.h"

static const char directory[] = "/dev/shm";

/* Pages are there when this ends, so no touch of one fails later. */
static int take_room(int number, size_t bytes)
{
    int error;
    if (bytes > strata_backing_free()) {
        return STRATA_ERR_MEMORY;
    }
    do {
        error = posix_fallocate(number, 0, (off_t)bytes);
    } while (error == EINTR);
    return error == 0 ? STRATA_OK : STRATA_ERR_MEMORY;
}

static int not_opened(void)
{
    return errno == ENOSPC || errno == ENOMEM || errno == ENFILE || errno == EMFILE
               ? STRATA_ERR_MEMORY
               : STRATA_ERR_UNSUPPORTED;
}

int strata_open_file_create(size_t bytes, struct strata_open_file *file)
{
    struct stat found;
    *file = (struct strata_open_file){.owner = (int32_t)getpid(), .number = -1};
    int number = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (number < 0) {
        return not_opened();
    }
    int error = fstat(number, &found) ? STRATA_ERR_UNSUPPORTED : take_room(number, bytes);
    if (error != STRATA_OK) {
        close(number);
        return error;
    }
    file->number = number;
    file->inode = found.st_ino;
    return STRATA_OK;
}

void strata_open_file_close(struct strata_open_file *file)
{
    if (file->number >= 0) {
        close(file->number);
        file->number = -1;
    }
}

/* A process of another namespace may have the owner's id, and another file of that number. */
static bool is_that_file(int number, const struct strata_open_file *file)
{
    struct stat found, here;
    return fstat(number, &found) == 0 && stat(directory, &here) == 0 &&
           found.st_dev == here.st_dev && found.st_ino == file->inode;
}

static int map(struct strata_twice_mapped *m, int number, size_t bytes)
{
    void *write = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    void *read =
        write == MAP_FAILED ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_SHARED, number, 0);
    if (read == MAP_FAILED) {
        if (write != MAP_FAILED) {
            munmap(write, bytes);
        }
        return STRATA_ERR_MEMORY;
    }
    *m = (struct strata_twice_mapped){.write = write, .read = read, .bytes = bytes};
    return STRATA_OK;
}

int strata_twice_mapped_find(struct strata_twice_mapped *m, const struct strata_open_file *file,
                             size_t bytes)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)file->owner, (int)file->number);
    int number = open(path, O_RDWR | O_CLOEXEC);
    if (number < 0) {
        return not_opened();
    }
    int error = is_that_file(number, file) ? map(m, number, bytes) : STRATA_ERR_UNSUPPORTED;
    close(number);
    return error;
}

int strata_twice_mapped_alone(struct strata_twice_mapped *m, size_t bytes)
{
    void *write = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void *read = write == MAP_FAILED ? MAP_FAILED : mremap(write, 0, bytes, MREMAP_MAYMOVE);
    bool mapped = read != MAP_FAILED;
    *m = (struct strata_twice_mapped){
        .write = mapped ? write : NULL, .read = mapped ? read : NULL, .bytes = bytes};
    if (!mapped && write != MAP_FAILED) {
        munmap(write, bytes);
    }
    if (mapped && mprotect(read, bytes, PROT_READ)) {
        strata_twice_mapped_end(m);
    }
    return m->write ? STRATA_OK : STRATA_ERR_MEMORY;
}

void strata_twice_mapped_end(struct strata_twice_mapped *m)
{
    if (m->write) {
        munmap(m->write, m->bytes);
        munmap((void *)(uintptr_t)m->read, m->bytes);
        m->write = NULL;
    }
}
