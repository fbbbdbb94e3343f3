#define _GNU_SOURCE
#include "core/base/number.h"

#include <locale.h>
#include <stdlib.h>

double strata_number(const char *text, char **end)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    double number = plain ? strtod_l(text, end, plain) : strtod(text, end);
    if (plain) {
        freelocale(plain);
    }
    return number;
}
