/* The file that the recorder of a rank writes (preload/record/) and `strata rollcall` reads.
 *
 * It is one struct in memory that the file shows, so it outlives its rank. The rank writes it with
 * plain stores. A reader may look at any time: it takes an entry whose number is the same before
 * and after it has copied it. Times are ticks of the processor's own counter, which stamps of the
 * head translate into time. Where a job has several clocks, one rank of each also writes when its
 * clock was set by that of rank 0. */
#ifndef STRATA_CORE_RECORD_RECORD_H
#define STRATA_CORE_RECORD_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "core/plan/collective.h"

#define STRATA_RECORD_FOLDER "/dev/shm"
#define STRATA_RECORD_PREFIX "strata.record." /* of a file's name */
#define STRATA_RECORD_MAGIC  "strata record 6"

enum {
    STRATA_RECORD_ENTRIES = 1024, /* a power of two */
    STRATA_RECORD_LONGEST = 64,
    STRATA_RECORD_COMMUNICATORS = 128,
    STRATA_RECORD_MEMBERS = 4096,
    STRATA_RECORD_MODULES = 128,
    STRATA_RECORD_ALGORITHMS = 64,
    STRATA_RECORD_PATH = 232,
    STRATA_RECORD_NAME = 64
};

/* Messages of one rank to another. They are recorded where that is asked for, and have no number on
 * their communicator. */
#define STRATA_RECORD_MESSAGES(ROW)                                                                \
    ROW(RECV, "recv")                                                                              \
    ROW(PROBE, "probe")                                                                            \
    ROW(MPROBE, "mprobe")                                                                          \
    ROW(MRECV, "mrecv")                                                                            \
    ROW(PRECV, "precv")                                                                            \
    ROW(SENDRECV, "sendrecv")                                                                      \
    ROW(SENDRECV_REPLACE, "sendrecv_replace")                                                      \
    ROW(SEND, "send")                                                                              \
    ROW(SSEND, "ssend")                                                                            \
    ROW(RSEND, "rsend")                                                                            \
    ROW(BSEND, "bsend")                                                                            \
    ROW(PSEND, "psend")

/* The calls that are recorded beside the collectives of core/plan/collective.h. A wait is for the
 * call that `order` numbers, by MPI_Wait and its like; with STRATA_RECORD_ANYBODY as its `root` it
 * is for any of several, of which this is the first. */
#define STRATA_RECORD_OTHERS(ROW)                                                                  \
    ROW(NEIGHBOR_ALLGATHER, "neighbor_allgather")                                                  \
    ROW(NEIGHBOR_ALLGATHERV, "neighbor_allgatherv")                                                \
    ROW(NEIGHBOR_ALLTOALL, "neighbor_alltoall")                                                    \
    ROW(NEIGHBOR_ALLTOALLV, "neighbor_alltoallv")                                                  \
    ROW(NEIGHBOR_ALLTOALLW, "neighbor_alltoallw")                                                  \
    ROW(ALLGATHER_SHARED, "allgather_shared")                                                      \
    ROW(BCAST_SHARED, "bcast_shared")                                                              \
    ROW(WAIT, "a wait")                                                                            \
    ROW(FINALIZE, "MPI_Finalize")                                                                  \
    STRATA_RECORD_MESSAGES(ROW)

enum strata_record_kind {
    STRATA_RECORD_LAST_COLLECTIVE = STRATA_COLLECTIVE_COUNT - 1,
#define STRATA_RECORD_ID(id, name) STRATA_RECORD_##id,
    STRATA_RECORD_OTHERS(STRATA_RECORD_ID)
#undef STRATA_RECORD_ID
        STRATA_RECORD_KINDS
};

enum {
    STRATA_RECORD_ANYBODY = -2, /* MPI_ANY_SOURCE */
    STRATA_RECORD_NOBODY = -1   /* MPI_PROC_NULL */
};

/* How a collective is called. The nonblocking ones and those of a started request end when a wait
 * or a test says so. */
