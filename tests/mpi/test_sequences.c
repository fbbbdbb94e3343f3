/* Random sequences of calls on one communicator. A row drawn from all that serve it runs each
 * collective, and members are delayed at random. Calls wait for other ranks only inside the plans,
 * so a rank may be some calls ahead, in the same ring of the node memory or in another one. Each
 * sequence runs twice, because the first run agrees on plans. Every number is checked.
 *
 * run: 2,3 -- 12
 * run: 4 STRATA_TOPO=node:2 -- 12
 * long: 3,4 -- 1000
 * long: 4,5 STRATA_TOPO=node:2 STRATA_BUDGET=64K -- 1000
 * timeout: 400
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/plan/collective.h"
#include "include/strata.h"
#include "tests/mpi/numbers.h"
#include "tests/mpi/require.h"
#include "tests/random.h"

enum { MOST_RANKS = 8, MOST = 700, CALLS = 8, KINDS = 3 };

static int rank, ranks;
static int in[MOST_RANKS * MOST], out[MOST_RANKS * MOST];
static int64_t by_plans, made;

/* One call, the same on all ranks. */
struct call {
    enum strata_collective collective;
    int number, count, root;
};

static int length_of(const struct call *c, int from, int to)
{
    bool varies = strata_collective_info[c->collective].varying;
    return varies ? (c->count + 3 * from + 5 * to) % MOST : c->count;
}

