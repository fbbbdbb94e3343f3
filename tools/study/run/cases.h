/* The cases of a study of nodes: an app in one mode, on one split of the cores. */
#ifndef STRATA_TOOLS_STUDY_RUN_CASES_H
#define STRATA_TOOLS_STUDY_RUN_CASES_H

#include "tools/study/run/apps.h"

struct study_backend;

struct study_case {
    const struct study_backend *backend;
    const struct study_app *app;
    const struct study_mode *mode;
    /* "is_sort" and its class, a collective and its bytes, or a program's file and "". */
    const char *name, *size;
    int nodes, ranks, threads; /* nodes, ranks of a node, threads of a rank */
    int total;                 /* cores that the case splits */
    long cores;                /* that there are; 0: not known */
    int repeat;
    bool cyclic; /* ranks are dealt to hosts in turn */
    enum study_format
        format; /* of a program of the user, with its time and unit (struct study_point) */
    const char *time;
    double unit;
    const char *platform; /* the simulated cluster; NULL: none */
    int node_cores;       /* of a node of it */
    bool members;         /* it has rows of members, too */
};

/* Finds the case of the options --app, --backend, --class and --bytes. Returns false where it
 * cannot run here; points->refusal says why. */
bool study_case_find(struct study_points *points, struct study_case *one);
/* The modes that the case may have: "ranks,members". */
const char *study_case_modes(const struct study_case *one);
/* Adds the point, unless this backend cannot run it. Simulated members are endpoints of their own,
 * so a point of ranks with one thread has the rows of as many members, too. */
void study_case_add(struct study_points *points, const struct study_case *one);

#endif
