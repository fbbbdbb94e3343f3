/* The one file that knows hwloc. */
#include <hwloc.h>

#include "core/base/memory.h"
#include "intranode/hardware.h"

/* What is slow: libraries of devices, and asking each core for its caches, which Linux tells. Linux
 * also tells the network adapters (0.3 ms). */
static bool open_host(hwloc_topology_t *topology)
{
    static const char *const without[] = {"pci",  "opencl",    "cuda", "nvml",
                                          "rsmi", "levelzero", "gl",   "x86"};
    if (hwloc_topology_init(topology)) {
        return false;
    }
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        /* an error: there is no such component */
        (void)hwloc_topology_set_components(*topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                            without[i]);
    }
    hwloc_topology_set_io_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_OS_DEVICE,
                                   HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    hwloc_topology_set_icache_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(*topology)) {
        hwloc_topology_destroy(*topology);
        return false;
    }
    return true;
}

/* The objects that hold a processing unit. */
struct around {
    hwloc_obj_t package, domain, cache, core;
};

static hwloc_obj_t smaller(hwloc_obj_t a, hwloc_obj_t b)
{
    return hwloc_bitmap_isincluded(a->cpuset, b->cpuset) ? a : b;
}

/* The smallest object with NUMA nodes is a domain, however many kinds of memory it has. A cache or
 * a domain that reaches beyond the next larger object counts as several. */
static struct around look_around(hwloc_topology_t topology, hwloc_obj_t unit)
{
    hwloc_obj_t root = hwloc_get_root_obj(topology);
    struct around found = {root, root, NULL, unit};
    for (hwloc_obj_t o = unit; o; o = o->parent) {
        found.package = o->type == HWLOC_OBJ_PACKAGE ? o : found.package;
        found.core = o->type == HWLOC_OBJ_CORE ? o : found.core;
        found.cache = hwloc_obj_type_is_dcache(o->type) ? o : found.cache;
        found.domain = o->memory_arity > 0 && found.domain == root ? o : found.domain;
    }
    found.domain = smaller(found.domain, found.package);
    found.cache = found.cache ? smaller(found.cache, found.domain) : found.domain;
    return found;
}

/* The kernel's number of the first NUMA node near the units of an object. */
static int node_of(hwloc_obj_t domain)
{
    int node = hwloc_bitmap_first(domain->nodeset);
    return node > 0 ? node : 0;
}

/* The units near adapters of a kind, if there are any. One that is near all units says nothing. */
static bool find_adapters(hwloc_topology_t topology, hwloc_obj_osdev_type_t kind,
                          hwloc_bitmap_t near)
{
    bool found = false;
    for (hwloc_obj_t o = NULL; (o = hwloc_get_next_osdev(topology, o));) {
        hwloc_obj_t object = hwloc_get_non_io_ancestor_obj(topology, o);
        found = found || o->attr->osdev.type == kind;
        if (o->attr->osdev.type == kind && object != hwloc_get_root_obj(topology)) {
            hwloc_bitmap_or(near, near, object->cpuset);
        }
    }
    return found;
}

/* Where a host has InfiniBand or the like, messages do not go by Ethernet. */
static void number_adapters(struct strata_hardware *h, hwloc_topology_t topology)
{
    hwloc_bitmap_t near = hwloc_bitmap_alloc();
    if (near && (find_adapters(topology, HWLOC_OBJ_OSDEV_OPENFABRICS, near) ||
                 find_adapters(topology, HWLOC_OBJ_OSDEV_NETWORK, near))) {
        for (int i = 0; i < h->units; i++) {
            h->unit[i].place.adapter = hwloc_bitmap_isset(near, (unsigned)h->unit[i].cpu);
        }
    }
    hwloc_bitmap_free(near);
}

/* Units come in the order of the hardware, so an object's units follow each other. */
static void number(struct strata_hardware *h, hwloc_topology_t topology)
{
    struct around last = {NULL, NULL, NULL, NULL};
    for (int i = 0; i < h->units; i++) {
        hwloc_obj_t unit = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, (unsigned)i);
        struct around here = look_around(topology, unit);
        h->objects.packages += here.package != last.package;
        h->objects.domains += here.domain != last.domain;
        h->objects.caches += here.cache != last.cache;
        h->objects.cores += here.core != last.core;
        h->unit[i] =
            (struct strata_hardware_unit){(int32_t)unit->os_index,
                                          {h->objects.packages - 1, node_of(here.domain),
                                           h->objects.caches - 1, h->objects.cores - 1, 0}};
        last = here;
    }
}

struct strata_hardware *strata_hardware_look(void)
{
    hwloc_topology_t topology;
    bool opened = open_host(&topology);
    int units = opened ? hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU) : 0;
    struct strata_hardware *h = strata_allocate(1, strata_hardware_bytes(units));
    if (h && opened) {
        h->units = units;
        h->objects.real = hwloc_topology_is_thissystem(topology);
        number(h, topology);
        number_adapters(h, topology);
    }
    if (opened) {
        hwloc_topology_destroy(topology);
    }
    return h;
}
