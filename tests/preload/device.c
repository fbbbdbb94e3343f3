/* A program with some buffers in the memory of a device. It loads a stand-in for the device's
 * library when Strata already serves calls. MPI's own may read such memory, and Strata must not.
 * Prints "all right", or what is wrong.
 *   device LIBRARY */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/preload/expect.h"

static int ranks;

static void reduce(int times, int *from, int *to)
{
    for (int i = 0; i < times; i++) {
        *from = 1;
        MPI_Allreduce(from, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        EXPECT("a sum", *to, ==, ranks);
    }
}

int main(int argc, char **argv)
{
    int rank, here[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    reduce(4, here, here + 1); /* MPI's own serves the first call in any case */
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int *there = library ? dlsym(library, "device_memory") : NULL;
    if (!there) {
        printf("%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return EXIT_FAILURE;
    }
    reduce(5, there, there + 1);
    reduce(2, here, here + 1);
    say_all_right(MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
