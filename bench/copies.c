/* The cost of copying and combining between the ranks of one host, with all ranks at work at once.
 * Copies in a rank's own memory go by memcpy, in pieces, past the cache, and by a team. Copies out
 * of the next rank's memory go by the kernel. Blocks in several pieces are packed first, or read as
 * they lie. Prints microseconds, medians.
 *
 *   mpirun -n 2 build/openmpi/bench/copies
 *   OMP_NUM_THREADS=2 mpirun -n 1 build/openmpi/bench/copies    # a rank beside an idle core
 *
 * In each turn a rank moves a block of its own and one of the next rank, as an alltoallv of two
 * ranks does, always into the same memory. */
#define _GNU_SOURCE
#include <sys/uio.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "bench/measure.h"

enum { PIECE = 131072, MOST_PIECES = 1024, BATCHES = 11, LONGEST = 1 << 24 };

static unsigned char *out, *in, *packed;
static unsigned char *peers; /* the address of the next rank's `out` */
static unsigned char *peers_packed;
static pid_t peer;

static void by_memcpy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static void in_pieces(void *to, const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        memcpy((char *)to + at, (const char *)from + at, bytes - at < PIECE ? bytes - at : PIECE);
    }
}

/* Copies whole cache lines with stores past the cache; memcpy where the processor has none. */
static void past_the_cache(void *to, const void *from, size_t bytes)
{
#if defined(__x86_64__)
    __m128i *into = to;
    const __m128i *of = from;
    for (size_t i = 0; i < bytes / sizeof *into; i += 4) {
        _mm_prefetch((const char *)(of + i + 64), _MM_HINT_NTA);
        for (size_t k = i; k < i + 4; k++) {
            _mm_stream_si128(into + k, _mm_load_si128(of + k));
        }
    }
    _mm_sfence();
#else
    memcpy(to, from, bytes);
#endif
}

/* Each thread of the team copies a part. */
static void by_team(void *to, const void *from, size_t bytes)
{
#pragma omp parallel for
    for (size_t at = 0; at < bytes; at += PIECE / 4) {
        memcpy((char *)to + at, (const char *)from + at, PIECE / 4);
    }
}

