/* Chains against MPI's scans and collectives, and every method of splitting against MPI_Comm_split,
 * on communicators of several orders. Then the errors, which all ranks must see.
 *
 * run: 1,3,4
 * long: 2,5
 * run: 9 -- --short
 */
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/require.h"
#include "tests/random.h"

static const char *const methods[] = {
    "auto",  "allgather_group", "allgather_mpi", "gather_scatter", "cheng:items=2",
    "cheng", "bitonic",         "radix",         "hash",           "hash64"};
enum { METHODS = sizeof methods / sizeof *methods };

static void check_location(struct strata_chain *chain, int rank, int size)
{
    struct strata_chain_place place;
    succeed(strata_chain_place(chain, &place));
    REQUIRE_CMP(place.size, ==, size);
    REQUIRE_CMP(place.rank, ==, rank);
    REQUIRE_CMP(place.left, ==, rank > 0 ? place.left : -1);
    REQUIRE_CMP(place.right, ==, rank + 1 < size ? place.right : -1);
}

static void check_reductions(struct strata_chain *chain, MPI_Comm comm, int count)
{
    int rank, size;
    double *mine = calloc((size_t)count + 1, sizeof *mine);
    double *got = calloc((size_t)count + 1, sizeof *got),
           *want = calloc((size_t)count + 1, sizeof *want);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < count; i++) {
        mine[i] = rank * 7 + i % 5;
    }
    strata_chain_scan(mine, got, NULL, count, MPI_DOUBLE, MPI_SUM, 0, chain);
    MPI_Scan(mine, want, count, MPI_DOUBLE, MPI_SUM, comm);
    REQUIRE_BYTES(got, want, (size_t)count * sizeof *got);
    memset(got, 0, (size_t)count * sizeof *got);
    memset(want, 0, (size_t)count * sizeof *want);
    strata_chain_scan(mine, got, NULL, count, MPI_DOUBLE, MPI_SUM, STRATA_EXCLUSIVE, chain);
    MPI_Exscan(mine, want, count, MPI_DOUBLE, MPI_SUM, comm);
    REQUIRE(rank == 0 || memcmp(got, want, (size_t)count * sizeof *got) == 0);
    strata_chain_allreduce(mine, got, count, MPI_DOUBLE, MPI_MAX, chain);
    MPI_Allreduce(mine, want, count, MPI_DOUBLE, MPI_MAX, comm);
    REQUIRE_BYTES(got, want, (size_t)count * sizeof *got);
    for (int root = 0; root < size; root++) {
        strata_chain_reduce(mine, got, count, MPI_DOUBLE, MPI_SUM, root, chain);
        MPI_Reduce(mine, want, count, MPI_DOUBLE, MPI_SUM, root, comm);
        REQUIRE(rank != root || memcmp(got, want, (size_t)count * sizeof *got) == 0);
    }
    free(mine);
    free(got);
    free(want);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): MPI says so */
static void take_left(void *left, void *right, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(right, left, (size_t)*count * sizeof(int));
}

/* An operator of the program's, that does not commute: the lowest rank's operand is the result. */
static void check_own_operator(struct strata_chain *chain, MPI_Comm comm)
{
    int rank, mine[2], scanned[2] = {-1, -1}, all[2] = {-1, -1};
    MPI_Op op;
    MPI_Comm_rank(comm, &rank);
    mine[0] = 10 + rank;
    mine[1] = 20 + rank;
    MPI_Op_create(take_left, 0, &op);
    succeed(strata_chain_scan(mine, scanned, NULL, 2, MPI_INT, op, 0, chain));
    succeed(strata_chain_allreduce(mine, all, 2, MPI_INT, op, chain));
    MPI_Op_free(&op);
    const int lowest[] = {10, 20};
    REQUIRE_BYTES(scanned, lowest, sizeof lowest);
    REQUIRE_BYTES(all, lowest, sizeof lowest);
}

