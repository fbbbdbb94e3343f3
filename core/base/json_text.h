/* Text in JSON. */
#ifndef STRATA_CORE_BASE_JSON_TEXT_H
#define STRATA_CORE_BASE_JSON_TEXT_H

#include <stdio.h>

/* Writes "name": "text". The text may hold any bytes: what is no UTF-8 becomes U+FFFD. */
void strata_json_text(FILE *file, const char *name, const char *text);

#endif
