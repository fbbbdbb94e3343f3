/* strata rollcall: what the recorders of a job's ranks have written (core/record/record.h). */
#ifndef STRATA_TOOLS_ROLLCALL_ROLLCALL_H
#define STRATA_TOOLS_ROLLCALL_ROLLCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/record/record.h"

/* A call as it stood when it was read. Times are in seconds of CLOCK_REALTIME, that of rank 0's
 * host. */
struct roll_call {
    uint64_t number, order, count, site;
    double begin, end; /* end: 0 while it lasts */
    int kind, root, type, op, form;
    bool own;           /* by a name of Strata's, such as strata_allreduce */
    const char *served; /* the algorithm of a plan, or "MPI's own"; NULL: it is not known */
    uint32_t bytes;
    struct roll_lengths { /* STRATA_RECORD_LENGTHS */
        int longest, received, degree;
    } lengths;
    /* of a message; in a sendrecv that which comes is of `other`, and another one goes to `to` */
    struct roll_end {
        int rank;  /* of the communicator, or STRATA_RECORD_ANYBODY or NOBODY */
        int world; /* of MPI_COMM_WORLD; -1: it is not known */
        int tag;   /* -1: any */
    } other, to;
    const struct strata_record_communicator *communicator;
    const struct roll_call *awaited; /* of a wait: the call, if it is still there */
    const struct roll_call *wait;    /* the last wait for the call, if there was one */
};

/* ENDED: by MPI_Finalize, whatever its process does now. UNHEARD: its host sent its record once,
 * and did not answer the last time. */
enum roll_state {
    ROLL_ENDED,
    ROLL_GONE,
    ROLL_STOPPED,
    ROLL_SLEEPS,
    ROLL_RUNS,
    ROLL_ELSEWHERE,
    ROLL_UNHEARD
};

/* Turns ticks of a host into seconds. */
struct roll_clock {
    struct strata_record_stamp first, last; /* where it was set; the same where it was not twice */
    double between, own;                    /* seconds of a tick: between the two, and outside */
    double error;                           /* it is not more wrong there, in seconds */
    int settings;                           /* how often it was set by that of rank 0's host */
};

/* A rank's record as another host sent it (tools/rollcall/hosts.h). */
struct roll_sent {
    struct strata_record_stamp now; /* both clocks of its host, before it was copied */
    enum roll_state state;
    struct strata_record record;
};

struct roll_rank {
    const struct strata_record *record; /* mapped, or of `sent` */
    const struct roll_sent *sent;       /* NULL: the record is a file of this host */
    char path[512];                     /* of the file, or empty */
    enum roll_state state;
    int parent;              /* the process that started the rank's; 0: it is gone, or elsewhere */
    struct roll_call *calls; /* the newest last */
    int count;
    struct roll_call *longest; /* of the run, of those that are not among `calls`, in no order */
    int longest_count;
    const struct roll_call *open;  /* the newest one in which the rank is; NULL: in none */
    const struct roll_call *begun; /* the oldest one that was begun and not completed, or NULL */
    struct roll_clock clock;
    int host;                                          /* of the job, from 0 */
    uint64_t begun_calls[STRATA_RECORD_COMMUNICATORS]; /* so many on each, just after reading */
    bool tests;    /* `open` is begun and not completed, and the rank tests it in a loop */
    bool any;      /* `open` is one of several, any of which is enough */
    double active; /* when it last began or left a call */
};

/* The ranks of one job that left files, in their order. */
struct roll_job {
    struct roll_rank *ranks;
    int count, hosts;
    bool ended;   /* all of them have ended or are gone */
    bool well;    /* all of them have ended by MPI_Finalize */
    double still; /* the seconds since any of them began or left a call */
};

/* Reads the files of folders, a list that ends with NULL. Returns the number of ranks, or -1 with
 * errno and the folder in *wrong. *ranks, NULL before, is in the order of jobs and ranks; roll_free
 * frees it. */
int roll_read(const char *const *folders, struct roll_rank **ranks, const char **wrong);
void roll_free(struct roll_rank *ranks, int count);
/* Whether it is a file of this version, and holds what was there before its first word was. */
bool roll_is_record(const struct strata_record *record);
/* Sets `state` and `parent`. */
void roll_find_state(struct roll_rank *rank);
/* Reads the files of a job again, which may have been removed since. */
void roll_read_again(struct roll_job *job);
/* Whether PIDs of the rank are those of this process. */
bool roll_is_here(const struct strata_record *record);
/* Sets the ranks' clocks, of files that are not read yet. */
void roll_set_clocks(struct roll_rank *ranks, int count);
double roll_seconds(const struct roll_clock *clock, uint64_t ticks);
/* The time now, in seconds of the ranks' clock; where records were sent, when the first of those
 * was that are heard. */
double roll_now(const struct roll_rank *ranks, int count);
/* How far the clocks of the job agree. */
struct roll_agreement {
    int clocks, settings; /* each was set so often at least; of one clock it does not matter */
    double error;         /* seconds between any two */
};
struct roll_agreement roll_agreement(const struct roll_job *job);
/* Whether the process is one of the rank's, or one that has started it. */
bool roll_descends(const struct roll_rank *rank, int pid);

