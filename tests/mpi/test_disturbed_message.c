/* A host is measured by two long messages. A disturbance makes one of them take as long as the
 * other. A byte of a message must still have a cost. The times of messages between nodes become a
 * description, too.
 *
 * run: 1 */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "api/attach/measured_host.h"
#include "tests/mpi/require.h"

/* The parameters that the description of a host has. */
static struct strata_host_parameters usual(void)
{
    const struct strata_machine *host = strata_machine_host();
    struct strata_host_parameters f = {.messages = {.message = host->alpha + 2 * host->overhead},
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
        f.messages.sized[i] =
            f.messages.message + bytes * host->beta + (bytes > host->eager ? host->rendezvous : 0);
    }
    f.read = host->fetch + (STRATA_HOST_SHORT << (STRATA_HOST_SIZES - 1)) * host->copy;
    return f;
}

/* A message between nodes that takes `start`, and `byte` for each byte. */
static struct strata_message_times network(double start, double byte, int sizes)
{
    struct strata_message_times t = {.message = start};
    for (int i = 0; i < STRATA_HOST_SIZES; i++) {
        t.sized[i] = i < sizes ? start + byte * (STRATA_HOST_SHORT << i) : DBL_MAX;
    }
    return t;
}

static bool is_near(double value, double expected)
{
    return fabs(value - expected) < 0.01 * expected;
}

/* From InfiniBand to Ethernet, where time runs out. Times that cannot be, or that are doubtful and
 * near the description, change nothing. */
static void test_network(void)
{
    const struct strata_machine *base = strata_machine_host();
    const struct strata_message_times fast = network(1.5e-6, 8e-11, STRATA_HOST_SIZES),
                                      slow = network(60e-6, 80e-9, 3),
                                      none = network(DBL_MAX, 0, 0),
                                      late = network(11, 1e-9, STRATA_HOST_SIZES),
                                      free = network(1e-6, 1e-15, STRATA_HOST_SIZES),
                                      slowest = network(1e-3, 1e-6, 1),
                                      near = network(1e-6, 2 * base->beta, STRATA_HOST_SIZES);
    struct strata_machine machine = *base;
    REQUIRE(strata_network_machine(&fast, false, &machine));
    REQUIRE(is_near(machine.alpha + 2 * machine.overhead, 1.5e-6) && is_near(machine.beta, 8e-11));
    machine = *base;
    REQUIRE(strata_network_machine(&slow, true, &machine));
    REQUIRE(is_near(machine.alpha + 2 * machine.overhead, 60e-6) && is_near(machine.beta, 80e-9));
    machine = *base;
    REQUIRE(!strata_network_credible(&none) && !strata_network_credible(&late));
    REQUIRE(!strata_network_credible(&free) && strata_network_credible(&fast));
    REQUIRE(strata_network_credible(&slow) && strata_network_credible(&slowest));
    REQUIRE(!strata_network_machine(&near, true, &machine));
    REQUIRE(machine.alpha == base->alpha && machine.beta == base->beta);
    REQUIRE(machine.overhead == base->overhead && machine.rendezvous == base->rendezvous);
    REQUIRE(strata_network_machine(&near, false, &machine));
}

/* The longest message alone was disturbed, and the one before it was fast. Each is credible, the
 * byte between them is not: the description's messages stay. */
static void test_byte(void)
{
    const struct strata_machine *host = strata_machine_host();
    struct strata_host_parameters parameters = usual();
    struct strata_machine machine;
    parameters.messages.sized[STRATA_HOST_LONG] /= 4;
    parameters.messages.sized[STRATA_HOST_SIZES - 1] *= 7.9;
    REQUIRE(strata_host_machine(&parameters, &machine));
    REQUIRE_CMP(machine.beta, ==, host->beta);
    REQUIRE_CMP(machine.beta_node, ==, host->beta_node);
    REQUIRE_CMP(machine.rendezvous, ==, host->rendezvous);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct strata_host_parameters parameters = usual();
    struct strata_machine quiet, disturbed;
    REQUIRE(strata_host_machine(&parameters, &quiet));
    REQUIRE_CMP(quiet.beta, >, 0);
    REQUIRE_CMP(quiet.beta, ==, quiet.beta_node);
    parameters.messages.sized[STRATA_HOST_LONG] = parameters.messages.sized[STRATA_HOST_SIZES - 1];
    REQUIRE(strata_host_machine(&parameters, &disturbed));
    REQUIRE_CMP(disturbed.beta, >=, disturbed.beta_fetch);
    REQUIRE_CMP(disturbed.beta, >, quiet.beta / 2);
    REQUIRE_CMP(disturbed.beta, <=, 2 * quiet.beta);
    REQUIRE_CMP(disturbed.rendezvous, >=, 0);
    test_byte();
    test_network();
    MPI_Finalize();
    return 0;
}
