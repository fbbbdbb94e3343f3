/* Messages of chains of more than 2^31 bytes, to oneself. Both ends are a small tile of memory,
 * mapped again and again, so that any machine is large enough.
 *
 * run: 1
 * timeout: 300
 * sanitized: long
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/attach/wire.h"
#include "api/chain/chain.h"
#include "tests/mpi/require.h"

enum { TILE = 1 << 20 };

/* Maps so many tiles of address space to the same memory. */
static unsigned char *map(int tiles)
{
    int file = memfd_create("strata-test", 0);
    REQUIRE_CMP(file, >=, 0);
    REQUIRE_CMP(ftruncate(file, TILE), ==, 0);
    unsigned char *all = mmap(NULL, (size_t)tiles * TILE, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE_CMP(all, !=, MAP_FAILED);
    for (int i = 0; i < tiles; i++) {
        REQUIRE(mmap(all + (size_t)i * TILE, TILE, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) != MAP_FAILED);
    }
    close(file);
    return all;
}

static void exchange(struct strata_group *group, size_t size, size_t capacity)
{
    const int tiles = (int)(capacity / TILE + 1);
    unsigned char *out = map(tiles), *in = map(tiles);
    struct strata_round round = {.send = {{0, out, size}, {STRATA_NOBODY, NULL, 0}},
                                 .receive = {{0, in, capacity, 0}, {STRATA_NOBODY, NULL, 0, 0}}};
    memset(out, 'x', TILE);
    REQUIRE_CMP(strata_wire_mpi.exchange(group, &round), ==, 0);
    REQUIRE_CMP(round.receive[0].size, ==, size);
    REQUIRE_CMP(in[0], ==, 'x');
    REQUIRE_CMP(in[size - 1], ==, 'x');
    munmap(out, (size_t)tiles * TILE);
    munmap(in, (size_t)tiles * TILE);
}

int main(int argc, char **argv)
{
    struct strata_group *group = calloc(1, sizeof *group);
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_SELF, &group->comm);
    MPI_Comm_set_errhandler(group->comm, MPI_ERRORS_RETURN);
    exchange(group, 5, 9);
    exchange(group, 5, ((size_t)1 << 31) + 7);
    exchange(group, ((size_t)1 << 31) + 5, ((size_t)1 << 31) + 7);
    MPI_Comm_free(&group->comm);
    free(group);
    printf("ok\n");
    MPI_Finalize();
    return 0;
}
