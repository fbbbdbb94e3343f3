/* Roll calls that nobody asks for: a process beside the job, which reads the files as `strata
 * rollcall` does. The ranks run nothing of it. `strata run` starts it before it becomes rank 0 of
 * the program. It is nobody's child, so the program never meets it in a wait for its own children,
 * and it ends with the rank. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/rollcall/rollcall.h"

struct watch {
    const char *folder;
    double after; /* seconds */
    int rank;     /* the process */
    int end;      /* readable when that has ended; -1: the kernel cannot tell */
    struct roll_rank *ranks;
    int count;
    struct roll_job job;
};

/* It takes no core from the ranks, which are bound to cores, and holds no file of theirs but
 * stderr: launchers wait for those to be closed. */
static void stand_aside(void)
{
    enum { MOST = 65536, LEAST_URGENT = 19 };
    cpu_set_t all;
    const long files = sysconf(_SC_OPEN_MAX);
    for (int file = STDERR_FILENO + 1; file < MOST && file < files; file++) {
        close(file);
    }
    (void)setsid(); /* launchers pass signals on to the ranks' groups */
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    CPU_ZERO(&all);
    for (int core = 0; core < CPU_SETSIZE; core++) {
        CPU_SET(core, &all);
    }
    sched_setaffinity(0, sizeof all, &all);
    (void)setpriority(PRIO_PROCESS, 0, LEAST_URGENT);
}

/* Waits. Returns whether the rank has ended. */
static bool has_ended(const struct watch *w, int milliseconds)
{
    char state;
    struct pollfd end = {.fd = w->end, .events = POLLIN};
    return poll(&end, 1, milliseconds) > 0 || strata_record_started(w->rank, &state) == 0 ||
           state == 'Z';
}

/* Whether the files of all ranks of this host are there. */
static bool is_whole(const struct roll_job *job)
{
    const struct strata_record *first = job->count > 0 ? job->ranks[0].record : NULL;
    return first && job->count >= (first->ranks_here > 0 ? first->ranks_here : first->ranks);
}

static void read_files(struct watch *w)
{
    roll_free(w->ranks, w->count);
    w->ranks = NULL;
    w->job = (struct roll_job){0};
    const int count = roll_read(w->folder, &w->ranks, 0);
    w->count = count > 0 ? count : 0;
    if (!roll_next_job(w->ranks, w->count, w->rank, &w->job)) {
        w->job = (struct roll_job){0};
    }
}

/* A number that changes when a rank begins a call or is asked. Reads one line of each file. */
static uint64_t pulse(const struct watch *w, uint64_t *asked)
{
    uint64_t sum = 0;
    *asked = 0;
    for (int i = 0; i < w->job.count; i++) {
        sum += w->job.ranks[i].record->number;
        *asked += w->job.ranks[i].record->asked;
    }
    return sum;
}

/* Prints in a process of its own, which does not outlive the rank: sites may take seconds. */
static void print(const struct watch *w)
{
    enum { LOOK = 20 };
    const pid_t child = fork();
    if (child == 0) {
        (void)roll_report(&w->job, w->after);
        (void)fflush(stdout);
        _exit(EXIT_SUCCESS);
    }
    while (child > 0 && waitpid(child, NULL, WNOHANG) == 0) {
        if (has_ended(w, LOOK)) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            return;
        }
    }
}

/* Reports if ranks wait in a job that stands still, or in any case. Returns whether it has. */
static bool report(struct watch *w, bool anyway)
{
    bool waits = false;
    read_files(w);
    for (int i = 0; i < w->job.count; i++) {
        waits = waits || w->job.ranks[i].open;
    }
    const bool says = w->job.count > 0 && (anyway || (waits && w->job.still >= w->after));
    if (says) {
        print(w);
    }
    return says;
}

/* Each standstill is reported once. The files are read whole only where nothing has begun for so
 * long. */
static void watch(struct watch *w)
{
    enum { LOOK = 250 }; /* milliseconds between looks */
    uint64_t last = 0, answered = 0, asked;
    double quiet = 0;
    bool said = false;
    while (!has_ended(w, LOOK)) {
        if (!is_whole(&w->job)) {
            read_files(w);
        }
        const uint64_t now = pulse(w, &asked);
        quiet = now == last ? quiet + LOOK / 1000.0 : 0;
        said = said && now == last;
        last = now;
        if (asked != answered || (!said && quiet >= w->after)) {
            const bool has = report(w, asked != answered);
            said = said || (has && asked == answered);
            answered = asked;
        }
    }
}

void roll_watch(const char *folder, double after)
{
    struct watch w = {.folder = folder, .after = after, .rank = getpid()};
    const pid_t between = fork();
    if (between == 0) {
        if (fork() == 0) {
            stand_aside();
            w.end = (int)syscall(SYS_pidfd_open, w.rank, 0);
            watch(&w);
        }
        _exit(EXIT_SUCCESS);
    }
    if (between > 0) {
        waitpid(between, NULL, 0);
    }
}
