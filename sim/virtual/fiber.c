#include "sim/virtual/fiber.h"

#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
const size_t strata_fiber_stack_bytes = 128 << 10; /* its stack frames are larger */
#else
const size_t strata_fiber_stack_bytes = 16 << 10;
#endif

static const uint64_t canary = 0x5374726174614669u;

/* Where the thread's own stack lies: learnt when the first fiber is entered. */
#if defined(__SANITIZE_ADDRESS__)
static _Thread_local struct strata_fiber *home;
#endif

void strata_fiber_init(struct strata_fiber *fiber, unsigned char *stack, size_t bytes,
                       void (*entry)(void))
{
    *fiber = (struct strata_fiber){.stack = stack, .bytes = bytes};
    memcpy(stack, &canary, sizeof canary);
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = stack;
    fiber->context.uc_stack.ss_size = bytes;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, entry, 0);
}

bool strata_fiber_whole(const struct strata_fiber *fiber)
{
    return !fiber->stack || memcmp(fiber->stack, &canary, sizeof canary) == 0;
}

#if defined(__SANITIZE_ADDRESS__)
static void learn_home(const void *bottom, size_t bytes)
{
    if (home && !home->bytes) {
        home->context.uc_stack.ss_sp = (void *)(uintptr_t)bottom;
        home->bytes = bytes;
    }
}
#endif

void strata_fiber_entered(void)
{
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom = NULL;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(NULL, &bottom, &bytes);
    learn_home(bottom, bytes);
#endif
}

/* A context has a signal mask, which costs a kernel call for each switch; a jump has none. The
 * jumps are the compiler's own, because the address sanitizer calls the kernel in those of the C
 * library, and before any jump that it knows. Only a fiber that has not run yet needs its context.
 */
__attribute__((noinline, noreturn, no_sanitize("address"))) static void
resume(struct strata_fiber *fiber)
{
    __builtin_longjmp(fiber->place, 1);
}

__attribute__((noinline, no_sanitize("address"))) static void jump(struct strata_fiber *from,
                                                                   struct strata_fiber *to)
{
    if (__builtin_setjmp(from->place)) {
        return;
    }
    if (!to->stack || to->entered) {
        resume(to);
    }
    to->entered = true;
    setcontext(&to->context);
}

void strata_fiber_switch(struct strata_fiber *from, struct strata_fiber *to, bool last)
{
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom = NULL;
    size_t bytes = 0;
    if (!from->stack) {
        home = from;
    }
    __sanitizer_start_switch_fiber(last ? NULL : &from->shadow, to->context.uc_stack.ss_sp,
                                   to->bytes);
#else
    (void)last;
#endif
    jump(from, to);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(from->shadow, &bottom, &bytes);
#endif
}
