/* Whether a person watches. A rank's own standard output does not tell. Open MPI gives a rank a
 * terminal even when mpirun writes to a file, and MPICH a pipe even when mpirun writes to a
 * terminal. So this file looks at the outermost launcher among the ancestors. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/common/app.h"

static const char *const launchers[] = {"mpirun",  "mpiexec", "orterun", "orted",
                                        "prterun", "prted",   "hydra_",  "srun"};

/* Reads the name and the parent of a process from /proc/PID/stat: "PID (name) state parent ...". */
static bool process_stat(long pid, char name[32], long *parent)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, sizeof line, file);
    if (file) {
        fclose(file);
    }
    char *open = read ? strchr(line, '(') : NULL, *close = read ? strrchr(line, ')') : NULL;
    if (!open || !close) {
        return false;
    }
    *close = '\0';
    snprintf(name, 32, "%s", open + 1);
    return sscanf(close + 1, " %*c %ld", parent) == 1;
}

static bool is_launcher(const char *name)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        if (strncmp(name, launchers[i], strlen(launchers[i])) == 0) {
            return true;
        }
    }
    return false;
}

static long outermost_launcher(void)
{
    char name[32];
    long pid = getpid(), parent, ignored;
    while (process_stat(pid, name, &parent) && process_stat(parent, name, &ignored) &&
           is_launcher(name)) {
        pid = parent;
    }
    return pid;
}

bool app_terminal(void)
{
    char path[64];
    long pid = outermost_launcher();
    if (pid == getpid()) {
        return isatty(STDOUT_FILENO);
    }
    snprintf(path, sizeof path, "/proc/%ld/fd/1", pid);
    int file = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK);
    bool terminal = file >= 0 && isatty(file);
    if (file >= 0) {
        close(file);
    }
    return terminal;
}
