#include "tests/model/ring_witnesses.h"

/* Members, places, whether one fails, calls. One epoch is open. */
#define WITNESS(rule, found, m, r, f, n, ...)                                                      \
    [RING_##rule] = {{.members = (m),                                                              \
                      .depth = (r),                                                                \
                      .open = 1,                                                                   \
                      .failures = (f),                                                             \
                      .ncalls = (n),                                                               \
                      .calls = {__VA_ARGS__}},                                                     \
                     RING_FAULT_##found}

/* The same with two places, where one store states that two epochs are left. */
#define TOGETHER(rule, found, f, n, ...)                                                           \
    [RING_##rule] = {{.members = 2,                                                                \
                      .depth = 2,                                                                  \
                      .open = 1,                                                                   \
                      .failures = (f),                                                             \
                      .everybody = true,                                                           \
                      .together = 2,                                                               \
                      .ncalls = (n),                                                               \
                      .calls = {__VA_ARGS__}},                                                     \
                     RING_FAULT_##found}

#define CALL(kind, root, epochs)                                                                   \
    {                                                                                              \
        RING_##kind, root, epochs                                                                  \
    }

const struct ring_witness ring_witnesses[RING_RULE_COUNT] = {
    WITNESS(SLOT_CREDIT, READ, 2, 1, 0, 1, CALL(bcast, 0, 2)),
    WITNESS(PAYLOAD_CREDIT, READ, 2, 1, 0, 1, CALL(tiny_bcast, 0, 2)),
    WITNESS(LANDING_CREDIT, READ, 2, 1, 0, 1, CALL(arrival, 0, 2)),
    WITNESS(CREDIT_BEFORE_POST, READ, 2, 1, 0, 1, CALL(arrival, 0, 2)),
    WITNESS(LANDING_LAST_USE, READ, 2, 1, 0, 2, CALL(arrival, 0, 1), CALL(arrival, 1, 1)),
    WITNESS(STATUS_CREDIT, GOES_ON, 2, 1, 1, 1, CALL(barrier, 0, 2)),
    WITNESS(CREDIT_EACH_USE, READ, 2, 2, 0, 1, CALL(bcast, 0, 3)),
    WITNESS(NUMBER_EACH_USE, GOES_ON, 2, 1, 0, 2, CALL(idle, 0, 2), CALL(barrier, 0, 1)),
    WITNESS(READERS_DECLARED, READ, 3, 1, 0, 1, CALL(bcast, 0, 2)),
    WITNESS(READERS_KEPT, READ, 2, 2, 0, 3, CALL(bcast, 0, 1), CALL(idle, 0, 2), CALL(bcast, 0, 2)),
    WITNESS(TICK_ALONE, READ, 2, 1, 0, 1, CALL(tiny_alltoall, 0, 1)),
    WITNESS(WAIT_AT_LEAST, STUCK, 2, 1, 0, 1, CALL(barrier, 0, 1)),
    WITNESS(PROVES_EARLIER, READ, 2, 1, 0, 1, CALL(alltoall, 0, 2)),
    [RING_HEARING_EARLIER] = {{.members = 3,
                               .depth = 1,
                               .open = 1,
                               .everybody = true,
                               .hears = true,
                               .ncalls = 2,
                               .calls = {CALL(scan, 0, 1), CALL(bcast, 1, 1)}},
                              RING_FAULT_READ},
    WITNESS(COVERS_TRUE, READ, 3, 1, 0, 3, CALL(bcast, 1, 1), CALL(bcast, 0, 1), CALL(bcast, 1, 1)),
    WITNESS(COVERS_GOOD, READ, 3, 2, 1, 2, CALL(alltoall, 0, 3), CALL(alltoall, 0, 1)),
    TOGETHER(LEAVING_SAID, STUCK, 0, 1, CALL(bcast, 0, 3)),
    TOGETHER(LEAVING_IN_TIME, STUCK, 0, 1, CALL(bcast, 0, 4)),
    TOGETHER(LEAVING_LEFT, READ, 0, 1, CALL(bcast, 0, 5)),
    TOGETHER(LEAVING_OF_FAILED, STUCK, 1, 1, CALL(bcast, 0, 4)),
    WITNESS(END_AFTER_READS, READ, 2, 1, 0, 1, CALL(bcast, 0, 2)),
    WITNESS(END_AFTER_SENDS, READ, 2, 1, 0, 1, CALL(departure, 0, 2)),
    [RING_END_WITHOUT_STEPS] = {{.members = 2,
                                 .depth = 1,
                                 .open = 1,
                                 .everybody = true,
                                 .ncalls = 2,
                                 .calls = {CALL(idle, 0, 1), CALL(bcast, 0, 1)}},
                                RING_FAULT_STUCK},
    WITNESS(END_OF_FAILED, STUCK, 2, 1, 1, 1, CALL(bcast, 0, 1)),
    WITNESS(STATUS_BEFORE_END, GOES_ON, 2, 1, 1, 1, CALL(bcast, 0, 1)),
    WITNESS(STATUS_LOOKED_AT, GOES_ON, 2, 1, 1, 1, CALL(bcast, 0, 1)),
    WITNESS(STATUS_OF_ITS_USE, ALARM, 2, 1, 1, 2, CALL(bcast, 0, 1), CALL(bcast, 0, 1)),
    WITNESS(FAILS_AT_ONCE, GOES_ON, 3, 1, 1, 1, CALL(staged, 0, 1)),
    WITNESS(WITHDRAWN, WRITE, 2, 1, 1, 2, CALL(arrival, 0, 1), CALL(arrival, 1, 1)),
};

const char *const ring_rule_name[RING_RULE_COUNT] = {
#define ROW(name, sentence) #name,
    RING_RULES(ROW)
#undef ROW
};
