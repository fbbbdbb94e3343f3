/* Endpoints that are not ranks of their own number: each rank has two, and they lie on the rank
 * behind the one of their number. Moves between endpoints arrive at the right endpoint. A message
 * of a wrong length is an error of that endpoint alone, and one that is left behind hides none.
 *
 * run: 2,3 */
#include <stdlib.h>
#include <string.h>

#include "core/engine/engine.h"
#include "core/engine/engine_sizes.h"
#include "internode/algorithms.h"
#include "internode/mpi/transport_mpi.h"
#include "tests/mpi/require.h"

enum { HERE = 2, MOST_RANKS = 4, MOST = HERE * MOST_RANKS, LONGEST = 600, THRESHOLD = 400 };

static const struct strata_transport *const mpi = &strata_transport_mpi;

/* One endpoint of this rank. */
struct mine {
    int number;
    struct strata_transport_mpi transport;
    struct strata_plan *plan;
    struct strata_execution x;
    int out_counts[MOST], in_counts[MOST], displs[MOST];
    unsigned char out[MOST * LONGEST], in[MOST * LONGEST];
};

struct world {
    int rank, ranks, count;
    MPI_Comm comm;
    struct strata_endpoint at[MOST];
    struct strata_topology *topology;
    struct mine mine[HERE];
};

static void open_world(struct world *w)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->ranks);
    REQUIRE_CMP(w->ranks, <=, MOST_RANKS);
    MPI_Comm_split(MPI_COMM_WORLD, 0, w->rank, &w->comm);
    MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN);
    w->count = HERE * w->ranks;
    REQUIRE(!strata_topology_flat(w->count, &w->topology));
    for (int i = 0; i < w->count; i++) {
        w->at[i] = (struct strata_endpoint){.rank = (i + 1) % w->ranks, .tag = i / w->ranks};
    }
    for (int i = 0; i < w->count; i++) {
        if (w->at[i].rank == w->rank) {
            struct mine *m = &w->mine[w->at[i].tag];
            const struct strata_endpoints endpoints = {
                .comm = w->comm, .count = w->count, .tags = HERE, .mine = w->at[i], .at = w->at};
            m->number = i;
            strata_transport_mpi_init(&m->transport, &endpoints, 0);
        }
    }
}

static void close_world(struct world *w)
{
    for (int i = 0; i < HERE; i++) {
        strata_transport_mpi_fini(&w->mine[i].transport);
    }
    strata_topology_destroy(w->topology);
    MPI_Comm_free(&w->comm);
}

static unsigned char mark(int from, int to, int call)
{
    return (unsigned char)(1 + (from * 31 + to * 7 + call) % 255);
}

/* Staged, direct and empty blocks. */
static int length_of(int from, int to, int call)
{
    return (from * 157 + to * 311 + call * 97) % LONGEST;
}

static void begin_plan(struct world *w, struct mine *m, const struct strata_algorithm *algorithm)
{
    struct strata_problem problem = {.collective = STRATA_ALLTOALLV,
                                     .rank = m->number,
                                     .topology = w->topology,
                                     .flat = w->topology,
                                     .parameter = {2}};
    struct strata_diagnostic message = {""};
    problem.capacity =
        (struct strata_capacity){.scratch = 1 << 20, .threshold = THRESHOLD, .passes = 2};
    REQUIRE(!strata_algorithm_plan(algorithm, &problem, &m->plan, &message));
}

static void begin_call(struct world *w, struct mine *m, int call)
{
    static MPI_Datatype plain = MPI_BYTE;
    struct strata_layout side = {.type = &strata_byte_type, .displs = m->displs, .handle = &plain};
    memset(m->in, 0, sizeof m->in);
    for (int i = 0; i < w->count; i++) {
        m->displs[i] = i * LONGEST;
        m->out_counts[i] = length_of(m->number, i, call);
        m->in_counts[i] = length_of(i, m->number, call);
        memset(m->out + m->displs[i], mark(m->number, i, call), LONGEST);
    }
    m->x = (struct strata_execution){.plan = m->plan,
                                     .nodes = w->topology,
                                     .input = side,
                                     .output = side,
                                     .transport = mpi,
                                     .transport_self = &m->transport};
    m->x.input.base = m->out;
    m->x.input.counts = m->out_counts;
    m->x.output.base = m->in;
    m->x.output.counts = m->in_counts;
    m->x.fixed_scratch = strata_engine_fixed_scratch(m->plan, false);
    m->x.scratch = malloc(strata_engine_scratch(&m->x));
    REQUIRE(m->x.scratch);
    REQUIRE(!strata_engine_start(&m->x));
}

