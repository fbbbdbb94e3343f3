/* How far ranks have come on the communicators on which some stand in a call. */
#ifndef STRATA_TOOLS_ROLLCALL_WAITS_H
#define STRATA_TOOLS_ROLLCALL_WAITS_H

#include "tools/rollcall/rollcall.h"

struct roll_member {
    int rank;       /* its index in the job */
    uint64_t begun; /* so many calls on the communicator */
};

/* A communicator on which a rank stands in a call, with those of its members that left files. None
 * is there where nobody knows the members. */
struct roll_group {
    const struct strata_record *record; /* of a rank that does know them, if one does */
    const struct strata_record_communicator *communicator;
    struct roll_member *members;
    int count;
};

struct roll_waits {
    const struct roll_job *job;
    struct roll_group *groups;
    int count;
    const struct roll_group **group; /* of the collective in which each rank stands; NULL: none */
};

/* Returns false where there is no memory for it. roll_free_waits frees it. */
bool roll_find_waits(const struct roll_job *job, struct roll_waits *w);
void roll_free_waits(struct roll_waits *w);

/* The index of a rank of MPI_COMM_WORLD in the job, which is in the order of ranks; -1: it left no
 * file. */
int roll_find_rank(const struct roll_job *job, int rank);
/* Says for which ranks others wait in messages, and which wait for each other in a cycle. Returns
 * the number of things that are wrong. */
int roll_judge_messages(const struct roll_waits *w);

#endif
