/* Hides leaks of the MPI library: memory that it takes while it starts, connects groups and ends,
 * and in the threads that it starts meanwhile. Every program built with sanitizers and MPI links
 * this file. So all other leaks are found, with the quick way of walking the stack. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <sanitizer/lsan_interface.h>
#include <stdlib.h>

/* Open MPI 5 does not free what it keeps of each attribute, nor Open MPI 6 a text of libfabric's
 * where a rank names its transports itself. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
{
    return "leak:^ompi_attr_set_c$\nleak:^opal_common_ofi_mca_register$\n";
}

__attribute__((visibility("default"))) const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

static _Thread_local int inside; /* inside MPI's own code, where leaks are not looked for */

static void enter(void)
{
    inside++;
    __lsan_disable();
}

static int leave(int code)
{
    __lsan_enable();
    inside--;
    return code;
}

struct thread {
    void *(*run)(void *);
    void *argument;
};

static void *run_unseen(void *argument)
{
    struct thread thread = *(struct thread *)argument;
    free(argument);
    enter();
    void *result = thread.run(thread.argument);
    leave(0);
    return result;
}

typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): theirs begin with _ */
__attribute__((visibility("default"))) int pthread_create(pthread_t *id,
                                                          const pthread_attr_t *attributes,
                                                          void *(*run)(void *), void *argument)
{
    create_thread *next = (create_thread *)dlsym(RTLD_NEXT, "pthread_create");
    struct thread *thread = inside ? malloc(sizeof *thread) : NULL;
    if (!thread) {
        return next(id, attributes, run, argument);
    }
    *thread = (struct thread){run, argument};
    return next(id, attributes, run_unseen, thread);
}

/* Weak, because the preload library has its own. */
__attribute__((weak)) int MPI_Init(int *argc, char ***argv)
{
    enter();
    return leave(PMPI_Init(argc, argv));
}

__attribute__((weak)) int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    enter();
    return leave(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Finalize(void)
{
    enter();
    return leave(PMPI_Finalize());
}

int MPI_T_init_thread(int required, int *provided)
{
    enter();
    return leave(PMPI_T_init_thread(required, provided));
}

int MPI_Intercomm_create(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader,
                         int tag, MPI_Comm *created)
{
    enter();
    return leave(PMPI_Intercomm_create(local, local_leader, peer, remote_leader, tag, created));
}
