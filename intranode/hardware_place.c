#include "intranode/hardware.h"

size_t strata_hardware_bytes(int units)
{
    return sizeof(struct strata_hardware) + (size_t)units * sizeof(struct strata_hardware_unit);
}

static void join(int32_t *sum, int32_t number)
{
    *sum = *sum == number ? number : STRATA_SEVERAL;
}

static void join_places(struct strata_place *sum, const struct strata_place *place)
{
    join(&sum->package, place->package);
    join(&sum->domain, place->domain);
    join(&sum->cache, place->cache);
    join(&sum->core, place->core);
    join(&sum->adapter, place->adapter);
}

static struct strata_place place_by_core(const struct strata_hardware *h, int core)
{
    int unit = 0;
    while (h->unit[unit].place.core != core) {
        unit++;
    }
    return h->unit[unit].place;
}

struct strata_place strata_hardware_place(const struct strata_hardware *hardware,
                                          const struct strata_cpus *cpus, int member)
{
    struct strata_place place = {STRATA_SEVERAL, STRATA_SEVERAL, STRATA_SEVERAL, STRATA_SEVERAL,
                                 STRATA_SEVERAL};
    bool first = true;
    if (hardware->units > 0 && !hardware->objects.real) {
        return place_by_core(hardware, member % hardware->objects.cores);
    }
    for (int i = 0; i < hardware->units; i++) {
        const struct strata_hardware_unit *unit = &hardware->unit[i];
        if (strata_cpus_have(cpus, unit->cpu)) {
            if (first) {
                place = unit->place;
            }
            join_places(&place, &unit->place);
            first = false;
        }
    }
    return place;
}
