/* Part of the library that makes faults: a rank that crashes adds a line to the file
 * FAULTING_TELLS, "a rank crashes at LIBRARY+OFFSET". So a crash can be told from another. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static int into = -1;

static uintptr_t instruction(const void *context)
{
    const ucontext_t *at = context;
#if defined(__x86_64__)
    return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)at->uc_mcontext.pc;
#else
    (void)at;
    return 0;
#endif
}

/* The signal comes again when this returns, and ends the rank. */
static void tell(int signal, siginfo_t *why, void *context)
{
    const uintptr_t at = instruction(context);
    Dl_info found;
    (void)signal, (void)why;
    if (dladdr((void *)at, &found)) { /* NOLINT(performance-no-int-to-ptr) */
        const char *name = strrchr(found.dli_fname, '/');
        dprintf(into, "a rank crashes at %s+%#lx\n", name ? name + 1 : found.dli_fname,
                (unsigned long)(at - (uintptr_t)found.dli_fbase));
    }
}

static __attribute__((constructor)) void begin(void)
{
    const struct sigaction action = {.sa_sigaction = tell,
                                     .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND)};
    const char *file = getenv("FAULTING_TELLS");
    into = file ? open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (into >= 0) {
        sigaction(SIGSEGV, &action, NULL);
        sigaction(SIGBUS, &action, NULL);
    }
}