/* The counts and places of a side's blocks, to or from `other`. */
struct blocks {
    int counts[MOST_RANKS], displs[MOST_RANKS], bytes[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
};

static struct blocks blocks_of(const struct call *c, bool sends)
{
    bool pairs = strata_collective_transposes(c->collective);
    bool apart =
        strata_collective_info[c->collective].varying && !strata_collective_reduces(c->collective);
    struct blocks b;
    int end = 0;
    for (int r = 0; r < ranks; r++) {
        b.counts[r] = !pairs  ? length_of(c, r, 0)
                      : sends ? length_of(c, rank, r)
                              : length_of(c, r, rank);
        b.displs[r] = apart ? MOST * r : end;
        end += b.counts[r];
        b.bytes[r] = b.displs[r] * (int)sizeof(int);
        b.types[r] = MPI_INT;
    }
    return b;
}

/* Fills my input: a block for each rank, one block, or a vector. */
static void fill(const struct call *c, const struct blocks *send)
{
    bool all = strata_collective_info[c->collective].ranked &&
               strata_input_of(c->collective, rank, c->root) == STRATA_ALL;
    for (int i = 0; i < MOST_RANKS * MOST; i++) {
        in[i] = out[i] = -1;
    }
    for (int r = 0; r < (all ? ranks : 1); r++) {
        int n = all ? send->counts[r] : length_of(c, rank, 0);
        for (int i = 0; i < n; i++) {
            in[(all ? send->displs[r] : 0) + i] = number_of(c->number, rank, r, i);
        }
    }
}

static int run(const struct call *c, const struct blocks *s, const struct blocks *r)
{
    const int n = c->count, mine = length_of(c, rank, 0), root = c->root;
    const MPI_Comm comm = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_INT;
    switch (c->collective) {
    case STRATA_ALLTOALL:
        return strata_alltoall(in, n, type, out, n, type, comm);
    case STRATA_ALLTOALLV:
        return strata_alltoallv(in, s->counts, s->displs, type, out, r->counts, r->displs, type,
                                comm);
    case STRATA_ALLTOALLW:
        return strata_alltoallw(in, s->counts, s->bytes, s->types, out, r->counts, r->bytes,
                                r->types, comm);
    case STRATA_ALLGATHER:
        return strata_allgather(in, n, type, out, n, type, comm);
    case STRATA_ALLGATHERV:
        return strata_allgatherv(in, mine, type, out, r->counts, r->displs, type, comm);
    case STRATA_GATHER:
        return strata_gather(in, n, type, out, n, type, root, comm);
    case STRATA_GATHERV:
        return strata_gatherv(in, mine, type, out, r->counts, r->displs, type, root, comm);
    case STRATA_SCATTER:
        return strata_scatter(in, n, type, out, n, type, root, comm);
    case STRATA_SCATTERV:
        return strata_scatterv(in, s->counts, s->displs, type, out, mine, type, root, comm);
    case STRATA_BCAST:
        memcpy(out, in, rank == root ? sizeof *in * (size_t)n : 0);
        return strata_bcast(out, n, type, root, comm);
    case STRATA_REDUCE:
        return strata_reduce(in, out, n, type, MPI_SUM, root, comm);
    case STRATA_ALLREDUCE:
        return strata_allreduce(in, out, n, type, MPI_SUM, comm);
    case STRATA_REDUCE_SCATTER:
        return strata_reduce_scatter(in, out, s->counts, type, MPI_SUM, comm);
    case STRATA_REDUCE_SCATTER_BLOCK:
        return strata_reduce_scatter_block(in, out, n, type, MPI_SUM, comm);
    case STRATA_SCAN:
        return strata_scan(in, out, n, type, MPI_SUM, comm);
    case STRATA_EXSCAN:
        return strata_exscan(in, out, n, type, MPI_SUM, comm);
    default:
        return strata_barrier(comm);
    }
}

/* Number i of block r of my result, or of the vector. */
static int expected(const struct call *c, int r, int i)
{
    bool scatters = strata_collective_scatters(c->collective);
    switch (c->collective) {
    case STRATA_ALLTOALL:
    case STRATA_ALLTOALLV:
    case STRATA_ALLTOALLW:
        return number_of(c->number, r, rank, i);
    case STRATA_SCATTER:
    case STRATA_SCATTERV:
        return number_of(c->number, c->root, rank, i);
    case STRATA_BCAST:
        return number_of(c->number, c->root, 0, i);
    case STRATA_SCAN:
        return sum_of_numbers(c->number, 0, rank + 1, 0, i);
    case STRATA_EXSCAN:
        return sum_of_numbers(c->number, 0, rank, 0, i);
    default:
        return strata_collective_reduces(c->collective)
                   ? sum_of_numbers(c->number, 0, ranks, scatters ? rank : 0, i)
                   : number_of(c->number, r, 0, i);
    }
}

static void check(const struct call *c, const struct blocks *recv)
{
    enum strata_held held = strata_output_of(c->collective, rank, c->root);
    bool all = held == STRATA_ALL && strata_collective_info[c->collective].ranked;
    bool none = held == STRATA_NONE || (c->collective == STRATA_EXSCAN && rank == 0);
    for (int r = 0; !none && r < (all ? ranks : 1); r++) {
        int n = all ? recv->counts[r] : length_of(c, rank, 0);
        for (int i = 0; i < n; i++) {
            REQUIRE_CMP(out[(all ? recv->displs[r] : 0) + i], ==, expected(c, r, i));
        }
    }
}

/* A third of the calls begin late. */
static void delay(struct random *mine)
{
    struct timespec time = {.tv_nsec = random_below(mine, 200000)};
    if (random_one_in(mine, 3)) {
        nanosleep(&time, NULL);
    }
}

static void one_call(const struct call *c, struct random *mine)
{
    struct strata_report report = {.size = sizeof report};
    struct blocks send = blocks_of(c, true), recv = blocks_of(c, false);
    fill(c, &send);
    delay(mine);
    succeed(run(c, &send, &recv));
    check(c, &recv);
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    by_plans += strcmp(report.algorithm, "native") != 0;
    made++;
}

/* Forces a row of its own for each of a few collectives. */
static void force_algorithms(struct random *r, enum strata_collective *kinds)
{
    for (int i = 0; i < KINDS; i++) {
        const char *name;
        int rows = 0;
        kinds[i] = (enum strata_collective)random_below(r, STRATA_COLLECTIVE_COUNT);
        name = strata_collective_name(kinds[i]);
        while (strata_algorithm_at(name, rows)) {
            rows++;
        }
        succeed(strata_comm_force(MPI_COMM_WORLD, name,
                                  strata_algorithm_at(name, random_below(r, rows))));
    }
}

static void sequence(struct random *r, struct random *mine, int number)
{
    static const int counts[] = {1, 2, 12, 100, 600};
    enum strata_collective kinds[KINDS];
    struct call calls[CALLS];
    force_algorithms(r, kinds);
    for (int i = 0; i < CALLS; i++) {
        calls[i] = (struct call){.collective = kinds[random_below(r, KINDS)],
                                 .number = number + i,
                                 .count = counts[random_below(r, 5)]};
        calls[i].root = strata_collective_rooted(calls[i].collective) ? random_below(r, ranks) : 0;
    }
    for (int i = 0; i < 2 * CALLS; i++) {
        one_call(&calls[i % CALLS], mine);
    }
}

int main(int argc, char **argv)
{
    int sequences = argc > 1 ? atoi(argv[1]) : 12;
    struct random r = {20}, mine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mine.state = random_mix(77 + (uint64_t)rank);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    for (int i = 0; i < sequences; i++) {
        sequence(&r, &mine, i);
    }
    REQUIRE_CMP(by_plans, >, made / 2);
    if (rank == 0) {
        printf("%d sequences, %lld calls right, %lld of them by plans\n", sequences,
               (long long)made, (long long)by_plans);
    }
    MPI_Finalize();
    return 0;
}
