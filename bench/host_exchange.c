/* The ranks of a host exchange blocks: bare, by Strata's alltoallv and by MPI's.
 *
 * The bare exchange does only what an alltoallv must. A rank announces itself in shared memory. It
 * takes each block in one copy as soon as the owner has announced itself, and confirms the copy
 * there. It ends when its own blocks are taken. A rank that waits yields its core. *Copies* are the
 * copies alone, without any signal.
 *
 *   mpirun -n 8 build/openmpi/bench/host_exchange [KiB of a block [ms of computing [mapped]]]
 *
 * Before each exchange a rank computes for so long on its own core, on the data it has received.
 * Blocks lie in a rank's own memory, where the kernel copies them, or in memory that all ranks have
 * mapped. Prints milliseconds, medians of batches in turn: the mean over the ranks of the time in
 * the exchange; and the slowest rank's time for computing and exchange, less the time that
 * computing takes where all cores compute. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/measure.h"
#include "strata.h"

enum { BATCHES = 21, MOST_RANKS = 64 };

/* A rank's signals. */
struct line {
    _Alignas(64) _Atomic uint64_t here;
    _Atomic uint64_t taken[MOST_RANKS]; /* [rank that has taken its block] */
};

static int rank, ranks, counts[MOST_RANKS], places[MOST_RANKS];
static size_t bytes;
static double computing;
static bool mapped;
static uint64_t stamp;
static unsigned char *in, *out;           /* buffers of the calls */
static unsigned char *bare_in, *bare_out; /* of the bare exchange: the same memory, or a window's */
static struct line *line[MOST_RANKS];
static struct peer {
    uint64_t process, out;
} peer[MOST_RANKS];

