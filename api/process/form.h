/* The forms of a call, and the names of calls by form. */
#ifndef STRATA_API_PROCESS_FORM_H
#define STRATA_API_PROCESS_FORM_H

#include <stddef.h>

#include "core/plan/collective.h"

/* The forms of alltoallv: "alltoallv", "ialltoallv", "alltoallv_init". */
enum strata_expected_form { STRATA_BLOCKING, STRATA_NONBLOCKING, STRATA_PERSISTENT, STRATA_FORMS };
void strata_expected_name(enum strata_collective collective, enum strata_expected_form form,
                          char *text, size_t size);

#endif
