/* The records of STRATA_EXPLAIN, under the process's lock: one for each communicator, and in it one
 * for each class of calls. They are as many as the communicators that live, and a bounded number
 * more. */
#ifndef STRATA_API_REPORT_EXPLAIN_RECORDS_H
#define STRATA_API_REPORT_EXPLAIN_RECORDS_H

#include "api/attach/process.h"
#include "api/report/explain.h"

/* A new one, at the end; NULL without memory. */
struct strata_explained_communicator *strata_explained_add(struct strata_explain *all);
/* What is said of one that is freed stays, in its own record or in one with others. */
void strata_explained_free(struct strata_explain *all, struct strata_explained_communicator *freed);
void strata_explained_release(struct strata_explain *all);

/* The class that the call belongs to; NULL without memory. */
struct strata_explained *strata_explained_class(struct strata_explained_communicator *communicator,
                                                const struct strata_call *call);
/* Adds one class with its calls to a communicator's; takes it over. */
void strata_explained_merge(struct strata_explained_communicator *into, struct strata_explained *e);

#endif
