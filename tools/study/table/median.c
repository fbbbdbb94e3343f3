#include "tools/study/table/median.h"

#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double study_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return count > 0 ? (values[(count - 1) / 2] + values[count / 2]) / 2 : 0;
}
