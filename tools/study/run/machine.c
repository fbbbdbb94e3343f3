/* Describes how a figure was made: on which machine, with which programs, by which command,
 * when. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "tools/study/run/machine.h"

#include "tools/study/run/child.h"
#include "tools/study/run/points.h"
#include "tools/study/table/files.h"
#include "tools/study/table/memory.h"

#ifndef STRATA_MPIEXEC
#define STRATA_MPIEXEC ""
#endif

/* Runs a command for at most ten seconds. Returns its output; NULL where it fails. */
static char *output_of(const char *const *words)
{
    const struct timespec stamp = {.tv_nsec = 5000000};
    struct study_child child;
    int status = 0;
    if (!*words[0] || !study_child_start(&child, words)) {
        return NULL;
    }
    for (int i = 0; i < 2000 && !study_child_ended(&child, &status); i++) {
        nanosleep(&stamp, NULL);
    }
    char *text = child.pid == 0 && status == 0 ? study_descriptor_read(child.out) : NULL;
    study_child_stop(&child);
    return text;
}

bool study_command_works(const char *const *words)
{
    char *text = output_of(words);
    bool works = text != NULL;
    free(text);
    return works;
}

char *study_first_line(const char *const *words)
{
    char *text = output_of(words);
    char *line = study_copy(text ? text : "", text ? strcspn(text, "\n") : 0);
    free(text);
    return line;
}

static char *processor(void)
{
    char *text = study_file_read("/proc/cpuinfo");
    char *found = text ? strstr(text, "model name") : NULL;
    found = found ? strchr(found, ':') : NULL;
    found = found ? found + 1 + strspn(found + 1, " \t") : NULL;
    char *name = found ? study_copy(found, strcspn(found, "\n")) : study_copy("unknown", 7);
    free(text);
    return name;
}

/* The commit of the source tree that this program was built in. */
static char *commit(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) {
        *slash = '\0';
    }
    return study_first_line((const char *[]){"git", "-C", path, "describe", "--always", "--dirty",
                                             "--abbrev=12", "--exclude=*", NULL});
}

char *study_machine_describe(const struct study_request *request)
{
    struct utsname system;
    char date[64];
    time_t now = time(NULL);
    struct tm parts;
    uname(&system);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
    char *name = processor(), *tree = commit();
    char *mpi = study_first_line((const char *[]){STRATA_MPIEXEC, "--version", NULL});
    char *simgrid = study_first_line((const char *[]){"smpirun", "-version", NULL});
    char *text = study_text("# run: %s\n# command: %s\n# strata: %s\n# commit: %s\n"
                            "# processor: %s\n# cores: %ld\n# kernel: %s %s\n# mpi: %s\n"
                            "# simulator: %s\n",
                            date, request->command, STRATA_VERSION, *tree ? tree : "unknown", name,
                            sysconf(_SC_NPROCESSORS_ONLN), system.sysname, system.release,
                            *mpi ? mpi : "none", *simgrid ? simgrid : "none");
    free(simgrid);
    free(mpi);
    free(tree);
    free(name);
    return text;
}