static void check_blocks(struct strata_chain *chain, MPI_Comm comm, int count)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const size_t all_bytes = (size_t)(size * count) * sizeof(int);
    int *one = calloc((size_t)count + 1, sizeof *one),
        *back = calloc((size_t)count + 1, sizeof *back);
    int *got = calloc(1, all_bytes + 1), *want = calloc(1, all_bytes + 1);
    for (int i = 0; i < count; i++) {
        one[i] = rank * 1000 + i;
    }
    MPI_Allgather(one, count, MPI_INT, want, count, MPI_INT, comm);
    succeed(strata_chain_allgather(one, got, count, MPI_INT, chain));
    REQUIRE_BYTES(got, want, all_bytes);
    for (int root = 0; root < size; root++) {
        memset(got, 0, all_bytes);
        strata_chain_gather(one, got, count, MPI_INT, root, chain);
        REQUIRE(rank != root || memcmp(got, want, all_bytes) == 0);
        memset(back, 0, (size_t)count * sizeof *back);
        strata_chain_scatter(want, back, count, MPI_INT, root, chain);
        REQUIRE_BYTES(back, one, (size_t)count * sizeof *back);
        memcpy(back, want + root * count, (size_t)count * sizeof *back);
        if (rank != root) {
            memset(back, 0xff, (size_t)count * sizeof *back);
        }
        strata_chain_bcast(back, count, MPI_INT, root, chain);
        REQUIRE_BYTES(back, want + root * count, (size_t)count * sizeof *back);
    }
    succeed(strata_chain_barrier(chain));
    free(one);
    free(back);
    free(got);
    free(want);
}

/* The text of a number, in several lengths; empty for 0. */
static size_t text_of(int number, char *text)
{
    return number == 0 ? 0 : (size_t)sprintf(text, "node-%d%.*s", number, number, ".....");
}

/* A rank's colour and key in one trial, and MPI's group for them. */
struct trial {
    int colour, key;
    bool text, undefined, coloured, keyed;
    char words[2][32];
    struct strata_split_value values[2];
    MPI_Comm right;
};

static void draw_trial(struct trial *t, struct random *common, struct random *own, MPI_Comm comm)
{
    int many = random_between(common, 1, 5), rank;
    MPI_Comm_rank(comm, &rank);
    *t = (struct trial){.text = random_one_in(common, 2),
                        .coloured = !random_one_in(common, 5),
                        .keyed = !random_one_in(common, 3)};
    t->colour = random_below(own, many);
    t->key = random_below(own, 4);
    t->undefined = random_one_in(common, 4) && random_one_in(own, 3);
    for (int i = 0; i < 2; i++) {
        int *number = i == 0 ? &t->colour : &t->key;
        t->values[i] =
            t->text ? (struct strata_split_value){t->words[i], text_of(*number, t->words[i]),
                                                  strata_compare_bytes, strata_hash_bytes, NULL}
                    : (struct strata_split_value){number, sizeof *number, strata_compare_int32,
                                                  strata_hash_bytes, NULL};
    }
    MPI_Comm_split(comm,
                   t->undefined  ? MPI_UNDEFINED
                   : t->coloured ? t->colour
                                 : 0,
                   t->keyed ? t->key : rank, &t->right);
}

/* Requires the same ranks in the same order. MPI compares keys as numbers, so text with another
 * order must not be keys. */
static void check_group(const struct trial *t, struct strata_chain *group, MPI_Comm comm)
{
    MPI_Group all, members;
    struct strata_chain_place place;
    int size, rank, near[2] = {-1, -1}, wanted[2];
    REQUIRE_CMP(group == NULL, ==, t->right == MPI_COMM_NULL);
    if (!group) {
        return;
    }
    MPI_Comm_size(t->right, &size);
    MPI_Comm_rank(t->right, &rank);
    check_location(group, rank, size);
    strata_chain_place(group, &place);
    MPI_Comm_group(comm, &all);
    MPI_Comm_group(t->right, &members);
    wanted[0] = rank - 1;
    wanted[1] = rank + 1;
    if (rank > 0) {
        MPI_Group_translate_ranks(members, 1, &wanted[0], all, &near[0]);
    }
    if (rank + 1 < size) {
        MPI_Group_translate_ranks(members, 1, &wanted[1], all, &near[1]);
    }
    REQUIRE_CMP(place.left, ==, near[0]);
    REQUIRE_CMP(place.right, ==, near[1]);
    MPI_Group_free(&all);
    MPI_Group_free(&members);
}

