#include "api/report/node_map.h"

#include <stdbool.h>

static bool same_cache(const struct strata_place *a, const struct strata_place *b)
{
    return a->package == b->package && a->domain == b->domain && a->cache == b->cache;
}

static bool same_core(const struct strata_place *a, const struct strata_place *b)
{
    return a->core != STRATA_SEVERAL && a->core == b->core;
}

typedef bool same_place(const struct strata_place *a, const struct strata_place *b);

/* The next rank of the host after `rank` that is at the place; map->ranks: none. */
static int next_at(const struct strata_node_map *map, int host, int rank, int other,
                   same_place *same)
{
    do {
        rank++;
    } while (rank < map->ranks && (map->host[rank] != host || !same(&map->placement[rank].place,
                                                                    &map->placement[other].place)));
    return rank;
}

/* Whether no earlier rank of the host is at the rank's place. */
static bool comes_first(const struct strata_node_map *map, int host, int rank, same_place *same)
{
    return map->host[rank] == host && next_at(map, host, host - 1, rank, same) == rank;
}

static void print_object(const char *word, int number, FILE *file)
{
    if (number == STRATA_SEVERAL) {
        fprintf(file, "any %s", word);
    } else {
        fprintf(file, "%s %d", word, number);
    }
}

static void print_cache(const struct strata_node_map *map, int host, int first, FILE *file)
{
    const struct strata_place *place = &map->placement[first].place;
    fprintf(file, "  ");
    print_object("package", place->package, file);
    fprintf(file, ", ");
    print_object("domain", place->domain, file);
    fprintf(file, ", ");
    print_object("cache", place->cache, file);
    fprintf(file, "%s: rank", place->adapter == 1 ? ", " STRATA_NEAR_ADAPTER : "");
    for (int r = first; r < map->ranks; r = next_at(map, host, r, first, same_cache)) {
        fprintf(file, " %d", r);
        if (map->threads[r] > 1) {
            fprintf(file, " (%d threads)", map->threads[r]);
        }
    }
    fprintf(file, "\n");
}

static void warn_core(const struct strata_node_map *map, int host, int first, FILE *file)
{
    int second = next_at(map, host, first, first, same_core);
    if (second < map->ranks) {
        fprintf(file, "  warning: ranks %d and %d are bound to one core, %d\n", first, second,
                map->placement[first].place.core);
    }
}

static void warn_unbound(const struct strata_node_map *map, int host, FILE *file)
{
    int unbound = 0;
    for (int r = 0; r < map->ranks; r++) {
        unbound += map->host[r] == host && map->placement[r].place.cache == STRATA_SEVERAL;
    }
    if (unbound > 0 && map->placement[host].processes > 1) {
        fprintf(file,
                "  warning: %d rank%s may run in several caches: bind ranks (mpirun "
                "--bind-to core)\n",
                unbound, strata_plural(unbound));
    }
}

static void warn_threads(const struct strata_node_map *map, int host, FILE *file)
{
    int first = -1, crowded = 0;
    for (int r = 0; r < map->ranks; r++) {
        if (map->host[r] == host && map->threads[r] > 1 && map->threads[r] > map->cpus[r]) {
            first = crowded == 0 ? r : first;
            crowded++;
        }
    }
    if (crowded > 0) {
        fprintf(file,
                "  warning: %d rank%s more threads than may run at a time: rank %d has %d on %d "
                "processing unit%s\n",
                crowded, crowded == 1 ? " has" : "s have", first, map->threads[first],
                map->cpus[first], strata_plural(map->cpus[first]));
    }
}

void strata_node_map_print(const struct strata_node_map *map, int first, FILE *file)
{
    if (map->placement[first].hardware.cores <= 0) {
        return;
    }
    for (int r = first; r < map->ranks; r++) {
        if (comes_first(map, first, r, same_cache)) {
            print_cache(map, first, r, file);
        }
    }
    for (int r = first; r < map->ranks; r++) {
        if (comes_first(map, first, r, same_core)) {
            warn_core(map, first, r, file);
        }
    }
    warn_unbound(map, first, file);
    warn_threads(map, first, file);
}
