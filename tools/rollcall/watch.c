/* Roll calls that nobody asks for, calls that ranks give differently, and the end of a report: a
 * process beside the job, which reads the files as `strata rollcall` does. The ranks run nothing of
 * it. `strata run` starts it before it becomes rank 0 of the program. It is nobody's child, so the
 * program never meets it in a wait for its own children, and it ends with the rank. Of a job on
 * several hosts each other host has such a process beside its first rank, which sends files. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tools/rollcall/hosts.h"

static const char prefix[] = "strata: ";

struct watch {
    const char *folder;
    double after; /* seconds; 0: no roll calls */
    int rank;     /* the process */
    char host[STRATA_RECORD_NAME];
    int end; /* readable when that has ended; -1: the kernel cannot tell */
    struct roll_rank *ranks;
    int count;
    struct roll_job job;
    int here;                /* so many were in files of this host */
    struct roll_hosts hosts; /* the others */
    int looks;               /* before all files were there */
    /* roll calls */
    uint64_t last, answered; /* the pulse, and how often ranks had asked at the last call */
    double quiet;            /* seconds without a change */
    bool said;               /* this standstill is reported */
    bool late;               /* it is still to be said for whom others waited */
    bool checks;             /* nothing was said of calls that ranks gave differently */
    double checked;          /* when that was looked for */
};

/* It takes no core from the ranks, which are bound to cores, and holds no file of theirs but
 * stderr: launchers wait for those to be closed. */
