/* Topologies and tori: the first byte says for how many ranks; 0: the text says it. */
#include "core/topology/topology.h"
#include "core/topology/torus.h"
#include "tests/fuzz/fuzz.h"

/* A topology that the text alone sizes may take as much memory as it says. */
static int ranks_of(uint8_t first, const char *text)
{
    const char *rank = strstr(text, "rank:");
    return first == 0 && rank && strspn(rank + 5, "0123456789") <= 4 ? 0 : 1 + first % 64;
}

static void describe(const struct strata_topology *topology)
{
    char line[32];
    strata_topology_describe(topology, line, sizeof line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strata_topology *topology = NULL;
    struct strata_torus torus;
    struct strata_diagnostic message = {""}, of_torus = {""};
    if (size == 0) {
        return 0;
    }
    char *text = fuzz_text(data + 1, size - 1);
    int ranks = ranks_of(data[0], text);
    int status = strata_topology_parse(text, ranks, &topology, &message);
    fuzz_require_message(status, &message);
    if (status == STRATA_OK) {
        describe(topology);
        strata_topology_destroy(topology);
    }
    status = strata_torus_parse(text, 1 + data[0], &torus, &of_torus);
    fuzz_require_message(status, &of_torus);
    free(text);
    return 0;
}
