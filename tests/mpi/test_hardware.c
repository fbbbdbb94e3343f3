/* Reads recorded machines, which hwloc makes from a line each, into tables of their units.
 *
 * run: 1
 */
#define _GNU_SOURCE /* setenv */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "intranode/hardware.h"
#include "tests/mpi/require.h"

static const struct machine {
    const char *line;
    int packages, domains, caches, cores, units;
} machines[] = {
    /* two AMD EPYC with 64 cores, as four domains each and as one */
    {"package:2 numa:4 l3:2 core:8 pu:2", 2, 8, 16, 128, 256},
    {"package:2 numa:1 l3:8 core:8 pu:2", 2, 2, 16, 128, 256},
    /* the same two with all their memory in one domain */
    {"[numa] package:2 l3:8 core:8 pu:1", 2, 2, 16, 128, 128},
    /* two Intel Xeon with 56 cores, each divided in four (SNC4) below its last-level cache */
    {"package:2 l3:1 numa:4 l2:14 core:1 pu:2", 2, 8, 8, 112, 224},
    /* NVIDIA Grace, two of 72 cores */
    {"package:2 numa:1 l3:1 core:72 pu:1", 2, 2, 2, 144, 144},
    /* Fujitsu A64FX */
    {"package:1 numa:4 l2:1 core:12 pu:1", 1, 4, 4, 48, 48},
    /* a virtual machine that tells of no caches, and one that tells of nothing */
    {"package:1 core:4 pu:1", 1, 1, 1, 4, 4},
    {"pu:3", 1, 1, 1, 3, 3},
};

static void must_nest(const struct strata_hardware *h)
{
    const struct strata_place *last = &h->unit[0].place;
    for (int i = 1; i < h->units; i++) {
        const struct strata_place *place = &h->unit[i].place;
        REQUIRE(place->core == last->core || place->core == last->core + 1);
        REQUIRE(place->cache == last->cache || place->core != last->core);
        REQUIRE(place->domain == last->domain || place->cache != last->cache);
        REQUIRE(place->package == last->package || place->cache != last->cache);
        last = place;
    }
}

static void must_read(const struct machine *m)
{
    REQUIRE(setenv("HWLOC_SYNTHETIC", m->line, 1) == 0);
    struct strata_hardware *h = strata_hardware_look();
    REQUIRE(h && !h->objects.real);
    REQUIRE_CMP(h->units, ==, m->units);
    REQUIRE_CMP(h->objects.packages, ==, m->packages);
    REQUIRE_CMP(h->objects.domains, ==, m->domains);
    REQUIRE_CMP(h->objects.caches, ==, m->caches);
    REQUIRE_CMP(h->objects.cores, ==, m->cores);
    must_nest(h);
    strata_release(h);
}

static struct strata_cpus cpus_of(int first, int count)
{
    struct strata_cpus cpus = {{0}};
    for (int cpu = first; cpu < first + count; cpu++) {
        cpus.word[cpu / STRATA_CPUS_WORD] |= 1ul << cpu % STRATA_CPUS_WORD;
    }
    return cpus;
}

static void must_place(const struct strata_hardware *h, int first, int count,
                       struct strata_place wanted)
{
    struct strata_cpus cpus = cpus_of(first, count);
    struct strata_place place = strata_hardware_place(h, &cpus, 0);
    REQUIRE_BYTES(&place, &wanted, sizeof place);
}

static void must_have_adapter(const struct strata_hardware *h, int first, int count, int near)
{
    struct strata_cpus cpus = cpus_of(first, count);
    REQUIRE_CMP(strata_hardware_place(h, &cpus, 0).adapter, ==, near);
}

/* The machine counts as real, so that bindings count: a core, a cache, a domain, a package, all,
 * and what the machine does not have. */
static void test_places(void)
{
    enum { SEVERAL = STRATA_SEVERAL };
    REQUIRE(setenv("HWLOC_SYNTHETIC", machines[0].line, 1) == 0);
    struct strata_hardware *h = strata_hardware_look();
    REQUIRE(h);
    struct strata_place own = strata_hardware_place(h, &(struct strata_cpus){{0}}, 130);
    REQUIRE(own.core == 2 && own.cache == 0 && own.domain == 0 && own.package == 0);
    h->objects.real = true;
    must_place(h, 254, 2, (struct strata_place){1, 7, 15, 127, 0});
    must_place(h, 16, 16, (struct strata_place){0, 0, 1, SEVERAL, 0});
    must_place(h, 32, 32, (struct strata_place){0, 1, SEVERAL, SEVERAL, 0});
    must_place(h, 128, 128, (struct strata_place){1, SEVERAL, SEVERAL, SEVERAL, 0});
    must_place(h, 0, 256, (struct strata_place){SEVERAL, SEVERAL, SEVERAL, SEVERAL, 0});
    must_place(h, 1000, 1, (struct strata_place){SEVERAL, SEVERAL, SEVERAL, SEVERAL, SEVERAL});
    strata_release(h);
}

