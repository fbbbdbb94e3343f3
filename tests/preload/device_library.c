/* A stand-in for a device's library: it calls an array the device's memory. HIP knows the program's
 * own memory too. */
#include <stdint.h>

__attribute__((visibility("default"))) int device_memory[2];

#ifdef HIP
struct attributes {
    int kind, device;
    void *device_address, *host_address;
};
__attribute__((visibility("default"))) int hipPointerGetAttributes(struct attributes *value,
                                                                   void *address);

int hipPointerGetAttributes(struct attributes *value, void *address)
{
    uintptr_t offset = (uintptr_t)address - (uintptr_t)device_memory;
    *value = (struct attributes){.host_address = address};
    if (offset < sizeof device_memory) {
        *value = (struct attributes){.device_address = address};
    }
    return 0;
}
#else
__attribute__((visibility("default"))) int cuPointerGetAttribute(void *value, int attribute,
                                                                 unsigned long long address);

int cuPointerGetAttribute(void *value, int attribute, unsigned long long address)
{
    enum { MEMORY_TYPE = 2, DEVICE = 2, INVALID_VALUE = 1 };

    if (attribute != MEMORY_TYPE || address - (uintptr_t)device_memory >= sizeof device_memory) {
        return INVALID_VALUE;
    }
    *(unsigned *)value = DEVICE;
    return 0;
}
#endif
