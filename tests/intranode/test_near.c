/* Which pages of a node memory lie in which domain, on recorded machines: a page lies in the domain
 * of all that write on it, and no other page is laid anywhere. Writers are found byte by byte, from
 * where the rings and the landing lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "intranode/hardware.h"
#include "intranode/near.h"
#include "tests/assert_cmp.h"

enum { MOST = 128, SKEW = 3 * STRATA_LINE, NOBODY = -2 };

/* Members by core, as launchers place them unless told otherwise. */
static const struct machine {
    const char *name;
    int members, domains;
    size_t page;
    int pieces[2]; /* the advices to the kernel, with members by core and by domain */
} machines[] = {
    {"two EPYC with 64 cores", 128, 2, 4096, {13, 385}},
    {"two Xeon with 56 cores, SNC4", 112, 8, 4096, {25, 337}},
    {"A64FX", 48, 4, 65536, {12, 65}},
    {"one domain", 64, 1, 4096, {1, 1}},
};

static const struct strata_node_memory_sizes sizes = {.slot = {40000, STRATA_SMALL_SLOT, 10240},
                                                      .landing = 5000000};

static struct {
    unsigned char *base; /* of the page that holds the memory's first byte */
    size_t page, pages;
    int *domain; /* [pages] */
    int pieces;
    uintptr_t end;
} laid;

static void note(void *memory, size_t bytes, int domain)
{
    ASSERT_CMP((uintptr_t)memory % laid.page, ==, 0);
    ASSERT_CMP(bytes % laid.page, ==, 0);
    ASSERT_CMP(bytes, >, 0);
    ASSERT_CMP((uintptr_t)memory, >=, laid.end);
    laid.end = (uintptr_t)memory + bytes;
    laid.pieces++;
    size_t first = (size_t)((unsigned char *)memory - laid.base) / laid.page;
    ASSERT_CMP(first + bytes / laid.page, <=, laid.pages);
    for (size_t i = 0; i < bytes / laid.page; i++) {
        laid.domain[first + i] = domain;
    }
}

/* Of each line from laid.base on, the domain of its writers. */
static int *lines;

static void write_lines(const void *begin, size_t bytes, int domain)
{
    size_t first = (size_t)((const unsigned char *)begin - laid.base) / STRATA_LINE;
    for (size_t i = 0; i < (bytes + STRATA_LINE - 1) / STRATA_LINE; i++) {
        int *line = &lines[first + i];
        *line = *line == NOBODY || *line == domain ? domain : STRATA_SEVERAL;
    }
}

static void write_rings(const struct strata_near *near, const struct strata_node_memory *memory)
{
    for (int kind = 0; kind < STRATA_RINGS; kind++) {
        const struct strata_ring *r = &memory->ring[kind];
        for (int m = 0; m < near->members; m++) {
            write_lines(&r->member[m], sizeof r->member[m], near->domain[m]);
            for (uint64_t epoch = 0; epoch < r->depth; epoch++) {
                write_lines(strata_ring_slot(r, m, epoch), r->slot_bytes, near->domain[m]);
            }
        }
    }
}

/* Lane j of any number of lanes is led by the member with turn j. */
static void write_landing(const struct strata_near *near, const struct strata_node_memory *memory)
{
    size_t whole = memory->landing_bytes;
    for (size_t lanes = 1; lanes <= (size_t)near->members; lanes++) {
        for (size_t lane = 0; lane < lanes; lane++) {
            size_t begin = whole * lane / lanes, end = whole * (lane + 1) / lanes;
            size_t skew = begin % STRATA_LINE;
            write_lines(memory->landing + begin - skew, end - begin + skew, near->by_turn[lane]);
        }
    }
}

static int domain_of_page(size_t page)
{
    size_t each = laid.page / STRATA_LINE;
    int domain = lines[page * each];
    for (size_t i = 0; i < each; i++) {
        domain = lines[page * each + i] == domain ? domain : STRATA_SEVERAL;
    }
    return domain == NOBODY ? STRATA_SEVERAL : domain;
}

static int count_pieces(const struct strata_near *near)
{
    struct strata_node_memory memory;
    size_t bytes = strata_node_memory_bytes(near->members, &sizes);
    laid.page = near->page;
    laid.pages = (bytes + SKEW) / near->page + 1;
    laid.pieces = 0;
    laid.end = 0;
    laid.base = aligned_alloc(near->page, laid.pages * near->page);
    laid.domain = calloc(laid.pages, sizeof *laid.domain);
    lines = calloc(laid.pages * near->page / STRATA_LINE, sizeof *lines);
    assert_true(laid.base && laid.domain && lines);
    for (size_t i = 0; i < laid.pages; i++) {
        laid.domain[i] = STRATA_SEVERAL;
    }
    for (size_t i = 0; i < laid.pages * near->page / STRATA_LINE; i++) {
        lines[i] = NOBODY;
    }
    strata_near_owners(near, laid.base + SKEW, &sizes, note);
    strata_node_memory_init(&memory, laid.base + SKEW, near->members, 0, &sizes);
    write_rings(near, &memory);
    write_landing(near, &memory);
    for (size_t i = 0; i < laid.pages; i++) {
        ASSERT_CMP(laid.domain[i], ==, domain_of_page(i));
    }
    free(lines);
    free(laid.domain);
    free(laid.base);
    return laid.pieces;
}

static void test_machines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const struct machine *m = &machines[i];
        int each = m->members / m->domains, by_core[MOST],
            by_domain[MOST]; /* which is by turn, too */
        for (int member = 0; member < m->members; member++) {
            by_core[member] = member / each;
            by_domain[member] = member % m->domains;
        }
        struct strata_near near = {m->members, by_core, by_domain, m->page};
        int pieces = count_pieces(&near);
        near.domain = by_domain;
        print_message("%s: %d pieces, by domain %d\n", m->name, pieces, count_pieces(&near));
        ASSERT_CMP(pieces, ==, m->pieces[0]);
        ASSERT_CMP(count_pieces(&near), ==, m->pieces[1]);
    }
}

/* Members that are bound to no domain, among others and alone. */
static void test_unbound(void **state)
{
    (void)state;
    int domain[MOST];
    for (int member = 0; member < MOST; member++) {
        domain[member] = member % 8 == 7 ? STRATA_SEVERAL : member / 64;
    }
    struct strata_near near = {MOST, domain, domain, 4096};
    ASSERT_CMP(count_pieces(&near), >, 0);
    for (int member = 0; member < MOST; member++) {
        domain[member] = STRATA_SEVERAL;
    }
    assert_int_equal(count_pieces(&near), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_machines),
                                       cmocka_unit_test(test_unbound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
