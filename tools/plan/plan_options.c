/* The command line of strata plan. Options can set what the library reads from the environment.
 * Both go through the same table and the same checks. */
#include <limits.h>
#include <string.h>

#include "core/base/config_rows.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

const char tool_plan_help[] =
    "  --topo LEVELS       nodes and ranks: \"node:4 rank:16\", \"node:3,3,2\",\n"
    "                      \"node:4:cyclic rank:9\", \"node:2 domain:2 adapter:2 rank:16\"\n"
    "  --algo CHOICE       auto (cheapest), or a name of `strata list`, with parameters:\n"
    "                      leaders:leaders=1,radix=2\n"
    "  --root R            of bcast, reduce, gather, scatter (0)\n"
    "  --ordered           the operator of a reduction does not commute\n"
    "  --torus SHAPE       that the ranks lie on: 8x8x8, 4x3:mesh\n"
    "  --rank R            whose plan is printed; else the rank that bounds the call\n"
    "  --bytes B           size of each block, or of the vector of bcast, reduce, allreduce,\n"
    "                      scan: for the choice and the price (8)\n"
    "  --machine M         a name of `strata list machines`, or name:parameter=value,...\n"
    "  --budget B          staging memory of a node: a program's first communicator has half\n"
    "  --threshold B       larger blocks go rank to rank\n"
    "  --passes N          most passes where the budget is small\n"
    "  --seed N            which blocks are empty or large when the plan is proved (1)\n"
    "  --no-check          leave the proof out: it is slow for many ranks\n"
    "  --csv               counts of all ranks in a line of CSV, and nothing else\n"
    "  --builds N          time to build the plan of one rank, the median of N times, in a\n"
    "                      line of CSV, and nothing else\n\n"
    "Sizes take K, M, G, also as k, KB, KiB. Where an option is missing, STRATA_TOPO,\n"
    "STRATA_ALLTOALLV, STRATA_MACHINE, STRATA_BUDGET, ... decide.\n\n"
    "  strata plan alltoallv --algo leaders:leaders=1,radix=2 --topo \"node:4 rank:16\"\n"
    "  strata plan alltoallv --algo sloav:radix=3 --topo \"node:4 rank:13\"\n"
    "  strata plan alltoall --topo \"node:32 rank:512\" --bytes 64 --no-check\n"
    "  strata plan bcast --algo mst_torus --torus 4x4 --topo \"node:16 rank:16\" --root 5\n";

/* Options that set a variable of the configuration table. */
struct override {
    const char *name, *variable;
    size_t offset, size;
};
#define OVERRIDE(name, variable, field)                                                            \
    {                                                                                              \
        name, variable, offsetof(struct strata_config, field),                                     \
            sizeof(((struct strata_config *)NULL)->field)                                          \
    }
static const struct override overrides[] = {
    OVERRIDE("--topo", "STRATA_TOPO", topo),
    OVERRIDE("--torus", "STRATA_TORUS", torus),
    OVERRIDE("--machine", "STRATA_MACHINE", machine),
    OVERRIDE("--budget", "STRATA_BUDGET", budget),
    OVERRIDE("--threshold", "STRATA_THRESHOLD", threshold),
    OVERRIDE("--passes", "STRATA_PASSES", passes),
};
enum { OVERRIDES = sizeof overrides / sizeof *overrides };

static void complain(void *context, const char *sentence, const char *instead)
{
    const struct tool_plan_request *request = context;
    tool_complain(request->command, "%s%s%s", sentence, instead ? "; " : "",
                  instead ? instead : "");
}

/* A complaint of the configuration, told with the option's name in place of the variable's. */
struct refusal {
    const struct tool_command *command;
    const struct override *row;
    bool happened;
};

static void refuse(void *context, const char *sentence, const char *instead)
{
    struct refusal *refusal = context;
    (void)instead;
    refusal->happened = true;
    tool_complain(refusal->command, "%s%s", refusal->row->name,
                  sentence + strlen(refusal->row->variable));
}

/* Reads a value by the configuration's own rules and stores it in request->config. */
static int override(struct tool_plan_request *request, const struct override *row,
                    const char *value)
{
    char entry[512];
    const char *environment[] = {entry, NULL};
    struct strata_config config;
    struct refusal refusal = {request->command, row, false};
    const struct strata_config_reader reader = {refuse, &refusal, NULL, 0};
    snprintf(entry, sizeof entry, "%s=%s", row->variable, value);
    strata_config_read_from(&config, environment, &reader);
    memcpy((unsigned char *)&request->config + row->offset,
           (const unsigned char *)&config + row->offset, row->size);
    return refusal.happened ? TOOL_WRONG_USE : TOOL_OK;
}

/* Reads a whole number of at most `most`, with K, M or G behind it if need be. Returns -1 where the
 * text is none. */
