/* Runs one command as a child process. It forks in place of posix_spawn, because only a forked
 * child can ask the kernel to end it when this process is killed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/study/run/child.h"
#include "tools/study/table/memory.h"
#include "tools/study/table/table.h"

static int nameless_file(void)
{
    char path[] = "/tmp/strata-study-XXXXXX";
    int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) {
        unlink(path);
    }
    return file;
}

/* In the child: sets its own group and files, and restores the signals. */
static _Noreturn void become(const struct study_child *child, char *const *words, pid_t parent)
{
    sigset_t none;
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || dup2(nothing, 0) < 0 || dup2(child->out, 1) < 0 ||
        dup2(child->err, 2) < 0) {
        _exit(126);
    }
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (words[0]) {
        execvp(words[0], words);
    }
    dprintf(2, "%s: %s\n", words[0] ? words[0] : "no command", strerror(errno));
    _exit(127);
}

/* exec takes text that is not const. */
static char **copy_words(const char *const *words)
{
    int count = 0;
    char **copy = NULL;
    do {
        copy = study_grow(copy, (size_t)count + 1, sizeof *copy);
        copy[count] = words[count] ? study_copy(words[count], strlen(words[count])) : NULL;
    } while (words[count++]);
    return copy;
}

static void release_words(char **words)
{
    for (int i = 0; words[i]; i++) {
        free(words[i]);
    }
    free(words);
}

bool study_child_start(struct study_child *child, const char *const *words)
{
    char **copy = copy_words(words);
    pid_t parent = getpid();
    *child = (struct study_child){.out = nameless_file(), .err = nameless_file()};
    if (child->out >= 0 && child->err >= 0) {
        child->pid = fork();
        if (child->pid == 0) {
            become(child, copy, parent);
        }
    }
    release_words(copy);
    if (child->pid <= 0) {
        study_child_release(child);
        return false;
    }
    setpgid(child->pid, child->pid); /* here too: either process may be first */
    return true;
}

bool study_child_ended(struct study_child *child, int *status)
{
    if (child->pid <= 0 || waitpid(child->pid, status, WNOHANG) != child->pid) {
        return false;
    }
    kill(-child->pid, SIGKILL);
    child->pid = 0;
    return true;
}

void study_child_stop(struct study_child *child)
{
    const struct timespec stamp = {.tv_nsec = 20000000};
    int status,
        patience = 500; /* ten seconds: mpirun ends its ranks, and hosts.sh removes its hosts */
    if (child->pid > 0) {
        kill(-child->pid, SIGTERM);
    }
    while (child->pid > 0 && !study_child_ended(child, &status)) {
        if (patience-- == 0) {
            kill(-child->pid, SIGKILL);
        }
        nanosleep(&stamp, NULL);
    }
    study_child_release(child);
}

void study_child_release(struct study_child *child)
{
    if (child->out >= 0) {
        close(child->out);
    }
    if (child->err >= 0) {
        close(child->err);
    }
    *child = (struct study_child){.out = -1, .err = -1};
}
