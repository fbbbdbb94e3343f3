#include "tools/command/allocator.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

void tool_take_allocator(void)
{
    static const char library[] = "libjemalloc.so.2";
    if (!SANITIZED && is_there(library)) {
        setenv("LD_PRELOAD", library, 0);
    }
}
