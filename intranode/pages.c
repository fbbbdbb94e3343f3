#define _GNU_SOURCE /* syscall */
#include "intranode/pages.h"

#include <limits.h>
#include <linux/mempolicy.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_NODES = 1024, WORD = sizeof(long) * CHAR_BIT }; /* the most that a kernel supports */

struct nodes {
    unsigned long word[MOST_NODES / WORD];
};

/* The kernel takes one off the number of bits. */
static void advise(void *memory, size_t bytes, int policy, const struct nodes *nodes)
{
    uintptr_t skew = (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)syscall(SYS_mbind, (unsigned char *)memory - skew, bytes + skew, policy, nodes->word,
                  (unsigned long)MOST_NODES + 1, 0ul);
}

/* None where the kernel does not say. */
static struct nodes find_allowed(void)
{
    struct nodes allowed = {{0}};
    (void)syscall(SYS_get_mempolicy, NULL, allowed.word, (unsigned long)MOST_NODES + 1, NULL,
                  (unsigned long)MPOL_F_MEMS_ALLOWED);
    return allowed;
}

bool strata_pages_advisable(void)
{
    const struct nodes allowed = find_allowed();
    int policy = MPOL_DEFAULT, nodes = 0;
    (void)syscall(SYS_get_mempolicy, &policy, NULL, 0ul, NULL, 0ul);
    for (int i = 0; i < MOST_NODES / WORD; i++) {
        nodes += __builtin_popcountl(allowed.word[i]);
    }
    return nodes > 1 && (policy == MPOL_DEFAULT || policy == MPOL_LOCAL);
}

void strata_pages_spread(void *memory, size_t bytes)
{
    const struct nodes allowed = find_allowed();
    advise(memory, bytes, MPOL_INTERLEAVE, &allowed);
}

void strata_pages_near(void *memory, size_t bytes, int domain)
{
    struct nodes one = {{0}};
    if (domain >= 0 && domain < MOST_NODES) {
        one.word[domain / WORD] = 1ul << domain % WORD;
        advise(memory, bytes, MPOL_PREFERRED, &one);
    }
}
