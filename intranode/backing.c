#include "intranode/backing.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/base/error.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

static uintptr_t page_bytes(void)
{
    return (uintptr_t)sysconf(_SC_PAGESIZE);
}

int strata_backing_commit(void *memory, size_t bytes)
{
    uintptr_t page = page_bytes();
    uintptr_t skew = (uintptr_t)memory % page;
    void *first = (unsigned char *)memory - skew;
    int error;
    do {
        error = madvise(first, bytes + skew, MADV_POPULATE_WRITE) ? errno : 0;
    } while (error == EINTR || error == EAGAIN);
    return error == 0 || error == EINVAL ? STRATA_OK : STRATA_ERR_CAPACITY;
}

bool strata_backing_provable(void)
{
    return madvise(NULL, 0, MADV_POPULATE_WRITE) == 0;
}

size_t strata_backing_size(void)
{
    struct statvfs fs;
    return statvfs("/dev/shm", &fs) ? 0 : fs.f_blocks * fs.f_frsize;
}

/* Open MPI requires 5% more than it uses; where it finds less, one process gives up while the
 * others wait for it for ever. And the memory that the MPIs have mapped themselves is not all
 * touched yet. */
size_t strata_backing_free(void)
{
    struct statvfs fs;
    if (statvfs("/dev/shm", &fs)) {
        return strata_backing_provable() ? SIZE_MAX : 0;
    }
    size_t bytes = fs.f_bavail * fs.f_frsize;
    return bytes - bytes / 8;
}
