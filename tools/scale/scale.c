/* The options of the commands for very many ranks. */
#include "tools/scale/scale.h"

#include "tools/command/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int tool_whole_number(const struct tool_command *command, const char *name, const char *text,
                      long least, long most, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (errno || end == text || *end || *value < least || *value > most) {
        tool_complain(command, "%s \"%s\": allowed is a whole number from %ld to %ld", name, text,
                      least, most);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

/* Writes "node:NODES rank:RANKS". Without --ranks-per-node every rank has a node of its own. */
static int write_topology(struct tool_scale *scale, const struct tool_command *command)
{
    long ranks, each = 1;
    int code = tool_whole_number(command, "--ranks", scale->ranks, 1, 1L << 30, &ranks);
    if (code == TOOL_OK && scale->ranks_per_node) {
        code =
            tool_whole_number(command, "--ranks-per-node", scale->ranks_per_node, 1, ranks, &each);
    }
    if (code == TOOL_OK && ranks % each != 0) {
        tool_complain(command,
                      "--ranks-per-node %ld does not divide --ranks %ld; --topo says any layout",
                      each, ranks);
        return TOOL_WRONG_USE;
    }
    bool cyclic = scale->mapping && strcmp(scale->mapping, "cyclic") == 0;
    if (code == TOOL_OK && scale->mapping && !cyclic && strcmp(scale->mapping, "sequential") != 0) {
        tool_complain(command, "--mapping \"%s\": allowed is sequential or cyclic", scale->mapping);
        return TOOL_WRONG_USE;
    }
    if (code == TOOL_OK) {
        snprintf(scale->topology, sizeof scale->topology, "node:%ld%s rank:%ld",
                 (ranks - 1) / each + 1, cyclic ? ":cyclic" : "", ranks);
    }
    return code;
}

/* Combines --topo and --ranks. */
static int complete_topology(struct tool_scale *scale, const struct tool_command *command,
                             const char *topology)
{
    long ranks;
    if (scale->ranks_per_node || scale->mapping) {
        tool_complain(command, "%s does not go with --topo, which says it all",
                      scale->mapping ? "--mapping" : "--ranks-per-node");
        return TOOL_WRONG_USE;
    }
    int code = tool_whole_number(command, "--ranks", scale->ranks, 1, 1L << 30, &ranks);
    const char *states = strstr(topology, "rank:");
    int length = snprintf(scale->topology, sizeof scale->topology, states ? "%s" : "%s rank:%ld",
                          topology, ranks);
    if (code == TOOL_OK && states && strtol(states + strlen("rank:"), NULL, 10) != ranks) {
        tool_complain(command, "--ranks %ld is another number than that of --topo \"%s\"", ranks,
                      topology);
        return TOOL_WRONG_USE;
    }
    if (code == TOOL_OK && length >= (int)sizeof scale->topology) {
        tool_complain(command, "--topo is longer than %zu characters", sizeof scale->topology - 1);
        return TOOL_WRONG_USE;
    }
    return code;
}

int tool_scale_topology(struct tool_scale *scale, struct tool_plan_request *request)
{
    const struct tool_command *command = request->command;
    if (!scale->ranks && (scale->ranks_per_node || scale->mapping)) {
        tool_complain(command, "how many ranks? --ranks 10000");
        return TOOL_WRONG_USE;
    }
    if (!scale->ranks) {
        return TOOL_OK;
    }
    int code = tool_plan_given(request, "--topo")
                   ? complete_topology(scale, command, request->config.topo)
                   : write_topology(scale, command);
    if (code == TOOL_OK) {
        memcpy(request->config.topo, scale->topology, sizeof scale->topology);
    }
    return code;
}
