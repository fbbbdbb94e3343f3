/* Text in pages and pictures. */
#ifndef STRATA_TOOLS_COMMAND_HTML_TEXT_H
#define STRATA_TOOLS_COMMAND_HTML_TEXT_H

#include <stdio.h>

/* Writes the text with what HTML and XML have instead of their own marks. */
void tool_html_text(FILE *file, const char *text);

#endif
