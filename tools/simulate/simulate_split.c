/* strata simulate split: splits a communicator by Strata's methods and by MPI_Comm_split. */
#include <stdlib.h>
#include <string.h>

#include "internode/split/methods.h"
#include "internode/split/split.h"
#include "tools/command/words.h"
#include "tools/simulate/simulate.h"

static const char mpis[] = "MPI_Comm_split", table[] = "table"; /* both split by integers only */

static bool is_mpis(const char *method)
{
    return strcmp(method, mpis) == 0 || strcmp(method, table) == 0;
}

/* Whether the name is a case: "reorder", or for example "split-few-80". */
static bool is_case(const char *name)
{
    char what[8], groups[8];
    int bytes, end = 0;
    bool three = sscanf(name, "%5[a-z]-%4[a-z]-%3d%n", what, groups, &bytes, &end) == 3;
    return strcmp(name, "reorder") == 0 ||
           (three && name[end] == '\0' && bytes >= 0 && bytes <= 256 &&
            (strcmp(what, "split") == 0 || strcmp(what, "both") == 0) &&
            (strcmp(groups, "many") == 0 || strcmp(groups, "few") == 0));
}

static int wrong_cases(const struct simulate_request *r, const char *list)
{
    tool_complain(r->command,
                  "--cases \"%s\": allowed are up to %d of reorder, split-many-N, split-few-N, "
                  "both-many-N, both-few-N, with N from 0 to 256 characters",
                  list, SIMULATE_SIZES);
    return TOOL_WRONG_USE;
}

int simulate_split_cases(struct simulate_request *request, const char *list)
{
    const char *at = list;
    request->sizes = 0;
    while (request->sizes < SIMULATE_SIZES) {
        const size_t length = strcspn(at, ",");
        char *name = request->cases[request->sizes++];
        snprintf(name, SIMULATE_CASE, "%.*s", (int)length, at);
        if (length >= SIMULATE_CASE || !is_case(name)) {
            return wrong_cases(request, list);
        }
        if (!at[length]) {
            return TOOL_OK;
        }
        at += length + 1;
    }
    return wrong_cases(request, list);
}

int simulate_split_method(const struct simulate_request *request, const char *method)
{
    struct strata_split_input parsed;
    struct strata_diagnostic message = {""};
    if (is_mpis(method) || strata_split_method_parse(method, &parsed, &message) == 0) {
        return TOOL_OK;
    }
    tool_complain(request->command, "--methods: %s, %s, %s", message.text, mpis, table);
    return TOOL_WRONG_USE;
}

/* Takes the methods that the paper's figures compare. */
static void preset_methods(struct simulate_request *request)
{
    static const char *const methods[] = {
        mpis, table, "allgather_group", "gather_scatter", "bitonic", "radix", "hash", "hash64"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        snprintf(request->method[request->methods++], sizeof request->method[0], "%s", methods[m]);
    }
}

int simulate_split_preset(struct simulate_request *request)
{
    if (request->seed >= 0 || request->root >= 0 || request->verify >= 0) {
        tool_complain(request->command,
                      "--seed, --root and --verify are for collectives; split has --cases");
        return TOOL_WRONG_USE;
    }
    request->calls = request->calls ? request->calls : 1;
    request->groups = request->groups ? request->groups : 16;
    if (request->methods == 0) {
        preset_methods(request);
    }
    request->pattern = "";
    return request->sizes ? TOOL_OK
                          : simulate_split_cases(request, "reorder,split-many-5,split-few-5");
}

const char *simulate_split_list(const struct simulate_request *request, bool cases, char *text,
                                size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < (cases ? request->sizes : request->methods) && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "," : "",
                                 cases ? request->cases[i] : request->method[i]);
    }
    return text;
}

/* Reads "METHOD,CASE,RANKS,SECONDS". */
void simulate_split_read(const struct simulate_request *request, const char *line,
                         struct simulate_results *results)
{
    char method[64], name[SIMULATE_CASE];
    double seconds;
    if (sscanf(line, "%63[^,],%15[^,],%*d,%lf", method, name, &seconds) != 3) {
        return;
    }
    for (int m = 0; m < request->methods; m++) {
        for (int c = 0; c < request->sizes; c++) {
            if (strcmp(request->method[m], method) == 0 && strcmp(request->cases[c], name) == 0) {
                results->figure[m][c].known = 1;
                results->figure[m][c].seconds = seconds;
            }
        }
    }
}

/* Prints a line in the columns of strata split. */
static void print_csv_line(const struct simulate_request *r, int m, int c, double seconds)
{
    const char *name = r->cases[c];
    const int bytes = strcmp(name, "reorder") == 0 ? 0 : atoi(strrchr(name, '-') + 1);
    char groups[16], colour[16];
    snprintf(groups, sizeof groups, "%d", strstr(name, "-few-") ? r->groups : 0);
    const bool text = bytes && !is_mpis(r->method[m]);
    snprintf(colour, sizeof colour, text ? "text:%d" : "int", bytes);
    printf("%s,%s,%s,%s,%s,%d,%d,%s,%.9g\n", r->method[m], name, name[0] == 'r' ? "none" : groups,
           colour, name[0] == 's' ? "none" : "random", (r->ranks + r->per_node - 1) / r->per_node,
           r->ranks, r->cyclic ? "cyclic" : "sequential", seconds);
}

static void print_line(const struct simulate_request *r, int m, int c,
                       const struct simulate_figure *f)
{
    char time[32];
    if (!f->known) {
        tool_complain(r->command, "%s does not serve %s", r->method[m], r->cases[c]);
    } else if (r->csv) {
        print_csv_line(r, m, c, f->seconds);
    } else {
        printf("  %-20s %-16s %11s\n", r->method[m], r->cases[c],
               tool_seconds(f->seconds, time, sizeof time));
    }
}

void simulate_split_print(const struct simulate_request *request,
                          const struct simulate_results *results)
{
    if (request->csv) {
        printf("method,case,groups,colour,keys,nodes,ranks,mapping,seconds\n");
    } else {
        printf("split on %s: %d ranks, %d on each node\n\n  %-20s %-16s %11s\n",
               request->platform.name, request->ranks, request->per_node, "method", "case",
               "a call");
    }
    for (int c = 0; c < request->sizes; c++) {
        for (int m = 0; m < request->methods; m++) {
            print_line(request, m, c, &results->figure[m][c]);
        }
    }
}
