/* The hardware of a physical host as a table of its processing units, which one of its processes
 * makes by hwloc (hardware_mpi.c) and shares with the others (placement_mpi.c). */
#ifndef STRATA_INTRANODE_HARDWARE_H
#define STRATA_INTRANODE_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intranode/cpus.h"

/* Where something is: the numbers of the smallest object of each kind that holds all of it. Each
 * kind divides the one before it: a domain is the part of a NUMA domain in one package, a cache is
 * the part of a last-level cache in one domain. STRATA_SEVERAL: it lies in several, or unknown. */
#define STRATA_SEVERAL (-1)
struct strata_place {
    int32_t package, domain, cache, core; /* a domain by the kernel's number; others count over the
                                             host */
    int32_t adapter; /* 1: in an object that has a network adapter; 0: in none; or SEVERAL */
};

struct strata_hardware_unit {
    int32_t cpu; /* the kernel's number */
    struct strata_place place;
};

struct strata_objects {
    int32_t packages, domains, caches, cores;
    bool real; /* false: HWLOC_SYNTHETIC or HWLOC_XMLFILE describes another machine */
};

struct strata_hardware {
    int32_t units; /* 0: hwloc has failed, so nothing is known */
    struct strata_objects objects;
    struct strata_hardware_unit unit[]; /* neighbours follow each other */
};

/* Looks at this host, also at what this process may not use; takes milliseconds. Local. NULL
 * without memory. The caller releases it (strata_release). */
struct strata_hardware *strata_hardware_look(void);
size_t strata_hardware_bytes(int units);

/* Where cpus lie. On a machine that is not real no binding can count: member i of a host is on core
 * i, and after the last core comes the first one again. */
struct strata_place strata_hardware_place(const struct strata_hardware *hardware,
                                          const struct strata_cpus *cpus, int member);

#endif
