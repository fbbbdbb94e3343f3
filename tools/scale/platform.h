/* Simulated clusters: the files of sim/platforms, and what SimGrid's smpirun is told about them.
 * The settings of a model stand in the file beside the network that they are for, as properties
 * whose names begin with "cfg:". */
#ifndef STRATA_TOOLS_SCALE_PLATFORM_H
#define STRATA_TOOLS_SCALE_PLATFORM_H

#include <stdio.h>

#include "core/base/error.h"

enum { TOOL_PLATFORM_CFGS = 32, TOOL_PLATFORM_CLUSTERS = 8, TOOL_PATH = 4096 };

struct tool_platform_cluster {
    char prefix[64], suffix[64];
    int first, count; /* hosts are named prefix NUMBER suffix */
};

struct tool_platform {
    char name[64];
    char path[TOOL_PATH]; /* of the XML file */
    char summary[256];
    char machine[256]; /* for STRATA_MACHINE: the same figures for the cost model; may be "" */
    int hosts, cores;  /* of each host */
    /* hosts' properties: seconds for each byte copied, each piece, each flag seen beside others */
    double copy, copy_block, flag;
    struct tool_platform_cluster clusters[TOOL_PLATFORM_CLUSTERS];
    int nclusters;
    char cfg[TOOL_PLATFORM_CFGS][400]; /* "--cfg=NAME:VALUE", with those of all platforms */
    int ncfg;
};

/* The i-th of the platforms that come with Strata, in the order of names; false after the last. */
int tool_platform_at(int index, struct tool_platform *platform, struct strata_diagnostic *message);
/* By name, or by the path of an XML file (ends in .xml). Returns STRATA_OK or an error. */
int tool_platform_find(const char *name, struct tool_platform *platform,
                       struct strata_diagnostic *message);
/* The name of a host, numbered from 0 over all clusters of the file. */
void tool_platform_host(const struct tool_platform *platform, int host, char *name, size_t size);
/* A line for each rank: `per_node` of them on a host, one node after another or dealt in turn. */
void tool_platform_hostfile(const struct tool_platform *platform, int ranks, int per_node,
                            int cyclic, FILE *file);

/* The folder that holds this program, without a slash at the end; "." when it cannot be found. */
void tool_program_folder(char *path, size_t size);

#endif
