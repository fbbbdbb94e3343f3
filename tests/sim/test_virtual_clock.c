/* The time of virtual ranks: of messages inside a node and between nodes, of two messages of one
 * rank, and of local work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internode/split/work.h"
#include "sim/virtual/virtual_stations.h"

enum { RANKS = 4, PER_NODE = 2, BYTES = 1000 };

static double way(const void *self, int from, int to)
{
    (void)self;
    return from / PER_NODE == to / PER_NODE ? 1 : 10;
}

/* In seconds, for sums that are exact in binary. */
static const struct strata_virtual_clock figures = {.way = way,
                                                    .per_node = PER_NODE,
                                                    .overhead = 0.25,
                                                    .byte = 0.5,
                                                    .byte_node = 0.125,
                                                    .compare = 64,
                                                    .visit = 2,
                                                    .copy = 0.0625,
                                                    .copy_block = 8};

static unsigned char out[RANKS][BYTES], in[RANKS][BYTES];

static int send_to(struct strata_station *station, int peer, int other)
{
    struct strata_round round = {
        .send = {{peer, out[station->address], BYTES}, {other, out[station->address], BYTES}},
        .receive = {{.peer = STRATA_NOBODY}, {.peer = STRATA_NOBODY}}};
    return strata_station_exchange(station, &round);
}

static int receive_from(struct strata_station *station, int peer)
{
    struct strata_round round = {
        .send = {{.peer = STRATA_NOBODY}, {.peer = STRATA_NOBODY}},
        .receive = {{.peer = peer, .bytes = in[station->address], .capacity = BYTES},
                    {.peer = STRATA_NOBODY}}};
    return strata_station_exchange(station, &round);
}

/* 0 works and sends to 1 and 2, which pass the message on to nobody and to 3. */
static int relay(struct strata_station *station, void *context)
{
    int error;
    (void)context;
    switch (station->address) {
    case 0:
        strata_split_compared(station, 16);
        strata_split_hashed(station, 5);
        strata_split_copied(station, 32, 2);
        return send_to(station, 1, 2);
    case 2:
        error = receive_from(station, 0);
        return error ? error : send_to(station, 3, STRATA_NOBODY);
    default:
        return receive_from(station, station->address == 1 ? 0 : 2);
    }
}

static void test_relay(void **state)
{
    double seconds[RANKS];
    struct strata_usage usage[RANKS];
    struct strata_diagnostic message = {""};
    (void)state;
    const double work = 64 + 16 * 0.0625 + 5 * 3 * 2 + 2 * 8 + 32 * 0.0625;
    const double near = work + 0.25 + BYTES * 0.125; /* the first message has left */
    const double far = near + BYTES * 0.5 + 10 + 0.25;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const struct strata_virtual_stations run = {.ranks = RANKS,
                                                    .rendezvous = seed % 2,
                                                    .seed = seed,
                                                    .failing_rank = -1,
                                                    .body = relay,
                                                    .clock = &figures,
                                                    .usage = usage,
                                                    .seconds = seconds};
        assert_int_equal(strata_virtual_stations_run(&run, &message), STRATA_OK);
        assert_true(seconds[0] == work + 2 * 0.25);
        assert_true(seconds[1] == near + 1 + 0.25);
        assert_true(seconds[2] == far + 0.25);
        assert_true(seconds[3] == far + 0.25 + BYTES * 0.125 + 1 + 0.25);
        assert_int_equal(usage[0].compared, 1);
        assert_int_equal(usage[0].hashed, 5);
        assert_int_equal(usage[0].pieces, 2);
        assert_int_equal(usage[0].touched, 48);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_relay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
