/* strata run: starts a program that does not know of Strata, with Strata preloaded. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/config_rows.h"
#include "core/base/watched.h"
#include "hier/setting_texts.h"
#include "tools/command/command.h"
#include "tools/command/options.h"
#include "tools/command/words.h"
#include "tools/rollcall/rollcall.h"

static const struct strata_config_row *find_row(const char *variable)
{
    for (int i = 0; i < STRATA_CONFIG_ROWS; i++) {
        if (strcmp(strata_config_rows[i].variable, variable) == 0) {
            return &strata_config_rows[i];
        }
    }
    return NULL;
}

/* Sets a variable, and refuses a wrong value: the library would only warn of it, and here the user
 * sees the complaint. */
static int set(const struct tool_command *command, const char *variable, const char *value)
{
    const struct strata_config_row *row = find_row(variable);
    struct strata_diagnostic message = {""};
    struct strata_config config;
    if (!strata_config_set(&config, row, value)) {
        tool_complain(command, "%s is \"%s\", but allowed is %s (%s)", variable, value,
                      row->allowed, row->meaning);
        return TOOL_WRONG_USE;
    }
    if (strata_setting_text_check(variable, value, strata_config_launched(), &message) !=
        STRATA_OK) {
        tool_complain(command, "%s: %s", variable, message.text);
        return TOOL_WRONG_USE;
    }
    return setenv(variable, value, 1) == 0 ? TOOL_OK : TOOL_FAILED;
}

/* Takes "budget=1M", or for a collective "allreduce=dpml". */
static int assign(void *self, const char *option, const char *assignment)
{
    bool force = strcmp(option, "--force") == 0;
    size_t length = strcspn(assignment, "=");
    char variable[128];
    char name[64];
    enum strata_collective collective;
    snprintf(name, sizeof name, "%.*s", (int)length, assignment);
    snprintf(variable, sizeof variable, "STRATA_%s", name);
    for (char *letter = variable; *letter; letter++) {
        *letter = (char)toupper((unsigned char)*letter);
    }
    if (!assignment[length] || !find_row(variable) ||
        (force && !strata_collective_find(name, &collective))) {
        tool_complain(self, "%s is \"%s\", but allowed is %s", option, assignment,
                      force ? "COLLECTIVE=ROW, as `strata list` has them"
                            : "NAME=VALUE, as `strata info` has STRATA_NAME");
        return TOOL_WRONG_USE;
    }
    return set(self, variable, assignment + length + 1);
}

/* Options that set a variable, with the value for an option without one. */
static const struct {
    const char *name, *variable, *value;
} variables[] = {
    {"--topo", "STRATA_TOPO", ""},      {"--machine", "STRATA_MACHINE", ""},
    {"--record", "STRATA_RECORD", "1"}, {"--report", "STRATA_EXPLAIN", "summary"},
    {"--shadow", "STRATA_SHADOW", "1"}, {"--strict", "STRATA_STRICT", "1"},
};

static int set_variable(void *self, const char *option, const char *value)
{
    int row = 0;
    while (strcmp(variables[row].name, option) != 0) {
        row++;
    }
    return set(self, variables[row].variable, value ? value : variables[row].value);
}

static const struct tool_option options[] = {{"--force", TOOL_TEXT, assign, NULL},
                                             {"--set", TOOL_TEXT, assign, NULL},
                                             {"--topo", TOOL_TEXT, set_variable, NULL},
                                             {"--machine", TOOL_TEXT, set_variable, NULL},
                                             {"--record", TOOL_PERHAPS, set_variable, NULL},
                                             {"--report", TOOL_PERHAPS, set_variable, NULL},
                                             {"--shadow", TOOL_PERHAPS, set_variable, NULL},
                                             {"--strict", TOOL_FLAG, set_variable, NULL},
                                             {NULL, TOOL_FLAG, NULL, NULL}};

/* Takes the options before the program. argv[*next] is then the program. */
static int take_options(const struct tool_command *command, char **argv, int *next)
{
    struct tool_command speaker = *command;
    const struct tool_options all = {command, NULL, options, NULL, &speaker};
    int error = TOOL_OK;
    while (error == TOOL_OK && argv[*next] && argv[*next][0] == '-' &&
           strcmp(argv[*next], "--") != 0) {
        error = tool_options_read(&all, argv, next);
    }
    *next += error == TOOL_OK && argv[*next] && strcmp(argv[*next], "--") == 0;
    return error;
}

/* Finds a library beside this command, as in a build, or where libraries are installed. */
static bool find_library(const char *name, char *path, size_t size)
{
    static const char *const folders[] = {"", STRATA_LIBRARY_FOLDER "/", "../lib/strata/"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self);
    bool found = false;
    while (length > 0 && self[length - 1] != '/') {
        length--;
    }
    for (size_t i = 0; length > 0 && !found && i < sizeof folders / sizeof *folders; i++) {
        int written = snprintf(path, size, "%.*s%s%s", (int)length, self, folders[i], name);
        found = written > 0 && (size_t)written < size && access(path, R_OK) == 0;
    }
    return found;
}

