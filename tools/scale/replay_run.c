/* Keeps the folder of the traces, runs smpirun over it, and handles interruptions. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/command/preloads.h"
#include "tools/command/words.h"
#include "tools/scale/replay.h"

/* SimGrid's settings of every replay. A rank that replays needs no more than half of this stack;
 * the usual stack of 8 MiB would take the memory of ten. With guard pages, 10^4 ranks have more
 * mappings than Linux allows a process. The log shows the clock with all digits. */
static const char *const settings_always[] = {
    "--cfg=contexts/stack-size:32", "--cfg=contexts/guard-size:0",   "--log=root.fmt:[%.15r]%e%m%n",
    "--log=xbt_cfg.thresh:warning", "--log=smpi_replay.thresh:info",
};
enum { ALWAYS = sizeof settings_always / sizeof *settings_always, MOST = 128 };

static volatile sig_atomic_t caught;
static volatile pid_t running; /* the process group of smpirun; 0: none runs */

static void on_signal(int number)
{
    caught = number;
    if (running > 0) {
        kill(-running, SIGTERM);
    }
}

bool tool_replay_interrupted(void)
{
    return caught != 0;
}

static void catch_signals(void (*handler)(int))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    struct sigaction action = {.sa_handler = handler};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaction(signals[i], &action, NULL);
    }
}

int tool_replay_open(struct tool_replay_folder *folder, const char *keep,
                     const struct tool_command *command)
{
    char full[sizeof folder->path];
    folder->kept = keep != NULL;
    catch_signals(on_signal);
    if (!keep) {
        snprintf(folder->path, sizeof folder->path, "/tmp/strata-replay-%ld-XXXXXX",
                 (long)getpid());
        if (mkdtemp(folder->path)) {
            return TOOL_OK;
        }
        tool_complain(command, "%s: %s", folder->path, strerror(errno));
        return TOOL_FAILED;
    }
    bool made = mkdir(keep, 0777) == 0 || errno == EEXIST;
    char *there = made ? realpath(keep, NULL) : NULL;
    bool fits = there && strlen(there) < sizeof full;
    snprintf(folder->path, sizeof folder->path, "%s", fits ? there : "");
    free(there);
    if (!fits) {
        tool_complain(command, "--keep \"%s\": allowed is a folder that can be made", keep);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

void tool_replay_close(struct tool_replay_folder *folder)
{
    static const char *const files[] = {"trace", "hosts", "list", "output"};
    char path[512];
    for (size_t i = 0; !folder->kept && *folder->path && i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder->path, files[i]);
        unlink(path);
    }
    if (!folder->kept && *folder->path) {
        rmdir(folder->path);
    }
    if (caught) { /* end as the caught signal would have ended us */
        catch_signals(SIG_DFL);
        raise(caught);
    }
}

/* Appends the words of `settings` to the arguments. The words lie in `words`. */
static int add_settings(const char **argument, int used, const char *settings, char *words,
                        size_t size)
{
    snprintf(words, size, "%s", settings ? settings : "");
    for (char *word = strtok(words, " "); word && used < MOST - 8; word = strtok(NULL, " ")) {
        argument[used++] = word;
    }
    return used;
}

static void start(const struct tool_replay_folder *folder, const char *const *argument)
{
    char path[512];
    snprintf(path, sizeof path, "%s/output", folder->path);
    int output = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    catch_signals(SIG_DFL);
    setpgid(0, 0);
    if (output >= 0 && chdir(folder->path) == 0) {
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        tool_preload(true, NULL);
        execvp(argument[0], (char *const *)(uintptr_t)argument);
    }
    _exit(errno == ENOENT ? 127 : 126);
}

/* Runs smpirun. Returns its exit status. */
static int run_and_wait(const struct tool_replay_folder *folder, const char *const *argument)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        start(folder, argument);
    }
    if (child < 0) {
        return 126;
    }
    setpgid(child, child);
    running = child;
    if (caught) {
        kill(-child, SIGTERM);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    running = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Reads the clock at the front of SimGrid's line "Simulation time". With `show` it also prints all
 * lines, as an error report. */
static bool read_clock(const struct tool_replay_folder *folder, double *seconds, bool show)
{
    char path[512], line[1024], last[1024] = "";
    bool found = false;
    snprintf(path, sizeof path, "%s/output", folder->path);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (*line == '[' && strstr(line, "] Simulation time ")) {
            found = sscanf(line, "[%lf]", seconds) == 1;
        }
        if (*line != '\n') {
            memcpy(last, line, sizeof last);
        }
        if (show && strlen(line) > 1) {
            fprintf(stderr, "  smpirun: %s", line);
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

/* Adds to a setting of processor time (smpi/os, ois, or) that messages of 0 bytes take none. Only
 * signals have 0 bytes here, and a program that runs makes them without MPI. */
static const char *without_signals(const char *setting, char *text, size_t size)
{
    static const char names[] = "--cfg=smpi/o";
    const char *value =
        strncmp(setting, names, sizeof names - 1) == 0 ? strchr(setting, ':') : NULL;
    if (!value) {
        return setting;
    }
    snprintf(text, size, "%.*s0:0:0;%s", (int)(value + 1 - setting), setting, value + 1);
    return text;
}

int tool_replay_run(const struct tool_replay_folder *folder, int ranks,
                    const struct tool_platform *platform, const char *settings, double *seconds,
                    const struct tool_command *command)
{
    const char *argument[MOST] = {"smpirun", "-quiet", "-np"};
    char words[1024], count[16], hosts[512], list[512];
    char cfg[TOOL_PLATFORM_CFGS][2 * sizeof platform->cfg[0] + sizeof "0:0:0;"];
    char *full = realpath(platform->path, NULL);
    int used = 3;
    snprintf(count, sizeof count, "%d", ranks);
    snprintf(hosts, sizeof hosts, "%s/hosts", folder->path);
    snprintf(list, sizeof list, "%s/list", folder->path);
    const char *const rest[] = {count, "-platform", full, "-hostfile", hosts, "-replay", list};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        argument[used++] = rest[i];
    }
    for (int i = 0; i < ALWAYS; i++) {
        argument[used++] = settings_always[i];
    }
    for (int i = 0; i < platform->ncfg; i++) {
        argument[used++] = without_signals(platform->cfg[i], cfg[i], sizeof cfg[i]);
    }
    add_settings(argument, used, settings, words, sizeof words);
    int status = full && !caught ? run_and_wait(folder, argument) : 1;
    free(full);
    if (status == 127) {
        tool_complain(command, "smpirun is not there; Debian has it in libsimgrid-dev");
    } else if (caught) {
        tool_complain(command, "interrupted");
    } else if (status != 0 || !read_clock(folder, seconds, false)) {
        read_clock(folder, seconds, true);
        tool_complain(command, "smpirun failed with exit code %d", status);
    } else {
        return TOOL_OK;
    }
    return TOOL_FAILED;
}