static void stand_aside(int door)
{
    enum { MOST = 65536, LEAST_URGENT = 19 };
    cpu_set_t all;
    const long files = sysconf(_SC_OPEN_MAX);
    for (int file = STDERR_FILENO + 1; file < MOST && file < files; file++) {
        if (file != door) {
            close(file);
        }
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

/* Each other host has a descriptor. */
static void allow_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
}

/* Waits, unless somebody is at the door before; -1: there is none. Returns whether the rank has
 * ended. */
static bool has_ended_at(const struct watch *w, int door, int milliseconds)
{
    struct pollfd ends[] = {{.fd = w->end, .events = POLLIN}, {.fd = door, .events = POLLIN}};
    if (poll(ends, sizeof ends / sizeof *ends, milliseconds) > 0 && ends[0].revents) {
        return true;
    }
    const struct strata_record_process process = strata_record_process(w->rank);
    return process.started == 0 || process.state == 'Z';
}

static bool has_ended(const struct watch *w, int milliseconds)
{
    return has_ended_at(w, -1, milliseconds);
}

/* Whether it is a file of this host. Others may write into the same folder. */
static bool is_own(const struct watch *w, const struct roll_rank *rank)
{
    const struct strata_record *record = rank->record;
    return record && !rank->sent && roll_is_here(record) && strcmp(record->host, w->host) == 0;
}

/* Whether the files of all ranks of this host are there. */
static bool is_whole(const struct watch *w)
{
    int here = 0, expected = 1;
    for (int i = 0; i < w->job.count; i++) {
        const struct strata_record *record = w->job.ranks[i].record;
        if (is_own(w, &w->job.ranks[i])) {
            expected = record->ranks_here > 0 ? record->ranks_here : record->ranks;
            here++;
        }
    }
    return here >= expected;
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
    if (roll_next_job(ranks, count, w->rank, &job) && job.count >= w->here) {
        roll_free(w->ranks, w->count);
        w->ranks = ranks;
        w->count = count;
        w->job = job;
        w->here = job.count;
    } else {
        roll_free(ranks, count);
        roll_read_again(&w->job);
    }
}

/* Reads what all hosts have. */
static void read_hosts(struct watch *w)
{
    struct roll_job job = {0};
    read_files(w);
    roll_ask_hosts(&w->hosts, ROLL_RECORDS);
    roll_add_sent(&w->ranks, &w->count, &w->hosts);
    w->job = roll_next_job(w->ranks, w->count, w->rank, &job) ? job : (struct roll_job){0};
}

/* That of this host's ranks. Reads one line of each file. */
static struct roll_pulse pulse_here(const struct watch *w)
{
    struct roll_pulse sum = {0};
    for (int i = 0; i < w->job.count; i++) {
        if (is_own(w, &w->job.ranks[i])) {
            sum.begun += w->job.ranks[i].record->next;
            sum.asked += w->job.ranks[i].record->asked;
        }
    }
    return sum;
}

static struct roll_pulse pulse(struct watch *w)
{
    struct roll_pulse sum = pulse_here(w);
    roll_ask_hosts(&w->hosts, ROLL_PULSE);
    for (int i = 0; i < w->hosts.count; i++) {
        sum.begun += w->hosts.host[i].pulse.begun;
        sum.asked += w->hosts.host[i].pulse.asked;
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
    read_hosts(w);
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
    const struct roll_pulse now = pulse(w);
    w->quiet = now.begun == w->last ? w->quiet + seconds : 0;
    w->said = w->said && now.begun == w->last;
    w->last = now.begun;
    if (now.asked != w->answered || (!w->said && w->quiet >= w->after)) {
        const bool has = report(w, now.asked != w->answered);
        w->said = w->said || (has && now.asked == w->answered);
        w->checks = w->checks && !has; /* it is among what is said */
        w->answered = now.asked;
    }
}

/* Whether rank 0 has left MPI_Finalize. Its own report is then said. */
static bool is_over(const struct watch *w)
{
    const struct strata_record *first = w->job.count > 0 ? w->job.ranks[0].record : NULL;
    return first && first->rank == 0 &&
           atomic_load_explicit(&first->ended, memory_order_acquire) > 0;
}

static void print_late(const struct roll_job *job)
{
    if (job->count < job->ranks[0].record->ranks) {
        printf("%sof %d ranks the files of %d are known\n", prefix, job->ranks[0].record->ranks,
               job->count);
    }
    roll_late(job, prefix);
}

/* The last part of the job's report. The files that were looked at in time are still mapped. Sites
 * that take too long end this process. */
static void say_late(struct watch *w)
{
    enum { LONGEST = 30 };
    const bool over = is_over(w);
    alarm(LONGEST);
    if (over) {
        read_hosts(w);
    }
    if (w->job.count == 0) {
        printf("%swho was late is not known: the job was over before its calls were looked at\n",
               prefix);
    } else if (over) {
        print_late(&w->job);
    }
    (void)fflush(stdout);
    alarm(0);
}

/* The seconds to the next look: few until all files are there, but not for ever; more where nobody
 * looks but for others. */
static double next_look(struct watch *w)
{
    enum { EARLY = 1000 };
    if (!is_whole(w) && w->looks++ < EARLY) {
        return 0.05;
    }
    return w->after > 0 || w->late || w->checks ? 0.25 : 1;
}

/* Says once in which calls that are still there ranks disagree. Other hosts send so much for that,
 * that they are asked less often, the more they are. */
static void check(struct watch *w, bool anyway)
{
    static const double rate = 16e6; /* bytes a second */
    const double now = strata_seconds();
    if (w->checks && w->job.count > 0 &&
        (anyway || now >= w->checked + (double)roll_bytes_sent(&w->hosts) / rate)) {
        if (w->hosts.count > 0) {
            read_hosts(w);
        } else {
            roll_read_again(&w->job);
        }
        w->checks = roll_disagreements(&w->job, prefix) == 0;
        w->checked = strata_seconds();
        (void)fflush(stdout);
    }
}

/* Takes one who is at the door. Readers get the records of all hosts. */
static void answer_door(struct watch *w)
{
    struct pollfd door = {.fd = w->hosts.door, .events = POLLIN};
    if (door.fd >= 0 && poll(&door, 1, 0) > 0) {
        const int reader = roll_hear(&w->hosts);
        if (reader >= 0) {
            read_hosts(w);
            (void)roll_send_records(reader, &w->job, NULL);
            close(reader);
        }
    }
}

/* Looks once, so many seconds after the last time. */
static void look(struct watch *w, double seconds)
{
    if (!is_whole(w)) {
        read_files(w);
    }
    if (w->after > 0) {
        call_roll(w, seconds);
    }
    check(w, false);
    if (w->late && is_over(w)) {
        say_late(w);
        w->late = false;
    }
}

static void watch(struct watch *w)
{
    double last = strata_seconds(), next = last + next_look(w), now = last;
    while (!has_ended_at(w, w->hosts.door, now < next ? (int)(1000 * (next - now)) + 1 : 0)) {
        answer_door(w);
        now = strata_seconds();
        if (now >= next) {
            look(w, now - last);
            last = now;
            now = strata_seconds();
            next = now + next_look(w);
        }
    }
    if (w->checks || w->late) {
        answer_door(w);
    }
    if (!is_whole(w)) {
        read_files(w);
    }
    check(w, true);
    if (w->late) {
        say_late(w);
    }
}

/* Sends what is asked for, of the ranks of this host. Returns whether it could. */
static bool tell(struct watch *w, int socket, enum roll_question question)
{
    if (question == ROLL_PULSE) {
        return roll_send_pulse(socket, pulse_here(w));
    }
    read_files(w);
    bool chosen[w->job.count > 0 ? w->job.count : 1];
    for (int i = 0; i < w->job.count; i++) {
        chosen[i] = is_own(w, &w->job.ranks[i]);
    }
    return roll_send_records(socket, &w->job, chosen);
}

/* Whether all ranks of this host have ended: the first one may be gone, and the job go on. */
static bool have_ended(const struct watch *w)
{
    bool ended = has_ended(w, 0);
    for (int i = 0; ended && i < w->job.count; i++) {
        struct roll_rank *rank = &w->job.ranks[i];
        roll_find_state(rank);
        ended = !is_own(w, rank) || rank->state <= ROLL_GONE;
    }
    return ended;
}

/* Answers until nobody asks any more. When the ranks have ended, that may take a little longer. */
static void tell_all(struct watch *w, int socket)
{
    enum { LONGEST = 30 };
    enum roll_question question;
    double ended = 0; /* since when */
    int asked = 0;
    bool whole = true;
    while (asked >= 0 && whole && (!(ended > 0) || strata_seconds() < ended + LONGEST)) {
        asked = roll_wait_for_question(socket, (int)(1000 * next_look(w)), &question);
        if (!is_whole(w)) {
            read_files(w);
        }
        whole = asked <= 0 || tell(w, socket, question);
        if (!(ended > 0) && have_ended(w)) {
            ended = strata_seconds();
        }
    }
}

/* Where the process beside rank 0 hears others, when the rank's file says it; NULL before. */
static const struct strata_record_door *find_door(const struct watch *w)
{
    const struct roll_rank *rank = w->job.ranks;
    for (int i = 0; i < w->job.count; i++, rank++) {
        if (roll_descends(rank, w->rank)) {
            return &rank->record->door;
        }
    }
    return NULL;
}

/* Connects again where it is heard no more, unless there is no door. */
static void tell_others(struct watch *w)
{
    enum { LATER = 2000 };
    const struct strata_record_door *door = NULL;
    read_files(w);
    while (!(door = find_door(w)) && !has_ended(w, (int)(1000 * next_look(w)))) {
        read_files(w);
    }
    while (door && door->port > 0) {
        const struct strata_record_door known = *door;
        const int socket = roll_connect(&known, false, ROLL_HOST);
        if (socket >= 0) {
            tell_all(w, socket);
            close(socket);
        }
        door = has_ended(w, LATER) && have_ended(w) ? NULL : find_door(w);
    }
}

/* Starts a process that does this beside the one that calls. */
static void start(struct watch *w, void (*act)(struct watch *w))
{
    w->rank = getpid();
    gethostname(w->host, sizeof w->host - 1);
    const pid_t between = fork();
    if (between == 0) {
        if (fork() == 0) {
            stand_aside(w->hosts.door);
            allow_files();
            w->end = (int)syscall(SYS_pidfd_open, w->rank, 0);
            act(w);
        }
        _exit(EXIT_SUCCESS);
    }
    if (between > 0) {
        waitpid(between, NULL, 0);
    }
    if (w->hosts.door >= 0) {
        close(w->hosts.door);
    }
}

void roll_watch(const char *folder, double after, bool late, bool checks,
                struct strata_record_door *door)
{
    struct watch w = {
        .folder = folder, .after = after, .late = late, .checks = checks, .hosts.door = -1};
    if (door && roll_open_door(&w.hosts)) {
        *door = w.hosts.said;
    }
    start(&w, watch);
}

void roll_tell_others(const char *folder)
{
    struct watch w = {.folder = folder, .hosts.door = -1};
    start(&w, tell_others);
}
