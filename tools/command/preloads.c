#include "tools/command/preloads.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/scale/platform.h"

/* Sanitizers have an allocator of their own, which has to be loaded first. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

/* Whether the library is installed. Loading it into a running program can fail for lack of
 * thread-local storage. This error too proves that the library exists, and a program that starts
 * with it has the storage. */
static bool is_there(const char *library)
{
    void *found = dlopen(library, RTLD_LAZY);
    const char *error = found ? NULL : dlerror();
    if (found) {
        dlclose(found);
    }
    return found || (error && strstr(error, "static TLS"));
}

/* Colons and spaces separate the files of LD_PRELOAD. */
static bool is_file(const char *path)
{
    return !strpbrk(path, ": ") && access(path, R_OK) == 0;
}

void tool_preload(bool allocator, const char *waits)
{
    static const char jemalloc[] = "libjemalloc.so.2";
    const bool takes_allocator = allocator && is_there(jemalloc);
    const bool takes_waits = waits && is_file(waits);
    char libraries[TOOL_PATH + sizeof jemalloc];
    snprintf(libraries, sizeof libraries, "%s%s%s", takes_allocator ? jemalloc : "",
             takes_allocator && takes_waits ? ":" : "", takes_waits ? waits : "");
    if (!SANITIZED && *libraries) {
        setenv("LD_PRELOAD", libraries, 0);
    }
}
