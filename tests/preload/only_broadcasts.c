/* A program that makes no reductions, so those of its MPI may crash: with Open MPI 6 and xhc
 * preferred they do above some lengths, as internode/mpi/reductions_mpi.c says. Exits with 77 where
 * the MPI has no such reductions. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 20, NUMBERS = 1 << 14, SKIPPED = 77 };

/* Asking an early Open MPI, which has no such variable, takes seconds. */
static bool exists(const char *variable)
{
    static char text[1 << 14];
    int length = 0, version = 0, level = 0, at = 0;
    MPI_Get_library_version(text, &length);
    if (sscanf(text, "Open MPI v%d", &version) != 1 || version < 6) {
        return false;
    }
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    bool is = MPI_T_cvar_get_index(variable, &at) == MPI_SUCCESS;
    MPI_T_finalize();
    return is;
}

int main(int argc, char **argv)
{
    static int numbers[NUMBERS];
    int rank = 0;
    bool right = true;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!exists("coll_xhc_reduce_cico_max")) {
        if (rank == 0) {
            printf("this MPI has no reductions by xhc\n");
        }
        MPI_Finalize();
        return SKIPPED;
    }
    for (int call = 0; call < CALLS; call++) {
        numbers[NUMBERS - 1] = rank == 0 ? call : -1;
        MPI_Bcast(numbers, NUMBERS, MPI_INT, 0, MPI_COMM_WORLD);
        right = right && numbers[NUMBERS - 1] == call;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    if (rank == 0) {
        printf(right ? "all right\n" : "wrong\n");
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
