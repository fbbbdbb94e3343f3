/* Reads platform files. Only the attributes of <prop> and <cluster> matter, so this is no whole XML
 * reader. */
#include "tools/scale/platform.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/whole_file.h"

/* Settings of every simulation. The library itself charges for computation, so that each run gives
 * the same times. A core does 1e9 "flops" a second, the speed of all hosts in our files. */
static const char *const common[] = {"smpi/simulate-computation:no",
                                     "smpi/cpu-threshold:0",
                                     "smpi/host-speed:1Gf",
                                     "smpi/wtime:0",
                                     "smpi/iprobe:0",
                                     "smpi/test:0"};

void tool_program_folder(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash) {
        snprintf(path, size, ".");
    } else {
        *slash = '\0';
    }
}

/* Copies an attribute's value out of a tag. Returns false where the attribute is missing or its
 * value too long. */
static int attribute(const char *tag, const char *name, char *value, size_t size)
{
    const char *end = strchr(tag, '>');
    const char *at = tag;
    size_t length = strlen(name);
    while ((at = strstr(at, name)) && at < end) {
        if (strchr(" \t\r\n", at[-1]) && at[length] == '=' && at[length + 1] == '"') {
            at += length + 2;
            length = strcspn(at, "\"");
            snprintf(value, size, "%.*s", (int)length, at);
            return length < size;
        }
        at += length;
    }
    return 0;
}

static int add_cfg(struct tool_platform *p, const char *name, const char *value)
{
    if (p->ncfg == TOOL_PLATFORM_CFGS) {
        return STRATA_ERR_CAPACITY;
    }
    snprintf(p->cfg[p->ncfg++], sizeof p->cfg[0], "--cfg=%s%s%s", name, value ? ":" : "",
             value ? value : "");
    return STRATA_OK;
}

static int read_property(struct tool_platform *p, const char *tag)
{
    char name[128] = "", value[256] = "";
    if (!attribute(tag, "id", name, sizeof name) || !attribute(tag, "value", value, sizeof value)) {
        return STRATA_ERR_SYNTAX;
    }
    const struct {
        const char *name;
        double *seconds;
    } rates[] = {{"copy", &p->copy},          {"copy_block", &p->copy_block}, {"flag", &p->flag},
                 {"compare", &p->compare},    {"visit", &p->visit},           {"team", &p->team},
                 {"adapter", &p->own_adapter}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        if (strcmp(name, rates[i].name) == 0) {
            *rates[i].seconds = strtod(value, NULL);
        }
    }
    if (strcmp(name, "summary") == 0) {
        snprintf(p->summary, sizeof p->summary, "%s", value);
    } else if (strcmp(name, "machine") == 0) {
        snprintf(p->machine, sizeof p->machine, "%s", value);
    } else if (strncmp(name, "cfg:", 4) == 0) {
        return add_cfg(p, name + 4, value);
    }
    return STRATA_OK;
}

/* SimGrid's times have units: "100ns". */
static double seconds_of(const char *text)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    char *end;
    const double number = strtod(text, &end);
    size_t i = 0;
    while (i < 3 && strcmp(end, units[i].name) != 0) {
        i++;
    }
    return number * units[i].seconds;
}

/* Other shapes than those of three axes are no torus here. */
static int read_torus(struct tool_platform *p, const char *tag)
{
    char topology[32] = "", axes[64] = "", latency[32] = "";
    if (attribute(tag, "topology", topology, sizeof topology) && strcmp(topology, "TORUS") == 0 &&
        attribute(tag, "topo_parameters", axes, sizeof axes) &&
        attribute(tag, "lat", latency, sizeof latency) &&
        sscanf(axes, "%d,%d,%d", &p->torus[0], &p->torus[1], &p->torus[2]) == TOOL_TORUS_AXES) {
        p->hop = seconds_of(latency);
        for (int i = 0; i < TOOL_TORUS_AXES; i++) {
            if (p->torus[i] < 1) {
                return STRATA_ERR_SYNTAX;
            }
        }
    }
    return STRATA_OK;
}

