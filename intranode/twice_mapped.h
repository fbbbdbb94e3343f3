/* Memory that a process has mapped twice: to write, and to read only. Processes of one host may
 * have the same memory. */
#ifndef STRATA_INTRANODE_TWICE_MAPPED_H
#define STRATA_INTRANODE_TWICE_MAPPED_H

#include <stddef.h>
#include <stdint.h>

#include "intranode/open_file.h"

struct strata_twice_mapped {
    unsigned char *write; /* NULL: there is none */
    const unsigned char *read;
    size_t bytes;
};

/* Maps a process's file, this one's or another's. STRATA_ERR_UNSUPPORTED: it cannot be found, or
 * the system does not let this process look; STRATA_ERR_MEMORY. */
int strata_twice_mapped_find(struct strata_twice_mapped *m, const struct strata_open_file *file,
                             size_t bytes);
/* Memory of this process alone. */
int strata_twice_mapped_alone(struct strata_twice_mapped *m, size_t bytes);
void strata_twice_mapped_end(struct strata_twice_mapped *m);

#endif
