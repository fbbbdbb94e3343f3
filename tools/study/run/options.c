/* The command line of strata study: options of all studies, then those of the one that was
 * named. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/command/words.h"
#include "tools/study/run/options.h"
#include "tools/study/run/points.h"
#include "tools/study/run/run.h"
#include "tools/study/table/memory.h"

const char study_options_help[] =
    "  list            the studies, their pictures and options\n"
    "  --output DIR    folder of the results: NAME.csv, pictures, report.html\n"
    "  --quick         a subset of the points, for minutes instead of hours\n"
    "  --jobs N        simulated points at a time (as many as processors); timed points run alone\n"
    "  --limit S       seconds that one point may take (1800)\n"
    "  --force         measure anew what is there already\n"
    "  --dry-run       print the commands of the points and stop\n"
    "  --program FILE  the strata command that runs the points (this one)\n\n"
    "Points that are in the CSV are not run again, so the same command goes on where it was\n"
    "interrupted, and without --quick it adds to what --quick has measured.\n\n"
    "  strata study sloavx --quick --output sloavx\n"
    "  strata report sloavx\n";

static bool read_number(const char *text, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && !*end && *value > 0 && *value <= most;
}

static const char *set_output(struct study_request *request, const char *value)
{
    request->output = value;
    return *value ? NULL : "the name of a folder";
}

static const char *set_jobs(struct study_request *request, const char *value)
{
    double number;
    bool good = read_number(value, STUDY_MOST_JOBS, &number) && number == (int)number;
    request->jobs = good ? (int)number : 0;
    return good ? NULL : "a whole number from 1 to 64";
}

static const char *set_limit(struct study_request *request, const char *value)
{
    return read_number(value, 1e7, &request->limit) ? NULL : "seconds, more than 0";
}

static const char *set_program(struct study_request *request, const char *value)
{
    request->program = value;
    return access(value, X_OK) == 0 ? NULL : "a program that can be run";
}

static const char *set_quick(struct study_request *request, const char *value)
{
    request->quick = !value;
    return NULL;
}

static const char *set_force(struct study_request *request, const char *value)
{
    request->force = !value;
    return NULL;
}

static const char *set_dry(struct study_request *request, const char *value)
{
    request->dry = !value;
    return NULL;
}

/* Each set returns NULL, or in words what is allowed. */
static const struct row {
    const char *name;
    bool has_value;
    const char *(*set)(struct study_request *request, const char *value);
} rows[] = {
    {"--output", true, set_output},   {"--quick", false, set_quick}, {"--jobs", true, set_jobs},
    {"--limit", true, set_limit},     {"--force", false, set_force}, {"--dry-run", false, set_dry},
    {"--program", true, set_program},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct row *find_row(const char *name)
{
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static int find_own(const struct study *study, const char *name)
{
    for (int i = 0; study->options && study->options[i].name; i++) {
        if (strcmp(study->options[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void complain_unknown(const struct tool_command *command, const struct study *study,
                             const char *word)
{
    char *names = study_copy("", 0);
    for (int i = 0; i < ROWS; i++) {
        char *longer = study_text("%s%s%s", names, i ? ", " : "", rows[i].name);
        free(names);
        names = longer;
    }
    for (int i = 0; study->options && study->options[i].name; i++) {
        char *longer = study_text("%s, %s", names, study->options[i].name);
        free(names);
        names = longer;
    }
    tool_complain(command, "unknown option \"%s\"; %s has %s", word, study->name, names);
    free(names);
}

/* Reads the option at argv[*at]. */
static int read_option(const struct tool_command *command, struct study_request *request,
                       char **argv, int *at)
{
    const char *word = argv[*at];
    const struct row *row = find_row(word);
    int own = find_own(request->study, word);
    if (!row && own < 0) {
        complain_unknown(command, request->study, word);
        return TOOL_WRONG_USE;
    }
    const char *value = !row || row->has_value ? argv[++*at] : NULL;
    if (!value && (!row || row->has_value)) {
        tool_complain(command, "%s needs a value", word);
        return TOOL_WRONG_USE;
    }
    if (!row) {
        request->values[own] = value;
        return TOOL_OK;
    }
    const char *allowed = row->set(request, value);
    if (allowed) {
        tool_complain(command, "%s %s: allowed is %s", word, value ? value : "", allowed);
    }
    return allowed ? TOOL_WRONG_USE : TOOL_OK;
}

static int name_study(const struct tool_command *command, const char *name,
                      struct study_request *request)
{
    request->study = name ? study_find(name) : NULL;
    if (request->study) {
        return TOOL_OK;
    }
    char *names = study_copy("", 0);
    for (int i = 0; study_rows[i]; i++) {
        char *longer = study_text("%s%s%s", names, i ? ", " : "", study_rows[i]->name);
        free(names);
        names = longer;
    }
    if (name) {
        tool_complain(command, "\"%s\" is no study; there are: %s", name, names);
    } else {
        tool_complain(command, "which study? there are: %s", names);
    }
    free(names);
    return TOOL_WRONG_USE;
}

static char *own_path(void)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return study_copy(path, length > 0 ? (size_t)length : 0);
}

int study_options_parse(const struct tool_command *command, int argc, char **argv,
                        struct study_request *request)
{
    char *words = study_words_join(argv);
    *request = (struct study_request){.limit = 1800, .own_path = own_path()};
    request->command = study_text("strata %s", words);
    request->program = request->own_path;
    free(words);
    int code = name_study(command, argc > 1 ? argv[1] : NULL, request);
    for (int i = 2; code == TOOL_OK && i < argc; i++) {
        code = read_option(command, request, argv, &i);
    }
    if (code == TOOL_OK && !request->output && !request->dry) {
        tool_complain(command, "where to? --output DIR names the folder of the results");
        code = TOOL_WRONG_USE;
    }
    return code;
}

void study_options_fini(struct study_request *request)
{
    free(request->command);
    free(request->own_path);
    *request = (struct study_request){0};
}