static bool serves(const char *method, const struct trial *t)
{
    return (strcmp(method, "radix") != 0 || !t->text || (!t->coloured && !t->keyed)) &&
           (strncmp(method, "hash", 4) != 0 || t->coloured);
}

static void check_trial(struct trial *t, struct strata_chain *chain, MPI_Comm comm)
{
    const struct strata_split_value *colour = t->coloured ? &t->values[0] : NULL;
    const struct strata_split_value *key = t->keyed ? &t->values[1] : NULL;
    for (int m = 0; m < METHODS; m++) {
        struct strata_chain *group = NULL;
        if (serves(methods[m], t)) {
            succeed(strata_chain_split(chain, colour, key, methods[m],
                                       t->undefined ? STRATA_UNDEFINED : 0, &group));
            check_group(t, group, comm);
            if (group && m == 0) {
                check_reductions(group, t->right, 3);
            }
            strata_chain_free(&group);
        }
    }
}

static void check_communicator(MPI_Comm comm, int trials, uint64_t seed)
{
    struct random common = {seed}, own;
    struct strata_chain *chain = NULL;
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    own = (struct random){seed * 977 + (uint64_t)rank};
    succeed(strata_chain_create(comm, &chain));
    check_location(chain, rank, size);
    static const int counts[] = {0, 1, 5, 700};
    for (int i = 0; i < 4; i++) {
        check_reductions(chain, comm, counts[i]);
        check_blocks(chain, comm, counts[i]);
    }
    check_own_operator(chain, comm);
    for (int i = 0; i < trials; i++) {
        struct trial t;
        draw_trial(&t, &common, &own, comm);
        check_trial(&t, chain, comm);
        if (t.right != MPI_COMM_NULL) {
            MPI_Comm_free(&t.right);
        }
    }
    succeed(strata_chain_free(&chain));
    REQUIRE(!chain);
}

/* The request of one rank holds for its group. */
static void check_attached_for_one(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    MPI_Comm made = MPI_COMM_NULL;
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    succeed(strata_comm_split(comm, NULL, NULL, NULL, rank == size - 1 ? STRATA_ATTACH : 0, &made));
    strata_comm_report(made, &report);
    REQUIRE_CMP(report.standing, ==, STRATA_STANDING_ATTACHED);
    MPI_Comm_free(&made);
}

static void check_new_communicator(MPI_Comm comm, bool attach)
{
    int rank, result, sum = 0, one = 1, size;
    MPI_Comm made = MPI_COMM_NULL, right;
    MPI_Comm_rank(comm, &rank);
    int colour = rank % 2;
    int64_t key = -(INT64_C(1) << 33) * rank; /* equal in the bytes of an int32 */
    struct strata_split_value values[2] = {
        {&colour, sizeof colour, strata_compare_int32, strata_hash_bytes, NULL},
        {&key, sizeof key, strata_compare_int64, NULL, NULL}};
    MPI_Comm_split(comm, colour, -rank, &right);
    succeed(
        strata_comm_split(comm, &values[0], &values[1], "hash", attach ? STRATA_ATTACH : 0, &made));
    MPI_Comm_compare(made, right, &result);
    REQUIRE_CMP(result, ==, MPI_CONGRUENT);
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(made, &report);
    REQUIRE_CMP(report.standing, ==, attach ? STRATA_STANDING_ATTACHED : STRATA_STANDING_NEW);
    strata_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made);
    MPI_Comm_size(right, &size);
    REQUIRE_CMP(sum, ==, size);
    MPI_Comm_free(&right);
    MPI_Comm_free(&made);
    check_attached_for_one(comm);
    succeed(
        strata_comm_split(comm, &values[0], NULL, NULL, rank == 0 ? STRATA_UNDEFINED : 0, &made));
    REQUIRE_CMP(made == MPI_COMM_NULL, ==, rank == 0);
    if (made != MPI_COMM_NULL) {
        MPI_Comm_free(&made);
    }
}

