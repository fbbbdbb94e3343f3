/* Reads the command line of strata study: options of all studies, and options of the named
 * study. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/command/options.h"
#include "tools/command/words.h"
#include "tools/study/run/options.h"
#include "tools/study/run/points.h"
#include "tools/study/run/run.h"
#include "tools/study/table/memory.h"

const char study_options_help[] =
    "  list            the studies, their pictures and options, and the columns of their CSV "
    "files\n"
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
    return tool_number(text, 0, most, value) && *value > 0;
}

/* The request that the command line fills, and the command that complains. */
struct reader {
    const struct tool_command *command;
    struct study_request *request;
};

static int judge(const struct reader *reader, bool right, const char *name, const char *value,
                 const char *allowed)
{
    if (!right) {
        tool_complain(reader->command, "%s %s: allowed is %s", name, value, allowed);
    }
    return right ? TOOL_OK : TOOL_WRONG_USE;
}

static int take_output(void *self, const char *name, const char *value)
{
    struct reader *reader = self;
    reader->request->output = value;
    return judge(reader, *value, name, value, "the name of a folder");
}

static int take_jobs(void *self, const char *name, const char *value)
{
    struct reader *reader = self;
    double number;
    bool good = read_number(value, STUDY_MOST_JOBS, &number) && number == (int)number;
    reader->request->jobs = good ? (int)number : 0;
    return judge(reader, good, name, value, "a whole number from 1 to 64");
}

static int take_limit(void *self, const char *name, const char *value)
{
    struct reader *reader = self;
    bool good = read_number(value, 1e7, &reader->request->limit);
    return judge(reader, good, name, value, "seconds, more than 0");
}

static int take_program(void *self, const char *name, const char *value)
{
    struct reader *reader = self;
    reader->request->program = value;
    return judge(reader, access(value, X_OK) == 0, name, value, "a program that can be run");
}

static int take_own(void *self, const char *name, const char *value)
{
    struct study_request *request = ((struct reader *)self)->request;
    int i = 0;
    while (strcmp(request->study->options[i].name, name) != 0) {
        i++;
    }
    request->values[i] = value;
    return TOOL_OK;
}

/* The words of a program, for the studies that run any. */
static int take_words(const struct tool_command *command, struct study_request *request,
                      char **words)
{
    const struct study_option *option = request->study->options;
    while (option && option->name && strcmp(option->name, "--app") != 0) {
        option++;
    }
    if (!option || !option->name || !*words) {
        tool_complain(command, "--: behind it stands a program, for a study that has --app");
        return TOOL_WRONG_USE;
    }
    request->words = study_words_join(words);
    return TOOL_OK;
}

enum { OWN = sizeof((struct study_request *)NULL)->values / sizeof(const char *) };

/* Reads the options of all studies and of the named one. */
static int read_options(const struct tool_command *command, struct study_request *request,
                        char **argv)
{
    struct reader reader = {command, request};
    const struct tool_option rows[] = {{"--output", TOOL_TEXT, take_output, NULL},
                                       {"--quick", TOOL_FLAG, NULL, &request->quick},
                                       {"--jobs", TOOL_TEXT, take_jobs, NULL},
                                       {"--limit", TOOL_TEXT, take_limit, NULL},
                                       {"--force", TOOL_FLAG, NULL, &request->force},
                                       {"--dry-run", TOOL_FLAG, NULL, &request->dry},
                                       {"--program", TOOL_TEXT, take_program, NULL},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    struct tool_option own[OWN + 1] = {{NULL, TOOL_FLAG, NULL, NULL}};
    const struct study_option *options = request->study->options;
    for (int i = 0; options && options[i].name; i++) {
        own[i] = (struct tool_option){options[i].name, TOOL_TEXT, take_own, NULL};
    }
    const struct tool_options all = {command, request->study->name, rows, own, &reader};
    int at = 2, code = TOOL_OK;
    while (code == TOOL_OK && argv[at] && strcmp(argv[at], "--") != 0) {
        code = tool_options_read(&all, argv, &at);
    }
    return code == TOOL_OK && argv[at] ? take_words(command, request, argv + at + 1) : code;
}

static const struct study *find_study(const char *name)
{
    for (int i = 0; study_rows[i]; i++) {
        if (strcmp(study_rows[i]->name, name) == 0) {
            return study_rows[i];
        }
    }
    return NULL;
}

static int name_study(const struct tool_command *command, const char *name,
                      struct study_request *request)
{
    request->study = name ? find_study(name) : NULL;
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
    if (code == TOOL_OK) {
        code = read_options(command, request, argv);
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
    free(request->words);
    free(request->own_path);
    *request = (struct study_request){0};
}