/* Whether the call is for a message of one rank to another, and whether it also sends one. */
static inline bool roll_is_message(const struct roll_call *call)
{
    return call->kind >= STRATA_RECORD_RECV && call->kind < STRATA_RECORD_KINDS;
}
static inline bool roll_sends_and_receives(const struct roll_call *call)
{
    return call->kind == STRATA_RECORD_SENDRECV || call->kind == STRATA_RECORD_SENDRECV_REPLACE;
}
/* The message for which the rank waits; NULL: there is none, or it is one of several. */
const struct roll_call *roll_message_of(const struct roll_rank *rank);

/* Whether rows of two ranks' files are of one communicator. */
bool roll_same_communicator(const struct strata_record_communicator *a,
                            const struct strata_record_communicator *b);
/* The row that a rank has for a communicator of another rank's file; 0: it has none. */
uint32_t roll_row_of(const struct strata_record *record,
                     const struct strata_record_communicator *c);
/* Whether the members are in the file's list. Of a rank that goes on `c` is a copy of the row. */
bool roll_lists_members(const struct strata_record_communicator *c);

/* Text, in a buffer of this many bytes. */
enum { ROLL_TEXT = 512 };
/* "solver.c:311 (solve)", or module and offset. */
const char *roll_site(const struct strata_record *record, uint64_t address, char *text);
/* "allreduce", "iallreduce", "allreduce_init", "strata_allreduce" */
const char *roll_collective(const struct roll_call *call, char *text);
/* The call that others must make, too: of a wait the one that is waited for. */
const struct roll_call *roll_awaited(const struct roll_call *call);
/* "allreduce of 8 B (MPI_DOUBLE, MPI_SUM)" */
const char *roll_signature(const struct roll_call *call, char *text);
/* "the clocks of 2 hosts agree within 12 us"; empty where there is one. */
const char *roll_agreement_text(const struct roll_job *job, char *text);
/* "call 12 of MPI_COMM_WORLD, " and the signature; "recv of 4 B, MPI_INT, from rank 2, tag 7, on
 * MPI_COMM_WORLD". */
const char *roll_call_text(const struct roll_call *call, char *text);
/* Where a rank is: in which call, or outside. */
const char *roll_place(const struct roll_rank *rank, char *text);
/* Prints "rank 3" or "ranks 0-2, 5": those of the job for which chosen is set. A job of several
 * hosts has these behind. */
void roll_print_ranks(const struct roll_job *job, const bool *chosen);

/* The job behind this one, from {0} on, that has the process; 0: any. Returns false where there is
 * none. */
bool roll_next_job(struct roll_rank *ranks, int count, int pid, struct roll_job *job);
/* Sets `ended`, `well` and `still`. */
void roll_find_times(struct roll_job *job);
/* Prints where the ranks are and what is wrong. Returns the number of things that are. The job
 * stands still `after` seconds without a call. */
int roll_report(const struct roll_job *job, double after);
/* Starts a process that looks at the job of this one and says on stderr: where ranks are, when the
 * job stands still for so many seconds or a rank was asked by SIGUSR1, unless `after` is 0; with
 * `checks`, the first calls that ranks give differently; with `late`, at the job's end, for whom
 * others waited. It ends with this process. Into *door, unless that is NULL, comes where it hears
 * those of other hosts. */
void roll_watch(const char *folder, double after, bool late, bool checks,
                struct strata_record_door *door);
/* Starts a process that tells it what the ranks of this host have written. */
void roll_tell_others(const char *folder);

/* Prints what is wrong. Returns the number of things. `still`: whether the job stands still. */
int roll_judge(const struct roll_job *job, bool still);
/* From the first call to the last time that is known of a job, at which calls end that last. */
struct roll_span {
    double begin, end;
};
struct roll_span roll_span_of(const struct roll_job *job);
/* Writes the job's calls in Chrome's trace format. Returns the number of ranks. */
int roll_timeline(const struct roll_job *job, FILE *file);
/* Draws the calls in which ranks waited longest, and those that took longest once all had come, as
 * SVG. Returns the number of calls that were compared; of 0, or without a file, nothing is
 * written. */
int roll_page(const struct roll_job *job, FILE *file);
/* Prints the calls of the run that lasted longest. Lines begin with the prefix. */
void roll_longest(const struct roll_job *job, const char *prefix);
/* A call that a rank made. */
struct roll_made {
    const struct roll_call *call;
    int rank; /* its index in the job */
};
/* All calls on communicators whose rows are still theirs, by communicator, order and rank; with
 * `longest` also the longest ones of the run. NULL: no memory. */
struct roll_made *roll_collect(const struct roll_job *job, bool longest, int *count);
/* Behind those that are the same call as the one at `first`. */
int roll_end_of_call(const struct roll_made *made, int first, int count);
/* Prints for whom others waited, in the calls that are still there, and a sentence of advice. Lines
 * begin with the prefix. */
void roll_late(const struct roll_job *job, const char *prefix);
/* Prints the first calls in which ranks disagree. Returns their number. Lines begin with the
 * prefix. */
int roll_disagreements(const struct roll_job *job, const char *prefix);

#endif