enum strata_record_form {
    STRATA_RECORD_BLOCKING,
    STRATA_RECORD_NONBLOCKING,
    STRATA_RECORD_DESCRIBED, /* MPI_Allreduce_init and its like */
    STRATA_RECORD_STARTED,   /* MPI_Start, on the row of the request */
    STRATA_RECORD_OWN        /* added where the program called strata_allreduce and its like */
};

/* What served a call: a number of the file's list of algorithms, or one of these. */
enum {
    STRATA_RECORD_UNTOLD,
    STRATA_RECORD_NATIVE, /* MPI's own */
    STRATA_RECORD_FIRST_ALGORITHM
};

/* Whether only lists tell the lengths of all blocks of a call. */
static inline bool strata_record_lists(int kind)
{
    return kind == STRATA_ALLTOALLV || kind == STRATA_ALLTOALLW || kind == STRATA_REDUCE_SCATTER;
}

/* The place of a collective among those of MPI's names and those of Strata's own. */
#define STRATA_RECORD_PLACE(kind, form)                                                            \
    ((kind) + ((form)&STRATA_RECORD_OWN ? STRATA_RECORD_KINDS : 0))
enum { STRATA_RECORD_PLACES = 2 * STRATA_RECORD_KINDS };

/* The predefined datatypes and operators that are known by name; another one has the number 0. */
#define STRATA_RECORD_TYPES(ROW)                                                                   \
    ROW(CHAR)                                                                                      \
    ROW(SIGNED_CHAR)                                                                               \
    ROW(UNSIGNED_CHAR)                                                                             \
    ROW(BYTE)                                                                                      \
    ROW(WCHAR)                                                                                     \
    ROW(SHORT)                                                                                     \
    ROW(UNSIGNED_SHORT)                                                                            \
    ROW(INT)                                                                                       \
    ROW(UNSIGNED)                                                                                  \
    ROW(LONG)                                                                                      \
    ROW(UNSIGNED_LONG)                                                                             \
    ROW(LONG_LONG)                                                                                 \
    ROW(UNSIGNED_LONG_LONG)                                                                        \
    ROW(FLOAT)                                                                                     \
    ROW(DOUBLE)                                                                                    \
    ROW(LONG_DOUBLE)                                                                               \
    ROW(C_BOOL)                                                                                    \
    ROW(INT8_T)                                                                                    \
    ROW(INT16_T)                                                                                   \
    ROW(INT32_T)                                                                                   \
    ROW(INT64_T)                                                                                   \
    ROW(UINT8_T)                                                                                   \
    ROW(UINT16_T)                                                                                  \
    ROW(UINT32_T)                                                                                  \
    ROW(UINT64_T)                                                                                  \
    ROW(C_FLOAT_COMPLEX)                                                                           \
    ROW(C_DOUBLE_COMPLEX)                                                                          \
    ROW(AINT)                                                                                      \
    ROW(OFFSET)                                                                                    \
    ROW(COUNT)                                                                                     \
    ROW(INTEGER)                                                                                   \
    ROW(REAL)                                                                                      \
    ROW(DOUBLE_PRECISION)                                                                          \
    ROW(COMPLEX)                                                                                   \
    ROW(DOUBLE_COMPLEX)                                                                            \
    ROW(LOGICAL)                                                                                   \
    ROW(CHARACTER)
#define STRATA_RECORD_PLUS_ONE(name) +1
enum { STRATA_RECORD_TYPE_COUNT = 1 STRATA_RECORD_TYPES(STRATA_RECORD_PLUS_ONE) };
#undef STRATA_RECORD_PLUS_ONE
#define STRATA_RECORD_OPERATORS(ROW)                                                               \
    ROW(MAX)                                                                                       \
    ROW(MIN)                                                                                       \
    ROW(SUM)                                                                                       \
    ROW(PROD)                                                                                      \
    ROW(LAND)                                                                                      \
    ROW(BAND)                                                                                      \
    ROW(LOR)                                                                                       \
    ROW(BOR)                                                                                       \
    ROW(LXOR)                                                                                      \
    ROW(BXOR)                                                                                      \
    ROW(MINLOC)                                                                                    \
    ROW(MAXLOC)

