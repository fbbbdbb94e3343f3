#define _GNU_SOURCE /* dladdr */
#include "internode/mpi/traits_mpi.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* The last row serves each MPI that has none of its own, as a descendant of MPICH. */
static const struct strata_mpi_traits families[] = {
    {.name = "Open MPI", .abi = STRATA_ABI_OPEN_MPI, .abort_may_hang = true, .reductions_crash = 6},
    {.name = "MPICH", .abi = STRATA_ABI_MPICH, .errors_at_world = true, .may_hide_errors = true},
    {.name = "SMPI", .abi = STRATA_ABI_MPICH, .errors_at_world = true},
    {.name = "another MPI",
     .abi = STRATA_ABI_MPICH,
     .errors_at_world = true,
     .may_hide_errors = true},
};
enum { OTHER = sizeof families / sizeof *families - 1 };

/* Another MPI than that of the header may write more than the header says. */
enum { LONGEST = 1 << 14 };

static const struct strata_mpi_traits *find(const char *text)
{
    int i = 0;
    while (i < OTHER && !strstr(text, families[i].name)) {
        i++;
    }
    return &families[i];
}

/* Threads may come here at the same time: they find the same. */
const struct strata_mpi_traits *strata_mpi_traits(void)
{
    static const struct strata_mpi_traits *_Atomic found;
    /* relaxed: a row never changes */
    const struct strata_mpi_traits *traits = atomic_load_explicit(&found, memory_order_relaxed);
    if (!traits) {
        char text[LONGEST] = "";
        int length = 0;
        PMPI_Get_library_version(text, &length);
        traits = find(text);
        atomic_store_explicit(&found, traits, memory_order_relaxed);
    }
    return traits;
}

/* "Open MPI v4.1.4, package: ..." */
int strata_mpi_version(void)
{
    char text[LONGEST] = "";
    int length = 0, version = 0;
    PMPI_Get_library_version(text, &length);
    const char *name = strstr(text, strata_mpi_traits()->name);
    return name && sscanf(name + strlen(strata_mpi_traits()->name), " v%d", &version) == 1 ? version
                                                                                           : 0;
}

static bool handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled = true;
}

/* The call is wrong, and sends nothing where MPI does not look at its arguments. */
bool strata_mpi_hides_errors(MPI_Comm alone)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    int error = MPI_ERR_OTHER;
    handled = false;
    if (PMPI_Comm_create_errhandler(handle, &handler) == MPI_SUCCESS) {
        PMPI_Comm_set_errhandler(alone, handler);
        error = PMPI_Send(NULL, -1, MPI_BYTE, MPI_PROC_NULL, 0, alone);
        PMPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
        PMPI_Errhandler_free(&handler);
    }
    return handled && error == MPI_SUCCESS;
}

/* An older MPI has no MPI_Abi_get_version. Then another library that is loaded may have it, which
 * does not count. */
enum strata_abi strata_mpi_abi(int *version, int *subversion)
{
    int (*ask)(int *, int *) = NULL;
    Dl_info mpi, asked;
    *(void **)&ask = dlsym(RTLD_DEFAULT, "PMPI_Abi_get_version");
    *version = *subversion = -1;
    if (ask && dladdr((void *)ask, &asked) && dladdr((void *)PMPI_Get_library_version, &mpi) &&
        asked.dli_fbase == mpi.dli_fbase) {
        ask(version, subversion);
    }
    return *version > 0 ? STRATA_ABI_STANDARD : strata_mpi_traits()->abi;
}

/* The first words that the library says about itself; "MPICH Version: 4.0.2" shorter. */
static void say_version(char *text, size_t bytes)
{
    char library[LONGEST] = "", name[32] = "", number[32] = "";
    int length = 0;
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    if (sscanf(library, "%31s Version: %31s", name, number) == 2) {
        snprintf(text, bytes, "%s %s", name, number);
    } else {
        snprintf(text, bytes, "%s", library);
    }
}

const char *strata_mpi_name(char *text, size_t bytes)
{
    int version, subversion;
    say_version(text, bytes);
    if (strata_mpi_abi(&version, &subversion) == STRATA_ABI_STANDARD) {
        const size_t used = strlen(text);
        snprintf(text + used, bytes - used, " by the standard ABI %d.%d", version, subversion);
    }
    return text;
}
