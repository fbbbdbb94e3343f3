/* Files that describe machines. */
#include "core/cost/machine_file.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strata_machine machine;
    struct strata_diagnostic message = {""};
    int status =
        strata_machine_file_parse(size > 0 ? (const char *)data : "", size, &machine, &message);
    fuzz_require_message(status, &message);
    if (strchr(message.text, '\n') || strchr(message.text, '\033')) {
        fprintf(stderr, "\"%s\" is no line\n", message.text);
        abort();
    }
    return 0;
}
