/* The page of one study. */
#ifndef STRATA_TOOLS_STUDY_REPORT_PAGE_H
#define STRATA_TOOLS_STUDY_REPORT_PAGE_H

#include <stdio.h>

#include "tools/study/report/report.h"

void study_page_write(FILE *file, const struct study_report *report);

#endif
