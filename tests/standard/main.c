/* Runs all cases, a line each. The argument "long" makes some of them more thorough. */
#include <stdio.h>
#include <string.h>

#include "standard.h"

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* the last line shows where the program ended */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    try_blocks();
    try_reductions();
    try_communicators();
    try_errors();
    try_neighbours();
    try_languages();
    try_programs(argc > 1 && strcmp(argv[1], "long") == 0);
    if (rank == 0) {
        printf("all cases were called\n");
    }
    MPI_Finalize();
    return 0;
}
