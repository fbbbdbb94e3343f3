/* Repeats gatherv and scatterv on the same memory, while something changes now and then: the root,
 * one rank's length, the places of blocks, types, whether the call is in place. Now and then a
 * block is longer or shorter at its sender than at its receiver. Only the receiver finds the
 * mistake, each time. In calls that are not forced, all ranks count until sizes are exchanged
 * again, a rank that is out of step too.
 *
 * run: 2,4
 * run: 3 STRATA_MACHINE=host:signal=1e-8 STRATA_THRESHOLD=256
 * run: 6 STRATA_TOPO=node:2
 * run: 3 STRATA_SINGLE_COPY=0
 * run: 2 STRATA_MACHINE=host:fetch=1e-9,beta_fetch=1e-12,beta_node=1e-9
 * run: 3 -- --threads 1
 * long: 5,8 -- --calls 4000 --seed 2
 * timeout: 240 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "core/base/memory.h"
#include "tests/mpi/attached.h"
#include "tests/random.h"

enum { MOST_RANKS = 9, LONGEST = 600, ROOM = 2 * LONGEST, FILLER = -7, OFTEN = 200 };

static int rank, ranks;
static MPI_Datatype apart; /* ints with a gap behind each */

struct call {
    bool scatters, in_place, gaps[2]; /* gaps: of the root's side, of the others' */
    int root, shift, odd, more;       /* block `odd` is `more` longer at its sender */
    int lengths[MOST_RANKS];
};

struct run {
    MPI_Comm comm;
    const char *rows[2]; /* for gatherv and scatterv; NULL: not forced */
    bool errs;           /* ranks disagree now and then */
    struct random r;
    int calls, round;
    struct call call;
    int counts[MOST_RANKS], displs[MOST_RANKS];
    int all[2 * MOST_RANKS * ROOM], own[2 * ROOM];
};

static int draw_length(struct random *r)
{
    static const int most[] = {0, 1, 6, 6, 30, 120, LONGEST};
    return random_between(r, 0, most[random_below(r, sizeof most / sizeof *most)]);
}

/* Whether ranks tell each other lengths, in slots or before a call. Without, MPI's own must get
 * right lengths. */
static bool tells_lengths(MPI_Comm comm)
{
    const struct strata_state *state = strata_state_peek(strata_process(), comm);
    const struct strata_selection_entry *last = state ? state->last : NULL;
    return last && last->plan && last->plan->limits.threshold > 0;
}

static void draw_odd(struct run *run)
{
    static const int more[] = {1, -1, LONGEST};
    struct call *c = &run->call;
    c->odd = random_below(&run->r, ranks);
    c->more = run->errs && tells_lengths(run->comm) ? more[random_below(&run->r, 3)] : 0;
    if (c->lengths[c->odd] + c->more < 0) {
        c->more = 0;
    }
}

/* Changes something in one call of three. */
static void change(struct run *run)
{
    struct call *c = &run->call;
    struct random *r = &run->r;
    c->more = random_one_in(r, 3) ? 0 : c->more;
    switch (random_below(r, 21)) {
    case 0:
        c->root = random_below(r, ranks);
        break;
    case 1:
    case 2:
        c->lengths[random_below(r, ranks)] = draw_length(r);
        c->more = 0;
        break;
    case 3:
        c->shift = random_below(r, ranks);
        break;
    case 4:
        c->gaps[random_below(r, 2)] = random_one_in(r, 3);
        break;
    case 5:
        c->in_place = random_one_in(r, 3);
        break;
    case 6:
        draw_odd(run);
        break;
    default:
        break;
    }
}

static int value_of(const struct run *run, int block, int i)
{
    return run->round % 1000 * 100000 + block * 10000 + i;
}

static void write_block(const struct run *run, int *at, bool gaps, int block, int length)
{
    for (int i = 0; i < length; i++) {
        at[i << gaps] = value_of(run, block, i);
    }
}

/* Whether the block is right. No data lie behind it or in its gaps. After an error its contents are
 * unknown. */
static bool is_right(const struct run *run, const int *at, bool gaps, int block, int length,
                     bool error)
{
    bool right = true;
    for (int i = 0; i < ROOM; i++) {
        right = right && (i >= length ? at[i << gaps] == FILLER
                                      : error || at[i << gaps] == value_of(run, block, i));
        right = right && (!gaps || at[2 * i + 1] == FILLER);
    }
    return right;
}

static int *place_of(struct run *run, int block)
{
    return run->all + (run->displs[block] << run->call.gaps[0]);
}

static void fill(struct run *run, int mine)
{
    const struct call *c = &run->call;
    for (int i = 0; i < 2 * MOST_RANKS * ROOM; i++) {
        run->all[i] = FILLER;
    }
    for (int i = 0; i < 2 * ROOM; i++) {
        run->own[i] = FILLER;
    }
    for (int i = 0; i < ranks; i++) {
        run->counts[i] = c->lengths[i] + (c->scatters && i == c->odd ? c->more : 0);
        run->displs[i] = (i + c->shift) % ranks * ROOM;
        if (c->scatters || (c->in_place && i == c->root)) {
            write_block(run, place_of(run, i), c->gaps[0], i, run->counts[i]);
        }
    }
    if (!c->scatters) {
        write_block(run, run->own, c->gaps[1], rank, mine);
    }
}

