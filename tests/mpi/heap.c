#define _GNU_SOURCE
#include "tests/mpi/heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* they have an allocator */
void heap_count(void)
{
}

long heap_kib(enum heap whose)
{
    (void)whose;
    return 0;
}
#else

#define SEEN   __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

enum { MOST_OBJECTS = 8, LEAST_CHUNK = 1 << 20 };
static struct {
    uintptr_t first, end;
} code[MOST_OBJECTS]; /* of the program, then of Strata's libraries */
static int objects;
static atomic_bool counts;
static atomic_long held[2];
static _Thread_local bool types;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

static int note_object(struct dl_phdr_info *object, size_t bytes, void *none)
{
    (void)bytes, (void)none;
    const char *name = strrchr(object->dlpi_name, '/');
    const bool own = objects == 0 || (name && strncmp(name, "/libstrata", 10) == 0);
    for (int i = 0; own && i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) && objects < MOST_OBJECTS) {
            code[objects].first = object->dlpi_addr + part->p_vaddr;
            code[objects].end = code[objects].first + part->p_memsz;
            objects++;
        }
    }
    return 0;
}

void heap_count(void)
{
    dl_iterate_phdr(note_object, NULL);
    atomic_store(&counts, true);
}

long heap_kib(enum heap whose)
{
    return atomic_load(&held[whose]) / 1024;
}

/* Whether a pool of UCX takes or gives back one of its chunks, of 8 MiB where messages come before
 * their receives. */
static bool chunk_of_pool(const void *caller, size_t bytes)
{
    Dl_info found;
    return bytes >= LEAST_CHUNK && dladdr(caller, &found) && found.dli_sname &&
           strncmp(found.dli_sname, "ucs_mpool_", 10) == 0;
}

static void add(const void *caller, size_t more, size_t less)
{
    enum heap whose = HEAP_OTHERS;
    if (!atomic_load(&counts) || types || chunk_of_pool(caller, more + less)) {
        return;
    }
    for (int i = 0; i < objects; i++) {
        if ((uintptr_t)caller - code[i].first < code[i].end - code[i].first) {
            whose = HEAP_OWN;
        }
    }
    atomic_fetch_add_explicit(&held[whose], (long)more - (long)less, memory_order_relaxed);
}

static void *taken(const void *caller, void *block)
{
    add(caller, malloc_usable_size(block), 0);
    return block;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the headers' are reserved */
SEEN void *malloc(size_t bytes)
{
    return taken(CALLER, __libc_malloc(bytes));
}

SEEN void *calloc(size_t count, size_t size)
{
    return taken(CALLER, __libc_calloc(count, size));
}

SEEN void *realloc(void *block, size_t bytes)
{
    const size_t had = malloc_usable_size(block);
    void *now = __libc_realloc(block, bytes);
    if (now || bytes == 0) {
        add(CALLER, malloc_usable_size(now), had);
    }
    return now;
}

SEEN void *memalign(size_t alignment, size_t bytes)
{
    return taken(CALLER, __libc_memalign(alignment, bytes));
}

SEEN void *aligned_alloc(size_t alignment, size_t bytes)
{
    return taken(CALLER, __libc_memalign(alignment, bytes));
}

SEEN int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    void *got = taken(CALLER, __libc_memalign(alignment, bytes));
    if (!got) {
        return ENOMEM;
    }
    *block = got;
    return 0;
}

SEEN void free(void *block)
{
    add(CALLER, 0, malloc_usable_size(block));
    __libc_free(block);
}
/* MPICH on UCX gives back what UCX keeps for a committed datatype, 64 bytes, only where the lower
 * half of its address is positive as an int (src/mpid/ch4/netmod/ucx/ucx_datatype.c). So this
 * memory is not counted. Only MPICH is linked with UCX; Open MPI loads it. */
SEEN int ucp_dt_create_generic(const void *operations, void *context, uint64_t *type);
SEEN void ucp_dt_destroy(uint64_t type);

int ucp_dt_create_generic(const void *operations, void *context, uint64_t *type)
{
    int (*create)(const void *, void *, uint64_t *) = dlsym(RTLD_NEXT, __func__);
    types = true;
    const int status = create(operations, context, type);
    types = false;
    return status;
}

void ucp_dt_destroy(uint64_t type)
{
    void (*destroy)(uint64_t) = dlsym(RTLD_NEXT, __func__);
    types = true;
    destroy(type);
    types = false;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

#endif
