/* Tables of what a study of nodes runs. An application has a row, and so has a mode of its
 * threads. */
#include <limits.h>
#include <string.h>

#include "core/base/config.h"
#include "core/plan/collective.h"
#include "tools/study/run/apps.h"

#define MESSAGES                                                                                   \
    "seconds=@total_seconds;messages_between=@messages_between_nodes;"                             \
    "bytes_between=@bytes_between_nodes"

static const struct study_app apps[] = {
    {"is_sort", "--class", "ranks,members,parts", MESSAGES},
    {"fft", "--class", "ranks,members", MESSAGES},
    {NULL, "--bytes", "ranks",
     "seconds=@real_time*1e-6|@mpi_us*1e-6;messages_between=@messages_between|;"
     "bytes_between=@bytes_between|"},
};
static const struct study_app own_program = {"", NULL, "ranks", ""};

/* MPI's collectives serve ranks only. */
static const struct study_mode modes[] = {
    {"ranks", "--exchange both", "method=@exchange", true},
    {"members", "--exchange strata --mode members", "method=members", false},
    {"parts", "--exchange strata --mode parts", "method=parts", false},
};
enum { MODES = sizeof modes / sizeof *modes };

const struct study_app *study_app_find(const char *name)
{
    const struct study_app *app = apps;
    enum strata_collective collective;
    if (memchr(name, '/', strcspn(name, " "))) {
        return &own_program;
    }
    while (app->name && strcmp(app->name, name) != 0) {
        app++;
    }
    return app->name || strata_collective_find(name, &collective) ? app : NULL;
}

bool study_app_is_own(const struct study_app *app)
{
    return app == &own_program;
}

int study_app_members(const struct study_app *app, const char *size)
{
    static const struct {
        char class;
        int planes; /* of the shorter of the axes that are cut */
    } classes[] = {{'S', 64}, {'W', 32}, {'A', 128}, {'B', 256}, {'C', 512}, {'D', 1024}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (app->name && strcmp(app->name, "fft") == 0 && *size == classes[i].class) {
            return classes[i].planes;
        }
    }
    return INT_MAX;
}

const char *study_app_wrong_size(const struct study_app *app, const char *size)
{
    int64_t bytes;
    const char *end;
    if (study_app_is_own(app)) {
        return NULL;
    }
    if (app->name) {
        return strlen(size) == 1 && strchr("SWABCD", *size) ? NULL
                                                            : "--class must be S, W, A, B, C or D";
    }
    bool right = strata_config_number(size, true, &bytes, &end) && !*end;
    return right && bytes <= 1 << 30 ? NULL : "--bytes must be one number, such as 64 or 4K";
}

const struct study_mode *study_mode_take(const char **list)
{
    size_t length = strcspn(*list, ",");
    const struct study_mode *found = NULL;
    for (int i = 0; i < MODES; i++) {
        if (strlen(modes[i].name) == length && strncmp(modes[i].name, *list, length) == 0) {
            found = &modes[i];
        }
    }
    *list += length + ((*list)[length] == ',');
    return found;
}

bool study_modes_are_of(const char *all, const char *list)
{
    unsigned seen = 0, has = 0;
    for (const char *at = all; *at;) {
        has |= 1u << (study_mode_take(&at) - modes);
    }
    while (*list) {
        const struct study_mode *mode = study_mode_take(&list);
        unsigned bit = mode ? 1u << (mode - modes) : 0;
        if (!(has & bit) || seen & bit) {
            return false;
        }
        seen |= bit;
    }
    return seen != 0;
}

/* How often the threads of a rank multiply a block: by those of both its ends, or of one. */
double study_merged_bytes(const char *collective, double bytes, int threads)
{
    static const struct {
        const char *name;
        int power;
    } powers[] = {
        {"alltoall", 2}, {"allgather", 1}, {"gather", 1}, {"scatter", 1}, {"reduce_scatter", 1}};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        if (strncmp(collective, powers[i].name, strlen(powers[i].name)) == 0) {
            return bytes * threads * (powers[i].power == 2 ? threads : 1);
        }
    }
    return bytes;
}
