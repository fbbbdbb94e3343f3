/* A map of the least times. */
#ifndef STRATA_TOOLS_STUDY_REPORT_LEAST_H
#define STRATA_TOOLS_STUDY_REPORT_LEAST_H

#include <stdio.h>

#include "tools/study/study.h"

/* Writes a gnuplot script that names in each cell the least time and its method. */
void study_least_write(FILE *file, const struct study *study, const struct study_picture *picture,
                       const struct study_table *table);

#endif
