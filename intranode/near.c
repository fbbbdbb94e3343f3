#include "intranode/near.h"

#include <stdint.h>

#include "intranode/hardware.h"

/* Neighbouring bytes whose writers are in one domain. */
struct run {
    const struct strata_near *near;
    strata_near_lay *lay;
    unsigned char *begin, *end;
    int domain;
};

static void lay_whole_pages(const struct run *r)
{
    size_t page = r->near->page;
    size_t before = -(uintptr_t)r->begin % page, behind = (uintptr_t)r->end % page;
    size_t bytes = (size_t)(r->end - r->begin);
    if (r->domain != STRATA_SEVERAL && bytes >= before + behind + page) {
        r->lay(r->begin + before, bytes - before - behind, r->domain);
    }
}

static int domain_of(const struct strata_near *near, int number, enum strata_writers writers)
{
    if (writers == STRATA_WRITES_ALONE) {
        return near->domain[number];
    }
    int domain = near->by_turn[0];
    for (int turn = 1; turn <= number; turn++) {
        domain = near->by_turn[turn] == domain ? domain : STRATA_SEVERAL;
    }
    return domain;
}

static void add(void *run, size_t bytes, int number, enum strata_writers writers)
{
    struct run *r = run;
    int domain = domain_of(r->near, number, writers);
    if (domain != r->domain) {
        lay_whole_pages(r);
        r->begin = r->end;
        r->domain = domain;
    }
    r->end += bytes;
}

void strata_near_owners(const struct strata_near *near, void *base,
                        const struct strata_node_memory_sizes *sizes, strata_near_lay *lay)
{
    struct run r = {near, lay, base, base, STRATA_SEVERAL};
    strata_node_memory_parts(near->members, sizes, add, &r);
    lay_whole_pages(&r);
}
