/* Runs SimGrid's smpirun once for each method, several at a time, and reads its output. Each method
 * has its own process, so no method changes the times of the next. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/command/preloads.h"
#include "tools/command/words.h"
#include "tools/simulate/simulate.h"

struct arguments {
    char *word[SIMULATE_ARGUMENTS];
    int count;
};

struct jobs {
    const struct simulate_request *request;
    struct simulate_results *results;
    char folder[64]; /* temporary */
    pid_t pid[SIMULATE_METHODS];
    int status[SIMULATE_METHODS];
    sigset_t before; /* the signals that were blocked when the command began */
    int signal;      /* the signal that interrupted the command; 0: none */
};

/* The signals that the command blocks and fetches while it waits: without handlers there are no
 * races. */
static sigset_t fetched_signals(void)
{
    static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaddset(&set, signals[i]);
    }
    return set;
}

static void add(struct arguments *a, const char *word)
{
    if (a->count < SIMULATE_ARGUMENTS - 1) {
        a->word[a->count] = strdup(word);
        a->count += a->word[a->count] != NULL;
        a->word[a->count] = NULL;
    }
}

static void add_number(struct arguments *a, const char *name, long value)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    add(a, name);
    add(a, text);
}

static void release(struct arguments *a)
{
    for (int i = 0; i < a->count; i++) {
        free(a->word[i]);
    }
}

/* The number of simulations to run. */
static int count_of(const struct simulate_request *r)
{
    return r->split ? 1 : r->methods;
}

static void path_in(const struct jobs *jobs, const char *name, int method, char *path, size_t size)
{
    snprintf(path, size, "%s/%s%d", jobs->folder, name, method);
}

/* Adds smpirun, its options and SimGrid's settings. */
static void add_launcher(struct arguments *a, const struct jobs *jobs, int method)
{
    const struct simulate_request *r = jobs->request;
    char cfg[16][96], hosts[128];
    path_in(jobs, "hosts", 0, hosts, sizeof hosts);
    add(a, "smpirun");
    add(a, "-quiet");
    add_number(a, "-np", r->ranks);
    add(a, "-platform");
    add(a, r->platform.path);
    add(a, "-hostfile");
    add(a, hosts);
    add(a, "--log=root.thres:critical");
    for (int i = 0; i < r->platform.ncfg; i++) {
        add(a, r->platform.cfg[i]);
    }
    int count = simulate_method_cfg(r, r->method[method], cfg);
    for (int i = 0; i < count; i++) {
        add(a, cfg[i]);
    }
}

/* Whether MPI exchanges an application's data. */
static bool by_mpi(const char *method)
{
    return strcmp(method, "mpi") == 0 || simulate_is_mpi(method);
}

/* Makes Strata exchange an application's data by an algorithm; "strata" chooses by itself. */
static bool force_exchange(const char *method)
{
    bool forced = !by_mpi(method) && strcmp(method, "strata") != 0;
    return !forced || (setenv("STRATA_ALLTOALL", method, 1) == 0 &&
                       setenv("STRATA_ALLTOALLV", method, 1) == 0);
}

/* Adds is_sort or fft, and its options. */
static void add_application(struct arguments *a, const struct jobs *jobs, int method)
{
    const struct simulate_request *r = jobs->request;
    char path[128];
    add(a, r->program);
    add(a, "--class");
    add(a, r->class);
    add(a, "--exchange");
    add(a, by_mpi(r->method[method]) ? "mpi" : "strata");
    add(a, "--json");
    path_in(jobs, "json", method, path, sizeof path);
    add(a, path);
    add_number(a, "--threads", r->threads);
}

/* Adds the program that splits, with all methods at once: a start takes longer than a call. */
static void add_split(struct arguments *a, const struct simulate_request *r)
{
    char text[SIMULATE_METHODS * sizeof r->method[0]];
    add(a, r->program);
    add(a, "--methods");
    add(a, simulate_split_list(r, false, text, sizeof text));
    add(a, "--cases");
    add(a, simulate_split_list(r, true, text, sizeof text));
    add_number(a, "--groups", r->groups);
    add_number(a, "--calls", r->calls);
    add_number(a, "--repeat", 1);
    add(a, "--begin");
    add(a, "instant");
}

static void add_program(struct arguments *a, const struct jobs *jobs, int method)
{
    const struct simulate_request *r = jobs->request;
    bool mpi = simulate_is_mpi(r->method[method]);
    if (r->split) {
        add_split(a, r);
        return;
    }
    if (r->class) {
        add_application(a, jobs, method);
        return;
    }
    add(a, r->program);
    add(a, r->collective);
    add(a, "--method");
    add(a, mpi ? "mpi" : r->method[method]);
    for (int i = 0; i < r->sizes; i++) {
        add_number(a, "--bytes", r->bytes[i]);
    }
    add(a, "--pattern");
    add(a, r->pattern);
    add_number(a, "--calls", r->calls);
    add_number(a, "--seed", r->seed);
    add_number(a, "--root", r->root);
    add_number(a, "--verify", r->verify);
}

