#include "tools/tune/tune.h"

#include <errno.h>
#include <string.h>

#include "core/base/config_rows.h"
#include "tools/command/options.h"
#include "tools/command/words.h"
#include "tools/tune/written.h"

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

static int complain_build(const struct tool_command *command)
{
    tool_complain(command, "this command was built without MPI; take that of a build with it");
    return TOOL_FAILED;
}

static int tune_machine(const struct tool_command *command, char **argv)
{
    struct tool_tune_request request = {.base = NULL};
    const char *seconds = "10", *base = NULL;
    const struct tool_option rows[] = {{"--out", TOOL_VALUE, NULL, &request.out},
                                       {"--seconds", TOOL_VALUE, NULL, &seconds},
                                       {"--machine", TOOL_VALUE, NULL, &base},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows};
    int code = tool_options_read_all(&options, argv, 2);
    code = code == TOOL_OK ? check(command, seconds, base, &request) : code;
    if (code == TOOL_OK) {
        code = tool_tune_mpi ? tool_tune_mpi(command, &request) : complain_build(command);
    }
    return code;
}

/* The next word of a list with commas; false behind the last. */
static bool next_word(const char **list, char *word, size_t size)
{
    const size_t length = strcspn(*list, ",");
    if (!**list) {
        return false;
    }
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

static int read_collectives(const struct tool_command *command, const char *list,
                            struct tool_calls_request *request)
{
    char word[64];
    enum strata_collective collective;
    for (const char *at = list; next_word(&at, word, sizeof word);) {
        if (!strata_collective_find(word, &collective)) {
            tool_complain(
                command, "--collectives has \"%s\", but allowed are names such as allreduce", word);
            return TOOL_WRONG_USE;
        }
        request->collectives |= 1U << collective;
    }
    return TOOL_OK;
}

static int read_patterns(const struct tool_command *command, const char *list,
                         struct tool_calls_request *request)
{
    char word[64];
    for (const char *at = list; next_word(&at, word, sizeof word);) {
        const enum strata_pattern pattern = strata_pattern_find(word);
        if (pattern == STRATA_PATTERNS) {
            tool_complain(command, "--pattern has \"%s\", but allowed are " STRATA_PATTERN_NAMES,
                          word);
            return TOOL_WRONG_USE;
        }
        request->patterns |= 1U << pattern;
    }
    return TOOL_OK;
}

static int read_bytes(const struct tool_command *command, const char *list,
                      struct tool_calls_request *request)
{
    char word[64];
    for (const char *at = list; next_word(&at, word, sizeof word);) {
        const char *end;
        int64_t bytes = 0;
        if (request->sizes == TOOL_TUNE_SIZES || !strata_config_number(word, true, &bytes, &end) ||
            *end || bytes < 1 || bytes > 64 << 20) {
            tool_complain(command, "--bytes has \"%s\", but allowed are %d sizes of 1 to 64M", word,
                          TOOL_TUNE_SIZES);
            return TOOL_WRONG_USE;
        }
        request->bytes[request->sizes++] = bytes;
    }
    return TOOL_OK;
}

static int tune_calls(const struct tool_command *command, char **argv)
{
    struct tool_calls_request request = {.sizes = 0};
    const char *minutes = "5", *bytes = "8,64,512,4K,32K,256K", *collectives = NULL;
    const char *patterns = "fixed";
    const struct tool_option rows[] = {{"--out", TOOL_VALUE, NULL, &request.out},
                                       {"--minutes", TOOL_VALUE, NULL, &minutes},
                                       {"--collectives", TOOL_VALUE, NULL, &collectives},
                                       {"--bytes", TOOL_VALUE, NULL, &bytes},
                                       {"--pattern", TOOL_VALUE, NULL, &patterns},
                                       {"--for", TOOL_VALUE, NULL, &request.record},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows};
    int code = tool_options_read_all(&options, argv, 2);
    if (code == TOOL_OK && !tool_number(minutes, 0.01, 600, &request.minutes)) {
        tool_complain(command, "--minutes is \"%s\", but allowed is a number of 0.01 to 600",
                      minutes);
        return TOOL_WRONG_USE;
    }
    request.collectives = collectives ? 0 : ~0U;
    code = code == TOOL_OK && collectives ? read_collectives(command, collectives, &request) : code;
    code = code == TOOL_OK ? read_bytes(command, bytes, &request) : code;
    code = code == TOOL_OK ? read_patterns(command, patterns, &request) : code;
    if (code == TOOL_OK) {
        code = tool_calls_mpi ? tool_calls_mpi(command, &request) : complain_build(command);
    }
    return code;
}

static int draw(const struct tool_command *command, const struct strata_tuned *tuned,
                const char *page)
{
    struct tool_written w = tool_written_open(page);
    if (w.file) {
        tool_table_draw(tuned, w.file);
    }
    return w.file && tool_written_close(&w, page) ? TOOL_OK : tool_written_complain(command, page);
}

/* The file, or that which programs find. */
static int show(const struct tool_command *command, char **argv)
{
    struct strata_tuned tuned;
    struct strata_diagnostic message = {""};
    char path[4096] = "auto";
    const char *page = NULL;
    const bool named = argv[2] && argv[2][0] != '-';
    const struct tool_option rows[] = {{"--page", TOOL_VALUE, NULL, &page},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows};
    int code = tool_options_read_all(&options, argv, named ? 3 : 2);
    if (code != TOOL_OK) {
        return code;
    }
    if (named) {
        snprintf(path, sizeof path, "%s%s", strchr(argv[2], '/') ? "" : "./", argv[2]);
    }
    if (strata_tuned_find(path, &tuned, &message) != STRATA_OK || !tuned.path[0]) {
        tool_complain(command, "%s",
                      message.text[0] ? message.text
                                      : "there is no ~/.config/strata/tuned, nor "
                                        "/etc/strata/tuned; `strata tune calls` writes one");
        return TOOL_FAILED;
    }
    tool_table_sort(&tuned);
    tool_table_show(&tuned);
    code = page ? draw(command, &tuned, page) : TOOL_OK;
    strata_tuned_free(&tuned);
    return code;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*act)(const struct tool_command *command, char **argv);
    } acts[] = {{"machine", tune_machine}, {"calls", tune_calls}, {"show", show}};
    for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof *acts; i++) {
        if (strcmp(argv[1], acts[i].name) == 0) {
            return acts[i].act(command, argv);
        }
    }
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        return TOOL_HELP;
    }
    tool_complain(command, "what? strata tune machine, calls or show");
    return TOOL_WRONG_USE;
}

