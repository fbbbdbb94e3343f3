/* Functions of no communicator refuse null pointers and negative counts by an error that comes
 * back, and touch nothing. What may be null is accepted.
 *
 * run: 1
 */
#include <stddef.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

static int class_of(int error)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(error, &class);
    return class;
}

#define REFUSED(call, as) REQUIRE_CMP(class_of(call), ==, as)

static void refuse_one_request(void)
{
    struct strata_request *none = NULL;
    int flag = 7;
    REFUSED(strata_start(NULL), MPI_ERR_REQUEST);
    REFUSED(strata_wait(NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_test(NULL, &flag, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_test(&none, NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    REQUIRE_CMP(flag, ==, 7);
    REQUIRE_CMP(strata_wait(&none, MPI_STATUS_IGNORE), ==, MPI_SUCCESS);
    REQUIRE_CMP(strata_test(&none, &flag, MPI_STATUS_IGNORE), ==, MPI_SUCCESS);
    REQUIRE_CMP(flag, ==, 1);
}

static void refuse_requests(void)
{
    struct strata_request *none = NULL;
    int index = 7, flag = 7, done = 7;
    REFUSED(strata_startall(-1, &none), MPI_ERR_ARG);
    REFUSED(strata_startall(1, NULL), MPI_ERR_ARG);
    REFUSED(strata_waitall(-1, &none, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_waitall(1, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_testall(1, NULL, &flag, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_testall(1, &none, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_waitany(-1, &none, &index, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_waitany(1, &none, NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_testany(1, NULL, &index, &flag, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_testany(1, &none, &index, NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_testsome(1, &none, NULL, &index, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    REFUSED(strata_testsome(1, &none, &done, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    REQUIRE(index == 7 && flag == 7 && done == 7);
    REQUIRE_CMP(strata_waitall(0, NULL, MPI_STATUSES_IGNORE), ==, MPI_SUCCESS);
    REQUIRE_CMP(strata_testall(1, &none, &flag, MPI_STATUSES_IGNORE), ==, MPI_SUCCESS);
    REQUIRE_CMP(flag, ==, 1);
}

static void refuse_chains(void)
{
    struct strata_chain *chain = NULL;
    struct strata_chain_place place;
    MPI_Comm comm = MPI_COMM_NULL;
    REFUSED(strata_chain_free(NULL), MPI_ERR_ARG);
    REQUIRE_CMP(strata_chain_free(&chain), ==, MPI_SUCCESS);
    REFUSED(strata_chain_place(NULL, &place), MPI_ERR_ARG);
    REFUSED(strata_chain_split(NULL, NULL, NULL, NULL, 0, &chain), MPI_ERR_ARG);
    REFUSED(strata_chain_comm(NULL, 0, &comm), MPI_ERR_ARG);
    REQUIRE(!chain && comm == MPI_COMM_NULL);
}

static void refuse_members(void)
{
    struct strata_members *members = NULL;
    MPI_Comm handle = MPI_COMM_NULL;
    REFUSED(strata_members_dup(NULL, &members), MPI_ERR_ARG);
    REFUSED(strata_members_join(NULL, &handle), MPI_ERR_ARG);
    REFUSED(strata_members_free(NULL), MPI_ERR_ARG);
    REQUIRE_CMP(strata_members_free(&members), ==, MPI_SUCCESS);
    REQUIRE(!members && handle == MPI_COMM_NULL);
}

static void refuse_others(void)
{
    struct strata_report report;
    int here = 0;
    REFUSED(strata_free(NULL), MPI_ERR_ARG);
    REFUSED(strata_free(&here), MPI_ERR_ARG);
    REFUSED(strata_comm_report(MPI_COMM_NULL, &report), MPI_ERR_COMM);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    refuse_one_request();
    refuse_requests();
    refuse_chains();
    refuse_members();
    refuse_others();
    MPI_Finalize();
    return 0;
}
