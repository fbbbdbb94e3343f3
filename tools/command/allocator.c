#include "tools/command/allocator.h"

#include <dlfcn.h>
#include <stdlib.h>

/* Sanitizers have an allocator of their own, which has to come first. */
void tool_take_allocator(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    static const char library[] = "libjemalloc.so.2";
    void *found = dlopen(library, RTLD_LAZY);
    if (found) {
        setenv("LD_PRELOAD", library, 0);
        dlclose(found);
    }
#endif
}
