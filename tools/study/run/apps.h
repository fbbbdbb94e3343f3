/* What a study of nodes runs: applications, collectives, a program of the user. */
#ifndef STRATA_TOOLS_STUDY_RUN_APPS_H
#define STRATA_TOOLS_STUDY_RUN_APPS_H

#include "tools/study/study.h"

/* What the threads of a rank do. */
struct study_mode {
    const char *name;   /* of --modes */
    const char *words;  /* on an application's command line */
    const char *labels; /* of its results */
    bool alone;         /* means something to ranks with one thread, too */
};

struct study_app {
    const char *name;   /* NULL: any collective; "": the user's program */
    const char *option; /* the option of the size */
    const char *modes;  /* "ranks,members" */
    const char *labels; /* of the results in all modes */
};

/* Finds the app of an --app; NULL: there is none of this name. */
const struct study_app *study_app_find(const char *name);
/* Whether it is a program of the user, "./mine --size 5": a word with a path. The clock times
 * it. */
bool study_app_is_own(const struct study_app *app);
/* The most members that an application can have in all: each of fft's owns planes. */
int study_app_members(const struct study_app *app, const char *size);
/* Says what is wrong with a size; NULL: nothing. More than one size is wrong, because the rows of
 * two sizes would look alike. */
const char *study_app_wrong_size(const struct study_app *app, const char *size);

/* The mode at the beginning of the list, which moves behind it; NULL: there is none of this
 * name. */
const struct study_mode *study_mode_take(const char **list);
/* Whether all modes of the list are among `all`, and each is there once. */
bool study_modes_are_of(const char *all, const char *list);

/* The data of a block between ranks that have all data of `threads` threads each, where blocks of
 * `bytes` bytes go between threads. */
double study_merged_bytes(const char *collective, double bytes, int threads);

#endif
