#include "api/types/named_types.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define NAMED_PLACES 256 /* both MPIs have fewer than 100 predefined types */

/* A place is filled once: first the datatype, then the key (release; the reader acquires). */
static struct {
    _Atomic uintptr_t key;
    const struct strata_datatype *datatype;
} named[NAMED_PLACES];

static uintptr_t key_of(MPI_Datatype type)
{
    uintptr_t key = 0;

    _Static_assert(sizeof type <= sizeof key, "a datatype handle fits in a word");
    memcpy(&key, &type, sizeof type);
    return key + 1; /* never 0 */
}

static size_t place_of(uintptr_t key)
{
    return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % NAMED_PLACES;
}

const struct strata_datatype *strata_named_find(MPI_Datatype type)
{
    uintptr_t key = key_of(type);

    for (size_t i = 0; i < NAMED_PLACES; i++) {
        size_t place = (place_of(key) + i) % NAMED_PLACES;
        uintptr_t found = atomic_load_explicit(&named[place].key, memory_order_acquire);
        if (found == key) {
            return named[place].datatype;
        }
        if (found == 0) {
            break;
        }
    }
    return NULL;
}

bool strata_named_keep(MPI_Datatype type, const struct strata_datatype *datatype)
{
    uintptr_t key = key_of(type);

    for (size_t i = 0; i < NAMED_PLACES; i++) {
        size_t place = (place_of(key) + i) % NAMED_PLACES;
        if (atomic_load_explicit(&named[place].key, memory_order_relaxed) == 0) {
            named[place].datatype = datatype;
            atomic_store_explicit(&named[place].key, key, memory_order_release);
            return true;
        }
    }
    return false;
}
