#include "core/kernels/kernels.h"

#include "core/kernels/tables.h"

strata_kernel *strata_kernel_find(enum strata_operation operation, enum strata_number number)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        return strata_kernels_avx2[operation][number];
    }
#endif
    return strata_kernels_plain[operation][number];
}

size_t strata_number_bytes(enum strata_number number)
{
    static const size_t bytes[STRATA_NUMBERS] = {
#define OF_NUMBER(id, type) [STRATA_NUMBER_##id] = sizeof(type),
#define OF_PAIR(id, value_type, place_type)                                                        \
    [STRATA_NUMBER_##id] = sizeof(struct {                                                         \
        value_type value;                                                                          \
        place_type place;                                                                          \
    }),
        STRATA_NUMBER_TABLE(OF_NUMBER) STRATA_PAIR_TABLE(OF_PAIR)
#undef OF_NUMBER
#undef OF_PAIR
    };
    return bytes[number];
}
