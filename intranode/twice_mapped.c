#define _GNU_SOURCE
#include "intranode/twice_mapped.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/error.h"

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
    int number;
    int error = strata_open_file_find(file, &number);
    if (error == STRATA_OK) {
        error = map(m, number, bytes);
        close(number);
    }
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
