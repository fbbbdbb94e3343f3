/* Figures from several runs. */
#include <stdlib.h>

#include "apps/common/app.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct app_spread app_spread(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    double median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    return (struct app_spread){median, values[0], values[count - 1]};
}