/* Puts the library before all others that are preloaded. */
static bool preload(const char *path)
{
    const char *others = strata_config_preloaded();
    char list[strlen(path) + strlen(others) + 2];
    snprintf(list, sizeof list, "%s%s%s", path, *others ? ":" : "", others);
    return setenv("LD_PRELOAD", list, 1) == 0;
}

/* Returns an exit code. */
static int find_and_preload(const struct tool_command *command, const char *name)
{
    char path[PATH_MAX];
    if (!find_library(name, path, sizeof path)) {
        tool_complain(command, "there is no %s beside this command, nor in %s", name,
                      STRATA_LIBRARY_FOLDER);
        return TOOL_FAILED;
    }
    if (strpbrk(path, ": ")) {
        tool_complain(command,
                      "nothing is preloaded whose path has a space or a colon in it: \"%s\"", path);
        return TOOL_FAILED;
    }
    return preload(path) ? TOOL_OK : TOOL_FAILED;
}

/* Whether the job may have ranks on other hosts. */
static bool has_hosts(void)
{
    const int all = strata_config_launched(), here = strata_config_launched_here();
    return here == 0 ? all > 1 && strata_config_launched_nodes() != 1 : here < all;
}

/* Starts the processes beside the job: one beside rank 0 where it shall call the roll, check its
 * calls, or end its report, and where there are other hosts; and one on each of these. Returns
 * whether the program could be told. */
static bool watch(const struct strata_config *config, const char *folder)
{
    const bool reports =
        strcmp(config->explain, "summary") == 0 || strcmp(config->explain, "calls") == 0;
    const bool watches = config->rollcall > 0 || config->check > 0 || reports;
    struct strata_record_door door = {0};
    char text[STRATA_RECORD_DOOR_TEXT] = "1";
    if (strata_config_launched_first()) {
        if (watches || has_hosts()) {
            roll_watch(folder, (double)config->rollcall, reports, config->check > 0,
                       has_hosts() ? &door : NULL);
        }
    } else if (has_hosts() && strata_config_launched_first_here()) {
        roll_tell_others(folder);
    }
    if (door.port > 0) {
        strata_record_door_print(&door, text);
    }
    return (config->rollcall == 0 && door.port == 0) || strata_config_watch(text);
}

/* Preloads the recorder where it is asked for. */
static int record(const struct tool_command *command)
{
    struct strata_config config;
    strata_config_read(&config, strata_config_ignore, NULL);
    bool keep;
    const char *folder = strata_record_folder(config.record, &keep);
    if (!folder) {
        return TOOL_OK;
    }
    if (!watch(&config, folder)) {
        tool_complain(command, "out of memory");
        return TOOL_FAILED;
    }
    return find_and_preload(command, STRATA_RECORD);
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    int next = 1;
    int error = take_options(command, argv, &next);
    if (error != TOOL_OK) {
        return error;
    }
    if (strcmp(STRATA_MPI_KIND, "off") == 0) {
        tool_complain(command, "this command was built without MPI; take that of a build with it");
        return TOOL_FAILED;
    }
    if (next >= argc) {
        tool_complain(command, "which program? mpirun ... strata run -- PROGRAM [ARGUMENT]...");
        return TOOL_WRONG_USE;
    }
    error = find_and_preload(command, STRATA_PRELOAD);
    if (error == TOOL_OK) {
        error = record(command);
    }
    if (error != TOOL_OK) {
        return error;
    }
    execvp(argv[next], argv + next);
    tool_complain(command, "%s: %s", argv[next], strerror(errno));
    return TOOL_FAILED;
}

const struct tool_command tool_run = {
    .name = "run",
    .arguments = "[OPTION]... -- PROGRAM [ARGUMENT]...",
    .summary = "Runs an MPI program that nobody changed with Strata's collectives",
    .help =
        "  mpirun -n 8 strata run -- ./program\n"
        "\n"
        "  --force COLLECTIVE=ROW   an algorithm of `strata list`, or native: MPI's own\n"
        "  --set NAME=VALUE         any setting of `strata info`, as STRATA_NAME\n"
        "  --topo TEXT              emulated nodes, as STRATA_TOPO\n"
        "  --machine TEXT           the machine that prices are of, as STRATA_MACHINE\n"
        "  --record[=FOLDER]        each rank records its calls, for `strata rollcall`, in a file\n"
        "                           of /dev/shm or the folder\n"
        "  --record=keep[:FOLDER]   the file stays when the program has ended well\n"
        "  --report[=calls]         rank 0 says at the end what served its calls; or each kind\n"
        "  --shadow[=1:N]           MPI's own is called, too; a difference ends the program;\n"
        "                           1:N: at every N-th call\n"
        "  --strict                 a wrong setting ends the program\n",
    .run = run,
};
