/* What the preload library does before the program begins: it tells Strata that the program does
 * not know of it. In a program of another MPI, whose handles it cannot read, it takes itself out of
 * the list of preloaded libraries and starts the program again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/call/explain.h"
#include "api/process/process.h"
#include "internode/mpi/traits_mpi.h"

static const char file[] = STRATA_PRELOAD; /* the name of this library, with the name of its MPI */

/* Asks the MPI that the program calls, which comes before the one that this library brings
 * along. */
static bool wrong_mpi(void)
{
    int version, subversion;
    return strata_mpi_abi(&version, &subversion) != STRATA_ABI_HERE;
}

/* Copies a list of libraries without this one to `rest`, which is as long as the list. */
static bool leave_out(const char *list, char *rest)
{
    size_t length, used = 0;
    bool found = false;
    for (const char *name = list; *name; name += length + (name[length] != '\0')) {
        length = strcspn(name, ": ");
        const char *end = name + length;
        if (length >= strlen(file) && strncmp(end - strlen(file), file, strlen(file)) == 0) {
            found = true;
        } else if (length > 0) {
            used += (size_t)sprintf(rest + used, "%s%.*s", used ? ":" : "", (int)length, name);
        }
    }
    rest[used] = '\0';
    return found;
}

static void ignore(void *context, const char *sentence, const char *instead)
{
    (void)context;
    (void)sentence;
    (void)instead;
}

/* Returns only where the program cannot be started again. */
static void start_without(char **argv)
{
    const char *list = strata_config_preloaded();
    char rest[strlen(list) + 1];
    if (leave_out(list, rest) && setenv("LD_PRELOAD", rest, 1) == 0) {
        execv("/proc/self/exe", argv);
    }
}

static void leave(char **argv)
{
    static const char *const serves[] = {"Open MPI", "MPICH", "MPIs by the standard ABI"};
    struct strata_config config;
    char name[256];
    strata_config_read(&config, ignore, NULL);
    if (strata_config_launched_first()) {
        fprintf(stderr, "strata: %s is for %s, and this program uses %s; %s\n", file,
                serves[STRATA_ABI_HERE], strata_mpi_name(name, sizeof name),
                config.strict ? "STRATA_STRICT=1 ends it" : "MPI's own collectives are used");
    }
    if (!config.strict) {
        start_without(argv);
        perror("strata: the program cannot be started again");
    }
    _exit(EXIT_FAILURE);
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    (void)argc;
    strata_process_here.preloaded = true;
    strata_process_here.explain.loaded = strata_explain_now();
    if (wrong_mpi()) {
        leave(argv);
    }
}
