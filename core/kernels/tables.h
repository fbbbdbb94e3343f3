/* The tables of core/kernels/loops.c, one for each set of instructions. */
#ifndef STRATA_CORE_KERNELS_TABLES_H
#define STRATA_CORE_KERNELS_TABLES_H

#include "core/kernels/kernels.h"

typedef strata_kernel *const strata_kernel_table[STRATA_OPERATIONS][STRATA_NUMBERS];

extern strata_kernel_table strata_kernels_plain;
#ifdef __x86_64__
extern strata_kernel_table strata_kernels_avx2;
#endif

#endif
