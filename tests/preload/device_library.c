/* A stand-in for CUDA's library: an array that it calls a device's memory. */
#include <stdint.h>

__attribute__((visibility("default"))) int device_memory[2];
__attribute__((visibility("default"))) int cuPointerGetAttribute(void *value, int attribute,
                                                                 unsigned long long address);

int cuPointerGetAttribute(void *value, int attribute, unsigned long long address)
{
    enum { MEMORY_TYPE = 2, DEVICE = 2, INVALID_VALUE = 1 };
    uintptr_t begin = (uintptr_t)device_memory;

    if (attribute != MEMORY_TYPE || address < begin || address >= begin + sizeof device_memory) {
        return INVALID_VALUE;
    }
    *(unsigned *)value = DEVICE;
    return 0;
}
