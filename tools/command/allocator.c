#include "tools/command/allocator.h"

#include <dlfcn.h>
#include <stdlib.h>

void tool_take_allocator(void)
{
    static const char library[] = "libjemalloc.so.2";
    void *found = dlopen(library, RTLD_LAZY);
    if (found) {
        setenv("LD_PRELOAD", library, 0);
        dlclose(found);
    }
}
