/* Numbers as settings and files write them. */
#ifndef STRATA_CORE_BASE_NUMBER_H
#define STRATA_CORE_BASE_NUMBER_H

/* strtod, whatever the program's locale takes for a decimal point. */
double strata_number(const char *text, char **end);

#endif
