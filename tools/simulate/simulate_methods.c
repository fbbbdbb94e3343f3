/* Methods of MPI libraries, as SimGrid imitates them. */
#include <string.h>

#include "tools/simulate/simulate.h"

/* SimGrid's selectors, each of which imitates the choices of one library. */
static const char *const selectors[] = {"ompi", "mpich", "mvapich2", "impi", NULL};

static int is_selector(const char *method)
{
    int i = 0;
    while (selectors[i] && strcmp(selectors[i], method) != 0) {
        i++;
    }
    return selectors[i] != NULL;
}

int simulate_is_mpi(const char *method)
{
    return is_selector(method) || strcmp(method, "basic") == 0 || strncmp(method, "mpi:", 4) == 0;
}

/* Algorithms with few messages, for Strata's own calls of MPI and for calls outside the timing:
 * SimGrid calls bcast and allgather for every new communicator. */
static const char *const plain[] = {"coll-selector:mpich", "bcast:binomial_tree", "allreduce:rdb",
                                    "allgather:bruck", "reduce:binomial"};

int simulate_method_cfg(const struct simulate_request *request, const char *method, char cfg[][96])
{
    int count = 0;
    if (is_selector(method)) {
        snprintf(cfg[count++], 96, "--cfg=smpi/coll-selector:%s", method);
        return count;
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (request->class && strncmp(plain[i], "allreduce", 9) == 0) {
            continue; /* allreduce is timed */
        }
        size_t length = strcspn(plain[i], ":");
        if (strlen(request->collective) != length ||
            strncmp(plain[i], request->collective, length) != 0) {
            snprintf(cfg[count++], 96, "--cfg=smpi/%s", plain[i]);
        }
    }
    if (!request->class && simulate_is_mpi(method)) {
        snprintf(cfg[count++], 96, "--cfg=smpi/%s:%s", request->collective,
                 strcmp(method, "basic") == 0 ? "ompi_basic_linear" : method + 4);
    }
    return count;
}
