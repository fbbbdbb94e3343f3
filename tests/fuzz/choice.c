/* Choices of algorithms: the first byte says of which collective. */
#include "hier/choice.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strata_choice choice;
    struct strata_diagnostic message = {""};
    if (size == 0) {
        return 0;
    }
    char *text = fuzz_text(data + 1, size - 1);
    enum strata_collective collective =
        (enum strata_collective)(data[0] % (unsigned)STRATA_COLLECTIVE_COUNT);
    fuzz_require_message(strata_choice_parse(text, collective, &choice, &message), &message);
    free(text);
    return 0;
}
