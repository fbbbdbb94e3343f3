/* The places where the points of a study of nodes run, a row for each. */
#ifndef STRATA_TOOLS_STUDY_RUN_BACKENDS_H
#define STRATA_TOOLS_STUDY_RUN_BACKENDS_H

#include "tools/study/run/cases.h"

struct study_backend {
    const char *name, *place; /* its name in options; its name for people */
    /* The beginning of a case's command; NULL: `strata simulate` runs it. */
    char *(*begin)(const struct study_case *one);
    const char *(*lacks)(void); /* says what is missing; NULL: nothing */
    long (*cores)(void);        /* that all nodes share; 0: not known; NULL: a platform says it */
};

/* NULL: no backend has this name. */
const struct study_backend *study_backend_find(const char *name);

/* The command that starts ranks on this machine alone, for the caller to release; NULL in a build
 * without MPI. */
char *study_mpirun(int ranks);
/* The file of a program that was built with this one, for the caller to release. */
char *study_path_beside(const struct study_request *request, const char *program);

#endif