const struct tool_command tool_tune = {
    .name = "tune",
    .arguments = "machine|calls [OPTION]... | show [FILE] [--page FILE]",
    .summary = "Measures the network between nodes, and times algorithms, for the choice of them",
    .help =
        "  machine              the prices of messages between two or more nodes, and inside:\n"
        "    --out FILE         writes the machine's file there, not to standard output\n"
        "    --seconds S        takes about so long, 0.1 to 60 (10)\n"
        "    --machine NAME     the description that gives what is not measured: cluster, or\n"
        "                       containers where all hosts have one kernel\n"
        "  calls                the fastest algorithm of each call, on these ranks:\n"
        "    --out FILE         writes the table there. Its rows of other calls stay, and\n"
        "                       those of the same calls where this launch agrees with them:\n"
        "                       else they become auto. Two or three launches are advised\n"
        "    --minutes M        takes about so long, 0.01 to 600 (5)\n"
        "    --collectives LIST such as allreduce,bcast; all\n"
        "    --bytes LIST       of a block or vector: 8,64,512,4K,32K,256K\n"
        "    --pattern LIST     of alltoallv, allgatherv, ...: fixed,uniform,power_law,sparse,\n"
        "                       hot_receiver, as in strata simulate; BYTES are of the longest\n"
        "                       block (fixed)\n"
        "    --for FOLDER       what a program calls whose records lie there (strata run\n"
        "                       --record=keep:FOLDER), in place of these lists; where blocks\n"
        "                       differ, with the pattern that is nearest to them\n"
        "  show [FILE]          what the table gains over no table, and over MPI's own\n"
        "    --page FILE        draws that, too, as SVG\n"
        "\n"
        "Start it as a program starts, with as many ranks on each node as programs have.\n"
        "Programs then find the files as ~/.config/strata/machine and tuned, or in\n"
        "/etc/strata, or by STRATA_MACHINE=FILE and STRATA_TUNED=FILE:\n"
        "\n"
        "  mkdir -p ~/.config/strata\n"
        "  srun -N 4 --ntasks-per-node 16 strata tune machine --out ~/.config/strata/machine\n"
        "  srun -N 4 --ntasks-per-node 16 strata tune calls --out ~/.config/strata/tuned\n",
    .run = run,
};