static int read_cluster(struct tool_platform *p, const char *tag)
{
    char radical[64] = "", cores[32] = "1";
    int last, end = 0;
    if (p->nclusters == TOOL_PLATFORM_CLUSTERS) {
        return STRATA_ERR_CAPACITY;
    }
    struct tool_platform_cluster *c = &p->clusters[p->nclusters++];
    if (!attribute(tag, "prefix", c->prefix, sizeof c->prefix) ||
        !attribute(tag, "suffix", c->suffix, sizeof c->suffix) ||
        !attribute(tag, "radical", radical, sizeof radical) ||
        sscanf(radical, "%d-%d%n", &c->first, &last, &end) != 2 || radical[end] || c->first < 0 ||
        last < c->first) {
        return STRATA_ERR_SYNTAX;
    }
    attribute(tag, "core", cores, sizeof cores);
    c->count = last - c->first + 1;
    p->hosts += c->count;
    p->cores = (int)strtol(cores, NULL, 10);
    return p->cores < 1 ? STRATA_ERR_SYNTAX : read_torus(p, tag);
}

/* Whether the tag has this name: "<prop " but not "<properties". */
static int is_tag(const char *at, const char *name)
{
    size_t length = strlen(name);
    return strncmp(at, name, length) == 0 && at[length] && strchr(" \t\r\n", at[length]);
}

/* Blanks comments, so that nobody reads the tags in them. */
static void blank_comments(char *text)
{
    char *at = text;
    while ((at = strstr(at, "<!--"))) {
        char *end = strstr(at, "-->");
        end = end ? end + 3 : at + strlen(at);
        memset(at, ' ', (size_t)(end - at));
        at = end;
    }
}

static int read_text(struct tool_platform *p, char *text)
{
    int error = STRATA_OK;
    blank_comments(text);
    for (const char *at = text; error == STRATA_OK && (at = strchr(at, '<')); at++) {
        if (is_tag(at, "<prop")) {
            error = read_property(p, at);
        } else if (is_tag(at, "<cluster")) {
            error = read_cluster(p, at);
        }
    }
    for (size_t i = 0; error == STRATA_OK && i < sizeof common / sizeof *common; i++) {
        error = add_cfg(p, common[i], NULL);
    }
    return error == STRATA_OK && p->nclusters == 0 ? STRATA_ERR_SYNTAX : error;
}

static int read_file(struct tool_platform *p, const char *path, struct strata_diagnostic *message)
{
    size_t size;
    char *text = strata_whole_file(path, STRATA_LONGEST_TEXT, &size);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    *p = (struct tool_platform){.ncfg = 0};
    snprintf(p->path, sizeof p->path, "%s", path);
    snprintf(p->name, sizeof p->name, "%.*s", (int)(strlen(name) - strlen(".xml")), name);
    if (!text) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "%s: cannot be read: %s", path,
                           strata_whole_file_why());
    }
    int error = read_text(p, text);
    strata_release(text);
    return error == STRATA_OK
               ? STRATA_OK
               : strata_fail(message, error,
                             "%s: no platform of <cluster> tags with prefix, suffix, "
                             "a radical such as 0-79, and cores and axes of 1 or "
                             "more",
                             path);
}

/* Finds the folder of platforms: beside the program, in the source tree or installed. */
static int find_folder(char *path, size_t size)
{
    static const char *const places[] = {"../../sim/platforms", "../share/strata/platforms"};
    char program[TOOL_PATH - 64];
    tool_program_folder(program, sizeof program);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, size, "%s/%s", program, places[i]);
        if (access(path, R_OK) == 0) {
            return 1;
        }
    }
    return 0;
}

static int is_platform(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".xml") == 0;
}

