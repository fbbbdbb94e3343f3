/* Parts of the page, all well-formed XML. */
#ifndef STRATA_TOOLS_STUDY_REPORT_HTML_H
#define STRATA_TOOLS_STUDY_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

void study_html_text(FILE *file, const char *text);
void study_html_head(FILE *file, const char *title);
void study_html_foot(FILE *file);
/* The picture itself, its names made unlike those of other pictures. False: there is none. */
bool study_html_picture(FILE *file, const char *path, const char *prefix);

#endif
