/* Roll calls that nobody asks for, calls that ranks give differently, and the end of a report: a
 * process beside the job, which reads the files as `strata rollcall` does. The ranks run nothing of
 * it. `strata run` starts it before it becomes rank 0 of the program. It is nobody's child, so the
 * program never meets it in a wait for its own children, and it ends with the rank. */
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

static const char prefix[] = "strata: ";

struct watch {
    const char *folder;
    double after; /* seconds; 0: no roll calls */
    int rank;     /* the process */
    int end;      /* readable when that has ended; -1: the kernel cannot tell */
    struct roll_rank *ranks;
    int count;
    struct roll_job job;
    int looks; /* before all files were there */
    /* roll calls */
    uint64_t last, answered; /* the pulse, and how often ranks had asked at the last call */
    double quiet;            /* seconds without a change */
    bool said;               /* this standstill is reported */
    bool late;               /* it is still to be said for whom others waited */
    bool checks;             /* nothing was said of calls that ranks gave differently */
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
    struct pollfd end = {.fd = w->end, .events = POLLIN};
    if (poll(&end, 1, milliseconds) > 0) {
        return true;
    }
    const struct strata_record_process process = strata_record_process(w->rank);
    return process.started == 0 || process.state == 'Z';
}

/* Whether the files of all ranks of this host are there. */
static bool is_whole(const struct roll_job *job)
{
    const struct strata_record *first = job->count > 0 ? job->ranks[0].record : NULL;
    return first && job->count >= (first->ranks_here > 0 ? first->ranks_here : first->ranks);
}

/* Ranks that have ended well have removed their files. Where fewer are left than are mapped, those
 * are looked at again. */
static void read_files(struct watch *w)
{
    struct roll_rank *ranks = NULL;
    struct roll_job job = {0};
    const char *const folders[] = {w->folder, NULL}, *wrong;
    const int read = roll_read(folders, &ranks, &wrong);
    const int count = read > 0 ? read : 0;
    if (roll_next_job(ranks, count, w->rank, &job) && job.count >= w->job.count) {
        roll_free(w->ranks, w->count);
        w->ranks = ranks;
        w->count = count;
        w->job = job;
    } else {
        roll_free(ranks, count);
        roll_read_again(&w->job);
    }
}

/* A number that changes when a rank begins a call or is asked. Reads one line of each file. */
static uint64_t pulse(const struct watch *w, uint64_t *asked)
{
    uint64_t sum = 0;
    *asked = 0;
    for (int i = 0; i < w->job.count; i++) {
        sum += w->job.ranks[i].record->next;
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

/* Calls the roll if that is due after so many seconds. Each standstill is reported once. The files
 * are read whole only where nothing has begun for so long. */
static void call_roll(struct watch *w, double seconds)
{
    uint64_t asked;
    const uint64_t now = pulse(w, &asked);
    w->quiet = now == w->last ? w->quiet + seconds : 0;
    w->said = w->said && now == w->last;
    w->last = now;
    if (asked != w->answered || (!w->said && w->quiet >= w->after)) {
        const bool has = report(w, asked != w->answered);
        w->said = w->said || (has && asked == w->answered);
        w->checks = w->checks && !has; /* it is among what is said */
        w->answered = asked;
    }
}

/* Whether rank 0 has left MPI_Finalize. Its own report is then said. */
static bool is_over(const struct watch *w)
{
    const struct strata_record *first = w->job.count > 0 ? w->job.ranks[0].record : NULL;
    return first && first->rank == 0 &&
           atomic_load_explicit(&first->ended, memory_order_acquire) > 0;
}

/* The last part of the job's report. The files that were looked at in time are still mapped. Sites
 * that take too long end this process. */
static void say_late(struct watch *w)
{
    enum { LONGEST = 30 };
    const struct strata_record *first = w->job.count > 0 ? w->job.ranks[0].record : NULL;
    alarm(LONGEST);
    if (!first) {
        printf("%swho was late is not known: the job was over before its calls were looked at\n",
               prefix);
    } else if (is_over(w)) {
        if (w->job.count < first->ranks) {
            printf("%sof %d ranks the files of %d are here; --record=FOLDER takes a folder that "
                   "all hosts share\n",
                   prefix, first->ranks, w->job.count);
        }
        roll_read_again(&w->job);
        roll_late(&w->job, prefix);
    }
    (void)fflush(stdout);
}

/* The seconds to the next look: few until all files are there, but not for ever. */
static double next_look(struct watch *w)
{
    enum { EARLY = 1000 };
    return !is_whole(&w->job) && w->looks++ < EARLY ? 0.05 : 0.25;
}

/* Says once in which calls that are still there ranks disagree. */
static void check(struct watch *w)
{
    if (w->checks && w->job.count > 0) {
        roll_read_again(&w->job);
        w->checks = roll_disagreements(&w->job, prefix) == 0;
        (void)fflush(stdout);
    }
}

static void watch(struct watch *w)
{
    double seconds = next_look(w);
    while (!has_ended(w, (int)(1000 * seconds))) {
        if (!is_whole(&w->job)) {
            read_files(w);
        }
        if (w->after > 0) {
            call_roll(w, seconds);
        }
        check(w);
        if (w->late && is_over(w)) {
            say_late(w);
            w->late = false;
        }
        seconds = next_look(w);
    }
    if (!is_whole(&w->job)) {
        read_files(w);
    }
    check(w);
    if (w->late) {
        say_late(w);
    }
}

void roll_watch(const char *folder, double after, bool late, bool checks)
{
    struct watch w = {
        .folder = folder, .after = after, .late = late, .checks = checks, .rank = getpid()};
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
