#include "api/attach/host_name.h"

#include <string.h>

#include "intranode/backing.h"

void strata_host_name_find(struct strata_host_name *name, bool with_boot_id)
{
    char boot_id[STRATA_BOOT_ID];
    int length = 0;
    size_t booted = strata_boot_id(boot_id);
    uint64_t memory = strata_backing_place();
    memset(name->text, 0, sizeof name->text);
    if (PMPI_Get_processor_name(name->text, &length) != MPI_SUCCESS) {
        length = 0;
    }
    name->size = (size_t)length + 1;
    name->booted = booted > 0;
    if (with_boot_id) {
        memcpy(name->text + name->size, boot_id, booted);
        name->size += booted;
    }
    memcpy(name->text + name->size, &memory, sizeof memory);
    name->size += sizeof memory;
}
