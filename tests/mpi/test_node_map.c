/* Draws hosts with ranks on them, and warns of how ranks are bound.
 *
 * run: 1
 */
#include <string.h>

#include "api/report/node_map.h"
#include "tests/mpi/require.h"

enum { RANKS = 6, SEVERAL = STRATA_SEVERAL };

static const int hosts[RANKS] = {0, 1, 0, 0, 1, 0};

/* Rank 0's host has its ranks in two caches, and two of them on one core. Of rank 1's host nothing
 * is known. */
static void draw(const struct strata_place place[RANKS], const int threads[RANKS], int first,
                 const char *expected)
{
    static const int cpus[RANKS] = {2, 2, 1, 2, 2, 1};
    struct strata_placement placement[RANKS] = {0};
    char text[600] = "";
    FILE *file = fmemopen(text, sizeof text - 1, "w");
    REQUIRE(file);
    for (int r = 0; r < RANKS; r++) {
        placement[r].place = place[r];
        placement[r].processes = 4;
        placement[r].hardware.cores = hosts[r] == 0 ? 8 : 0;
    }
    strata_node_map_print(&(struct strata_node_map){RANKS, hosts, placement, threads, cpus}, first,
                          file);
    fclose(file);
    REQUIRE_TEXT(text, expected);
}

int main(int argc, char **argv)
{
    static const int none[RANKS] = {0}, several[RANKS] = {2, 9, 2, 1, 9, 3};
    MPI_Init(&argc, &argv);
    struct strata_place bound[RANKS] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 2, 5},
                                        {0, 0, 0, 1}, {0, 0, 0, 0}, {0, 1, 2, 5}};
    draw(bound, none, 0,
         "  package 0, domain 0, cache 0: rank 0 3\n"
         "  package 0, domain 1, cache 2: rank 2 5\n"
         "  warning: ranks 2 and 5 are bound to one core, 5\n");
    draw(bound, none, 1, "");
    draw(bound, several, 0,
         "  package 0, domain 0, cache 0: rank 0 (2 threads) 3\n"
         "  package 0, domain 1, cache 2: rank 2 (2 threads) 5 (3 threads)\n"
         "  warning: ranks 2 and 5 are bound to one core, 5\n"
         "  warning: 2 ranks have more threads than may run at a time: rank 2 has 2 on 1 "
         "processing unit\n");
    bound[0] = (struct strata_place){0, SEVERAL, SEVERAL, SEVERAL};
    bound[3] = (struct strata_place){0, SEVERAL, SEVERAL, SEVERAL};
    bound[5].core = SEVERAL;
    draw(bound, none, 0,
         "  package 0, any domain, any cache: rank 0 3\n"
         "  package 0, domain 1, cache 2: rank 2 5\n"
         "  warning: 2 ranks may run in several caches: bind ranks (mpirun --bind-to core)\n");
    printf("node_map: ok\n");
    MPI_Finalize();
    return 0;
}
