/* Where all ranks expose memory that the others have mapped, all ranks choose for it alike,
 * whatever each of them knows. Where one rank's memory is not mapped, no rank does. The machine
 * makes the system's copies slow, so that the choice always depends on the memory.
 *
 * run: 2,3 STRATA_MACHINE=host:fetch=1,beta_mapped=1e-12
 * timeout: 60 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

/* Communicators of the same ranks share their plans, one for each power of two. So every question
 * has a size of its own. */
enum { FIRST = 300000, LAST = 4 * FIRST, APART = 150000, AGAIN = 70000, EARLY = 40000, TWICE = 2 };

static int rank, ranks;
static unsigned char *plain, *mapped, *in; /* of LAST bytes, of ranks x LAST */

/* Whether the last call on comm was chosen for mapped memory. All ranks must agree. */
static bool chosen_for_mapped(MPI_Comm comm)
{
    struct strata_report report = report_of(comm);
    int mine = strstr(report.why, "in mapped memory") != NULL, least, most;
    MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE_CMP(least, ==, most);
    REQUIRE_CMP(mine, ==, strcmp(report.algorithm, "single_copy") == 0);
    return mine;
}

static void check_gathered(int bytes)
{
    for (int r = 0; r < ranks; r++) {
        REQUIRE_FILLED(in + (size_t)r * (size_t)bytes, (size_t)bytes, 0, r, 0);
    }
}

/* Calls twice, because the second call is remembered. */
static bool gather(MPI_Comm comm, unsigned char *out, int bytes)
{
    fill_bytes(out, (size_t)bytes, 0, rank, 0);
    for (int call = 0; call < TWICE; call++) {
        memset(in, 255, (size_t)ranks * (size_t)bytes);
        succeed(strata_allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, comm));
        check_gathered(bytes);
    }
    return chosen_for_mapped(comm);
}

/* Describes the call once. */
static bool gather_again(MPI_Comm comm, unsigned char *out, int bytes)
{
    struct strata_request *request = NULL;
    fill_bytes(out, (size_t)bytes, 0, rank, 0);
    succeed(strata_allgather_init(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, comm, MPI_INFO_NULL,
                                  &request));
    for (int start = 0; start < TWICE; start++) {
        memset(in, 255, (size_t)ranks * (size_t)bytes);
        succeed(strata_start(&request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        check_gathered(bytes);
    }
    succeed(strata_request_free(&request));
    return chosen_for_mapped(comm);
}

/* Only the root exposes. */
static bool broadcast(MPI_Comm comm, int root, bool of_mapped, int bytes)
{
    unsigned char *buffer = rank == root && of_mapped ? mapped : plain;
    for (int call = 0; call < TWICE; call++) {
        memset(buffer, 255, (size_t)bytes);
        if (rank == root) {
            fill_bytes(buffer, (size_t)bytes, 0, rank, 0);
        }
        succeed(strata_bcast(buffer, bytes, MPI_BYTE, root, comm));
        REQUIRE_FILLED(buffer, (size_t)bytes, 0, root, 0);
    }
    return chosen_for_mapped(comm);
}

/* A communicator without relation to the allocation. */
static void test_first_call_tells(void)
{
    MPI_Comm comm = new_communicator();
    REQUIRE(gather(comm, mapped, FIRST));
    REQUIRE(gather(comm, plain, FIRST)); /* kept, and right all the same */
    REQUIRE(!gather(comm, plain, LAST));
    MPI_Comm_free(&comm);
}

static void test_one_rank_apart(void)
{
    MPI_Comm comm = new_communicator();
    REQUIRE(!gather(comm, rank == 1 ? plain : mapped, APART));
    MPI_Comm_free(&comm);
}

static void test_owner_alone(void)
{
    MPI_Comm comm = new_communicator();
    REQUIRE(broadcast(comm, 1, true, FIRST));
    REQUIRE(!broadcast(comm, 0, false, LAST));
    MPI_Comm_free(&comm);
}

/* Each is described with its own memory, so it takes over nothing from another one. */
static void test_persistent_calls(void)
{
    MPI_Comm comm = new_communicator();
    REQUIRE(!gather_again(comm, plain, FIRST));
    REQUIRE(gather_again(comm, mapped, FIRST));
    REQUIRE(!gather_again(comm, plain, FIRST));
    REQUIRE(!gather_again(comm, rank == 1 ? plain : mapped, FIRST));
    MPI_Comm_free(&comm);
}

/* A plan that was made for other memory, or before any call, makes way. */
static void test_asked_again(void)
{
    MPI_Comm comm = new_communicator();
    void *more;
    REQUIRE(!gather(comm, plain, AGAIN));
    REQUIRE(!gather(comm, mapped, AGAIN));
    succeed(strata_alloc(8, comm, &more));
    REQUIRE(gather(comm, mapped, AGAIN));
    succeed(strata_free(more));
    MPI_Comm_free(&comm);
    comm = new_communicator();
    succeed(strata_comm_attach(comm, "allgather:bytes=40000"));
    REQUIRE(gather(comm, mapped, EARLY));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    plain = malloc(LAST);
    in = malloc((size_t)ranks * LAST);
    REQUIRE(plain);
    REQUIRE(in);
    succeed(strata_alloc(LAST, MPI_COMM_WORLD, &mapped));
    test_first_call_tells();
    test_one_rank_apart();
    test_owner_alone();
    test_persistent_calls();
    test_asked_again();
    succeed(strata_free(mapped));
    free(in);
    free(plain);
    MPI_Finalize();
    return 0;
}