/* The communicator, by its row, the kind of call, the datatype and the operator in one number. */
#define STRATA_RECORD_WHAT(communicator, kind, type, op)                                           \
    ((uint64_t)(communicator) | (uint64_t)(kind) << 16 | (uint64_t)(type) << 24 |                  \
     (uint64_t)(op) << 32)
/* Added for calls that do not block. */
#define STRATA_RECORD_FORM(form) ((uint64_t)(form) << 40)

/* Added for calls that list lengths: buckets (core/base/buckets.h) of the longest block that the
 * rank sends, of the mean one that it receives, and of its degree (core/plan/formats.h), which is
 * MANY where it is not few. Ranks together have the most of each. Files of earlier releases have 0.
 */
#define STRATA_RECORD_LENGTHS(longest, received, degree)                                           \
    ((uint64_t)(longest) << 48 | (uint64_t)(received) << 54 | (uint64_t)(degree) << 60)
enum { STRATA_RECORD_MANY = 15 };

/* A call. It lasts from `begin` to `end`. Of a wait, `count` is the number of the entry that has
 * begun what is waited for. Of a message, `root` is the other rank and `order` the tag, -1: any. In
 * a sendrecv these are of what is received; `count` is STRATA_RECORD_TO of what is sent. */
#define STRATA_RECORD_TO(rank, tag) ((uint32_t)(rank) | (uint64_t)(uint32_t)(tag) << 32)
struct strata_record_entry {
    _Atomic uint64_t number;     /* from 1 in the order of the rank's calls; 0: being written */
    _Atomic uint64_t begin, end; /* ticks; `end` is 0 while the call lasts */
    _Atomic uint64_t site;       /* the address behind the call in the program */
    _Atomic uint64_t count;      /* elements of a block or vector of this rank; of a call that lists
                                  * lengths the bytes of its mean block */
    _Atomic uint64_t order;      /* on its communicator, from 1 */
    _Atomic uint64_t what;       /* STRATA_RECORD_WHAT, with its FORM and LENGTHS */
    _Atomic int32_t root;        /* -1: none */
    _Atomic uint32_t served;     /* while the call lasts perhaps what served the last one */
};
_Static_assert(sizeof(struct strata_record_entry) == 64, "a cache line");

/* A communicator, or a persistent request, whose starts are its calls: it has the communicator's
 * members. All ranks give it the same identity and turn. */
struct strata_record_communicator {
    _Atomic uint64_t handle; /* 0: freed, or not used yet; the handle's complement: no collective
                              * was called on it yet */
    uint64_t identity;       /* of its members in their order */
    uint64_t turn;  /* among communicators of these members, from 1; 0: no collective yet */
    uint64_t since; /* entries of this and greater numbers may be its calls */
    uint64_t calls; /* so many have begun */
    uint32_t ranks;
    uint32_t members; /* where their ranks of MPI_COMM_WORLD begin; UINT32_MAX: they are not kept */
    uint64_t inter;   /* ranks of this side, which come first, of an intercommunicator, whose sides
                       * give calls differently; 0: it is none */
    _Atomic uint8_t served[STRATA_RECORD_PLACES]; /* what served the last blocking call of each */
    char name[STRATA_RECORD_NAME];
};

/* "leaders:leaders=1,radix=2" */
struct strata_record_algorithm {
    char name[96];
};

/* A part of a file that lies in the rank's memory and holds code. */
struct strata_record_module {
    uint64_t begin, end, base; /* addresses; `base`: that of the file's address 0 */
    char path[STRATA_RECORD_PATH];
};

struct strata_record_stamp {
    uint64_t ticks;
    int64_t nanoseconds; /* CLOCK_REALTIME */
};

/* At these ticks of its own a rank knows what the clock of rank 0 shows. */
struct strata_record_setting {
    uint64_t ticks;
    int64_t nanoseconds; /* CLOCK_REALTIME of rank 0's host */
    int64_t error;       /* nanoseconds; it is not wrong by more */
};

/* Where the process beside rank 0 hears those beside ranks of other hosts, and `strata rollcall`
 * (tools/rollcall/hosts.c). It says the first word, and is told the second one. */
