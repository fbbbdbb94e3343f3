/* Descriptions of machines. What is accepted is printed, and read again. */
#include "core/cost/machine.h"
#include "tests/fuzz/fuzz.h"

static void read_again(const struct strata_machine *machine)
{
    struct strata_machine again;
    struct strata_diagnostic message = {""};
    char printed[4096] = "cluster:";
    size_t length = strlen(printed);
    strata_machine_print(machine, printed + length, sizeof printed - length);
    if (printed[length] && strata_machine_parse(printed, &again, &message) != STRATA_OK) {
        fprintf(stderr, "%s: %s\n", printed, message.text);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strata_machine machine;
    struct strata_diagnostic message = {""};
    char *text = fuzz_text(data, size);
    int status = strata_machine_parse(text, &machine, &message);
    fuzz_require_message(status, &message);
    if (status == STRATA_OK) {
        read_again(&machine);
    }
    free(text);
    return 0;
}
