/* The calls are PMPI's, as in tune_mpi.c. */
#include <mpi.h>

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "tools/tune/places.h"

void tool_places_find(struct tool_places *places)
{
    MPI_Comm node, leaders;
    int of[2] = {0, 0};
    PMPI_Comm_rank(MPI_COMM_WORLD, &places->rank);
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, places->rank, MPI_INFO_NULL, &node);
    PMPI_Comm_rank(node, &places->local);
    PMPI_Comm_size(node, &places->members);
    PMPI_Comm_split(MPI_COMM_WORLD, places->local == 0 ? 0 : MPI_UNDEFINED, places->rank, &leaders);
    if (leaders != MPI_COMM_NULL) {
        PMPI_Comm_rank(leaders, &of[0]);
        PMPI_Comm_size(leaders, &of[1]);
        PMPI_Comm_free(&leaders);
    }
    PMPI_Bcast(of, 2, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    places->node = of[0];
    places->nodes = of[1];
    PMPI_Allreduce(MPI_IN_PLACE, &places->members, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
}

/* Appends the name where there is room, and stands for the others by dots. */
static void append(char *list, size_t size, const char *name)
{
    size_t used = strlen(list), length = strlen(name);
    if (used + length + sizeof " ..." < size) {
        snprintf(list + used, size - used, used ? " %s" : "%s", name);
    } else if (used < 3 || strcmp(list + used - 3, "...") != 0) {
        snprintf(list + used, size - used, " ...");
    }
}

/* Rank 0 hears the name of each host, one after another. */
static void name_hosts(const struct tool_places *places, char *hosts, size_t size)
{
    char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int length, ranks;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PMPI_Get_processor_name(name, &length);
    char *all = places->rank == 0 ? strata_allocate((size_t)ranks, sizeof name) : NULL;
    int lacking = places->rank == 0 && !all;
    PMPI_Bcast(&lacking, 1, MPI_INT, 0, MPI_COMM_WORLD);
    name[0] = places->local == 0 ? name[0] : '\0';
    if (!lacking) {
        PMPI_Gather(name, sizeof name, MPI_CHAR, all, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    for (int r = 0; all && r < ranks; r++) {
        if (all[(size_t)r * sizeof name]) {
            append(hosts, size, all + (size_t)r * sizeof name);
        }
    }
    strata_release(all);
}

void tool_places_name(const struct tool_places *places, char *hosts, size_t hosts_size, char *mpi,
                      size_t mpi_size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    PMPI_Get_library_version(version, &length);
    snprintf(mpi, mpi_size, "%.*s", (int)strcspn(version, "\n,#"), version);
    name_hosts(places, hosts, hosts_size);
}
