/* Broadcasts whose root has fewer or more elements than the others, or than one other rank. By
 * every algorithm, where ranks have one plan and where they have several. No rank waits for ever,
 * and none takes for the root's vector what is not. Some rank has an error.
 *
 * Open MPI never frees a communicator in which a message lies that nobody receives, so sanitizers
 * look for no leaks here.
 *
 * run: 2,3 ASAN_OPTIONS=detect_leaks=0
 * run: 4 STRATA_TOPO=node:2 ASAN_OPTIONS=detect_leaks=0
 * long: 4,5 STRATA_WAIT=sleep ASAN_OPTIONS=detect_leaks=0
 * timeout: 300 */
#include <stdbool.h>
#include <string.h>

#include "tests/long.h"
#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

enum { MOST = 70000, GUARD = 16, FILLER = -77, WAYS = 2 };

static int rank, ranks, tried, buffer[MOST + GUARD];

/* The counts of the root, and of the others: in one bucket, in two, and in other rings or numbers
 * of passes. */
static const int counts[][2] = {{100, 120}, {120, 100},     {100, 900}, {900, 100},  {600, 1100},
                                {1, 70000}, {17000, 70000}, {70000, 3}, {4100, 4000}};
enum { PAIRS = sizeof counts / sizeof *counts };

static int broadcast(int count, int root, MPI_Comm comm, bool waits)
{
    struct strata_request *request;
    if (waits) {
        return strata_bcast(buffer, count, MPI_INT, root, comm);
    }
    succeed(strata_ibcast(buffer, count, MPI_INT, root, comm, &request));
    return strata_wait(&request, MPI_STATUS_IGNORE);
}

static void begin(int count, int root)
{
    for (int i = 0; i < MOST + GUARD; i++) {
        buffer[i] = rank == root && i < count ? number_of(count, root, 0, i) : FILLER;
    }
}

/* Whether this rank has the root's vector, or as much of it as it asked for. */
static bool has_vector(int count, int asked, int root)
{
    bool right = true;
    for (int i = 0; i < asked && i < count; i++) {
        right = right && buffer[i] == number_of(count, root, 0, i);
    }
    return right;
}

static void judge(int error, int count, int mine, int root)
{
    int class, found;
    MPI_Error_class(error, &class);
    found = class != MPI_SUCCESS;
    REQUIRE(found || (mine == count && has_vector(count, count, root)));
    for (int i = mine; i < MOST + GUARD && rank != root; i++) {
        REQUIRE_CMP(buffer[i], ==, FILLER);
    }
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE(found);
}

/* `all` ranks but the root have the other count, or the last one alone. */
static void call_wrongly(const int *pair, const char *algorithm, bool all, bool waits)
{
    const int root = ranks > 2 ? 1 : 0;
    const bool other = rank != root && (all || rank == ranks - 1);
    const int mine = other ? pair[1] : pair[0];
    MPI_Comm comm = new_communicator();
    succeed(strata_comm_force(comm, "bcast", algorithm));
    bool native = false;
    for (int call = 0; call < 4; call++) { /* the later ones by tapes */
        const int count = pair[call % 2];
        begin(count, root);
        succeed(broadcast(count, root, comm, waits));
        REQUIRE(has_vector(count, count, root));
        native = native || strcmp(report_of(comm).algorithm, "native") == 0;
    }
    if (!native) { /* MPI's own may end the program, or not know of others' plans */
        begin(pair[0], root);
        judge(broadcast(mine, root, comm, waits), pair[0], mine, root);
        tried++;
    }
    MPI_Comm_free(&comm);
}

/* Each pair with each algorithm takes long, so the pairs take turns. */
static void test_algorithm(const char *algorithm, int number)
{
    for (int i = 0; i < PAIRS; i++) {
        for (int way = 0; way < WAYS * 2; way++) {
            if (long_form() || (number + i + way) % 12 == 0) {
                call_wrongly(counts[i], algorithm, way % 2, way / 2);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const char *name;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; (name = strata_algorithm_at("bcast", i)); i++) {
        if (strcmp(name, "native") != 0) {
            test_algorithm(name, i);
        }
    }
    REQUIRE_CMP(tried, >, 9);
    MPI_Finalize();
    return 0;
}
