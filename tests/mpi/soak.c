#define _GNU_SOURCE
#include "tests/mpi/soak.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/heap.h"
#include "tests/mpi/require.h"

enum { MOST_DOUBLINGS = 40 };
enum held { OWN, OTHERS, MAPPINGS, SHARED, FILES, HELD };

static const char *const names[HELD] = {"own KiB", "others' KiB", "mappings", "shared", "files"};
static long more[HELD] = {SOAK_MORE_OWN, SOAK_MORE_OTHERS, SOAK_MORE_MAPPINGS, SOAK_MORE_SHARED,
                          SOAK_MORE_FILES};
static double begun, length;
static long warm[HELD], most[HELD], rounds, least, lost;
static long piece;                    /* the most that others took in one round after the warm-up */
static long after[2][MOST_DOUBLINGS]; /* the heaps after 1, 2, 4, 8 .. rounds */
static void *volatile seeded;

static void look_at_mappings(long *held)
{
    char line[4352];
    FILE *file = fopen("/proc/self/maps", "r");
    REQUIRE(file);
    while (fgets(line, sizeof line, file)) {
        held[MAPPINGS]++;
        held[SHARED] += strstr(line, "/dev/shm/") || strstr(line, "/memfd:") != NULL;
    }
    fclose(file);
}

static long open_files(void)
{
    long count = 0;
    DIR *folder = opendir("/proc/self/fd");
    REQUIRE(folder);
    while (readdir(folder)) {
        count++;
    }
    closedir(folder);
    return count;
}

static void look(long *into)
{
    long held[HELD] = {heap_kib(HEAP_OWN), heap_kib(HEAP_OTHERS)};
    look_at_mappings(held);
    held[FILES] = open_files();
    const long before = most[OTHERS] > warm[OTHERS] ? most[OTHERS] : warm[OTHERS];
    if (into == most && held[OTHERS] - before > piece) {
        piece = held[OTHERS] - before;
    }
    for (int i = 0; i < HELD; i++) {
        into[i] = held[i] > into[i] ? held[i] : into[i];
    }
}

bool soak_begin(long rounds_to_warm)
{
    const char *seconds = getenv("STRATA_TEST_SOAK");
    length = seconds ? strtod(seconds, NULL) : 0;
    const char *leak = getenv("STRATA_TEST_LEAK");
    lost = leak ? strtol(leak, NULL, 10) : 0;
    begun = MPI_Wtime();
    least = rounds_to_warm;
    heap_count();
    return length > 0;
}

bool soak_goes_on(void)
{
    if (length <= 0) {
        return false;
    }
    const double passed = MPI_Wtime() - begun;
    int late = passed > length / 2 && rounds >= least;
    int now[2] = {late, late && passed > length && rounds >= 2 * least};
    PMPI_Bcast(now, 2, MPI_INT, 0, MPI_COMM_WORLD);
    rounds++;
    if (lost > 0) {
        seeded = memset(malloc((size_t)lost), 0, (size_t)lost); /* and forgets the earlier one */
    }
    look(now[0] ? most : warm);
    if ((rounds & (rounds - 1)) == 0) {
        const int doublings = __builtin_ctzl((unsigned long)rounds);
        after[OWN][doublings] = heap_kib(HEAP_OWN);
        after[OTHERS][doublings] = heap_kib(HEAP_OTHERS);
    }
    return !now[1];
}

void soak_end(void)
{
    long grown[HELD], worst[HELD];
    int rank;
    if (length <= 0) {
        return;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < HELD; i++) {
        grown[i] = most[i] - warm[i];
    }
    if (rounds < SOAK_EARLY_ROUNDS) {
        more[OWN] = SOAK_MORE_OWN_EARLY;
        more[OTHERS] = SOAK_MORE_OTHERS_EARLY;
        grown[OTHERS] -= piece < SOAK_PIECE ? piece : SOAK_PIECE;
    }
    PMPI_Allreduce(grown, worst, HELD, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    PMPI_Allreduce(MPI_IN_PLACE, &piece, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < HELD && rank == 0; i++) {
        printf("%s%s %ld%+ld", i ? ", " : "soak: ", names[i], warm[i], worst[i]);
    }
    if (rank == 0) {
        printf(", others' largest piece %ld", piece);
        printf(", %ld rounds in %.0f s; own+others' KiB after 1, 2, 4 .. rounds:", rounds, length);
        for (int i = 0; 1L << i <= rounds; i++) {
            printf(" %ld+%ld", after[OWN][i], after[OTHERS][i]);
        }
        printf("\n");
        fflush(stdout);
    }
    PMPI_Barrier(MPI_COMM_WORLD); /* a rank that ends the job would take the figures with it */
    for (int i = 0; i < HELD; i++) {
        REQUIRE_CMP(worst[i], <=, more[i]);
    }
}
