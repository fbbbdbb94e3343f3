/* Platform files of SimGrid, as far as traces depend on them: which hosts there are and what copies
 * cost there. Everything else is read by SimGrid itself. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "tools/replay.h"

#ifndef STRATA_PLATFORMS
#define STRATA_PLATFORMS "sim/platforms"
#endif

/* The value of an attribute of the element that `at` is the beginning of; "" when it has none. */
static const char *attribute(const char *at, const char *name, char *value, size_t size)
{
    const char *end = strchr(at, '>');
    size_t length = strlen(name);
    *value = '\0';
    for (; end && (at = strpbrk(at, " \t\n")) && at < end;) {
        at += strspn(at, " \t\n");
        if (strncmp(at, name, length) == 0 && at[length] == '=' && at[length + 1]) {
            const char *from = at + length + 2, *to = strchr(from, at[length + 1]);
            size_t bytes = to && (size_t)(to - from) < size ? (size_t)(to - from) : 0;
            memcpy(value, from, bytes);
            value[bytes] = '\0';
            return value;
        }
    }
    return value;
}

static bool add_host(struct tool_platform *p, const char *prefix, const char *number,
                     const char *suffix)
{
    size_t size = strlen(prefix) + strlen(number) + strlen(suffix) + 1;
    char *name = strata_allocate(size, 1);
    char **host = strata_reallocate(p->host, (size_t)p->hosts + 1, sizeof *host);
    if (host) {
        p->host = host;
    }
    if (!host || !name) {
        strata_release(name);
        return false;
    }
    snprintf(name, size, "%s%s%s", prefix, number, suffix);
    p->host[p->hosts++] = name;
    return true;
}

/* "0-3,7": hosts prefix0suffix .. */
static bool add_cluster(struct tool_platform *p, const char *element)
{
    char prefix[128], suffix[128], radical[256], number[32];
    attribute(element, "prefix", prefix, sizeof prefix);
    attribute(element, "suffix", suffix, sizeof suffix);
    char *at = radical;
    attribute(element, "radical", radical, sizeof radical);
    while (*at) {
        long first = strtol(at, &at, 10), last = first;
        if (*at == '-') {
            last = strtol(at + 1, &at, 10);
        }
        for (long i = first; i <= last; i++) {
            snprintf(number, sizeof number, "%ld", i);
            if (!add_host(p, prefix, number, suffix)) {
                return false;
            }
        }
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return true;
}

static void add_setting(struct tool_platform *p, const char *key, const char *value)
{
    size_t used = strlen(p->settings);
    snprintf(p->settings + used, sizeof p->settings - used, "--cfg=%s:%s ", key, value);
}

static void read_property(struct tool_platform *p, const char *element)
{
    char name[64], value[256];
    attribute(element, "id", name, sizeof name);
    double number = strtod(attribute(element, "value", value, sizeof value), NULL);
    if (strncmp(name, "cfg:", 4) == 0) {
        add_setting(p, name + 4, value);
    } else if (strcmp(name, "machine") == 0) {
        snprintf(p->machine, sizeof p->machine, "%s", value);
    } else if (strcmp(name, "copy") == 0) {
        p->copy = number;
    } else if (strcmp(name, "copy_block") == 0) {
        p->copy_block = number;
    } else if (strcmp(name, "reduce") == 0) {
        p->reduce = number;
    }
}

static bool begins(const char *at, const char *element)
{
    size_t length = strlen(element);
    return strncmp(at, element, length) == 0 && strchr(" \t\n", at[length]) != NULL;
}

static bool read_elements(struct tool_platform *p, const char *text)
{
    char name[256];
    bool right = true;
    for (const char *at = text; right && (at = strchr(at, '<')); at++) {
        if (strncmp(at, "<!--", 4) == 0) {
            const char *end = strstr(at, "-->");
            at = end ? end : at;
        } else if (begins(at, "<cluster")) {
            right = add_cluster(p, at);
        } else if (begins(at, "<host")) {
            right = add_host(p, attribute(at, "id", name, sizeof name), "", "");
        } else if (begins(at, "<prop")) {
            read_property(p, at);
        }
    }
    return right;
}

/* The whole file as a string; NULL when it cannot be read. */
static char *slurp(const char *path)
{
    FILE *file = fopen(path, "r");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size >= 0 ? strata_allocate((size_t)size + 1, 1) : NULL;
    if (text) {
        rewind(file);
        text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    if (file) {
        fclose(file);
    }
    return text;
}

int tool_platform_read(struct tool_platform *platform, const char *name,
                       const struct tool_command *command)
{
    bool file = strchr(name, '/') || strstr(name, ".xml");
    *platform = (struct tool_platform){.hosts = 0};
    snprintf(platform->file, sizeof platform->file, file ? "%s" : STRATA_PLATFORMS "/%s.xml", name);
    char *text = slurp(platform->file);
    if (!text) {
        tool_complain(command,
                      "--platform \"%s\": %s cannot be read; allowed is a SimGrid platform "
                      "file, or the name of one of " STRATA_PLATFORMS,
                      name, platform->file);
        return TOOL_WRONG_USE;
    }
    bool right = read_elements(platform, text);
    strata_release(text);
    if (!right || platform->hosts == 0) {
        tool_complain(command, "--platform \"%s\": %s", name,
                      right ? "no <host> and no <cluster> in it" : "out of memory");
        return right ? TOOL_WRONG_USE : TOOL_FAILED;
    }
    return TOOL_OK;
}

void tool_platform_release(struct tool_platform *platform)
{
    for (int i = 0; i < platform->hosts; i++) {
        strata_release(platform->host[i]);
    }
    strata_release(platform->host);
}