static void end_call(struct world *w, struct mine *m, int call)
{
    for (int i = 0; i < w->count; i++) {
        for (int j = 0; j < LONGEST; j++) {
            REQUIRE_CMP(m->in[i * LONGEST + j], ==,
                        j < m->in_counts[i] ? mark(i, m->number, call) : 0);
        }
    }
    free(m->x.scratch);
}

/* The endpoints of a rank take turns. */
static void test_plans(struct world *w, const struct strata_algorithm *algorithm)
{
    for (int i = 0; i < HERE; i++) {
        begin_plan(w, &w->mine[i], algorithm);
    }
    for (int call = 0; call < 8; call++) {
        int status[HERE] = {STRATA_PENDING, STRATA_PENDING};
        for (int i = 0; i < HERE; i++) {
            begin_call(w, &w->mine[i], call);
        }
        while (status[0] == STRATA_PENDING || status[1] == STRATA_PENDING) {
            for (int i = 0; i < HERE; i++) {
                if (status[i] == STRATA_PENDING) {
                    status[i] = strata_engine_advance(&w->mine[i].x);
                }
            }
        }
        for (int i = 0; i < HERE; i++) {
            REQUIRE(!status[i]);
            end_call(w, &w->mine[i], call);
        }
    }
    for (int i = 0; i < HERE; i++) {
        strata_plan_destroy(w->mine[i].plan);
    }
}

enum { BYTES = 8, MORE = 12 };

static struct strata_layout words(char *at, size_t bytes)
{
    static MPI_Datatype plain = MPI_BYTE;
    return (struct strata_layout){
        .base = (void *)at, .type = &strata_byte_type, .count = bytes, .handle = &plain};
}

/* Each endpoint sends to each, on each rank received in one order and sent in the other, for both
 * kinds. The last one's message to the first is too long. */
static void test_lengths(struct world *w)
{
    static char in[HERE][MOST][STRATA_TRAFFIC_KINDS][MORE], out[HERE][MOST][MORE];
    const int last = w->count - 1;
    for (int i = 0; i < HERE; i++) {
        struct strata_transport_mpi *t = &w->mine[i].transport;
        REQUIRE(!mpi->reserve(t, 2 * w->count, 2 * w->count));
        for (int from = 0; from < w->count; from++) {
            struct strata_layout direct = words(in[i][from][STRATA_DIRECT_TRAFFIC], BYTES);
            REQUIRE(!mpi->recv_exactly(t, from, in[i][from][STRATA_LANE_TRAFFIC], BYTES));
            REQUIRE(!mpi->recv_block(t, from, &direct, 0));
        }
    }
    for (int i = HERE - 1; i >= 0; i--) {
        struct mine *m = &w->mine[i];
        for (int to = last; to >= 0; to--) {
            memset(out[i][to], mark(m->number, to, 0), MORE);
            struct strata_layout direct = words(out[i][to], BYTES);
            size_t bytes = m->number == last && to == 0 ? MORE : BYTES;
            REQUIRE(!mpi->send_block(&m->transport, to, &direct, 0));
            REQUIRE(!mpi->send_exactly(&m->transport, to, out[i][to], bytes));
        }
    }
    int error[HERE][STRATA_TRAFFIC_KINDS] = {{0}};
    for (int open = 1; open > 0;) {
        open = 0;
        for (int i = 0; i < HERE * STRATA_TRAFFIC_KINDS; i++) {
            int kind = i % STRATA_TRAFFIC_KINDS, left = 0;
            error[i / STRATA_TRAFFIC_KINDS][kind] =
                mpi->test(&w->mine[i / STRATA_TRAFFIC_KINDS].transport, kind, &left);
            open += left;
        }
    }
    for (int i = 0; i < HERE * w->count * STRATA_TRAFFIC_KINDS; i++) {
        int kind = i % STRATA_TRAFFIC_KINDS, here = i / STRATA_TRAFFIC_KINDS / w->count;
        int from = i / STRATA_TRAFFIC_KINDS % w->count, number = w->mine[here].number;
        bool wrong = number == 0 && kind == STRATA_LANE_TRAFFIC;
        REQUIRE_CMP(error[here][kind], ==, wrong ? STRATA_ERR_TRUNCATE : STRATA_OK);
        for (int j = 0; j < MORE; j++) {
            REQUIRE_CMP(in[here][from][kind][j], ==, j < BYTES ? (char)mark(from, number, 0) : 0);
        }
    }
}

