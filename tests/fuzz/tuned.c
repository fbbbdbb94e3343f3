/* Tables of choices that were timed. */
#include "hier/tuned.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strata_tuned tuned;
    struct strata_diagnostic message = {""};
    int status = strata_tuned_parse(size > 0 ? (const char *)data : "", size, &tuned, &message);
    fuzz_require_message(status, &message);
    if (strchr(message.text, '\n') || strchr(message.text, '\033')) {
        fprintf(stderr, "\"%s\" is no line\n", message.text);
        abort();
    }
    strata_tuned_free(&tuned);
    return 0;
}