static int64_t read_number(const char *text, int64_t most)
{
    int64_t value = 0;
    const char *end;
    bool right = strata_config_number(text, true, &value, &end) && !*end && value <= most;
    return right ? value : -1;
}

static int take_number(void *self, const char *name, const char *text)
{
    struct tool_plan_request *request = self;
    const int64_t most = strcmp(name, "--bytes") == 0 ? 1000000000000 : INT_MAX;
    int64_t value = read_number(text, most);
    if (value < 0) {
        tool_complain(request->command, "%s \"%s\": must be a whole number from 0 to %lld", name,
                      text, (long long)most);
        return TOOL_WRONG_USE;
    }
    if (strcmp(name, "--bytes") == 0) {
        request->block_bytes = (double)value;
    } else if (strcmp(name, "--rank") == 0) {
        request->rank = (int)value;
    } else if (strcmp(name, "--root") == 0) {
        request->root = (int)value;
    } else {
        request->seed = (unsigned)value;
    }
    return TOOL_OK;
}

static const struct override *find_override(const char *name)
{
    for (int i = 0; i < OVERRIDES; i++) {
        if (strcmp(name, overrides[i].name) == 0) {
            return &overrides[i];
        }
    }
    return NULL;
}

static int take_override(void *self, const char *name, const char *value)
{
    struct tool_plan_request *request = self;
    const struct override *row = find_override(name);
    request->given |= 1U << (row - overrides);
    return override(request, row, value);
}

bool tool_plan_given(const struct tool_plan_request *request, const char *name)
{
    return request->given >> (find_override(name) - overrides) & 1;
}

static int take_algorithm(void *self, const char *name, const char *value)
{
    struct tool_plan_request *request = self;
    (void)name;
    request->algorithm = value;
    request->by_option = true;
    return TOOL_OK;
}

static int take_flag(void *self, const char *name, const char *value)
{
    struct tool_plan_request *request = self;
    (void)value;
    if (strcmp(name, "--csv") == 0) {
        request->csv = true;
    } else if (strcmp(name, "--ordered") == 0) {
        request->ordered = true;
    } else {
        request->check = strcmp(name, "--check") == 0;
    }
    return TOOL_OK;
}

static const struct tool_option options[] = {
    {"--topo", TOOL_VALUE, take_override, NULL},   {"--algo", TOOL_VALUE, take_algorithm, NULL},
    {"--root", TOOL_VALUE, take_number, NULL},     {"--ordered", TOOL_FLAG, take_flag, NULL},
    {"--torus", TOOL_VALUE, take_override, NULL},  {"--rank", TOOL_VALUE, take_number, NULL},
    {"--bytes", TOOL_VALUE, take_number, NULL},    {"--machine", TOOL_VALUE, take_override, NULL},
    {"--budget", TOOL_VALUE, take_override, NULL}, {"--threshold", TOOL_VALUE, take_override, NULL},
    {"--passes", TOOL_VALUE, take_override, NULL}, {"--seed", TOOL_VALUE, take_number, NULL},
    {"--check", TOOL_FLAG, take_flag, NULL},       {"--no-check", TOOL_FLAG, take_flag, NULL},
    {"--csv", TOOL_FLAG, take_flag, NULL},         {NULL, TOOL_FLAG, NULL, NULL}};

static int read_collective(struct tool_plan_request *request, const char *name)
{
    char known[256] = "";
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        const char *word = strata_collective_name((enum strata_collective)c);
        if (strcmp(name, word) == 0) {
            request->collective = (enum strata_collective)c;
            return TOOL_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", word);
    }
    tool_complain(request->command, "\"%s\" is no collective; there are: %s", name, known);
    return TOOL_WRONG_USE;
}

/* Reads the options, and the collective, which is the first word that is no option. */
static int read_words(struct tool_plan_request *request, const struct tool_option *own, char **argv)
{
    const struct tool_options all = {request->command, NULL, options, own, request};
    bool named = false;
    int code = TOOL_OK;
    for (int at = 1; code == TOOL_OK && argv[at];) {
        if (!named && argv[at][0] != '-') {
            named = true;
            code = read_collective(request, argv[at++]);
        } else {
            code = tool_options_read(&all, argv, &at);
        }
    }
    if (code == TOOL_OK && !named) {
        tool_complain(request->command, "which collective? `strata help %s` says more",
                      request->command->name);
        return TOOL_WRONG_USE;
    }
    return code;
}

int tool_plan_read(struct tool_plan_request *request, const struct tool_option *own, char **argv)
{
    request->block_bytes = 8;
    request->rank = -1;
    request->seed = 1;
    request->check = true;
    strata_config_read(&request->config, complain, request);
    int code = read_words(request, own, argv);
    if (!request->algorithm) {
        request->algorithm = strata_config_text_of(
            &request->config, strata_collective_info[request->collective].variable);
    }
    return code;
}
