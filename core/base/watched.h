/* What `strata run` tells the program that it becomes. */
#ifndef STRATA_CORE_BASE_WATCHED_H
#define STRATA_CORE_BASE_WATCHED_H

#include <stdbool.h>

/* Whether `strata run` has started a process that watches the job, and answers SIGUSR1. */
bool strata_config_watched(void);
/* Says so to the program. Returns whether there was memory. */
bool strata_config_watch(void);

#endif