/* Finds the index-th file's path. Returns false past the last. */
static int path_at(int index, char *path, size_t size)
{
    char folder[TOOL_PATH];
    struct dirent **entries = NULL;
    int count =
        find_folder(folder, sizeof folder) ? scandir(folder, &entries, is_platform, alphasort) : 0;
    int found = entries && index < count;
    if (found) {
        snprintf(path, size, "%s/%s", folder, entries[index]->d_name);
    }
    for (int i = 0; entries && i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return found;
}

int tool_platform_at(int index, struct tool_platform *platform, struct strata_diagnostic *message)
{
    char path[2 * TOOL_PATH];
    return path_at(index, path, sizeof path) && read_file(platform, path, message) == STRATA_OK;
}

static int find(const char *name, struct tool_platform *platform, struct strata_diagnostic *message)
{
    char known[256] = "", path[2 * TOOL_PATH];
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".xml") == 0) {
        return read_file(platform, name, message);
    }
    for (int i = 0; path_at(i, path, sizeof path); i++) {
        const char *file = strrchr(path, '/') + 1;
        size_t stem = strlen(file) - 4;
        if (stem == length && strncmp(file, name, stem) == 0) {
            return read_file(platform, path, message);
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%.*s", used ? ", " : "", (int)stem, file);
    }
    if (!known[0]) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\" is not known, for the folder of platforms is missing; "
                           "allowed is a file NAME.xml",
                           name);
    }
    return strata_fail(message, STRATA_ERR_SYNTAX,
                       "\"%.60s\" is not known; allowed is one of %s, or a file NAME.xml", name,
                       known);
}

/* Reads what stands behind the colon: "adapter" or "adapter=SECONDS". */
static int share_adapter(struct tool_platform *p, const char *text,
                         struct strata_diagnostic *message)
{
    char *end = NULL;
    const char *value = text + strlen("adapter");
    p->adapter = *value == '=' ? strtod(value + 1, &end) : p->own_adapter;
    bool right = *value == '=' ? end > value + 1 && !*end : !*value;
    if (!right || !(p->adapter > 0 && p->adapter <= 1)) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\": allowed behind %s is adapter=SECONDS, more than 0 and at "
                           "most 1, or adapter where the platform has one of its own",
                           text, p->name);
    }
    size_t used = strlen(p->name);
    snprintf(p->name + used, sizeof p->name - used, ":adapter=%.4g", p->adapter);
    used = strlen(p->machine); /* of two figures for the gap the later one counts */
    size_t more = used == 0
                      ? 0
                      : (size_t)snprintf(p->machine + used, sizeof p->machine - used, "%cgap=%.4g",
                                         strchr(p->machine, ':') ? ',' : ':', p->adapter);
    return used + more < sizeof p->machine
               ? STRATA_OK
               : strata_fail(message, STRATA_ERR_CAPACITY, "the machine of %s is too long a text",
                             p->name);
}

int tool_platform_find(const char *name, struct tool_platform *platform,
                       struct strata_diagnostic *message)
{
    char stem[TOOL_PATH];
    const char *colon = strrchr(name, ':'); /* or one in a file's name */
    colon = colon && strncmp(colon + 1, "adapter", strlen("adapter")) == 0 ? colon : NULL;
    snprintf(stem, sizeof stem, "%.*s", colon ? (int)(colon - name) : (int)sizeof stem - 1, name);
    int error = find(stem, platform, message);
    return error == STRATA_OK && colon ? share_adapter(platform, colon + 1, message) : error;
}

void tool_platform_host(const struct tool_platform *platform, int host, char *name, size_t size)
{
    const struct tool_platform_cluster *c = platform->clusters;
    while (host >= c->count) {
        host -= c->count;
        c++;
    }
    snprintf(name, size, "%.63s%d%.63s", c->prefix, c->first + host, c->suffix);
}

void tool_platform_hostfile(const struct tool_platform *platform, int ranks, int per_node,
                            int cyclic, FILE *file)
{
    int nodes = (ranks + per_node - 1) / per_node;
    char name[1100];
    for (int rank = 0; rank < ranks; rank++) {
        tool_platform_host(platform, cyclic ? rank % nodes : rank / per_node, name, sizeof name);
        fprintf(file, "%s\n", name);
    }
}
