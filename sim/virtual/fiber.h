/* Fibers: many stacks in one thread, each of which runs until it hands over. For algorithms that
 * cannot be a plan, and whose 100,000 virtual ranks must fit into one process. */
#ifndef STRATA_SIM_VIRTUAL_FIBER_H
#define STRATA_SIM_VIRTUAL_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

struct strata_fiber {
    ucontext_t context; /* what enters it */
    bool entered;
    void *place[5];       /* where it handed over last */
    unsigned char *stack; /* NULL: the thread's own */
    size_t bytes;
    void *shadow; /* the address sanitizer's */
};

/* What a stack holds for each virtual rank: address space; only touched pages become memory. */
extern const size_t strata_fiber_stack_bytes;

/* entry must never return: its last act is to hand over for good. */
void strata_fiber_init(struct strata_fiber *fiber, unsigned char *stack, size_t bytes,
                       void (*entry)(void));

/* Runs `to` until somebody hands back; `last`: from never runs again. */
void strata_fiber_switch(struct strata_fiber *from, struct strata_fiber *to, bool last);
/* The first thing that entry does. */
void strata_fiber_entered(void);

/* False once the stack has overflowed. */
bool strata_fiber_whole(const struct strata_fiber *fiber);

#endif
