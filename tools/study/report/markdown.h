/* The answer of a study as a page of Markdown. */
#ifndef STRATA_TOOLS_STUDY_REPORT_MARKDOWN_H
#define STRATA_TOOLS_STUDY_REPORT_MARKDOWN_H

#include "tools/study/report/report.h"

/* Writes DIR/NAME.md, which shows DIR/NAME-PICTURE.svg. Returns false, with errno, where it cannot
 * be written. */
bool study_markdown_write(const struct study_report *report);

#endif
