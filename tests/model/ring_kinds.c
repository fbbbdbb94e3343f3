/* The operations of each kind of call, line by line. */
#include "tests/model/ring_kinds.h"

#define DO(role, operation, who, tick)                                                             \
    {                                                                                              \
        role, RING_op_##operation, who, tick                                                       \
    }

/* All read all. */
#define EXCHANGE(write, read)                                                                      \
    DO(ALL, write, PEERS, 0), DO(ALL, signal, NOBODY, 1), DO(ALL, await, PEERS, 1),                \
        DO(ALL, covers, NOBODY, 0), DO(ALL, read, PEERS, 0)

/* One writes, all read. */
#define FROM_ROOT(write, read)                                                                     \
    DO(ROOT, write, THE_OTHERS, 0), DO(ROOT, signal, NOBODY, 1), DO(OTHERS, await, THE_ROOT, 1),   \
        DO(OTHERS, read, THE_ROOT, 0)

/* All write, and one hears of it. */
#define TO_ROOT(write)                                                                             \
    DO(OTHERS, write, THE_ROOT, 0), DO(OTHERS, signal, NOBODY, 1), DO(ROOT, await, THE_OTHERS, 1)

/* All hear of all through the root. */
#define BACK_FROM_ROOT                                                                             \
    DO(ROOT, signal, NOBODY, 2), DO(OTHERS, await, THE_ROOT, 2), DO(OTHERS, covers, NOBODY, 0)

/* All write; one reads that and writes; all read that. */
#define THROUGH_ROOT(write, read)                                                                  \
    TO_ROOT(write), DO(ROOT, covers, NOBODY, 0), DO(ROOT, read, THE_OTHERS, 0),                    \
        DO(ROOT, write, THE_OTHERS, 0), BACK_FROM_ROOT, DO(OTHERS, read, THE_ROOT, 0)

const struct ring_line ring_lines[RING_KIND_COUNT][RING_LINES] = {
    [RING_barrier] = {DO(ALL, signal, NOBODY, 1), DO(ALL, await, PEERS, 1),
                      DO(ALL, covers, NOBODY, 0)},
    [RING_alltoall] = {EXCHANGE(write_slot, read_slots)},
    [RING_tiny_alltoall] = {EXCHANGE(write_payload, read_payloads)},
    [RING_bcast] = {FROM_ROOT(write_slot, read_slots)},
    [RING_tiny_bcast] = {FROM_ROOT(write_payload, read_payloads)},
    [RING_gather] = {TO_ROOT(write_slot), DO(ROOT, read_slots, THE_OTHERS, 0)},
    [RING_tiny_gather] = {TO_ROOT(write_payload), DO(ROOT, read_payloads, THE_OTHERS, 0)},
    [RING_allreduce] = {THROUGH_ROOT(write_slot, read_slots)},
    [RING_tiny_allreduce] = {THROUGH_ROOT(write_payload, read_payloads)},
    /* Along the row of members that begins at the root. */
    [RING_scan] = {DO(ALL, await, PREVIOUS, 1), DO(ALL, read_slots, PREVIOUS, 0),
                   DO(ALL, write_slot, NEXT, 0), DO(ALL, signal, NOBODY, 1)},
    /* A leader sends its local peers' slots. */
    [RING_departure] = {TO_ROOT(write_slot), DO(ROOT, send, THE_OTHERS, 0),
                        DO(ROOT, sent, THE_OTHERS, 0)},
    /* Messages arrive in the landing, and all read there. */
    [RING_arrival] = {DO(ROOT, receive, NOBODY, 0), DO(ROOT, received, NOBODY, 0),
                      DO(ROOT, signal, NOBODY, 1), DO(OTHERS, await, THE_ROOT, 1),
                      DO(ALL, read_landing, NOBODY, 0)},
    /* A node's part in a call between nodes: both of these. */
    [RING_staged] = {TO_ROOT(write_slot), DO(ROOT, covers, NOBODY, 0),
                     DO(ROOT, send, THE_OTHERS, 0), DO(ROOT, receive, NOBODY, 0),
                     DO(ROOT, received, NOBODY, 0), BACK_FROM_ROOT,
                     DO(ALL, read_landing, NOBODY, 0), DO(ROOT, sent, THE_OTHERS, 0)},
};

const char *const ring_kind_name[RING_KIND_COUNT] = {
#define ROW(name, rooted) #name,
    RING_KINDS(ROW)
#undef ROW
};

const bool ring_kind_rooted[RING_KIND_COUNT] = {
#define ROW(name, rooted) rooted,
    RING_KINDS(ROW)
#undef ROW
};
