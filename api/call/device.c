#define _GNU_SOURCE /* RTLD_DEFAULT, dl_iterate_phdr */
#include "api/call/device.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "api/process/process.h"

/* As the two libraries declare them. Both return 0 for memory that they know. */
typedef int cuda_attribute(void *value, int attribute, unsigned long long address);
enum { CUDA_MEMORY_TYPE = 2, CUDA_DEVICE = 2 };

struct hip_attributes {
    int kind, device;
    void *device_address, *host_address;
    char rest[48];
};
typedef int hip_attributes_of(struct hip_attributes *value, const void *address);

/* The functions that this thread found, and how many libraries had been loaded then. */
static STRATA_EACH_THREAD struct {
    unsigned long long loaded;
    cuda_attribute *cuda;
    hip_attributes_of *hip;
} found;

static int count_loaded(struct dl_phdr_info *info, size_t size, void *loaded)
{
    (void)size;
    *(unsigned long long *)loaded = info->dlpi_adds;
    return 1;
}

/* A loaded file whose name begins so, and its path. */
struct loaded_file {
    const char *name;
    char path[4096];
};

static int find_file(struct dl_phdr_info *info, size_t size, void *sought)
{
    struct loaded_file *file = sought;
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)size;
    if (!slash || strncmp(slash + 1, file->name, strlen(file->name)) != 0) {
        return 0;
    }
    return snprintf(file->path, sizeof file->path, "%s", info->dlpi_name) < (int)sizeof file->path;
}

/* The address of a library's function, also where the library was loaded without showing its names.
 * It is opened by its path: UCX, which stands before dlopen, takes a bare name for the system's
 * file of that name, though another one is loaded. */
static void *look_up(const char *name, const char *begins)
{
    struct loaded_file file = {.name = begins};
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function && dl_iterate_phdr(find_file, &file)) {
        void *library = dlopen(file.path, RTLD_LAZY | RTLD_NOLOAD);
        if (library) {
            function = dlsym(library, name);
            dlclose(library); /* only this use of the library */
        }
    }
    return function;
}

static void look(void)
{
    unsigned long long loaded = 0;
    dl_iterate_phdr(count_loaded, &loaded);
    if (loaded != found.loaded) {
        *(void **)&found.cuda = look_up("cuPointerGetAttribute", "libcuda.so");
        *(void **)&found.hip = look_up("hipPointerGetAttributes", "libamdhip64.so");
        found.loaded = loaded;
    }
}

static bool device_memory(const void *address)
{
    struct hip_attributes hip = {.kind = 0};
    unsigned kind = 0;
    if (found.cuda && found.cuda(&kind, CUDA_MEMORY_TYPE, (uintptr_t)address) == 0 &&
        kind == CUDA_DEVICE) {
        return true;
    }
    return found.hip && found.hip(&hip, address) == 0 && hip.device_address && !hip.host_address;
}

static bool side_on_device(const struct strata_side *side)
{
    return side->part != STRATA_NONE && device_memory(side->buffer);
}

bool strata_on_device(const struct strata_signature *s)
{
    look();
    return (found.cuda || found.hip) && (side_on_device(&s->send) || side_on_device(&s->recv));
}