static void take(int from)
{
    unsigned char *to = bare_in + (size_t)from * bytes;
    const uintptr_t at = (uintptr_t)peer[from].out + (size_t)rank * bytes;
    struct iovec here = {to, bytes}, there = {(void *)at, bytes};
    if (from == rank || mapped) {
        memcpy(to, (const void *)at, bytes);
    } else if (process_vm_readv((pid_t)peer[from].process, &here, 1, &there, 1, 0) !=
               (ssize_t)bytes) {
        fprintf(stderr, "ranks cannot read each other's memory here\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void copies(void)
{
    for (int distance = 0; distance < ranks; distance++) {
        take((rank + distance) % ranks);
    }
}

static bool reached(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_acquire) >= stamp;
}

/* Takes the block of each rank that has announced itself, once. Returns how many it took. */
static int take_those_here(bool *done)
{
    int count = 0;
    for (int distance = 1; distance < ranks; distance++) {
        int from = (rank + distance) % ranks;
        if (!done[from] && reached(&line[from]->here)) {
            take(from);
            atomic_store_explicit(&line[from]->taken[rank], stamp, memory_order_release);
            done[from] = true;
            count++;
        }
    }
    return count;
}

static void bare(void)
{
    bool done[MOST_RANKS] = {false};
    int left = ranks - 1;
    stamp++;
    atomic_store_explicit(&line[rank]->here, stamp, memory_order_release);
    take(rank);
    while (left > 0) {
        int count = take_those_here(done);
        left -= count;
        if (count == 0) {
            sched_yield();
        }
    }
    for (int to = 0; to < ranks; to++) {
        while (to != rank && !reached(&line[rank]->taken[to])) {
            sched_yield();
        }
    }
}

static void ours(void)
{
    strata_alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}

static void theirs(void)
{
    PMPI_Alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Computes the next exchange's blocks from the received ones. */
static void compute(unsigned char *to, const unsigned char *from)
{
    const double end = processor_time() + computing;
    for (size_t at = 0; processor_time() < end; at = (at + 4096) % ((size_t)ranks * bytes)) {
        for (size_t i = at; i < at + 4096; i++) {
            to[i] = (unsigned char)(from[i] * 5 + 1);
        }
    }
}

static const struct way {
    const char *name;
    void (*exchange)(void);
    bool is_bare; /* uses the buffers of the bare exchange */
} ways[] = {{"copies", copies, true},
            {"bare", bare, true},
            {"Strata", ours, false},
            {"MPI", theirs, false},
            {"MPI again", theirs, false}};
enum { WAYS = sizeof ways / sizeof *ways };

/* The bytes of a block tell its source and its destination. */
static void fill(unsigned char *blocks)
{
    for (int to = 0; to < ranks; to++) {
        memset(blocks + (size_t)to * bytes, 1 + rank * ranks + to, bytes);
    }
}

static bool is_right(const unsigned char *blocks)
{
    bool right = true;
    for (size_t i = 0; i < (size_t)ranks * bytes; i++) {
        right = right && blocks[i] == (unsigned char)(1 + (int)(i / bytes) * ranks + rank);
    }
    return right;
}

static void prove(void)
{
    for (int w = 0; w < WAYS; w++) {
        unsigned char *to = ways[w].is_bare ? bare_in : in;
        fill(ways[w].is_bare ? bare_out : out);
        memset(to, 0, (size_t)ranks * bytes);
        PMPI_Barrier(MPI_COMM_WORLD); /* copies wait for nobody */
        ways[w].exchange();
        PMPI_Barrier(MPI_COMM_WORLD);
        if (!is_right(to)) {
            fprintf(stderr, "host_exchange: %s: wrong bytes on rank %d\n", ways[w].name, rank);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

/* The seconds of an exchange: the mean over the ranks, and the slowest rank's time beyond
 * computing. */
static void time_way(const struct way *way, int turns, double *mean, double *beyond)
{
    double inside = 0, whole, cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double share = ranks > cores ? computing * ranks / cores : computing;
    way->exchange(); /* each way finds its own blocks in the cache, as far as they fit */
    PMPI_Barrier(MPI_COMM_WORLD);
    whole = MPI_Wtime();
    for (int i = 0; i < turns; i++) {
        if (computing > 0) {
            compute(way->is_bare ? bare_out : out, way->is_bare ? bare_in : in);
        }
        inside -= MPI_Wtime();
        way->exchange();
        inside += MPI_Wtime();
    }
    whole = MPI_Wtime() - whole;
    PMPI_Allreduce(&inside, mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Allreduce(&whole, beyond, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    *mean /= ranks * turns;
    *beyond = *beyond / turns - share;
}

static void measure(int turns)
{
    static double mean[WAYS][BATCHES], beyond[WAYS][BATCHES];
    for (int i = -1; i < BATCHES; i++) { /* batch -1 is not counted */
        for (int w = 0; w < WAYS; w++) {
            time_way(&ways[w], turns, &mean[w][i < 0 ? 0 : i], &beyond[w][i < 0 ? 0 : i]);
        }
    }
    for (int w = 0; w < WAYS && rank == 0; w++) {
        double m = measure_median(mean[w], BATCHES), b = measure_median(beyond[w], BATCHES);
        printf(w ? "" : "%-12s %10s %10s\n", "ms", "mean", "slowest");
        printf("%-12s %10.3f %10.3f\n", ways[w].name, 1e3 * m, 1e3 * b);
    }
}

/* A part of a shared window for each rank, at the start of a cache line. MPI may align windows
 * otherwise. */
static void *part_of_window(size_t size, void *of[MOST_RANKS])
{
    enum { LINE = 64 };
    MPI_Win window; /* never freed: the window lasts to the end */
    unsigned char *mine;
    uint64_t skips[MOST_RANKS], skip;
    MPI_Win_allocate_shared((MPI_Aint)size + LINE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine,
                            &window);
    skip = -(uintptr_t)mine % LINE;
    MPI_Allgather(&skip, 1, MPI_UINT64_T, skips, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++) {
        MPI_Aint its_size;
        int unit;
        unsigned char *base;
        MPI_Win_shared_query(window, r, &its_size, &unit, &base);
        of[r] = base + skips[r];
    }
    return memset(mine + skip, 0, size);
}

static void *need(size_t size)
{
    void *memory = NULL;
    if (mapped ? strata_alloc((MPI_Aint)size, MPI_COMM_WORLD, &memory) != MPI_SUCCESS
               : posix_memalign(&memory, 4096, size) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(memory, 1, size);
    return memory;
}

static void find_places(void)
{
    void *of[MOST_RANKS];
    part_of_window(sizeof(struct line), of);
    for (int r = 0; r < ranks; r++) {
        line[r] = of[r];
        counts[r] = (int)bytes;
        places[r] = r * (int)bytes;
    }
    in = need((size_t)ranks * bytes);
    out = need((size_t)ranks * bytes);
    bare_in = in;
    bare_out = out;
    if (mapped) {
        bare_in = part_of_window((size_t)ranks * bytes, of);
        bare_out = part_of_window((size_t)ranks * bytes, of);
    }
    struct peer mine = {(uint64_t)getpid(), (uint64_t)(uintptr_t)bare_out};
    MPI_Allgather(&mine, 2, MPI_UINT64_T, peer, 2, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int r = 0; r < ranks && mapped; r++) {
        peer[r].out = (uint64_t)(uintptr_t)of[r];
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bytes = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) * 1024 : 1 << 21;
    computing = argc > 2 ? strtod(argv[2], NULL) / 1e3 : 0;
    mapped = argc > 3 && strcmp(argv[3], "mapped") == 0;
    if (ranks > MOST_RANKS || bytes < 4096 || bytes * (size_t)ranks > INT32_MAX) {
        fprintf(stderr, "host_exchange: blocks of 4 KiB and more, 2 GiB a rank, 64 ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    measure_need_shared_window("host_exchange");
    find_places();
    prove();
    measure(computing > 0 ? 4 : 2);
    MPI_Finalize();
    return 0;
}
