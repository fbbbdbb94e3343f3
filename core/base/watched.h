/* What `strata run` tells the program that it becomes. */
#ifndef STRATA_CORE_BASE_WATCHED_H
#define STRATA_CORE_BASE_WATCHED_H

#include <stdbool.h>

/* NULL: `strata run` has started no process that answers SIGUSR1, nor one that hears other hosts.
 * On rank 0 of a job on several hosts it is where that hears them (strata_record_door_read), else
 * "1". */
const char *strata_config_watched(void);
/* Says so to the program. Returns whether there was memory. */
bool strata_config_watch(const char *text);

#endif
