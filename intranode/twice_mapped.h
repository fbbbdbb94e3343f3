/* Memory that a process has mapped twice: for writing, and read-only. Processes of one host may map
 * the same memory. */
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

/* Maps a file of this process or another. STRATA_ERR_UNSUPPORTED: the file is not found, or this
 * process may not see it; STRATA_ERR_MEMORY. */
int strata_twice_mapped_find(struct strata_twice_mapped *m, const struct strata_open_file *file,
                             size_t bytes);
/* Maps memory of this process alone. */
int strata_twice_mapped_alone(struct strata_twice_mapped *m, size_t bytes);
void strata_twice_mapped_end(struct strata_twice_mapped *m);

#endif
