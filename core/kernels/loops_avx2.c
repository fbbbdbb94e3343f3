/* The loops with vectors twice as wide as on every x86-64 processor. */
#ifdef __x86_64__
#define VECTORS __attribute__((target("avx2")))
#define TABLE   strata_kernels_avx2
#include "core/kernels/loops.c" /* NOLINT(bugprone-suspicious-include) */
#endif