enum { STRATA_RECORD_ADDRESSES = 8 };
struct strata_record_door {
    uint64_t first, second; /* random */
    int32_t pid;            /* of rank 0 */
    uint16_t port;          /* 0: there is no such process, or the job is on one host */
    uint16_t addresses;
    uint32_t address[STRATA_RECORD_ADDRESSES]; /* IPv4, as on the network */
};

struct strata_record {
    char magic[16];   /* written last */
    uint64_t bytes;   /* of this struct */
    uint64_t job;     /* a random number, the same on all ranks */
    uint64_t started; /* the process's start, as /proc/PID/stat has it: a PID may come again */
    uint64_t place;   /* strata_record_place of the process: where its PID is known */
    int32_t rank, ranks, pid;
    int32_t ranks_here;                      /* of the job on this host; 0: unknown */
    struct strata_record_stamp stamps[3];    /* before MPI_Init, behind it, behind MPI_Finalize */
    struct strata_record_setting setting[2]; /* behind MPI_Init, before MPI_Finalize */
    uint32_t type_bytes[STRATA_RECORD_TYPE_COUNT]; /* of predefined datatypes; 0: unknown */
    _Atomic uint64_t next;                         /* the number of the next call */
    _Atomic uint64_t asked;       /* how often the rank was asked by SIGUSR1 for a roll call */
    _Atomic uint64_t tested;      /* when a call that has begun was last tested; 0: never */
    _Atomic uint64_t tested_call; /* its number; 0: any of several was tested */
    _Atomic uint64_t ended;       /* when MPI_Finalize had ended well; 0: it has not */
    _Atomic uint32_t communicators, members, modules, algorithms;
    _Atomic uint32_t settings; /* so many; 0: the job has one clock, or another rank writes them */
    char host[STRATA_RECORD_NAME], program[STRATA_RECORD_PATH];
    struct strata_record_door door;
    /* a cache line each */
    _Alignas(64) struct strata_record_entry
        entry[STRATA_RECORD_ENTRIES]; /* number n is at n % ENTRIES */
    struct strata_record_communicator communicator[STRATA_RECORD_COMMUNICATORS];
    struct strata_record_algorithm algorithm[STRATA_RECORD_ALGORITHMS]; /* number n is at n */
    int32_t member[STRATA_RECORD_MEMBERS];
    struct strata_record_module module[STRATA_RECORD_MODULES];
    /* the blocking collectives of the run in which the rank stood longest, in no order */
    struct strata_record_entry longest[STRATA_RECORD_LONGEST];
};

/* The folder of the setting STRATA_RECORD, "1", "FOLDER", "keep" or "keep:FOLDER"; NULL: "0". With
 * *keep files stay when their rank has ended well. */
const char *strata_record_folder(const char *setting, bool *keep);

/* A door as hexadecimal digits, with a '\0' behind. */
enum { STRATA_RECORD_DOOR_TEXT = 2 * sizeof(struct strata_record_door) + 1 };
void strata_record_door_print(const struct strata_record_door *door, char *text);
/* Returns whether the text is one. */
bool strata_record_door_read(const char *text, struct strata_record_door *door);

/* "allreduce", "MPI_Finalize". */
const char *strata_record_kind_name(int kind);
/* "MPI_INT", or NULL for a datatype that is not known by name. */
const char *strata_record_type_name(int type);
/* "MPI_SUM", or NULL for an operator that is not known by name. */
const char *strata_record_operator_name(int op);

/* What /proc/PID/stat has of a process. `started` is 0 where there is none of this number. */
struct strata_record_process {
    uint64_t started; /* its start, as `started` above */
    int parent;       /* the process that started it; 0: none */
    char state;       /* a letter */
};
struct strata_record_process strata_record_process(int pid);

static inline uint64_t strata_record_ticks(void)
{
#if defined __x86_64__
    return __builtin_ia32_rdtsc();
#elif defined __aarch64__
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
#endif
}

/* Where PIDs are the same as here: a number of this start of the kernel and this PID namespace. */
uint64_t strata_record_place(void);

/* Both clocks now. */
struct strata_record_stamp strata_record_now(void);

#endif
