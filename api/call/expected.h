/* Expected calls, in the form in which strata_comm_attach takes them: "alltoallv;
 * ibcast:bytes=8,root=2". */
#ifndef STRATA_API_CALL_EXPECTED_H
#define STRATA_API_CALL_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/process/form.h"
#include "core/base/error.h"

struct strata_expected_call {
    enum strata_collective collective;
    enum strata_expected_form form;
    int64_t bytes, root;
};

/* Reads the next call of a text, on a communicator of so many ranks, and moves *text behind it.
 * *more: there was a call. STRATA_ERR_SYNTAX: `message` says what is wrong, and what is allowed. */
int strata_expected_next(const char **text, int ranks, struct strata_expected_call *call,
                         bool *more, struct strata_diagnostic *message);

#endif
