/* Where the points of a study of nodes run: one row for each place. */
#ifndef STRATA_TOOLS_STUDY_RUN_BACKENDS_H
#define STRATA_TOOLS_STUDY_RUN_BACKENDS_H

#include "tools/study/study.h"

struct study_backend_case {
    const struct study_backend *backend;
    const struct study_app *app;
    const char *name, *size;   /* "is_sort", and its class or bytes; a program's file, and "" */
    int nodes, ranks, threads; /* ranks on a node, threads of a rank */
};

/* From the options --app, --backend, --class and --bytes. False: points->refusal says why it
 * cannot be done here. */
bool study_backend_find(struct study_points *points, struct study_backend_case *one);
/* Adds the point, unless this backend cannot run it (the simulator has no threads). */
void study_backend_add(struct study_points *points, const struct study_backend_case *one);

/* The command that starts ranks on this machine alone; NULL in a build without MPI. The caller
 * releases it. */
char *study_mpirun(int ranks);
/* The file of a program that was built with this one; the caller releases it. */
char *study_path_beside(const struct study_request *request, const char *program);

#endif
