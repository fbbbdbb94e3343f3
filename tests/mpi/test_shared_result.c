/* strata_allgather_shared and strata_bcast_shared against MPI's own, on communicators of 1 to all
 * ranks, in both orders. Results lie once in a node, or, with a last argument, that is denied or
 * left to MPI. A store into a result is a fault. Results are released in any order, after their
 * communicator, and after MPI_Finalize. Calls in a loop map nothing anew. A mistake of one rank, or
 * a lack of room, is an error on all.
 *
 * run: 1,4
 * run: 5 STRATA_TOPO=node:2
 * long: 9 STRATA_TOPO=node:3:cyclic
 * timeout: 240
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/mpi/attached.h"
#include "tests/random.h"

enum { TYPES = 4, COUNTS = 4, AGAIN = 1000 };

static int world_rank, world_ranks;
static MPI_Datatype types[TYPES];
static const int counts[COUNTS] = {0, 1, 3, 3000};

/* Types: an int; a struct with padding; every other pair, before its origin; a type in falling
 * order. */
static void make_types(void)
{
    MPI_Datatype inner;
    MPI_Type_contiguous(1, MPI_INT, &types[0]);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8},
                           (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE}, &types[1]);
    MPI_Type_create_hvector(2, 2, -16, MPI_INT, &types[2]);
    MPI_Type_create_indexed_block(2, 1, (int[]){1, 0}, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, 12, &types[3]);
    MPI_Type_free(&inner);
    for (int i = 0; i < TYPES; i++) {
        MPI_Type_commit(&types[i]);
    }
}

/* Memory for so many elements, from far before its origin on. All its bytes differ. */
struct memory {
    unsigned char *all, *origin;
    size_t bytes;
};

static struct memory make_memory(MPI_Datatype type, int elements, int salt)
{
    MPI_Aint low, extent;
    MPI_Type_get_extent(type, &low, &extent);
    size_t half = (size_t)labs((long)extent) * ((size_t)elements + 1) + 64;
    struct memory m = {.bytes = 2 * half};
    m.all = malloc(m.bytes);
    REQUIRE(m.all);
    for (size_t i = 0; i < m.bytes; i++) {
        m.all[i] = (unsigned char)random_mix(i + 1000003u * (unsigned)salt);
    }
    m.origin = m.all + half;
    return m;
}

/* Whether both have the same data; gaps may hold anything. */
static bool same(const void *a, const void *b, int elements, MPI_Datatype type)
{
    int size = 0, at = 0, end = 0;
    MPI_Pack_size(elements, type, MPI_COMM_SELF, &size);
    unsigned char *one = calloc(1, (size_t)size + 1), *other = calloc(1, (size_t)size + 1);
    REQUIRE(one);
    REQUIRE(other);
    MPI_Pack(a, elements, type, one, size, &at, MPI_COMM_SELF);
    MPI_Pack(b, elements, type, other, size, &end, MPI_COMM_SELF);
    bool equal = at == end && memcmp(one, other, (size_t)at) == 0;
    free(one);
    free(other);
    return equal;
}

static void gather(MPI_Comm comm, int count, MPI_Datatype type, int salt)
{
    int rank, ranks;
    const void *result = NULL;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    struct memory mine = make_memory(type, count, salt + rank);
    struct memory all = make_memory(type, count * ranks, 0);
    MPI_Allgather(mine.origin, count, type, all.origin, count, type, comm);
    int error =
        salt % 20 < 10
            ? strata_allgather_shared(mine.origin, count, type, &result, count, type, comm)
            : strata_allgather_shared_c(mine.origin, count, type, &result, count, type, comm);
    REQUIRE(!error);
    REQUIRE(result);
    REQUIRE(same(result, all.origin, count * ranks, type));
    succeed(strata_shared_release(result));
    free(mine.all);
    free(all.all);
}

static void broadcast(MPI_Comm comm, int count, MPI_Datatype type, int root, int salt)
{
    int rank;
    const void *result = NULL;
    MPI_Comm_rank(comm, &rank);
    struct memory data = make_memory(type, count, salt + rank);
    struct memory before = make_memory(type, count, salt + rank);
    const void *buffer = rank == root ? data.origin : NULL;
    REQUIRE(!(salt % 20 < 10 ? strata_bcast_shared(buffer, count, type, &result, root, comm)
                             : strata_bcast_shared_c(buffer, count, type, &result, root, comm)));
    REQUIRE_BYTES(data.all, before.all, data.bytes);
    MPI_Bcast(data.origin, count, type, root, comm);
    REQUIRE(result);
    REQUIRE(same(result, data.origin, count, type));
    succeed(strata_shared_release(result));
    free(data.all);
    free(before.all);
}

static void compare(MPI_Comm comm)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    for (int t = 0; t < TYPES; t++) {
        for (int c = 0; c < COUNTS; c++) {
            gather(comm, counts[c], types[t], 100 * t + 10 * c);
            broadcast(comm, counts[c], types[t], (t + c) % ranks, 100 * t + 10 * c);
        }
    }
}

