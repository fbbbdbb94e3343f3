/* One rank receives a longer block than it expects. That is its error, and no other rank's. The
 * rank leads its node, and MPI shows it the mistake while it still waits for its local peer. The
 * other node's leader must still get its message.
 *
 * run: 4 STRATA_TOPO=node:2 STRATA_THRESHOLD=1024 STRATA_ALLTOALLV=leaders:leaders=1,radix=2
 * run: 4 STRATA_TOPO=node:2 STRATA_THRESHOLD=1024 STRATA_ALLTOALLV=leaders:leaders=2,radix=2
 * run: 4 STRATA_TOPO=node:2 STRATA_THRESHOLD=1024 STRATA_ALLTOALLV=sloav:radix=2
 * timeout: 60
 */
#include <string.h>
#include <time.h>

#include "strata.h"
#include "tests/mpi/require.h"

enum { RANKS = 4, USUAL = 3, LONG = 1500, ROOM = 2 * LONG + RANKS * USUAL };
enum { VICTIM = 0, LATE = 1, SENDER = 2 };

struct side {
    int counts[RANKS], displs[RANKS];
    char bytes[ROOM];
};

static void lay_out(struct side *s, int other, int count)
{
    int at = 0;
    for (int i = 0; i < RANKS; i++) {
        s->counts[i] = i == other ? count : USUAL;
        s->displs[i] = at;
        at += s->counts[i];
    }
}

static int call(int rank, int sent, int expected)
{
    struct side out, in;
    lay_out(&out, rank == SENDER ? VICTIM : -1, sent);
    lay_out(&in, rank == VICTIM ? SENDER : -1, expected);
    memset(out.bytes, 'a' + rank, sizeof out.bytes);
    memset(in.bytes, 0, sizeof in.bytes);
    int error = strata_alltoallv(out.bytes, out.counts, out.displs, MPI_CHAR, in.bytes, in.counts,
                                 in.displs, MPI_CHAR, MPI_COMM_WORLD);
    for (int i = 0; !error && i < RANKS; i++) {
        REQUIRE_CMP(in.bytes[in.displs[i]], ==, 'a' + i);
        REQUIRE_CMP(in.bytes[in.displs[i] + in.counts[i] - 1], ==, 'a' + i);
    }
    return error;
}

int main(int argc, char **argv)
{
    int rank, ranks, class;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, ==, RANKS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    /* until sizes are agreed and their plan stands: from then on nothing synchronises a call */
    for (int i = 0; i < 4; i++) {
        succeed(call(rank, USUAL, USUAL));
    }
    if (rank == LATE) {
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    }
    MPI_Error_class(call(rank, 2 * LONG, LONG), &class);
    REQUIRE_CMP(class, ==, rank == VICTIM ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
