#include "tools/tune/tune.h"

#include <string.h>

#include "tools/command/options.h"
#include "tools/command/words.h"

static const struct strata_machine *find_machine(const char *name)
{
    const struct strata_machine *m = NULL;
    for (int i = 0; (m = strata_machine_at(i)) && strcmp(m->name, name) != 0; i++) {
    }
    return m;
}

/* Checks the values that were read. */
static int check(const struct tool_command *command, const char *seconds, const char *base,
                 struct tool_tune_request *request)
{
    if (!tool_number(seconds, 0.1, 60, &request->seconds)) {
        tool_complain(command, "--seconds is \"%s\", but allowed is a number of 0.1 to 60",
                      seconds);
        return TOOL_WRONG_USE;
    }
    if (base && !(request->base = find_machine(base))) {
        tool_complain(command,
                      "--machine is \"%s\", but allowed is a name of `strata list machines`", base);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct tool_tune_request request = {.base = NULL};
    const char *seconds = "10", *base = NULL;
    const struct tool_option rows[] = {{"--out", TOOL_VALUE, NULL, &request.out},
                                       {"--seconds", TOOL_VALUE, NULL, &seconds},
                                       {"--machine", TOOL_VALUE, NULL, &base},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows};
    if (argc < 2 || strcmp(argv[1], "machine") != 0) {
        tool_complain(command, "what? strata tune machine");
        return TOOL_WRONG_USE;
    }
    int code = tool_options_read_all(&options, argv, 2);
    code = code == TOOL_OK ? check(command, seconds, base, &request) : code;
    if (code == TOOL_OK && !tool_tune_mpi) {
        tool_complain(command, "this command was built without MPI; take that of a build with it");
        return TOOL_FAILED;
    }
    return code == TOOL_OK ? tool_tune_mpi(command, &request) : code;
}

const struct tool_command tool_tune = {
    .name = "tune",
    .arguments = "machine [--out FILE] [--seconds S] [--machine NAME]",
    .summary = "Measures the network between nodes, for the choice of algorithms",
    .help = "  --out FILE          writes the machine's file there, not to standard output\n"
            "  --seconds S         takes about so long, 0.1 to 60 (10)\n"
            "  --machine NAME      the description that gives what is not measured: cluster, or\n"
            "                      containers where all hosts have one kernel\n"
            "\n"
            "Start it as a program starts, on two nodes or more, with as many ranks on each as\n"
            "programs have. Programs then find the file as ~/.config/strata/machine or\n"
            "/etc/strata/machine, or by STRATA_MACHINE=FILE:\n"
            "\n"
            "  mkdir -p ~/.config/strata\n"
            "  srun -N 4 --ntasks-per-node 16 strata tune machine --out ~/.config/strata/machine\n",
    .run = run,
};