/* Elements of more pieces than a map has, several of them, which MPI packs one by one. */
static void without_a_map(void)
{
    MPI_Datatype many;
    MPI_Type_vector((1 << 20) + 1, 1, 2, MPI_CHAR, &many);
    MPI_Type_commit(&many);
    broadcast(MPI_COMM_WORLD, 3, many, world_ranks - 1, 5);
    MPI_Type_free(&many);
}

/* The first ranks of the world, and the others, so that all ranks make calls. */
static void on_all_sizes(void)
{
    for (int first = 0; first <= world_ranks / 2; first++) {
        MPI_Comm comm;
        int ranks;
        MPI_Comm_split(MPI_COMM_WORLD, world_rank < first, first % 2 ? -world_rank : world_rank,
                       &comm);
        MPI_Comm_size(comm, &ranks);
        compare(comm);
        struct strata_report report = report_of(comm);
        uint64_t calls = 2 * TYPES * COUNTS;
        bool once = report.nodes < ranks; /* some have a node in common */
        REQUIRE_CMP(report.results, ==, once ? calls : 0);
        REQUIRE_CMP(report.results_copied, ==, once ? 0 : calls);
        REQUIRE_CMP(!once, ==, report.results_why[0] != '\0');
        MPI_Comm_free(&comm);
    }
}

static sigjmp_buf before_fault;

static void on_fault(int number)
{
    (void)number;
    siglongjmp(before_fault, 1);
}

static bool may_store(const int *result)
{
    struct sigaction action = {.sa_handler = on_fault}, old;
    volatile bool stored = false;
    sigaction(SIGSEGV, &action, &old);
    if (!sigsetjmp(before_fault, 1)) {
        *(volatile int *)(uintptr_t)result = 1;
        stored = true;
    }
    sigaction(SIGSEGV, &old, NULL);
    return stored;
}

/* The numbers of all ranks, each `salt` more than its rank. */
static const int *numbers(MPI_Comm comm, int salt)
{
    int rank, mine;
    const int *result = NULL;
    MPI_Comm_rank(comm, &rank);
    mine = rank + salt;
    succeed(strata_allgather_shared(&mine, 1, MPI_INT, &result, 1, MPI_INT, comm));
    return result;
}

static bool are(const int *result, int ranks, int salt)
{
    int right = 0;
    while (right < ranks && result[right] == right + salt) {
        right++;
    }
    return right == ranks;
}

/* Each rank holds three results, and releases them in its own order. A new result may not take the
 * place of a held one. */
static void in_any_order(MPI_Comm comm)
{
    enum { HELD = 3, ROUNDS = 30 };
    const int *held[HELD] = {NULL};
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int round = 0; round < ROUNDS; round++) {
        int place = (round + rank) % HELD; /* ranks hold others */
        if (held[place]) {
            succeed(strata_shared_release(held[place]));
        }
        held[place] = numbers(comm, 7 * round);
        REQUIRE(!may_store(held[place]));
        for (int before = 0; before < HELD && before <= round; before++) {
            REQUIRE(are(held[(round - before + rank) % HELD], ranks, 7 * (round - before)));
        }
    }
    for (int i = 0; i < HELD; i++) {
        succeed(strata_shared_release(held[(i + rank) % HELD]));
        REQUIRE_CMP(strata_shared_release(held[(i + rank) % HELD]), !=, MPI_SUCCESS);
    }
}

static int mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    int lines = 0;
    REQUIRE(file);
    for (int c; (c = getc(file)) != EOF;) {
        lines += c == '\n';
    }
    fclose(file);
    return lines;
}

static void again_and_again(MPI_Comm comm)
{
    static double data[3000];
    int before = 0;
    size_t bytes = 0;
    for (int call = 0; call < AGAIN; call++) {
        const double *table = NULL;
        int count = counts[1 + call % (COUNTS - 1)];
        data[count - 1] = call;
        succeed(strata_bcast_shared(data, count, MPI_DOUBLE, &table, 0, comm));
        const int *result = numbers(comm, call);
        REQUIRE(are(result, world_ranks, call));
        REQUIRE_CMP(table[count - 1], ==, call);
        succeed(strata_shared_release(table));
        succeed(strata_shared_release(result));
        if (call == 2 * COUNTS) {
            before = mappings();
            bytes = report_of(comm).results_bytes;
        }
    }
    REQUIRE_CMP(mappings(), <=, before + 2); /* what malloc may have mapped meanwhile */
    REQUIRE_CMP(report_of(comm).results_bytes, ==, bytes);
}

static void after_its_communicator(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int *result = numbers(comm, 5), *other = numbers(comm, 6);
    MPI_Comm_free(&comm);
    REQUIRE(are(result, world_ranks, 5));
    REQUIRE(are(other, world_ranks, 6));
    succeed(strata_shared_release(other));
    succeed(strata_shared_release(result));
}

static int class_of(int error)
{
    int class;
    MPI_Error_class(error, &class);
    return class;
}

static int call_of(MPI_Comm comm, int count, const void **result)
{
    static const int mine[2];
    return class_of(strata_allgather_shared(mine, count, MPI_INT, result, count, MPI_INT, comm));
}

