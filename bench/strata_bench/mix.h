/* Numbers that look random and are the same on all machines: the finaliser of splitmix64 (G.
 * Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014). */
#ifndef STRATA_BENCH_STRATA_BENCH_MIX_H
#define STRATA_BENCH_STRATA_BENCH_MIX_H

#include <stdint.h>

static inline uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

#endif
