/* Simulated clusters: the files of sim/platforms, and SimGrid's settings for them. A file holds the
 * settings of its network as properties whose names begin with "cfg:". */
#ifndef STRATA_TOOLS_SCALE_PLATFORM_H
#define STRATA_TOOLS_SCALE_PLATFORM_H

#include <stdio.h>

#include "core/base/error.h"

enum { TOOL_PLATFORM_CFGS = 32, TOOL_PLATFORM_CLUSTERS = 8, TOOL_PATH = 4096, TOOL_TORUS_AXES = 3 };

struct tool_platform_cluster {
    char prefix[64], suffix[64];
    int first, count; /* a host's name is prefix, number, suffix */
};

struct tool_platform {
    char name[96];        /* with its adapter, "smoky:adapter=2.5e-07" */
    char path[TOOL_PATH]; /* the XML file */
    char summary[256];
    char machine[256]; /* STRATA_MACHINE with the same figures for the cost model; may be "" */
    int hosts, cores;  /* the number of hosts, and of the cores of each */
    /* Seconds for a byte copied, for a piece copied, for each further flag seen at once, for a
     * comparison, for a number visited in memory, and for a team of threads opened and closed. */
    double copy, copy_block, flag, compare, visit, team;
    int torus[TOOL_TORUS_AXES]; /* nodes along each axis; 0: it is no torus */
    double hop;                 /* seconds from a node of the torus to the next */
    /* Seconds between two messages that leave a node, by the adapter that its ranks share; 0: no
     * limit. `own_adapter` is the platform's own, which counts where it is asked for. */
    double adapter, own_adapter;
    struct tool_platform_cluster clusters[TOOL_PLATFORM_CLUSTERS];
    int nclusters;
    char cfg[TOOL_PLATFORM_CFGS][400]; /* "--cfg=NAME:VALUE", with the settings of all platforms */
    int ncfg;
};

/* Reads the i-th of Strata's platforms, in the order of their names. Returns false past the
 * last. */
int tool_platform_at(int index, struct tool_platform *platform, struct strata_diagnostic *message);
/* Reads a platform by its name, or by the path of an XML file (ends in .xml). Behind either may
 * stand ":adapter", or ":adapter=SECONDS": the ranks of a node share its adapter, as the machine of
 * the cost model then says too. Returns STRATA_OK or an error. */
int tool_platform_find(const char *name, struct tool_platform *platform,
                       struct strata_diagnostic *message);
/* The name of a host; hosts are numbered from 0 over all clusters of the file. */
void tool_platform_host(const struct tool_platform *platform, int host, char *name, size_t size);
/* Writes the host of each rank on a line: `per_node` ranks a host, node after node or dealt in
 * turn. */
void tool_platform_hostfile(const struct tool_platform *platform, int ranks, int per_node,
                            int cyclic, FILE *file);

/* Finds the folder of this program, without a slash at its end; "." where the system does not
 * tell. */
void tool_program_folder(char *path, size_t size);

#endif
