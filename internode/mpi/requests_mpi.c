#include "internode/mpi/requests_mpi.h"

#include "core/base/error.h"
#include "core/base/memory.h"

int strata_requests_grow(struct strata_request_list *list, int capacity)
{
    size_t count = (size_t)capacity;
    MPI_Request *requests = strata_reallocate(list->requests, count, sizeof *requests);
    list->requests = requests ? requests : list->requests;
    struct strata_request_entry *entries = strata_reallocate(list->entries, count, sizeof *entries);
    list->entries = entries ? entries : list->entries;
    int *indices = strata_reallocate(list->indices, count, sizeof *indices);
    list->indices = indices ? indices : list->indices;
    MPI_Status *statuses = strata_reallocate(list->statuses, count, sizeof *statuses);
    list->statuses = statuses ? statuses : list->statuses;
    if (!requests || !entries || !indices || !statuses) {
        return STRATA_ERR_MEMORY;
    }
    list->capacity = capacity;
    return STRATA_OK;
}

void strata_requests_fini(struct strata_request_list *list)
{
    strata_release(list->requests);
    strata_release(list->entries);
    strata_release(list->indices);
    strata_release(list->statuses);
    *list = (struct strata_request_list){0};
}

void strata_requests_compact(struct strata_request_list *list)
{
    int kept = 0;
    for (int i = 0; i < list->used; i++) {
        if (list->requests[i] != MPI_REQUEST_NULL) {
            list->requests[kept] = list->requests[i];
            list->entries[kept++] = list->entries[i];
        } else {
            strata_release(list->entries[i].spare); /* of a message that has failed */
        }
    }
    list->used = kept;
}

void strata_requests_recount(struct strata_request_list *list)
{
    strata_requests_compact(list);
    list->open = list->used;
}

MPI_Request *strata_requests_next(struct strata_request_list *list)
{
    if (list->used == list->capacity) {
        strata_requests_compact(list);
    }
    return list->used < list->capacity ? &list->requests[list->used] : NULL;
}

void strata_requests_add(struct strata_request_list *list, struct strata_request_entry entry)
{
    bool certain = !entry.exact || strata_tag_tells(&list->tags, entry.bytes);
    list->exact = !certain || (list->exact && list->open > 0);
    list->entries[list->used++] = entry;
    list->open++;
}