/* An object of a machine as hwloc records it: what it is, its processing units, its domain, and
 * what is inside. */
#define OBJECT(what, cpus, domain, inside)                                                         \
    "<object type=" what " cpuset='" cpus "' complete_cpuset='" cpus "' nodeset='" domain          \
    "' complete_nodeset='" domain "'>\n" inside "</object>\n"
#define UNIT(number, cpus, domain) OBJECT("'PU' os_index='" number "'", cpus, domain, "")
#define DOMAIN(number, cpus, domain, units)                                                        \
    OBJECT("'Group'", cpus, domain,                                                                \
           OBJECT("'NUMANode' os_index='" number "' local_memory='4096'", cpus, domain, "") units  \
           "%s")

enum { ETHERNET = 2, FABRIC = 3, UNITS = 4 }; /* hwloc's numbers of kinds of devices */

static void write_device(char text[static 80], int kind)
{
    snprintf(text, 80, kind > 0 ? "<object type='OSDev' name='a%d' osdev_type='%d'/>\n" : "", kind,
             kind);
}

/* A machine of two domains with two units each: `near` is of each unit. Devices of these kinds
 * lie in the first domain, in the second one, and in the machine; 0: none. */
static void must_find_adapters(const int kinds[3], const int near[UNITS])
{
    static const char machine[] =
        "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE topology SYSTEM 'hwloc2.dtd'>\n"
        "<topology version='2.0'>\n" OBJECT(
            "'Machine' os_index='0' allowed_cpuset='0xf' allowed_nodeset='0x3'", "0xf", "0x3",
            DOMAIN("0", "0x3", "0x1", UNIT("0", "0x1", "0x1") UNIT("1", "0x2", "0x1"))
                DOMAIN("1", "0xc", "0x2",
                       UNIT("2", "0x4", "0x2") UNIT("3", "0x8", "0x2")) "%s") "</topology>\n";
    char device[3][80], name[] = "/tmp/strata-hardware-XXXXXX";
    for (int i = 0; i < 3; i++) {
        write_device(device[i], kinds[i]);
    }
    char text[3000];
    int length = snprintf(text, sizeof text, machine, device[0], device[1], device[2]);
    for (char *quote; (quote = strchr(text, '\'')); *quote = '"') { /* hwloc takes no others */
    }
    FILE *file = fdopen(mkstemp(name), "w");
    REQUIRE(file && length < (int)sizeof text && fputs(text, file) >= 0);
    fclose(file);
    REQUIRE(setenv("HWLOC_XMLFILE", name, 1) == 0 && unsetenv("HWLOC_SYNTHETIC") == 0);
    struct strata_hardware *h = strata_hardware_look();
    unsetenv("HWLOC_XMLFILE");
    unlink(name);
    REQUIRE(h && !h->objects.real && h->units == UNITS && h->objects.domains == 2);
    for (int i = 0; i < UNITS; i++) {
        REQUIRE_CMP(h->unit[i].place.adapter, ==, near[i]);
    }
    h->objects.real = true;
    must_have_adapter(h, 2, 2, near[2]);
    must_have_adapter(h, 1, 2, near[1] == near[2] ? near[1] : STRATA_SEVERAL);
    strata_release(h);
}

static void test_adapters(void)
{
    static const struct {
        int kinds[3], near[UNITS]; /* kinds in the first domain, the second, and the machine */
    } cases[] = {{{0, 0, 0}, {0, 0, 0, 0}},
                 {{0, ETHERNET, 0}, {0, 0, 1, 1}},
                 {{ETHERNET, FABRIC, 0}, {0, 0, 1, 1}}, /* messages go by the faster one */
                 {{FABRIC, FABRIC, 0}, {1, 1, 1, 1}},
                 {{0, 0, FABRIC}, {0, 0, 0, 0}}, /* nobody is nearer than others */
                 {{0, ETHERNET, FABRIC}, {0, 0, 0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must_find_adapters(cases[i].kinds, cases[i].near);
    }
}

/* hwloc looks at the real machine where it cannot read what it is told. */
static void test_wrong(void)
{
    REQUIRE(setenv("HWLOC_SYNTHETIC", "package:none", 1) == 0);
    struct strata_hardware *h = strata_hardware_look();
    REQUIRE(h && h->objects.real && h->units > 0);
    strata_release(h);
    unsetenv("HWLOC_SYNTHETIC");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsetenv("HWLOC_COMPONENTS"); /* would overrule HWLOC_SYNTHETIC */
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        must_read(&machines[i]);
    }
    test_places();
    test_adapters();
    test_wrong();
    printf("hardware: ok\n");
    MPI_Finalize();
    return 0;
}
