/* strata info: prints what the library finds on this machine, and draws it. Under mpirun one rank
 * does. */
#include "core/base/config.h"
#include "hier/setting_texts.h"
#include "tools/command/command.h"
#include "tools/command/info_mpi.h"
#include "tools/command/options.h"
#include "tools/command/words.h"

static void complain(void *context, const char *sentence, const char *instead)
{
    tool_complain(context, "%s%s%s", sentence, instead ? "; " : "", instead ? instead : "");
}

/* Without MPI only the version and the configuration can be printed. */
static int print_alone(const struct tool_command *command)
{
    struct strata_config config;
    struct tool_command speaker = *command;
    const struct strata_config_reader reader = {complain, &speaker, strata_setting_text_check, 0};
    printf("strata %s, built without MPI: no ranks to place\n\n", STRATA_VERSION);
    printf("settings: value, where it comes from, what is allowed\n");
    strata_config_read_by(&config, &reader);
    struct strata_config files;
    struct strata_diagnostic message = {""};
    if (strata_config_read_files(config.settings, &files, &reader, &message) != STRATA_OK) {
        complain(&speaker, message.text, "the file of settings does not count");
    }
    strata_config_fill(&config, &files);
    strata_config_print(&config, stdout);
    return TOOL_OK;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    const char *picture = NULL;
    const struct tool_option rows[] = {{"--draw", TOOL_VALUE, NULL, &picture},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows};
    if (argc > 1 && argv[1][0] != '-') {
        tool_complain(command, "takes no argument (\"%s\")", argv[1]);
        return TOOL_WRONG_USE;
    }
    const int code = tool_options_read_all(&options, argv, 1);
    if (code == TOOL_OK && picture && !tool_info_mpi) {
        tool_complain(command, "--draw needs ranks, and this command was built without MPI");
        return TOOL_WRONG_USE;
    }
    return code != TOOL_OK ? code
           : tool_info_mpi ? tool_info_mpi(command, picture)
                           : print_alone(command);
}

const struct tool_command tool_info = {
    .name = "info",
    .arguments = "[--draw FILE]",
    .summary = "Shows versions, topology, placement and the configuration in force",
    .help = "  strata info                                  this process alone\n"
            "  mpirun -n 8 strata info                      all ranks, printed once\n"
            "  STRATA_TOPO=node:4 mpirun -n 8 strata info   four emulated nodes\n\n"
            "  --draw FILE         also draws the host of rank 0 with its ranks, as SVG\n",
    .run = run,
};
