/* A rank has no memory for a call whose plan exists. It gets MPI_ERR_NO_MEM, and MPI_ERR_OTHER from
 * then on. The other members of its node get an error or their data, and no rank waits for ever.
 *
 * run: 2,4
 * run: 3 STRATA_CHECK=1
 * timeout: 120
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "include/strata.h"
#include "tests/mpi/require.h"

enum { MOST_RANKS = 8, COUNT = 3 };

static int rank, ranks;

struct call {
    const char *collective, *algorithm;
    int (*run)(MPI_Datatype type, const int *in, int *out, MPI_Comm comm);
};

static int alltoall(MPI_Datatype type, const int *in, int *out, MPI_Comm comm)
{
    return strata_alltoall(in, 1, type, out, 1, type, comm);
}

static int alltoallv(MPI_Datatype type, const int *in, int *out, MPI_Comm comm)
{
    int ones[MOST_RANKS], displs[MOST_RANKS];
    for (int i = 0; i < ranks; i++) {
        ones[i] = 1;
        displs[i] = i;
    }
    return strata_alltoallv(in, ones, displs, type, out, ones, displs, type, comm);
}

static int allgather(MPI_Datatype type, const int *in, int *out, MPI_Comm comm)
{
    return strata_allgather(in, 1, type, out, 1, type, comm);
}

/* A new type of two numbers with a gap. */
static MPI_Datatype new_type(void)
{
    MPI_Datatype type, resized;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_create_resized(type, 0, COUNT * sizeof(int), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&type);
    return resized;
}

static int class_of(const struct call *call, MPI_Comm comm)
{
    int in[COUNT * MOST_RANKS], out[COUNT * MOST_RANKS], class;
    MPI_Datatype type = new_type();
    for (int i = 0; i < COUNT * ranks; i++) {
        in[i] = 1000 * rank;
        out[i] = -1;
    }
    MPI_Error_class(call->run(type, in, out, comm), &class);
    for (int i = 0; class == MPI_SUCCESS && i < ranks; i++) {
        REQUIRE_CMP(out[COUNT * i], ==, 1000 * i);
        REQUIRE_CMP(out[COUNT * i + 2], ==, 1000 * i);
        REQUIRE_CMP(out[COUNT * i + 1], ==, -1);
    }
    MPI_Type_free(&type);
    return class;
}

static int failures(int class)
{
    int failed = class != MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return failed;
}

/* Makes calls where the last rank has memory for `allowed` allocations. Returns whether all
 * succeeded. */
static bool try(const struct call *call, int allowed)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_comm_force(comm, call->collective, call->algorithm));
    for (int i = 0; i < 2; i++) { /* alltoallv: the second with the first one's figures */
        succeed(class_of(call, comm));
    }
    const bool victim = rank == ranks - 1;
    strata_memory_fail_after(victim ? allowed + 1 : -1);
    const int class = class_of(call, comm);
    strata_memory_fail_after(-1);
    REQUIRE(!victim || class == MPI_SUCCESS || class == MPI_ERR_NO_MEM);
    const bool well = failures(class) == 0;
    for (int i = 0; i < 3 && !well; i++) { /* all call again, though none has to */
        const int later = class_of(call, comm);
        REQUIRE(!victim || later == MPI_ERR_OTHER);
    }
    MPI_Comm_free(&comm);
    return well;
}

int main(int argc, char **argv)
{
    static const struct call calls[] = {{"alltoall", "leaders", alltoall},
                                        {"alltoallv", "leaders", alltoallv},
                                        {"allgather", "node_allgather", allgather}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int allowed = 0;
        while (!try(&calls[i], allowed)) {
            allowed++;
        }
        if (rank == 0) {
            printf("%s: %d allocations failed in turn\n", calls[i].collective, allowed);
        }
        REQUIRE_CMP(allowed, >, 0);
    }
    MPI_Finalize();
    return 0;
}
