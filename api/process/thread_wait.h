/* How a thread waits for other threads of its process, or does work for them meanwhile: where
 * threads are members (api/attach/members.h) or a team (api/thread_team.c). */
#ifndef STRATA_API_PROCESS_THREAD_WAIT_H
#define STRATA_API_PROCESS_THREAD_WAIT_H

#include "api/process/timeout.h"
#include "intranode/wait.h"

/* One wait; at first all 0, except the first fields. */
struct strata_thread_wait {
    enum strata_wait_way way;        /* at least so soon it lets go of its core */
    struct strata_thread_bell *bell; /* rings when what it waits for is there; NULL: none does */
    bool moves;                      /* it looks after requests or errands between its looks */
    const struct strata_wait_wanted *wanted; /* where no bell rings: how others wake it; or NULL */
    struct strata_waiter waiter;
    struct strata_stall stall;
};

/* Waits between two looks. Where the threads of a host outnumber its cores the thread soon lets go
 * of its core. STRATA_STALL says for what it waits: "for the rank's other threads to ...". */
void strata_thread_wait(struct strata_thread_wait *wait, const char *awaited);

/* Threads of this process wait in this way from now on, unless others have one that lets go of the
 * core sooner. */
void strata_thread_wait_so(enum strata_wait_way way);
/* Whether that way lets go of the core soon. */
bool strata_threads_share_cores(void);

#endif