/* The second endpoint of the rank that is so many ranks ahead. */
static int second_of(const struct world *w, int ahead)
{
    return w->ranks + (w->rank + ahead + 2 * w->ranks - 1) % w->ranks;
}

/* Receives what is left on the communicator. */
static void drain(const struct world *w)
{
    int there = 1;
    MPI_Barrier(w->comm);
    while (there) {
        char left[MORE];
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &there, MPI_STATUS_IGNORE);
        if (there) {
            MPI_Recv(left, MORE, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, MPI_STATUS_IGNORE);
        }
    }
}

/* A message of another stream, in which a rank is out of step, is never received. It does not hide
 * for good that the message behind it is too long, though it is of a pair that is not the first. */
static void test_left_message(struct world *w)
{
    enum { OTHER = STRATA_ENDPOINT_PAIRS * STRATA_TRAFFIC_KINDS };
    struct strata_transport_mpi other, *own = &w->mine[1].transport;
    char in[BYTES], out[MORE] = {0};
    int open = 1, error = STRATA_OK;
    REQUIRE_CMP(w->at[w->mine[1].number].tag, ==, 1);
    strata_transport_mpi_init(&other, &own->endpoints, OTHER);
    REQUIRE(!mpi->reserve(&other, 1, 0) && !mpi->reserve(own, 2, 0));
    REQUIRE(!mpi->send_exactly(&other, second_of(w, 1), out, BYTES));
    strata_transport_mpi_break(&other);
    REQUIRE(!mpi->recv_exactly(own, second_of(w, -1), in, BYTES));
    REQUIRE(!mpi->send_exactly(own, second_of(w, 1), out, MORE));
    while (open > 0) {
        error = mpi->test(own, STRATA_LANE_TRAFFIC, &open);
    }
    REQUIRE_CMP(error, ==, STRATA_ERR_TRUNCATE);
    do {
        REQUIRE(!mpi->test(&other, STRATA_LANE_TRAFFIC, &open));
    } while (open > 0);
    strata_transport_mpi_fini(&other);
    drain(w);
}

/* What a call leaves behind is for no receive of the next hundred (docs/failure.md). */
static void test_next_calls(const struct world *w)
{
    struct strata_tags tags;
    strata_tags_init(&tags, &w->mine[0].transport.endpoints, 0);
    const int left = strata_tag_of(&tags, BYTES);
    for (int call = 0; call < 100; call++) {
        strata_tags_next(&tags, 0);
        REQUIRE_CMP(strata_tag_of(&tags, BYTES), !=, left);
    }
}

int main(int argc, char **argv)
{
    static struct world world;
    MPI_Init(&argc, &argv);
    open_world(&world);
    test_plans(&world, &strata_sloav);
    test_plans(&world, &strata_pairwise);
    test_lengths(&world);
    test_left_message(&world);
    test_next_calls(&world);
    if (world.rank == 0) {
        printf("endpoints: %d on %d ranks: ok\n", world.count, world.ranks);
    }
    close_world(&world);
    MPI_Finalize();
    return 0;
}
