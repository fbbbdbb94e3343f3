/* A host is measured by two long messages. A disturbance makes one of them take as long as the
 * other. A byte of a message must still have a cost.
 *
 * run: 1 */
#include "api/attach/measured_host.h"
#include "tests/mpi/require.h"

/* The parameters that the description of a host has. */
static struct strata_host_parameters usual(void)
{
    const struct strata_machine *host = strata_machine_host();
    struct strata_host_parameters f = {.message = host->alpha + 2 * host->overhead,
                                       .signal = host->signal,
                                       .line = host->signal,
                                       .block = 2 * host->signal,
                                       .copy = host->copy,
                                       .mapped = host->copy / 2,
                                       .combine = host->reduce,
                                       .combine_near = host->reduce / 2,
                                       .fetch = host->fetch};
    for (int i = 0; i < STRATA_HOST_SIZES; i++) {
        const double bytes = STRATA_HOST_SHORT << i;
        f.sized[i] = f.message + bytes * host->beta + (bytes > host->eager ? host->rendezvous : 0);
    }
    f.read = host->fetch + (STRATA_HOST_SHORT << (STRATA_HOST_SIZES - 1)) * host->copy;
    return f;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct strata_host_parameters parameters = usual();
    struct strata_machine quiet, disturbed;
    REQUIRE(strata_host_machine(&parameters, &quiet));
    REQUIRE_CMP(quiet.beta, >, 0);
    REQUIRE_CMP(quiet.beta, ==, quiet.beta_node);
    parameters.sized[STRATA_HOST_LONG] = parameters.sized[STRATA_HOST_SIZES - 1];
    REQUIRE(strata_host_machine(&parameters, &disturbed));
    REQUIRE_CMP(disturbed.beta, >=, disturbed.beta_fetch);
    REQUIRE_CMP(disturbed.beta, >, quiet.beta / 2);
    REQUIRE_CMP(disturbed.beta, <=, 2 * quiet.beta);
    REQUIRE_CMP(disturbed.rendezvous, >=, 0);
    MPI_Finalize();
    return 0;
}
