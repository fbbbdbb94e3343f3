/* The kinds of calls of the model, as short lists of lines. A line states what the members of a
 * role do in each epoch. */
#ifndef STRATA_TESTS_MODEL_RING_KINDS_H
#define STRATA_TESTS_MODEL_RING_KINDS_H

#include <stdbool.h>

/* Each kind, and whether one member, the root, has another part than the others. */
#define RING_KINDS(X)                                                                              \
    X(idle, false)                                                                                 \
    X(barrier, false)                                                                              \
    X(alltoall, false)                                                                             \
    X(tiny_alltoall, false)                                                                        \
    X(bcast, true)                                                                                 \
    X(tiny_bcast, true)                                                                            \
    X(gather, true)                                                                                \
    X(tiny_gather, true)                                                                           \
    X(allreduce, true)                                                                             \
    X(tiny_allreduce, true)                                                                        \
    X(scan, true)                                                                                  \
    X(departure, true)                                                                             \
    X(arrival, true)                                                                               \
    X(staged, true)

enum ring_kind {
#define ROW(name, rooted) RING_##name,
    RING_KINDS(ROW)
#undef ROW
        RING_KIND_COUNT
};

/* The class of an operation: see ring_step. */
enum ring_class { RING_PRIVATE, RING_ACCESS, RING_STORE, RING_WAIT };

#define RING_OPERATIONS(X)                                                                         \
    X(credit, WAIT)         /* of the readers of my place; then `who` reads there */               \
    X(credit_landing, WAIT) /* of all, for the landing's last epoch */                             \
    X(credit_status, WAIT)                                                                         \
    X(write_slot, ACCESS)                                                                          \
    X(write_payload, ACCESS)                                                                       \
    X(read_slots, ACCESS)                                                                          \
    X(read_payloads, ACCESS)                                                                       \
    X(read_landing, ACCESS)                                                                        \
    X(send, ACCESS) /* sends slots of `who`, and reads them until complete */                      \
    X(sent, ACCESS)                                                                                \
    X(receive, ACCESS) /* into the landing, and writes there until complete */                     \
    X(received, ACCESS)                                                                            \
    X(signal, STORE)                                                                               \
    X(status, STORE)                                                                               \
    X(end, STORE)                                                                                  \
    X(await, WAIT)                                                                                 \
    X(covers, PRIVATE)

enum ring_operation {
#define ROW(name, taken) RING_op_##name,
    RING_OPERATIONS(ROW)
#undef ROW
        RING_OPERATION_COUNT
};

enum ring_role { NONE, ALL, ROOT, OTHERS };

/* Members as seen from one of them. PEERS are all others, THE_OTHERS all except the root and me.
 * PREVIOUS and NEXT are the neighbours in the row that begins at the root. */
enum ring_who { NOBODY, PEERS, THE_ROOT, THE_OTHERS, PREVIOUS, NEXT };

/* A line of a kind. A write's `who` are its readers. Credit before writes, and END after all
 * operations, are no lines, because the rules ask for them. */
struct ring_line {
    enum ring_role role; /* NONE ends the lines */
    enum ring_operation operation;
    enum ring_who who;
    int tick;
};

enum { RING_LINES = 16 };

extern const struct ring_line ring_lines[RING_KIND_COUNT][RING_LINES];
extern const char *const ring_kind_name[RING_KIND_COUNT];
extern const bool ring_kind_rooted[RING_KIND_COUNT];

#endif
