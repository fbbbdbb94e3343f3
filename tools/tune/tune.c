#include "tools/tune/tune.h"

#include <stdlib.h>
#include <string.h>

#include "tools/command/options.h"
#include "tools/command/words.h"

static int run(const struct tool_command *command, int argc, char **argv)
{
    const char *out = NULL, *text = "10";
    const struct tool_option rows[] = {{"--out", TOOL_VALUE, NULL, &out},
                                       {"--seconds", TOOL_VALUE, NULL, &text},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows};
    if (argc < 2 || strcmp(argv[1], "machine") != 0) {
        tool_complain(command, "what? strata tune machine");
        return TOOL_WRONG_USE;
    }
    const int code = tool_options_read_all(&options, argv, 2);
    char *end;
    const double seconds = strtod(text, &end);
    if (code == TOOL_OK && (*end || end == text || !(seconds >= 0.1 && seconds <= 60))) {
        tool_complain(command, "--seconds is \"%s\", but allowed is a number of 0.1 to 60", text);
        return TOOL_WRONG_USE;
    }
    if (code == TOOL_OK && !tool_tune_mpi) {
        tool_complain(command, "this command was built without MPI; take that of a build with it");
        return TOOL_FAILED;
    }
    return code == TOOL_OK ? tool_tune_mpi(command, out, seconds) : code;
}

const struct tool_command tool_tune = {
    .name = "tune",
    .arguments = "machine [--out FILE] [--seconds S]",
    .summary = "Measures the network between nodes, for the choice of algorithms",
    .help = "  --out FILE          writes the machine's file there, not to standard output\n"
            "  --seconds S         takes about so long, 0.1 to 60 (10)\n"
            "\n"
            "Start it as a program starts, on two nodes or more, with as many ranks on each as\n"
            "programs have. Programs then find the file as ~/.config/strata/machine or\n"
            "/etc/strata/machine, or by STRATA_MACHINE=FILE:\n"
            "\n"
            "  mkdir -p ~/.config/strata\n"
            "  srun -N 4 --ntasks-per-node 16 strata tune machine --out ~/.config/strata/machine\n",
    .run = run,
};
