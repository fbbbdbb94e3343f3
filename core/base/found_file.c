#include "core/base/found_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/config.h"

static int read_one(const char *at, strata_read_found *read, void *context,
                    char path[STRATA_FOUND_PATH], struct strata_diagnostic *message)
{
    struct strata_diagnostic why = {""};
    int status = read(context, at, &why);
    if (status == STRATA_OK && strlen(at) >= STRATA_FOUND_PATH) {
        status = strata_fail(&why, STRATA_ERR_SYNTAX, "its path is longer than %d characters",
                             STRATA_FOUND_PATH - 1);
    }
    if (status != STRATA_OK) {
        return strata_fail(message, status, "%.200s: %.250s", at, why.text);
    }
    snprintf(path, STRATA_FOUND_PATH, "%s", at);
    return STRATA_OK;
}

int strata_find_file(const char *named, const char *name, strata_read_found *read, void *context,
                     char path[STRATA_FOUND_PATH], struct strata_diagnostic *message)
{
    char at[PATH_MAX];
    int status = STRATA_ERR_UNSUPPORTED;
    path[0] = '\0';
    if (named) {
        return read_one(named, read, context, path, message);
    }
    for (int place = 0; status == STRATA_ERR_UNSUPPORTED && place < STRATA_FOLDERS; place++) {
        if (strata_config_path((enum strata_folder)place, name, at, sizeof at)) {
            struct strata_diagnostic why = {""};
            status = read_one(at, read, context, path, &why);
            strata_say(message, "%s", status == STRATA_ERR_UNSUPPORTED ? "" : why.text);
        }
    }
    return status == STRATA_ERR_UNSUPPORTED ? STRATA_OK : status;
}