static int class_of(int error)
{
    int class;
    MPI_Error_class(error, &class);
    return class;
}

/* Without elements no buffers are needed. */
static void check_no_elements(struct strata_chain *chain)
{
    succeed(strata_chain_bcast(NULL, 0, MPI_INT, 0, chain));
    succeed(strata_chain_scan(NULL, NULL, NULL, 0, MPI_INT, MPI_SUM, 0, chain));
    succeed(strata_chain_reduce(NULL, NULL, 0, MPI_INT, MPI_SUM, 0, chain));
    succeed(strata_chain_allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, chain));
    succeed(strata_chain_gather(NULL, NULL, 0, MPI_INT, 0, chain));
    succeed(strata_chain_scatter(NULL, NULL, 0, MPI_INT, 0, chain));
    succeed(strata_chain_allgather(NULL, NULL, 0, MPI_INT, chain));
}

/* A block moves as its bytes, so only a datatype of exactly these bytes serves. */
static void check_datatypes(struct strata_chain *chain)
{
    const int lengths[] = {1, 1}, places[] = {0, 2};
    MPI_Datatype apart, as_dense, half, large, empty;
    int values[3] = {0};
    MPI_Type_indexed(2, lengths, places, MPI_INT, &apart);
    MPI_Type_create_resized(apart, 0, 2 * sizeof(int), &as_dense);
    MPI_Type_contiguous(1 << 30, MPI_BYTE, &half);
    MPI_Type_contiguous(2, half, &large);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&as_dense);
    MPI_Type_commit(&large);
    MPI_Type_commit(&empty);
    REQUIRE_CMP(class_of(strata_chain_bcast(values, 1, as_dense, 0, chain)), ==, MPI_ERR_TYPE);
    succeed(strata_chain_bcast(NULL, 0, large, 0, chain));
    succeed(strata_chain_bcast(NULL, 3, empty, 0, chain));
    MPI_Type_free(&apart);
    MPI_Type_free(&as_dense);
    MPI_Type_free(&half);
    MPI_Type_free(&large);
    MPI_Type_free(&empty);
}

/* One rank has no place for the result, or a wrong flag. */
static void check_results(MPI_Comm comm, struct strata_chain *chain, bool wrong)
{
    const int zero = 0;
    struct strata_split_value colour = {&zero, sizeof zero, strata_compare_int32, strata_hash_bytes,
                                        NULL};
    struct strata_chain *other = NULL;
    MPI_Comm made = MPI_COMM_NULL;
    REQUIRE_CMP(class_of(strata_comm_split(comm, &colour, NULL, NULL, 0, wrong ? NULL : &made)), ==,
                MPI_ERR_ARG);
    REQUIRE_CMP(class_of(strata_chain_comm(chain, 0, wrong ? NULL : &made)), ==, MPI_ERR_ARG);
    REQUIRE_CMP(class_of(strata_chain_comm(chain, wrong ? STRATA_ATTACH << 1 : 0, &made)), ==,
                MPI_ERR_ARG);
    REQUIRE_CMP(class_of(strata_chain_create(comm, wrong ? NULL : &other)), ==, MPI_ERR_ARG);
    REQUIRE_CMP(made, ==, MPI_COMM_NULL);
    REQUIRE(!other);
}

