/* Sections 6.2 and 7.4: groups and intercommunicators. */
#include "standard.h"

static void try_all(MPI_Comm comm, const char *section, const char *about)
{
    int size;
    MPI_Comm_size(comm, &size);
    for (int c = BARRIER; c < COLLECTIVES; c++) {
        struct call call = {.collective = c, .sent = 8, .comm = comm, .root = size - 1};
        for (int times = 0; times < 2; times++) { /* the first is not the last */
            fill_buffers(&call);
            make_call(&call);
        }
        try_call(&call, section, about);
    }
}

static void try_freed(MPI_Comm comm, const char *section, const char *about)
{
    try_all(comm, section, about);
    MPI_Comm_free(&comm);
}

/* 6.2.3: a root group, with MPI_ROOT on one rank and MPI_PROC_NULL on the others. */
static void try_between(MPI_Comm inter, bool roots)
{
    int me;
    MPI_Comm_rank(inter, &me);
    for (int c = BARRIER; c < REDUCE_SCATTER; c++) {
        struct call call = {.collective = c,
                            .sent = 5,
                            .comm = inter,
                            .remote = true,
                            .root = !roots    ? 0
                                    : me == 0 ? MPI_ROOT
                                              : MPI_PROC_NULL};
        try_call(&call, "6.2.3", "between two groups");
    }
}

void try_communicators(void)
{
    MPI_Comm half, inter, other;
    MPI_Group group, few;
    int range[1][3] = {{ranks - 1, 0, -1}};
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    try_freed(other, "7.4.2", "on a duplicate");
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other);
    try_freed(other, "7.4.2", "ranks the other way round");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &other);
    try_freed(other, "7.4.2", "on every other rank");
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_range_incl(group, 1, range, &few);
    MPI_Comm_create_group(MPI_COMM_WORLD, few, 7, &other);
    try_freed(other, "7.4.2", "on a group's communicator");
    MPI_Group_free(&few);
    MPI_Group_free(&group);
    try_all(MPI_COMM_SELF, "7.2.4", "on MPI_COMM_SELF");

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
    try_between(inter, rank % 2 == 0);
    MPI_Intercomm_merge(inter, rank % 2, &other);
    try_freed(other, "7.6.2", "on two groups merged");
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}
