/* The libraries that are preloaded under smpirun. */
#ifndef STRATA_TOOLS_COMMAND_PRELOADS_H
#define STRATA_TOOLS_COMMAND_PRELOADS_H

#include <stdbool.h>

/* Called in a child that becomes smpirun, which then preloads what is installed of these libraries,
 * if LD_PRELOAD is empty. Builds with sanitizers do without.
 *
 * allocator: jemalloc. SimGrid 3.32 keeps a rank's open messages in a list, and walks the whole
 * list for each message that completes. glibc's allocator puts the list's nodes between the
 * messages, pages apart. jemalloc keeps small pieces of one size together, and a simulated
 * allreduce of 512 ranks takes a tenth of the time. The simulated times are the same. Programs that
 * allocate with more than malloc must not use jemalloc. SMPI binds them to their own libraries
 * first: their aligned_alloc is glibc's, but their malloc and free go through SimGrid to the
 * preloaded library.
 *
 * waits: the file of sim/smpi/waits/waits.c; NULL: none. */
void tool_preload(bool allocator, const char *waits);

#endif
