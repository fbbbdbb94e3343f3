/* Keeps flattened datatypes: derived ones on the MPI datatype, predefined ones in a table. */
#include "api/types/datatype.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "api/process/process.h"
#include "api/types/flatten.h"
#include "core/base/memory.h"
#include "internode/mpi/renamed_mpi.h"

/* The table of predefined datatypes, which is read without a lock. Their handles are never
 * reused. */
#define NAMED_PLACES 256 /* both MPIs have fewer than 100 predefined types */

/* A place is filled once: first the datatype, then the key, with a release that the reader's
 * acquire pairs with. */
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

/* NULL: it is not in the table yet. */
static const struct strata_datatype *named_find(MPI_Datatype type)
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

/* One thread at a time, under the process's lock. False: the table is full. */
static bool named_keep(MPI_Datatype type, const struct strata_datatype *datatype)
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

bool strata_datatype_is_named(MPI_Datatype type)
{
    int ints, addresses, types;
    int combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

static void link_datatype(struct strata_process *process, struct strata_datatype *d)
{
    d->next = process->datatypes;
    d->link = &process->datatypes;
    if (d->next) {
        d->next->link = &d->next;
    }
    process->datatypes = d;
}

static void unlink_datatype(struct strata_datatype *d)
{
    *d->link = d->next;
    if (d->next) {
        d->next->link = d->link;
    }
}

static void destroy(struct strata_datatype *d)
{
    if (d->handle != MPI_DATATYPE_NULL) {
        PMPI_Type_free(&d->handle);
    }
    strata_type_fini(&d->flat);
    strata_release(d);
}

int strata_datatype_deleted(MPI_Datatype type, int key, void *value, void *extra)
{
    struct strata_process *process = &strata_process_here;
    (void)type;
    (void)key;
    (void)extra;
    if (!process->finished) {
        strata_changed(process);
        pthread_mutex_lock(&process->lock);
        unlink_datatype(value);
        pthread_mutex_unlock(&process->lock);
        destroy(value);
    }
    return MPI_SUCCESS;
}

void strata_datatypes_finish(struct strata_process *process)
{
    while (process->datatypes) {
        struct strata_datatype *d = process->datatypes;
        unlink_datatype(d);
        destroy(d);
    }
}

/* Makes the contiguous type of one packed element, for a type that cannot be flattened. */
static int make_stand_in(struct strata_datatype *d, MPI_Count size)
{
    const struct strata_piece piece = {0, (size_t)size};
    int error;
    if (size > INT32_MAX) {
        return MPI_ERR_UNSUPPORTED_OPERATION;
    }
    d->packed = true;
    error = PMPI_Type_contiguous((int)size, MPI_BYTE, &d->handle);
    if (error == MPI_SUCCESS) {
        error = PMPI_Type_commit(&d->handle);
    }
    if (error == MPI_SUCCESS && strata_type_init(&d->flat, &piece, 1, size) != STRATA_OK) {
        error = MPI_ERR_NO_MEM;
    }
    return error;
}

static int fill(struct strata_datatype *d, MPI_Datatype type, MPI_Comm comm)
{
    struct strata_map pieces = {0};
    MPI_Count size = 0;
    MPI_Count lower_bound = 0;
    MPI_Count extent = 0;
    int error = strata_flatten(type, comm, &pieces);
    strata_type_size(type, &size);
    strata_type_extent(type, &lower_bound, &extent);
    if (error == STRATA_OK) {
        error = strata_type_init(&d->flat, pieces.items, pieces.used, extent);
    }
    strata_map_free(&pieces);
    if (error == STRATA_OK && d->flat.size != (size_t)size) {
        strata_type_fini(&d->flat); /* pieces are missing, so the map is wrong */
        error = STRATA_ERR_UNSUPPORTED;
    }
    if (error == STRATA_ERR_MEMORY) {
        return MPI_ERR_NO_MEM; /* a packed stand-in on this rank alone would make it alone leave
                                  reductions to MPI */
    }
    return error == STRATA_OK ? MPI_SUCCESS : make_stand_in(d, size);
}

/* Packs nothing: MPI refuses that for a type that was not committed. */
static int check_committed(MPI_Datatype type, MPI_Comm comm)
{
    char nothing[1] = {0};
    int at = 0;
    return PMPI_Pack(nothing, 0, type, nothing, 0, &at, comm);
}

static int keep(struct strata_process *process, MPI_Datatype type, struct strata_datatype *d)
{
    bool table = false;
    bool is_named = strata_datatype_is_named(type);
    pthread_mutex_lock(&process->lock);
    link_datatype(process, d);
    if (is_named) {
        table = named_keep(type, d);
    }
    pthread_mutex_unlock(&process->lock);
    return table ? MPI_SUCCESS : PMPI_Type_set_attr(type, process->type_key, d);
}

static int make(struct strata_process *process, MPI_Datatype type, MPI_Comm comm,
                const struct strata_datatype **found)
{
    struct strata_datatype *d;
    int error = check_committed(type, comm);
    if (error != MPI_SUCCESS) {
        return error;
    }
    d = strata_allocate(1, sizeof *d);
    if (!d) {
        return MPI_ERR_NO_MEM;
    }
    d->handle = MPI_DATATYPE_NULL;
    error = fill(d, type, comm);
    if (error != MPI_SUCCESS) {
        destroy(d);
        return error;
    }
    *found = d;
    atomic_store_explicit(&d->whole, true, memory_order_release); /* pairs with derived_find */
    return keep(process, type, d);
}

/* MPI keeps the pointer, and need not order what lies behind it: the acquire does. */
static const struct strata_datatype *derived_find(const struct strata_process *process,
                                                  MPI_Datatype type)
{
    struct strata_datatype *d = NULL;
    void *value = NULL;
    int known = 0;
    PMPI_Type_get_attr(type, process->type_key, &value, &known);
    d = known ? value : NULL;
    return d && atomic_load_explicit(&d->whole, memory_order_acquire) ? d : NULL;
}

const struct strata_datatype *strata_datatype_peek(const struct strata_process *process,
                                                   MPI_Datatype type)
{
    const struct strata_datatype *found = named_find(type);
    return found ? found : derived_find(process, type);
}

int strata_datatype_find(struct strata_process *process, MPI_Datatype type, MPI_Comm comm,
                         const struct strata_datatype **found)
{
    int error = MPI_SUCCESS;
    *found = strata_datatype_peek(process, type);
    if (!*found) {
        pthread_mutex_lock(&process->making); /* two threads may find the same new type */
        *found = strata_datatype_peek(process, type);
        if (!*found) {
            error = make(process, type, comm, found);
        }
        pthread_mutex_unlock(&process->making);
    }
    return error;
}