static void read_at(void *to, const unsigned char *from, size_t bytes)
{
    struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)from, bytes};
    if (process_vm_readv(peer, &here, 1, &there, 1, 0) != (ssize_t)bytes) {
        fprintf(stderr, "ranks cannot read each other's memory here\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void read_by_team(void *to, const unsigned char *from, size_t bytes)
{
#pragma omp parallel for
    for (size_t at = 0; at < bytes; at += PIECE / 4) {
        read_at((char *)to + at, from + at, PIECE / 4);
    }
}

static void read_in_pieces(void *to, const unsigned char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        read_at((char *)to + at, from + at, bytes - at < PIECE ? bytes - at : PIECE);
    }
}

/* Reads a block of pieces with gaps as long as the pieces. */
static void read_strided(void *to, const unsigned char *from, size_t bytes, size_t pieces)
{
    struct iovec here = {to, bytes}, there[MOST_PIECES];
    for (size_t i = 0; i < pieces; i++) {
        there[i].iov_base = (void *)(uintptr_t)(from + 2 * i * (bytes / pieces));
        there[i].iov_len = bytes / pieces;
    }
    if (process_vm_readv(peer, &here, 1, there, pieces, 0) != (ssize_t)bytes) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void pack(size_t bytes, size_t pieces)
{
    const size_t length = bytes / pieces;
    for (size_t i = 0; i < pieces; i++) {
        memcpy(packed + i * length, out + 2 * i * length, length);
    }
}

/* Owners wait until all have read, and readers wait until all have packed. */
static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void own_by_memcpy(size_t bytes)
{
    by_memcpy(in, out, bytes);
}

static void own_in_pieces(size_t bytes)
{
    in_pieces(in, out, bytes);
}

static void own_past_the_cache(size_t bytes)
{
    past_the_cache(in, out, bytes);
}

static void own_by_team(size_t bytes)
{
    by_team(in, out, bytes);
}

static void own_combined(size_t bytes)
{
    measure_combine(in, out, out + LONGEST, bytes);
}

/* Combines each piece while it lies in the cache next to the core. */
static void own_combined_past(size_t bytes)
{
    static _Alignas(64) unsigned char near[8192];
    for (size_t at = 0; at < bytes; at += sizeof near) {
        measure_combine(near, out + at, out + LONGEST + at, sizeof near);
        past_the_cache(in + at, near, sizeof near);
    }
}

static void peers_combined(size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        size_t now = bytes - at < PIECE ? bytes - at : PIECE;
        read_at(packed, peers + at, now);
        measure_combine(in + at, out + at, packed, now);
    }
}

static void peers_then_own(size_t bytes)
{
    read_at(in + LONGEST, peers, bytes);
    by_memcpy(in, out, bytes);
}

static void both_by_memcpy(size_t bytes)
{
    by_memcpy(in, out, bytes);
    read_at(in + LONGEST, peers, bytes);
}

static void both_past_the_cache(size_t bytes)
{
    past_the_cache(in, out, bytes);
    read_at(in + LONGEST, peers, bytes);
}

static void peers_at_once(size_t bytes)
{
    read_at(in, peers, bytes);
}

static void peers_in_pieces(size_t bytes)
{
    read_in_pieces(in, peers, bytes);
}

static void peers_by_team(size_t bytes)
{
    read_by_team(in, peers, bytes);
}

static void packed_first(size_t bytes, size_t pieces)
{
    pack(bytes, pieces);
    meet();
    read_at(in, peers_packed, bytes);
}

static void as_it_lies(size_t bytes, size_t pieces)
{
    meet();
    read_strided(in, peers, bytes, pieces);
}

/* Reads a block in so many pieces. */
#define STRIDED(pieces)                                                                            \
    static void strided_packed_##pieces(size_t bytes)                                              \
    {                                                                                              \
        packed_first(bytes, pieces);                                                               \
    }                                                                                              \
    static void strided_as_it_lies_##pieces(size_t bytes)                                          \
    {                                                                                              \
        as_it_lies(bytes, pieces);                                                                 \
    }
STRIDED(16)
STRIDED(128)
STRIDED(1024)

static const struct way {
    const char *name;
    void (*move)(size_t bytes);
} ways[] = {
    {"own block, memcpy", own_by_memcpy},
    {"own block, memcpy of 128 KiB at a time", own_in_pieces},
    {"own block, past the cache", own_past_the_cache},
    {"own block, memcpy by a team", own_by_team},
    {"two combined", own_combined},
    {"two combined, past the cache", own_combined_past},
    {"own with mate's by the kernel, combined", peers_combined},
    {"own block by memcpy, mate's by the kernel", both_by_memcpy},
    {"mate's by the kernel, own block by memcpy", peers_then_own},
    {"own block past the cache, mate's by the kernel", both_past_the_cache},
    {"mate's by the kernel, in one call", peers_at_once},
    {"mate's by the kernel, 128 KiB at a time", peers_in_pieces},
    {"mate's by the kernel, by a team", peers_by_team},
    {"mate's, in 16 pieces: packed first", strided_packed_16},
    {"mate's, in 16 pieces: read in one call", strided_as_it_lies_16},
    {"mate's, in 128 pieces: packed first", strided_packed_128},
    {"mate's, in 128 pieces: read in one call", strided_as_it_lies_128},
    {"mate's, in 1024 pieces: packed first", strided_packed_1024},
    {"mate's, in 1024 pieces: read in one call", strided_as_it_lies_1024},
};

struct moving {
    const struct way *way;
    size_t bytes;
};

static void move(const void *argument)
{
    const struct moving *m = argument;
    m->way->move(m->bytes);
    meet();
}

static double median_of(const struct way *way, size_t bytes)
{
    const struct moving m = {way, bytes};
    double seconds[BATCHES];
    int calls = measure_calls_for(move, &m, 0.005);
    for (int i = 0; i < BATCHES; i++) {
        seconds[i] = measure_batch(move, &m, calls);
    }
    return measure_median(seconds, BATCHES);
}

/* Memory of whole pages, first written by its owner: lines and pages begin where blocks begin. */
static unsigned char *need(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 4096, bytes)) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(memory, 1, bytes);
    return memory;
}

/* Finds the next rank's process and the addresses of its blocks. */
static void find_peer(int rank, int ranks)
{
    uint64_t mine[3] = {(uint64_t)getpid(), (uint64_t)(uintptr_t)out, (uint64_t)(uintptr_t)packed};
    uint64_t theirs[3];
    MPI_Sendrecv(mine, 3, MPI_UINT64_T, (rank + ranks - 1) % ranks, 0, theirs, 3, MPI_UINT64_T,
                 (rank + 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    peer = (pid_t)theirs[0];
    peers = (unsigned char *)(uintptr_t)theirs[1];
    peers_packed = (unsigned char *)(uintptr_t)theirs[2];
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {65536, 262144, 1048576, 4194304, LONGEST};
    enum { SIZES = sizeof sizes / sizeof *sizes, WAYS = sizeof ways / sizeof *ways };
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    out = need(2 * (size_t)LONGEST);
    in = need(2 * (size_t)LONGEST);
    packed = need(LONGEST);
    find_peer(rank, ranks);
    for (int w = -1; w < WAYS; w++) {
        if (rank == 0) {
            printf("%-48s", w < 0 ? "us, by bytes" : ways[w].name);
        }
        for (int i = 0; i < SIZES; i++) {
            double us = w < 0 ? (double)sizes[i] : 1e6 * median_of(&ways[w], sizes[i]);
            if (rank == 0) {
                printf(w < 0 ? "%10.0f" : "%10.1f", us);
            }
        }
        if (rank == 0) {
            printf("\n");
            fflush(stdout);
        }
    }
    free(packed);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