static int make(struct run *run, int mine)
{
    const struct call *c = &run->call;
    MPI_Datatype of_all = c->gaps[0] ? apart : MPI_INT, of_one = c->gaps[1] ? apart : MPI_INT;
    void *own = c->in_place && rank == c->root ? MPI_IN_PLACE : run->own;
    int class;
    MPI_Error_class(c->scatters ? strata_scatterv(run->all, run->counts, run->displs, of_all, own,
                                                  mine, of_one, c->root, run->comm)
                                : strata_gatherv(own, mine, of_one, run->all, run->counts,
                                                 run->displs, of_all, c->root, run->comm),
                    &class);
    return class;
}

static void check(struct run *run, int mine, bool error)
{
    const struct call *c = &run->call;
    bool right = true;
    for (int i = 0; !c->scatters && rank == c->root && i < ranks; i++) {
        right = right && is_right(run, place_of(run, i), c->gaps[0], i, run->counts[i], error);
    }
    if (c->scatters) {
        int length = c->in_place && rank == c->root ? 0 : mine;
        right = is_right(run, run->own, c->gaps[1], rank, length, error);
    }
    if (!right) {
        printf("call %d: rank %d: %s, root %d, block %d is %d longer\n", run->round, rank,
               c->scatters ? "scatterv" : "gatherv", c->root, c->odd, c->more);
    }
    REQUIRE(right);
}

static void one_call(struct run *run)
{
    const struct call *c = &run->call;
    const int mine = c->lengths[rank] + (!c->scatters && rank == c->odd ? c->more : 0);
    bool wrong = c->more != 0 && !(c->in_place && c->odd == c->root);
    fill(run, mine);
    int class = make(run, mine);
    check(run, mine, class != MPI_SUCCESS);
    REQUIRE_CMP(class, ==,
                wrong && rank == (c->scatters ? c->odd : c->root) ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    run->round++;
}

static void make_calls(struct run *run)
{
    for (int scatters = 0; scatters < 2; scatters++) {
        run->call = (struct call){.scatters = scatters};
        succeed(
            strata_comm_force(run->comm, scatters ? "scatterv" : "gatherv", run->rows[scatters]));
        for (int i = 0; i < ranks; i++) {
            run->call.lengths[i] = draw_length(&run->r);
        }
        for (int i = 0; i < run->calls; i++) {
            one_call(run);
            change(run);
        }
    }
}

static void *work(void *run)
{
    make_calls(run);
    return NULL;
}

static const char *const rows[][2] = {
    {"node_gather", "node_scatter"}, {NULL, NULL}, {"single_copy", "single_copy"}};
enum { KINDS = sizeof rows / sizeof *rows };

static struct run *new_run(int kind, int calls, uint64_t seed)
{
    struct run *run = malloc(sizeof *run);
    REQUIRE(run);
    run->comm = new_communicator();
    memcpy(run->rows, rows[kind], sizeof run->rows);
    run->errs = kind == 0;
    run->r = (struct random){random_mix(seed + (uint64_t)kind)};
    run->calls = calls;
    run->round = 0;
    return run;
}

static void end_run(struct run *run)
{
    MPI_Comm_free(&run->comm);
    free(run);
}

/* Each thread has its own communicator. */
static void test_threads(int calls, uint64_t seed)
{
    struct run *run[KINDS];
    pthread_t thread[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        run[kind] = new_run(kind, calls, seed);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        REQUIRE_CMP(pthread_create(&thread[kind], NULL, work, run[kind]), ==, 0);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        REQUIRE_CMP(pthread_join(thread[kind], NULL), ==, 0);
        end_run(run[kind]);
    }
}

/* A rank has no memory to look at a type. It is out of step from then on, but goes on with others
 * where they agree. */
static void test_out_of_step(uint64_t seed)
{
    struct run *run = new_run(1, 0, seed);
    bool out = false;
    run->call = (struct call){.root = 0};
    for (int i = 0; i < ranks; i++) {
        run->call.lengths[i] = LONGEST;
    }
    one_call(run); /* the plan is made */
    MPI_Barrier(MPI_COMM_WORLD);
    run->call.gaps[1] = true;
    for (int i = 0; i < OFTEN; i++) {
        fill(run, LONGEST);
        strata_memory_fail_after(rank == 1 && i == 0 ? 0 : -1);
        out = make(run, LONGEST) != MPI_SUCCESS || out;
    }
    strata_memory_fail_after(-1);
    if (rank == 1) {
        printf("rank 1 was %sout of step: %s\n", out ? "" : "not ", report_of(run->comm).algorithm);
    }
    end_run(run);
}

static int number_after(const char *name, int argc, char **argv, int otherwise)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        otherwise = strcmp(argv[i], name) == 0 ? atoi(argv[i + 1]) : otherwise;
    }
    return otherwise;
}

int main(int argc, char **argv)
{
    int granted, calls = number_after("--calls", argc, argv, 500);
    uint64_t seed = 1000 * (uint64_t)number_after("--seed", argc, argv, 1);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
    MPI_Type_commit(&apart);
    if (number_after("--threads", argc, argv, 0) > 0 && granted == MPI_THREAD_MULTIPLE) {
        test_threads(calls, seed);
    } else {
        test_out_of_step(seed);
        for (int kind = 0; kind < KINDS; kind++) {
            struct run *run = new_run(kind, calls, seed);
            make_calls(run);
            end_run(run);
        }
    }
    if (rank == 0) {
        printf("%d calls right, seed %d\n", 2 * KINDS * calls, (int)(seed / 1000));
    }
    MPI_Type_free(&apart);
    MPI_Finalize();
    return 0;
}
