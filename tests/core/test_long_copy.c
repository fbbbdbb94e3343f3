/* Copies past the cache deliver every byte, from and to any address, and touch nothing else. */
#include "core/engine/long_copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LINES = 512, LONGEST = 1100, GUARD = 0xa5 };

static unsigned char byte_of(size_t place)
{
    return (unsigned char)(place * 7 + place / 251);
}

static void fill(unsigned char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        from[i] = byte_of(i);
    }
}

static void require_copied(const unsigned char *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (to[i] != byte_of(i)) {
            fail_msg("byte %zu of %zu is wrong", i, bytes);
        }
    }
}

/* Copies with two guard lines before and behind the destination, for the longest copy. */
static void copy_between(unsigned char *from, unsigned char *area, size_t into, size_t bytes)
{
    memset(area, GUARD, LONGEST + LINES);
    strata_copy_past_cache(area + into, from, bytes);
    require_copied(area + into, bytes);
    for (size_t i = 0; i < LONGEST + LINES; i++) {
        if ((i < into || i >= into + bytes) && area[i] != GUARD) {
            fail_msg("byte %zu beside a copy of %zu bytes to %zu was written", i, bytes, into);
        }
    }
}

static void any_length_on_any_address(void **state)
{
    unsigned char *from = malloc(LONGEST + LINES), *area = malloc(LONGEST + LINES);
    (void)state;
    for (size_t shift = 0; shift < 64; shift += 5) {
        fill(from + shift, LONGEST);
        for (size_t bytes = 0; bytes < LONGEST; bytes += 1 + bytes / 16) {
            copy_between(from + shift, area, 128 + (bytes + 3 * shift) % 64, bytes);
        }
    }
    free(area);
    free(from);
}

static void long_copies_are_whole(void **state)
{
    const size_t lengths[] = {STRATA_LONG_COPY - 1, STRATA_LONG_COPY, STRATA_LONG_COPY + 77};
    unsigned char *from = malloc(STRATA_LONG_COPY + 80), *to = malloc(STRATA_LONG_COPY + 80);
    (void)state;
    fill(from, STRATA_LONG_COPY + 80);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memset(to, GUARD, STRATA_LONG_COPY + 80);
        strata_copy_bytes(to + 1, from, lengths[i]);
        require_copied(to + 1, lengths[i]);
        assert_int_equal(to[0], GUARD);
        assert_int_equal(to[1 + lengths[i]], GUARD);
    }
    free(to);
    free(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_length_on_any_address),
        cmocka_unit_test(long_copies_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
