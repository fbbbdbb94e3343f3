/* A tool that asks for MPI's performance variables before other libraries begin, and to which MPI
 * first tells of no variable: those that it has come later. */
#include <mpi.h>
#include <stdbool.h>

static bool asked;

__attribute__((visibility("default"))) int MPI_T_pvar_get_num(int *number)
{
    const int error = PMPI_T_pvar_get_num(number);
    *number = asked ? *number : 0;
    asked = true;
    return error;
}

__attribute__((constructor)) static void ask(void)
{
    int level, number;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_pvar_get_num(&number);
}