static int open_at(const char *path, int descriptor)
{
    int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    return file >= 0 && dup2(file, descriptor) >= 0;
}

/* In the child. The other order of waits takes no time where the platform charges nothing for a
 * receipt. */
static void preload(const struct simulate_request *r)
{
    char waits[TOOL_PATH];
    const char *slash = strrchr(r->program, '/');
    bool free_receipt = false;
    for (int i = 0; i < r->platform.ncfg; i++) {
        free_receipt |= strcmp(r->platform.cfg[i], "--cfg=smpi/or:0:0:0") == 0;
    }
    snprintf(waits, sizeof waits, "%.*slibstrata_waits.so",
             slash ? (int)(slash - r->program + 1) : 0, r->program);
    /* An application's aligned_alloc and free would not match in jemalloc. */
    tool_preload(!r->class, free_receipt ? waits : NULL);
}

/* In the child: the threads of a simulated rank, not those that the user wants on this machine. */
static bool set_threads(const struct simulate_request *r)
{
    char text[32];
    snprintf(text, sizeof text, "%d", r->threads);
    return setenv("STRATA_THREADS", text, 1) == 0;
}

/* In the child: runs smpirun in a process group of its own, so that one kill ends it and its
 * children. The kernel ends this process too when the parent is killed. */
static void become(const struct jobs *jobs, int method, pid_t parent)
{
    struct arguments a = {.count = 0};
    char path[128], machine[300], adapter[32];
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    path_in(jobs, "output", method, path, sizeof path);
    bool opened = open_at(path, STDOUT_FILENO);
    path_in(jobs, "errors", method, path, sizeof path);
    opened = opened && open_at(path, STDERR_FILENO);
    snprintf(machine, sizeof machine, "STRATA_MACHINE=%s", jobs->request->platform.machine);
    snprintf(adapter, sizeof adapter, "%.17g", jobs->request->platform.adapter);
    sigprocmask(SIG_SETMASK, &jobs->before, NULL);
    opened = opened && getppid() == parent &&
             (!jobs->request->class || force_exchange(jobs->request->method[method]));
    opened = set_threads(jobs->request) && opened;
    if (jobs->request->platform.adapter > 0) {
        opened = setenv("STRATA_ADAPTER", adapter, 1) == 0 && opened; /* sim/smpi/adapter.cc */
    } else {
        unsetenv("STRATA_ADAPTER");
    }
    if (opened && (!jobs->request->platform.machine[0] || putenv(machine) == 0)) {
        add_launcher(&a, jobs, method);
        add_program(&a, jobs, method);
        preload(jobs->request);
        execvp(a.word[0], a.word);
        fprintf(stderr, "%s cannot be started: %s\n", a.word[0], strerror(errno));
    }
    release(&a);
    _exit(127);
}

static bool start(struct jobs *jobs, int method)
{
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        become(jobs, method, parent);
    }
    if (pid > 0) {
        setpgid(pid, pid);
    }
    jobs->pid[method] = pid;
    return pid > 0;
}

static void record_end(struct jobs *jobs, pid_t pid, int status)
{
    for (int m = 0; m < jobs->request->methods; m++) {
        if (jobs->pid[m] == pid) {
            jobs->pid[m] = 0;
            jobs->status[m] = status;
        }
    }
}

static void end_all(const struct jobs *jobs)
{
    for (int m = 0; m < jobs->request->methods; m++) {
        if (jobs->pid[m] > 0) {
            kill(-jobs->pid[m], SIGTERM);
        }
    }
}

/* Records the jobs that have ended. Returns their number. */
static int reap(struct jobs *jobs)
{
    int status, ended = 0;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        record_end(jobs, pid, status);
        ended++;
    }
    return ended;
}

/* Runs all jobs, as many at a time as the request allows. An interruption ends them all. */
static bool run_all(struct jobs *jobs)
{
    const sigset_t set = fetched_signals();
    int started = 0, running = 0;
    bool right = true;
    const int count = count_of(jobs->request);
    while (running > 0 || (right && started < count)) {
        if (right && running < jobs->request->jobs && started < count) {
            right = start(jobs, started++);
            if (!right) {
                tool_complain(jobs->request->command, "smpirun cannot be started: %s",
                              strerror(errno));
            }
            running += right;
            continue;
        }
        int number = sigwaitinfo(&set, NULL);
        if (number == SIGCHLD) {
            running -= reap(jobs);
        } else if (number > 0 && !jobs->signal) {
            jobs->signal = number;
            right = false;
            end_all(jobs);
        }
    }
    return right;
}