/* One rank makes a mistake. All must see an error of the class, and the chain must go on. */
static void check_errors(MPI_Comm comm)
{
    struct strata_chain *chain = NULL, *group = NULL;
    int rank, size, colour = 1;
    double twice[2] = {1, 2};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const bool wrong = rank == size - 1;
    struct strata_split_value good = {&colour, sizeof colour, strata_compare_int32,
                                      strata_hash_bytes, NULL};
    struct strata_split_value bad = good, text = good;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_chain_create(comm, &chain));
    bad.bytes = wrong ? 3 : 4;
    REQUIRE_CMP(class_of(strata_chain_split(chain, &bad, NULL, NULL, 0, &group)), ==, MPI_ERR_ARG);
    bad = good;
    bad.compare = wrong ? NULL : good.compare;
    REQUIRE_CMP(class_of(strata_chain_split(chain, &bad, NULL, NULL, 0, &group)), ==, MPI_ERR_ARG);
    REQUIRE_CMP(class_of(strata_chain_split(chain, &good, NULL, wrong ? "hsh" : "hash", 0, &group)),
                ==, MPI_ERR_ARG);
    if (size > 1) {
        REQUIRE_CMP(
            class_of(strata_chain_split(chain, &good, NULL, wrong ? "hash" : "radix", 0, &group)),
            ==, MPI_ERR_ARG);
        REQUIRE_CMP(
            class_of(strata_chain_split(chain, &good, wrong ? &good : NULL, NULL, 0, &group)), ==,
            MPI_ERR_ARG);
    }
    text.compare = strata_compare_bytes;
    text.hash = NULL;
    REQUIRE_CMP(class_of(strata_chain_split(chain, &text, NULL, "radix", 0, &group)), ==,
                class_of(MPI_ERR_UNSUPPORTED_OPERATION));
    REQUIRE_CMP(class_of(strata_chain_split(chain, &text, NULL, "hash", 0, &group)), ==,
                class_of(MPI_ERR_UNSUPPORTED_OPERATION));
    REQUIRE(!group);
    REQUIRE_CMP(class_of(strata_chain_bcast(&colour, 1, MPI_INT, size, chain)), ==, MPI_ERR_ROOT);
    REQUIRE_CMP(class_of(strata_chain_bcast(&colour, -1, MPI_INT, 0, chain)), ==, MPI_ERR_COUNT);
    REQUIRE_CMP(class_of(strata_chain_bcast(NULL, 1, MPI_INT, 0, chain)), ==, MPI_ERR_BUFFER);
    REQUIRE_CMP(class_of(strata_chain_bcast(&colour, 1, MPI_DATATYPE_NULL, 0, chain)), ==,
                MPI_ERR_TYPE);
    REQUIRE_CMP(class_of(strata_chain_allreduce(&size, &colour, 1, MPI_INT, MPI_OP_NULL, chain)),
                ==, MPI_ERR_OP);
    REQUIRE_CMP(class_of(strata_chain_allreduce(twice, twice + 1, 1, MPI_DOUBLE, MPI_BAND, chain)),
                ==, MPI_ERR_OP);
    REQUIRE_CMP(
        class_of(strata_chain_scan(twice, twice + 1, NULL, 1, MPI_DOUBLE, MPI_BAND, 0, chain)), ==,
        MPI_ERR_OP);
    check_no_elements(chain);
    check_datatypes(chain);
    check_results(comm, chain, wrong);
    succeed(class_of(strata_chain_barrier(chain)));
    succeed(strata_chain_split(chain, &good, NULL, "hash", 0, &group));
    check_location(group, rank, size);
    strata_chain_free(&group);
    strata_chain_free(&chain);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    MPI_Comm backwards;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int trials = argc > 1 && strcmp(argv[1], "--short") == 0 ? 4 : 30;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    check_communicator(MPI_COMM_WORLD, trials, 1);
    check_communicator(backwards, trials, 2);
    check_new_communicator(MPI_COMM_WORLD, true);
    check_new_communicator(backwards, false);
    check_errors(backwards);
    MPI_Comm_free(&backwards);
    if (rank == 0) {
        printf("ok\n");
    }
    MPI_Finalize();
    return 0;
}
