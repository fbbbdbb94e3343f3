/* Draws hosts with ranks on them, in text and as pictures, and warns of how ranks are bound.
 *
 * run: 1
 */
#define _GNU_SOURCE /* setenv */
#include <stdlib.h>
#include <string.h>

#include "api/report/node_map.h"
#include "core/base/memory.h"
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
    strata_node_map_print(&(struct strata_node_map){.ranks = RANKS,
                                                    .host = hosts,
                                                    .placement = placement,
                                                    .threads = threads,
                                                    .cpus = cpus},
                          first, file);
    fclose(file);
    REQUIRE_TEXT(text, expected);
}

/* --- Pictures --- */

enum { MANY = 9, ELSEWHERE = 8, MOST = 200000 };

static int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)); text++) {
        found++;
    }
    return found;
}

/* Where each of the ranks 0 .. 7 is: on cores, twice on one, in a cache, a domain, a package, and
 * anywhere. Rank 8 is on another host. */
static void place_many(const struct strata_hardware *h, struct strata_placement *placement)
{
    const int units = h->units, core[MANY] = {0, units / 2, units - 1, 0, 1, 2, 3, 0, 0};
    for (int r = 0; r < MANY; r++) {
        placement[r].place = h->unit[core[r]].place;
        placement[r].hardware = h->objects;
        placement[r].processes = MANY - 1;
    }
    placement[0].host[0] = '<'; /* which is no text of XML */
    placement[4].place.core = SEVERAL;
    placement[5].place.core = placement[5].place.cache = SEVERAL;
    placement[6].place =
        (struct strata_place){placement[6].place.package, SEVERAL, SEVERAL, SEVERAL, 0};
    placement[7].place = (struct strata_place){SEVERAL, SEVERAL, SEVERAL, SEVERAL, 0};
}

/* Each rank of the host is shown once, and every object. Returns the picture. */
static char *picture_of(const char *machine, int cores)
{
    static const int host[MANY] = {[ELSEWHERE] = ELSEWHERE},
                     threads[MANY] = {2, 2, 2, 2, 2, 2, 2, 2},
                     member[MANY] = {0, 1, 2, 3, 4, 5, 6, 7, 0};
    struct strata_placement placement[MANY] = {0};
    REQUIRE(setenv("HWLOC_SYNTHETIC", machine, 1) == 0);
    struct strata_hardware *h = strata_hardware_look();
    char *text = calloc(1, MOST);
    REQUIRE(h && text && !h->objects.real);
    for (int i = h->units / 2; i < h->units; i++) {
        h->unit[i].place.adapter = 1;
    }
    place_many(h, placement);
    FILE *file = fmemopen(text, MOST - 1, "w");
    REQUIRE(file);
    strata_node_map_draw(
        &(struct strata_node_map){MANY, host, placement, threads, threads, member, h}, 0, file);
    fclose(file);
    REQUIRE(strncmp(text, "<svg ", 5) == 0 && strcmp(text + strlen(text) - 7, "</svg>\n") == 0);
    REQUIRE_CMP(count(text, "\" width=\"34\" height=\"34\""), ==, cores);
    REQUIRE_CMP(count(text, "\"crowded\"") + count(text, "leader crowded\" x"), ==, 1);
    REQUIRE_CMP(count(text, ">+1</text>"), ==, 1);
    REQUIRE_CMP(count(text, ", 2 threads</text>"), ==, 4);
    REQUIRE(strstr(text, ">rank 4, 2 threads<") && strstr(text, ">rank 7, 2 threads<"));
    REQUIRE(!strstr(text, "rank 8") && !strstr(text, "><<"));
    strata_release(h);
    return text;
}

static void test_pictures(void)
{
    static const struct {
        const char *line;
        int packages, domains, caches, cores;
    } machines[] = {/* boxes of their own: none where an object has one of the next kind */
                    {"package:2 numa:4 l3:2 core:8 pu:2", 2, 8, 16, 128},
                    {"package:2 numa:1 l3:8 core:8 pu:1", 2, 0, 16, 128},
                    {"package:2 l3:1 numa:4 l2:14 core:1 pu:2", 2, 8, 0, 112},
                    {"package:1 numa:4 l2:1 core:12 pu:1", 1, 4, 0, 48},
                    {"package:2 l3:4 core:1 pu:2", 2, 0, 8, 8},
                    {"package:1 core:7 pu:1", 1, 0, 0, 7}};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        char *text = picture_of(machines[i].line, machines[i].cores);
        REQUIRE_CMP(count(text, "<rect class=\"package\""), ==, machines[i].packages);
        REQUIRE_CMP(count(text, "<rect class=\"domain\""), ==, machines[i].domains);
        REQUIRE_CMP(count(text, "<rect class=\"cache\""), ==, machines[i].caches);
        REQUIRE_CMP(count(text, ", near the network adapter</text>"), ==,
                    (machines[i].packages > 1 ? machines[i].packages / 2 : 0) +
                        machines[i].domains / 2);
        free(text);
    }
    unsetenv("HWLOC_SYNTHETIC");
}

int main(int argc, char **argv)
{
    static const int none[RANKS] = {0}, several[RANKS] = {2, 9, 2, 1, 9, 3};
    MPI_Init(&argc, &argv);
    unsetenv("HWLOC_COMPONENTS"); /* would overrule HWLOC_SYNTHETIC */
    struct strata_place bound[RANKS] = {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 1, 2, 5, 0},
                                        {0, 0, 0, 1, 0}, {0, 0, 0, 0, 0}, {0, 1, 2, 5, 0}};
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
    bound[0] = (struct strata_place){0, SEVERAL, SEVERAL, SEVERAL, 0};
    bound[3] = (struct strata_place){0, SEVERAL, SEVERAL, SEVERAL, 0};
    bound[5].core = SEVERAL;
    bound[2].adapter = bound[5].adapter = 1;
    draw(bound, none, 0,
         "  package 0, any domain, any cache: rank 0 3\n"
         "  package 0, domain 1, cache 2, near the network adapter: rank 2 5\n"
         "  warning: 2 ranks may run in several caches: bind ranks (mpirun --bind-to core)\n");
    test_pictures();
    printf("node_map: ok\n");
    MPI_Finalize();
    return 0;
}