/* Reads the number behind a key of the application's JSON. */
static void read_number(const char *line, const char *key, double *number)
{
    const char *at = strstr(line, key);
    if (at) {
        at += strlen(key);
        *number = strtod(at + strspn(at, "\": ["), NULL);
    }
}

static void read_application(struct jobs *jobs, int method, const char *line)
{
    struct simulate_figure *f = &jobs->results->figure[method][0];
    read_number(line, "\"mops\"", &f->mops);
    read_number(line, "\"total_seconds\"", &f->seconds);
    read_number(line, "\"exchange_seconds\"", &f->exchange);
    f->known = f->known || strstr(line, "\"verified\": true");
}

/* Reads "result METHOD BYTES SECONDS MESSAGES BYTES OPENED HELPED verified|unverified
 * ALGORITHM". */
static void read_line(struct jobs *jobs, int method, const char *line)
{
    struct simulate_figure f = {.known = 1};
    long bytes;
    if (sscanf(line, "result %*s %ld %lf %lf %lf %lf %lf %*s %127s", &bytes, &f.seconds,
               &f.messages, &f.bytes, &f.opened, &f.helped, f.algorithm) != 7) {
        return;
    }
    for (int s = 0; s < jobs->request->sizes; s++) {
        if (jobs->request->bytes[s] == bytes) {
            jobs->results->figure[method][s] = f;
        }
    }
}

static void read_split(struct jobs *jobs, int method, const char *line)
{
    (void)method;
    simulate_split_read(jobs->request, line, jobs->results);
}

static void for_lines(struct jobs *jobs, const char *name, int method,
                      void (*act)(struct jobs *jobs, int method, const char *line))
{
    char path[128], line[1024];
    path_in(jobs, name, method, path, sizeof path);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        act(jobs, method, line);
    }
    if (file) {
        fclose(file);
    }
}

/* Whether all sizes have figures. A method that splits need not serve all cases. */
static bool all_known(const struct jobs *jobs, int method)
{
    int known = 0;
    for (int s = 0; s < jobs->request->sizes; s++) {
        known += jobs->results->figure[method][s].known;
    }
    return jobs->request->split || known == jobs->request->sizes;
}

static void print_line(struct jobs *jobs, int method, const char *line)
{
    (void)jobs;
    (void)method;
    fprintf(stderr, "  %s", line);
}

/* Reads all figures of a method, or reports why the simulation failed. */
static bool collect(struct jobs *jobs, int method)
{
    bool right = jobs->status[method] == 0;
    if (jobs->request->class) {
        for_lines(jobs, "json", method, read_application);
    } else {
        for_lines(jobs, "output", method, jobs->request->split ? read_split : read_line);
    }
    right = right && all_known(jobs, method);
    if (!right) {
        tool_complain(jobs->request->command, "the simulation of %s failed:",
                      jobs->request->split ? jobs->request->collective
                                           : jobs->request->method[method]);
        for_lines(jobs, "errors", method, print_line);
    }
    return right;
}

static void clean_up(const struct jobs *jobs)
{
    static const char *const names[] = {"output", "errors", "json", "hosts"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (int m = 0; m < jobs->request->methods; m++) {
            path_in(jobs, names[i], m, path, sizeof path);
            unlink(path);
        }
    }
    rmdir(jobs->folder);
}

static bool write_hosts(const struct jobs *jobs)
{
    const struct simulate_request *r = jobs->request;
    char path[128];
    path_in(jobs, "hosts", 0, path, sizeof path);
    FILE *file = fopen(path, "w");
    if (file) {
        tool_platform_hostfile(&r->platform, r->ranks, r->per_node, r->cyclic, file);
    }
    return file && fclose(file) == 0;
}

int simulate_run(const struct simulate_request *request, struct simulate_results *results)
{
    struct jobs jobs = {.request = request, .results = results};
    sigset_t set = fetched_signals();
    snprintf(jobs.folder, sizeof jobs.folder, "/tmp/strata-simulate-XXXXXX");
    if (!mkdtemp(jobs.folder)) {
        tool_complain(request->command, "/tmp: %s", strerror(errno));
        return TOOL_FAILED;
    }
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, &jobs.before);
    bool right = write_hosts(&jobs);
    if (!right) {
        tool_complain(request->command, "%s cannot be written: %s", jobs.folder, strerror(errno));
    }
    right = right && run_all(&jobs);
    for (int m = 0; right && m < count_of(request); m++) {
        right = collect(&jobs, m);
    }
    clean_up(&jobs);
    sigprocmask(SIG_SETMASK, &jobs.before, NULL);
    if (jobs.signal) { /* end as the fetched signal would have ended us */
        signal(jobs.signal, SIG_DFL);
        raise(jobs.signal);
    }
    return right ? TOOL_OK : TOOL_FAILED;
}
