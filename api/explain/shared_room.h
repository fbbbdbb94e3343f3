/* What to do where the node's memory is too small. */
#ifndef STRATA_API_EXPLAIN_SHARED_ROOM_H
#define STRATA_API_EXPLAIN_SHARED_ROOM_H

#include <stddef.h>

#include "api/process/process.h"

/* With figures of what is there and what is wanted, such as 64M. */
void strata_room_say(const struct strata_room_found *room, int64_t budget, char *text, size_t size);

#endif