/* Mistakes of one rank, and results that there is no room for. */
static void errors(MPI_Comm comm)
{
    const void *result = NULL;
    MPI_Datatype vast, wide;
    int last = world_rank == world_ranks - 1;
    MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &vast);
    MPI_Type_commit(&vast);
    MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)1 << 40, &wide);
    MPI_Type_commit(&wide);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    REQUIRE(world_ranks == 1 || call_of(comm, 1 + last, &result) == MPI_ERR_TRUNCATE);
    REQUIRE_CMP(call_of(comm, last ? -1 : 1, &result), ==, last ? MPI_ERR_COUNT : MPI_ERR_ARG);
    REQUIRE_CMP(call_of(comm, 1, last ? NULL : &result), ==, MPI_ERR_ARG);
    REQUIRE_CMP(
        class_of(strata_allgather_shared(MPI_IN_PLACE, 1, MPI_INT, &result, 1, MPI_INT, comm)), ==,
        MPI_ERR_BUFFER);
    REQUIRE_CMP(
        class_of(strata_bcast_shared(&last, 1, MPI_INT, &result, last ? world_ranks : 0, comm)), ==,
        last ? MPI_ERR_ROOT : MPI_ERR_ARG);
    REQUIRE_CMP(class_of(strata_allgather_shared(&last, 1, MPI_INT, &result, 2, MPI_INT, comm)), ==,
                MPI_ERR_TRUNCATE);
    REQUIRE_CMP(class_of(strata_bcast_shared(&last, 1 << 20, vast, &result, 0, comm)), ==,
                MPI_ERR_NO_MEM);
    REQUIRE_CMP(class_of(strata_bcast_shared(&last, 1 << 24, wide, &result, 0, comm)), ==,
                MPI_ERR_NO_MEM); /* more than an address reaches */
    REQUIRE(!result);
    MPI_Type_free(&wide);
    MPI_Type_free(&vast);
}

/* Only the last node's first member cannot open a file. */
static void no_room_on_one_node(MPI_Comm comm)
{
    struct rlimit old, none;
    struct strata_report report = report_of(comm);
    static int mine[100000];
    const void *result = NULL;
    int leader = world_ranks / report.nodes * (report.nodes - 1) + (report.nodes > 1);
    REQUIRE(!getrlimit(RLIMIT_NOFILE, &old));
    none = (struct rlimit){0, old.rlim_max};
    REQUIRE(world_rank != leader || !setrlimit(RLIMIT_NOFILE, &none));
    int class =
        class_of(strata_allgather_shared(mine, 100000, MPI_INT, &result, 100000, MPI_INT, comm));
    REQUIRE(!setrlimit(RLIMIT_NOFILE, &old));
    if (report.nodes < world_ranks) { /* else each rank has its own, without a file */
        REQUIRE_CMP(class, ==, MPI_ERR_NO_MEM);
        REQUIRE(!result);
        succeed(strata_allgather_shared(mine, 100000, MPI_INT, &result, 100000, MPI_INT, comm));
    }
    succeed(strata_shared_release(result));
}

/* From now on this process can open no unnamed file, in /dev/shm or elsewhere. */
static void deny(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    REQUIRE_CMP(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), ==, 0);
    REQUIRE_CMP(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), ==, 0);
}

/* Each rank has a copy, which looks to the program like other results. */
static void as_copies(MPI_Comm comm, const char *why)
{
    struct strata_report before = report_of(comm);
    compare(comm);
    const int *result = numbers(comm, 3);
    REQUIRE(are(result, world_ranks, 3));
    REQUIRE(!may_store(result));
    succeed(strata_shared_release(result));
    struct strata_report report = report_of(comm);
    REQUIRE_CMP(report.results, ==, before.results);
    REQUIRE(world_ranks == 1 || strstr(report.results_why, why));
    REQUIRE_CMP(report.results_copied, ==, before.results_copied + 2 * TYPES * COUNTS + 1);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* a second release is an error */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    make_types();
    on_all_sizes();
    without_a_map();
    in_any_order(MPI_COMM_WORLD);
    again_and_again(MPI_COMM_WORLD);
    after_its_communicator();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int *kept = numbers(comm, 1);
    errors(comm);
    no_room_on_one_node(comm);
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    strata_comm_force(comm, "allgather", "ring"); /* which leaves a result for each rank */
    const int *once = numbers(comm, 2);
    REQUIRE(are(once, world_ranks, 2));
    succeed(strata_shared_release(once));
    REQUIRE(world_ranks == 1 || report_of(comm).results_copied == 0);
    strata_comm_force(comm, "allgather", "native");
    strata_comm_force(comm, "bcast", "native");
    as_copies(comm, "MPI's own is forced");
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (world_rank == 0) {
        deny();
    }
    as_copies(comm, "/dev/shm");
    MPI_Comm_free(&comm);
    for (int i = 0; i < TYPES; i++) {
        MPI_Type_free(&types[i]);
    }
    MPI_Finalize();
    bool right = are(kept, world_ranks, 1);
    return right && !strata_shared_release(kept) ? 0 : 1;
}
