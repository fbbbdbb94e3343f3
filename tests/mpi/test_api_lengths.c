/* gatherv and scatterv where ranks pass on blocks whose lengths only others know. The lengths go
 * ahead, or ranks read them in a slot of the node memory. Only the receiver finds that a sender's
 * block is longer or shorter than it expects. All other blocks arrive, and the next call works.
 *
 * run: 4,8
 * long: 5
 * run: 6 STRATA_TOPO=node:2
 * run: 3 STRATA_THRESHOLD=40
 * run: 5 STRATA_TOPO=node:2,2,1 STRATA_THRESHOLD=8
 * timeout: 120
 */
#include <stdlib.h>
#include <string.h>

#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "include/strata.h"
#include "tests/algorithms.h"
#include "tests/mpi/require.h"

#define MOST_RANKS 32
#define ROOM       64 /* ints for each rank's block */
#define FILLER     (-77)

static int rank, ranks;

static int length_of(int block)
{
    return block % 3 == 2 ? 0 : 1 + 7 * block % 20;
}

struct call {
    MPI_Comm comm;
    int root, odd, more; /* block `odd` is `more` ints longer at its sender */
    int counts[MOST_RANKS], displs[MOST_RANKS];
    int all[MOST_RANKS * ROOM], own[ROOM];
};

static void prepare(struct call *c, bool gathers)
{
    int longer = gathers ? 0 : c->more; /* at the root */
    for (int i = 0; i < ranks; i++) {
        c->counts[i] = length_of(i) + (i == c->odd ? longer : 0);
        c->displs[i] = (ranks - 1 - i) * ROOM;
    }
    for (int i = 0; i < MOST_RANKS * ROOM; i++) {
        c->all[i] = gathers ? FILLER : 1000 * (i / ROOM) + i % ROOM;
    }
    for (int i = 0; i < ROOM; i++) {
        c->own[i] = gathers ? 1000 * (ranks - 1 - rank) + i : FILLER;
    }
}

/* Whether a block on which both sides agree is right. */
static bool block_is_right(const struct call *c, const int *block, int number)
{
    bool right = true;
    for (int i = 0; i < length_of(number); i++) {
        right = right && block[i] == 1000 * (ranks - 1 - number) + i;
    }
    return number == c->odd || (right && block[length_of(number)] == FILLER);
}

static int gather(struct call *c)
{
    int mine = length_of(rank) + (rank == c->odd ? c->more : 0), class;
    prepare(c, true);
    MPI_Error_class(strata_gatherv(c->own, mine, MPI_INT, c->all, c->counts, c->displs, MPI_INT,
                                   c->root, c->comm),
                    &class);
    for (int i = 0; rank == c->root && class == MPI_SUCCESS && i < ranks; i++) {
        REQUIRE(block_is_right(c, c->all + c->displs[i], i));
    }
    REQUIRE_CMP(class, ==, rank == c->root && c->more != 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    return class;
}

static int scatter(struct call *c)
{
    int class;
    prepare(c, false);
    MPI_Error_class(strata_scatterv(c->all, c->counts, c->displs, MPI_INT, c->own, length_of(rank),
                                    MPI_INT, c->root, c->comm),
                    &class);
    REQUIRE(class != MPI_SUCCESS || block_is_right(c, c->own, rank));
    REQUIRE_CMP(class, ==, rank == c->odd && c->more != 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    return class;
}

/* Whether lengths went ahead in the last call, or are read in slots. Otherwise MPI finds the
 * mistake, and the ranks are out of step. */
static bool tells_lengths(MPI_Comm comm)
{
    const struct strata_state *state = strata_state_peek(strata_process(), comm);
    REQUIRE(state);
    const struct strata_selection_entry *last = state->last;
    return last && (last->lengths_first || (last->plan && last->plan->limits.threshold > 0));
}

static int test_algorithm(struct call *c, const char *collective, int (*call)(struct call *),
                          const char *name)
{
    static const int more[] = {0, 3, 0, 40, -1, 0};
    int tried = 0;
    succeed(strata_comm_force(c->comm, collective, name));
    for (c->root = 0; c->root < ranks; c->root++) {
        for (c->odd = 0; c->odd < ranks; c->odd++) {
            c->more = 0;
            call(c);
            bool tell = tells_lengths(c->comm) && c->odd != c->root && length_of(c->odd) > 0;
            for (size_t i = 0; tell && i < sizeof more / sizeof *more; i++) {
                c->more = more[i];
                call(c);
                tried++;
            }
        }
    }
    return tried;
}

int main(int argc, char **argv)
{
    static struct call c;
    const struct strata_algorithm *algorithm;
    int tried = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &c.comm);
    MPI_Comm_set_errhandler(c.comm, MPI_ERRORS_RETURN);
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (algorithm_serves(algorithm, STRATA_GATHERV)) {
            tried += test_algorithm(&c, "gatherv", gather, algorithm->name);
        }
        if (algorithm_serves(algorithm, STRATA_SCATTERV)) {
            tried += test_algorithm(&c, "scatterv", scatter, algorithm->name);
        }
    }
    if (rank == 0) {
        printf("%d calls whose ranks could disagree\n", tried);
    }
    REQUIRE_CMP(tried, >, 0);
    MPI_Comm_free(&c.comm);
    MPI_Finalize();
    return 0;
}
