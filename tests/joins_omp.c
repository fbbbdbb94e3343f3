/* Tells the thread sanitizer how a parallel region orders its threads: what was done before it is
 * seen in it, and what was done in it is seen behind it. The sanitizer does not look into GCC's
 * OpenMP library, which orders them by means of its own. Every program built with the thread
 * sanitizer and MPI links this file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

typedef void region(void *shared);
typedef void run_region(region *body, void *shared, unsigned threads, unsigned flags);
__attribute__((visibility("default"))) run_region GOMP_parallel;

struct run {
    region *body;
    void *shared;
    char begun, ended; /* whose addresses stand for the two orders */
};

__attribute__((no_sanitize_thread)) static void run_told(void *argument)
{
    struct run *run = argument;
    __tsan_acquire(&run->begun);
    run->body(run->shared);
    __tsan_release(&run->ended);
}

__attribute__((no_sanitize_thread)) void GOMP_parallel(region *body, void *shared, unsigned threads,
                                                       unsigned flags)
{
    run_region *next = (run_region *)dlsym(RTLD_NEXT, "GOMP_parallel");
    struct run run = {body, shared, 0, 0};
    __tsan_release(&run.begun);
    next(run_told, &run, threads, flags);
    __tsan_acquire(&run.ended);
}
