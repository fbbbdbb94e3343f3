/* Parts of the page, all of them well-formed XML. */
#ifndef STRATA_TOOLS_STUDY_REPORT_HTML_H
#define STRATA_TOOLS_STUDY_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/command/html_text.h"

void study_html_head(FILE *file, const char *title);
void study_html_foot(FILE *file);
/* Puts the SVG file into the page, with its identifiers prefixed to differ from those of other
 * pictures. Returns false where the file is missing. */
bool study_html_picture(FILE *file, const char *path, const char *prefix);

#endif
