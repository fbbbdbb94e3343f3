/* Fibers: many stacks in one thread, each of which runs until it hands over. They run algorithms
 * that cannot be a plan, with 100,000 virtual ranks in one process. */
#ifndef STRATA_SIM_VIRTUAL_FIBER_H
#define STRATA_SIM_VIRTUAL_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

struct strata_fiber {
    ucontext_t context; /* the context to enter it with */
    bool entered;
    void *place[5];       /* the point where it handed over last */
    unsigned char *stack; /* NULL: the thread's own */
    size_t bytes;
    void *shadow; /* the address sanitizer's stack */
};

/* The bytes of a virtual rank's stack. They are address space; only touched pages take memory. */
extern const size_t strata_fiber_stack_bytes;

/* entry never returns: in the end it hands over with `last`. */
void strata_fiber_init(struct strata_fiber *fiber, unsigned char *stack, size_t bytes,
                       void (*entry)(void));

/* Runs `to` until a fiber hands back to `from`. `last`: `from` never runs again. */
void strata_fiber_switch(struct strata_fiber *from, struct strata_fiber *to, bool last);
/* entry calls it first. */
void strata_fiber_entered(void);

/* False if the stack has overflowed. */
bool strata_fiber_whole(const struct strata_fiber *fiber);

#endif
