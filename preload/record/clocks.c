/* Ranks of one kernel read one counter. Of each kernel one rank, its leader, asks another leader
 * what rank 0's clock shows, in a tree whose root is rank 0. An answer is right within half of the
 * time that it took, whichever way was the longer one. The quickest of several counts, and errors
 * add up on the way from rank 0.
 *
 * A leader waits for others as MPI_Finalize does, which needs the same ranks. Errors are returned,
 * so where MPI tells that a rank has failed nobody waits for it; those behind it then hear that
 * nothing is known. */
#include "preload/record/clocks.h"

#include <mpi.h>
#include <stdlib.h>

#include "preload/record/recorder.h"

enum { QUESTIONS = 32, TAG = 0, UNKNOWN = -1 };
enum { DRIFT = 1000 }; /* clocks part by less than this part of the time */

/* What the clock of rank 0's host shows when this host's shows `here`. */
struct set {
    int64_t here, there, error; /* nanoseconds; error: UNKNOWN, or not more wrong */
    uint64_t ticks;             /* also `here` */
};

static MPI_Comm leaders = MPI_COMM_NULL;
static struct strata_record *file; /* NULL: there is none */

/* What the clock of rank 0's host shows now, and how wrong that may be. */
static void tell(const struct set *own, int64_t *said)
{
    const int64_t now = strata_record_now().nanoseconds;
    said[0] = now + own->there - own->here;
    said[1] = own->error > 0 ? own->error + (now - own->here) / DRIFT : own->error;
}

/* Sleeps until the leader's first message is there: those that it talks to before may need the
 * core. */
static int wait_for(int leader)
{
    const struct timespec nap = {.tv_nsec = 50000};
    int there = 0, error = MPI_SUCCESS;
    while (error == MPI_SUCCESS && !there) {
        error = PMPI_Iprobe(leader, TAG, leaders, &there, MPI_STATUS_IGNORE);
        if (!there) {
            nanosleep(&nap, NULL);
        }
    }
    return error;
}

/* Answers a leader that asks. Once it has failed nothing more is expected of it. */
static void answer(const struct set *own, int leader)
{
    int error = wait_for(leader);
    for (int i = 0; error == MPI_SUCCESS && i < QUESTIONS; i++) {
        error = PMPI_Recv(NULL, 0, MPI_BYTE, leader, TAG, leaders, MPI_STATUS_IGNORE);
        int64_t said[2];
        tell(own, said);
        if (error == MPI_SUCCESS) {
            error = PMPI_Send(said, sizeof said, MPI_BYTE, leader, TAG, leaders);
        }
    }
}

/* Asks once. Returns false where no answer came. */
static bool ask_once(int leader, bool first, struct set *best)
{
    int64_t said[2];
    const struct strata_record_stamp begin = strata_record_now();
    int error = PMPI_Send(NULL, 0, MPI_BYTE, leader, TAG, leaders);
    if (error == MPI_SUCCESS && first) {
        error = wait_for(leader);
    }
    if (error == MPI_SUCCESS) {
        error = PMPI_Recv(said, sizeof said, MPI_BYTE, leader, TAG, leaders, MPI_STATUS_IGNORE);
    }
    const struct strata_record_stamp end = strata_record_now();
    const int64_t half = (end.nanoseconds - begin.nanoseconds + 1) / 2;
    const bool known =
        error == MPI_SUCCESS && said[1] >= 0 && half >= 0; /* no clock was set back */
    if (known && (best->error < 0 || half + said[1] < best->error)) {
        *best = (struct set){.here = begin.nanoseconds + half,
                             .there = said[0],
                             .error = half + said[1],
                             .ticks = begin.ticks + (end.ticks - begin.ticks) / 2};
    }
    return error == MPI_SUCCESS;
}

static struct set ask(int leader)
{
    struct set best = {.error = UNKNOWN};
    for (int i = 0; i < QUESTIONS && ask_once(leader, i == 0, &best); i++) {
    }
    return best;
}

static struct set own_clock(void)
{
    const struct strata_record_stamp now = strata_record_now();
    return (struct set){.here = now.nanoseconds, .there = now.nanoseconds, .ticks = now.ticks};
}

/* In a binomial tree each leader asks once, and then answers those below it. */
static struct set set_clock(void)
{
    int me, count, bit = 1;
    PMPI_Comm_rank(leaders, &me);
    PMPI_Comm_size(leaders, &count);
    while (me ? !(me & bit) : bit < count) {
        bit <<= 1;
    }
    const struct set own = me ? ask(me - bit) : own_clock();
    while (bit >>= 1) {
        if (me + bit < count) {
            answer(&own, me + bit);
        }
    }
    return own;
}

/* Sets the clock, and writes that into the file. */
static void set(void)
{
    const struct set own = set_clock();
    const uint32_t settings = file ? atomic_load(&file->settings) : 0;
    if (file && own.error >= 0) {
        file->setting[settings] = (struct strata_record_setting){
            .ticks = own.ticks, .nanoseconds = own.there, .error = own.error};
        atomic_store_explicit(&file->settings, settings + 1, memory_order_release);
    }
}

/* Whether this rank is the first one of its kernel. *several: whether there are others. */
static bool is_leader(const uint64_t *places, int rank, int ranks, bool *several)
{
    int first = 0;
    *several = false;
    for (int i = 0; i < ranks; i++) {
        *several = *several || places[i] != places[0];
    }
    while (places[first] != places[rank]) {
        first++;
    }
    return first == rank;
}

static void find_leaders(int rank, int ranks, uint64_t *places)
{
    const uint64_t place = strata_record_place();
    bool several;
    if (PMPI_Allgather(&place, 1, MPI_UINT64_T, places, 1, MPI_UINT64_T, MPI_COMM_WORLD) ==
        MPI_SUCCESS) {
        const bool leads = is_leader(places, rank, ranks, &several);
        if (several) {
            PMPI_Comm_split(MPI_COMM_WORLD, leads ? 0 : MPI_UNDEFINED, rank, &leaders);
        }
    }
}

void recorder_clocks_begin(struct strata_record *record)
{
    int rank, ranks, all_can = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    uint64_t *places = malloc((size_t)ranks * sizeof *places);
    const int can = places ? 1 : 0;
    PMPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (places && all_can) {
        find_leaders(rank, ranks, places);
    }
    free(places);
    file = record;
    if (leaders != MPI_COMM_NULL) {
        PMPI_Comm_set_errhandler(leaders, MPI_ERRORS_RETURN);
        set();
    }
}

void recorder_clocks_end(void)
{
    if (leaders != MPI_COMM_NULL) {
        set();
        PMPI_Comm_free(&leaders);
    }
}
