#include "intranode/mapped.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/error.h"
#include "core/base/memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct strata_mapped *list;
static _Atomic int listed; /* nothing is looked for where there is nothing */

int strata_mapped_add(const struct strata_mapped *mapped, int count)
{
    pthread_mutex_lock(&lock);
    int before = atomic_load_explicit(&listed, memory_order_relaxed);
    struct strata_mapped *longer =
        strata_reallocate(list, (size_t)before + (size_t)count, sizeof *list);
    if (longer) {
        list = longer;
        memcpy(list + before, mapped, (size_t)count * sizeof *list);
        atomic_store_explicit(&listed, before + count, memory_order_relaxed);
    }
    pthread_mutex_unlock(&lock);
    return longer ? STRATA_OK : STRATA_ERR_MEMORY;
}

static void remove_one(const void *here)
{
    int count = atomic_load_explicit(&listed, memory_order_relaxed), at = 0;
    while (at < count && list[at].here != here) {
        at++;
    }
    if (at < count) {
        list[at] = list[count - 1];
        atomic_store_explicit(&listed, count - 1, memory_order_relaxed);
    }
    if (count == 1 && at == 0) {
        strata_release(list);
        list = NULL;
    }
}

void strata_mapped_remove(const struct strata_mapped *mapped, int count)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++) {
        remove_one(mapped[i].here);
    }
    pthread_mutex_unlock(&lock);
}

static const void *place_in(const struct strata_mapped *m, int owner, uint64_t address,
                            size_t bytes)
{
    uint64_t skip = address - m->address;
    bool inside = m->owner == owner && owner >= 0 && address >= m->address && skip <= m->bytes &&
                  bytes <= m->bytes - skip;
    return inside ? (const unsigned char *)m->here + skip : NULL;
}

const void *strata_mapped_find(int owner, uint64_t address, size_t bytes)
{
    const void *found = NULL;
    if (atomic_load_explicit(&listed, memory_order_relaxed) == 0) {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    int count = atomic_load_explicit(&listed, memory_order_relaxed);
    for (int i = 0; i < count && !found; i++) {
        found = place_in(&list[i], owner, address, bytes);
    }
    pthread_mutex_unlock(&lock);
    return found;
}
