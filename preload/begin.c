/* What the preload library does before the program begins: it tells Strata that the program does
 * not know of it. In a program that calls MPI by another ABI, whose handles it cannot read, it
 * changes the list of preloaded libraries and starts the program again. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/call/explain.h"
#include "api/process/process.h"
#include "internode/mpi/traits_mpi.h"

#ifdef STRATA_RECORDER
#define STRATA_PRELOAD_ABI "libstrata_record_abi.so"
#else
#define STRATA_PRELOAD_ABI "libstrata_preload_abi.so"
#endif

static const char file[] = STRATA_PRELOAD; /* the name of this library, with the name of its MPI */

/* The name of this library in a list of libraries, or NULL. */
static char *find(char *list)
{
    const size_t length = strlen(file);
    char *name = strstr(list, file);
    while (name && name[length] && !strchr(": ", name[length])) {
        name = strstr(name + length, file);
    }
    return name;
}

/* Takes the library of this name out of the list. */
static void leave_out(char *list, char *name)
{
    char *end = name + strlen(file);
    while (name > list && !strchr(": ", name[-1])) {
        name--;
    }
    end += *end != '\0';
    name -= name > list && !*end;
    memmove(name, end, strlen(end) + 1);
}

/* Names the library for the standard ABI in place of this one, if it lies in the same folder. Its
 * name is not longer. */
static bool exchange(char *list, char *name)
{
    static const char other[] = STRATA_PRELOAD_ABI;
    char *end = name + strlen(file);
    char *begin = name;
    while (begin > list && !strchr(": ", begin[-1])) {
        begin--;
    }
    char path[name - begin + (ptrdiff_t)sizeof other];
    snprintf(path, sizeof path, "%.*s%s", (int)(name - begin), begin, other);
    if (strlen(other) > strlen(file) || access(path, R_OK) != 0) {
        return false;
    }
    memcpy(name, other, strlen(other));
    memmove(name + strlen(other), end, strlen(end) + 1);
    return true;
}

/* Says once that this library does not serve the program. */
static void say(const struct strata_config *config)
{
    static const char *const serves[] = {"Open MPI", "MPICH", "MPIs by the standard ABI"};
    char name[256];
    if (strata_config_launched_first()) {
        fprintf(stderr, "strata: %s is for %s, and this program uses %s; %s\n", file,
                serves[STRATA_ABI_HERE], strata_mpi_name(name, sizeof name),
                config->strict ? "STRATA_STRICT=1 ends it" : "MPI's own collectives are used");
    }
}

/* Starts the program again, by the standard ABI with the library for it, otherwise without
 * Strata. */
static void leave(char **argv, enum strata_abi abi)
{
    const char *preloaded = strata_config_preloaded();
    char list[strlen(preloaded) + 1];
    struct strata_config config;
    memcpy(list, preloaded, sizeof list);
    strata_config_read(&config, strata_config_ignore, NULL);
    char *name = find(list);
    bool exchanged = name && abi == STRATA_ABI_STANDARD && exchange(list, name);
    if (!exchanged) {
        say(&config);
    }
    if (exchanged || !config.strict) {
        if (name && !exchanged) {
            leave_out(list, name);
        }
        if (name && setenv("LD_PRELOAD", list, 1) == 0) {
            execv("/proc/self/exe", argv);
        }
        perror("strata: the program cannot be started again");
    }
    if (!strata_config_launched_first()) { /* a launcher ends all ranks when one has failed */
        sleep(1);
    }
    _exit(EXIT_FAILURE);
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    int version, subversion;
    (void)argc;
    strata_process_here.preloaded = true;
    strata_process_here.explain.loaded = strata_seconds();
    /* that of the MPI that the program calls, which comes before the one that this library brings
     * along */
    enum strata_abi abi = strata_mpi_abi(&version, &subversion);
    if (abi != STRATA_ABI_HERE) {
        leave(argv, abi);
    }
}
