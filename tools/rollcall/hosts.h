/* Files of other hosts. The process beside rank 0 (tools/rollcall/watch.c) hears one of each other
 * host of the job, and `strata rollcall`. What they say to each other:
 *   it          to who has connected    the first word of the door
 *   who has     to it                   a `roll_hello` with the second word
 *   it          to another host         a `roll_question`, at any time
 *   the host    to it                   a `roll_pulse`, or records
 *   it          to `strata rollcall`    the records of all hosts
 * Records are their number, and a `roll_sent` for each. All hosts have the same processors. */
#ifndef STRATA_TOOLS_ROLLCALL_HOSTS_H
#define STRATA_TOOLS_ROLLCALL_HOSTS_H

#include "tools/rollcall/rollcall.h"

enum roll_role { ROLL_HOST, ROLL_READER };
enum roll_question { ROLL_PULSE, ROLL_RECORDS };

/* Of the ranks of a host together. */
struct roll_pulse {
    uint64_t begun; /* changes when one begins a call */
    uint64_t asked; /* by SIGUSR1 for a roll call */
};

/* What was sent of a rank last. It stays where it is. */
struct roll_kept {
    struct roll_kept *next;
    struct roll_sent sent;
};

struct roll_host {
    int socket; /* -1: it is heard no more */
    struct roll_pulse pulse;
    struct roll_kept *first; /* its ranks, in order */
};

struct roll_hosts {
    int door; /* the socket; -1: none */
    struct strata_record_door said;
    struct roll_host *host; /* one that connects again is another one */
    int count, records;     /* records: of all hosts */
};

/* Opens a door of this process. Returns whether it could. */
bool roll_open_door(struct roll_hosts *hosts);
/* Takes one who has connected: a host is one more of `hosts`. Returns the socket of a reader, or -1
 * where it is none. A door that cannot be used any more is closed. */
int roll_hear(struct roll_hosts *hosts);
/* Asks all hosts, and takes what they answer. */
void roll_ask_hosts(struct roll_hosts *hosts, enum roll_question question);
/* The bytes of all records that were sent. */
size_t roll_bytes_sent(const struct roll_hosts *hosts);
/* Connects to a door, which may be one of this host. Returns the socket, or -1. */
int roll_connect(const struct strata_record_door *door, bool here, enum roll_role role);
/* Waits for a question for so many milliseconds. Returns whether there was one; -1: the other end
 * is gone. */
int roll_wait_for_question(int socket, int milliseconds, enum roll_question *question);
/* Answers. Returns whether it could. */
bool roll_send_pulse(int socket, struct roll_pulse pulse);
/* Sends the records of those ranks that are chosen; NULL: of all. */
bool roll_send_records(int socket, const struct roll_job *job, const bool *chosen);
/* Takes the records that come by a socket, as those of one more host. Closes the socket. Returns
 * whether all of them came. */
bool roll_take_records(struct roll_hosts *hosts, int socket);
/* Adds the ranks that were sent to those that roll_read has read, which are freed before `hosts`.
 */
void roll_add_sent(struct roll_rank **ranks, int *count, const struct roll_hosts *hosts);
void roll_free_hosts(struct roll_hosts *hosts);

#endif
