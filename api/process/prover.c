#define _GNU_SOURCE /* dladdr */
#include "api/process/prover.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The program may run without a library that has it. */
#pragma weak strata_check_plan

/* Opens the checker in a folder, whose path begins at the file that holds this function. */
static void *open_in(const char *folder)
{
    Dl_info here;
    char path[PATH_MAX];
    const char *end;
    int length;
    if (!dladdr((void *)strata_prover, &here) || !here.dli_fname) {
        return NULL;
    }
    end = strrchr(here.dli_fname, '/');
    length = end ? (int)(end - here.dli_fname) + 1 : 0;
    length = snprintf(path, sizeof path, "%.*s%s%s", length, here.dli_fname, folder,
                      STRATA_CHECK_LIBRARY);
    return length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

strata_prove *strata_prover(void)
{
    strata_prove *prove = NULL;
    void *library;
    if (strata_check_plan) {
        return strata_check_plan;
    }
    library = open_in(""); /* as the preload library and the checker lie */
    library = library ? library : open_in("strata/"); /* as libstrata is installed */
    library = library ? library : dlopen(STRATA_CHECK_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library) {
        *(void **)&prove = dlsym(library, "strata_check_plan");
    }
    return prove;
}

void strata_prover_check(strata_complain *complain)
{
    if (!strata_prover()) {
        complain(NULL,
                 "STRATA_CHECK is \"1\", which needs " STRATA_CHECK_LIBRARY
                 " (beside libstrata, linked or preloaded)",
                 "plans are not proved");
    }
}
