/* Sizes, ranges of sizes, and lists of names. */
#include "core/base/config.h"
#include "core/base/lists.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strata_ranges ranges;
    struct strata_diagnostic message = {""};
    char *text = fuzz_text(data, size);
    const char *end = NULL;
    int64_t value = 0;
    if (strata_config_number(text, true, &value, &end) && (value < 0 || end < text)) {
        abort();
    }
    fuzz_require_message(strata_ranges_parse(text, &ranges, &message), &message);
    strata_ranges_meet(&ranges, 8, 64);
    strata_names_hold(text, "fft_x");
    free(text);
    return 0;
}
