/* The allocator under smpirun. */
#ifndef STRATA_TOOLS_COMMAND_ALLOCATOR_H
#define STRATA_TOOLS_COMMAND_ALLOCATOR_H

/* In a child that becomes smpirun: takes jemalloc, if it is there and nothing is preloaded; not in
 * a build with sanitizers.
 *
 * SimGrid 3.32 keeps a rank's open messages in a list, and goes through all of it for each that is
 * complete. With glibc's allocator its nodes lie between the messages, pages apart. So a simulated
 * allreduce of 512 ranks takes ten times as long as with one that keeps small pieces of a size
 * together; the figures are the same. Not for programs that allocate by more than malloc: SMPI
 * binds those to their own libraries first, so aligned_alloc is glibc's, but malloc and free go by
 * SimGrid to what is preloaded. */
void tool_take_allocator(void);

#endif
