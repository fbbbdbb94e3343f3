/* The places where the points of a study of nodes run, a row for each. */
#ifndef STRATA_TOOLS_STUDY_RUN_BACKENDS_H
#define STRATA_TOOLS_STUDY_RUN_BACKENDS_H

#include "tools/study/study.h"

struct study_backend_case {
    const struct study_backend *backend;
    const struct study_app *app;
    /* "is_sort" and its class, a collective and its bytes, or a program's file and "". */
    const char *name, *size;
    int nodes, ranks, threads; /* nodes, ranks of a node, threads of a rank */
};

/* Finds the case of the options --app, --backend, --class and --bytes. Returns false where it
 * cannot run here; points->refusal says why. */
bool study_backend_find(struct study_points *points, struct study_backend_case *one);
/* Adds the point, unless this backend cannot run it: the simulator has no threads. */
void study_backend_add(struct study_points *points, const struct study_backend_case *one);

/* The command that starts ranks on this machine alone, for the caller to release; NULL in a build
 * without MPI. */
char *study_mpirun(int ranks);
/* The file of a program that was built with this one, for the caller to release. */
char *study_path_beside(const struct study_request *request, const char *program);

#endif
