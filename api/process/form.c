#include "api/process/form.h"

#include <stdio.h>

/* What stands around a collective's name, by form. */
static const struct {
    const char *before, *behind;
} around[] = {
    [STRATA_BLOCKING] = {"", ""},
    [STRATA_NONBLOCKING] = {"i", ""},
    [STRATA_PERSISTENT] = {"", "_init"},
};

void strata_expected_name(enum strata_collective collective, enum strata_expected_form form,
                          char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", around[form].before, strata_collective_info[collective].name,
             around[form].behind);
}
