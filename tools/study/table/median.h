/* The median of numbers. */
#ifndef STRATA_TOOLS_STUDY_TABLE_MEDIAN_H
#define STRATA_TOOLS_STUDY_TABLE_MEDIAN_H

#include <stddef.h>

/* Sorts the values; of an even number of them the mean of the middle two counts. 0: there is
 * none. */
double study_median(double *values, size_t count);

#endif
