#include "core/base/lists.h"

#include <string.h>

#include "core/base/config.h"

/* Reads digits; without any the value stays as it was. */
static bool read_size(const char **at, uint64_t *value)
{
    int64_t number = 0;
    if (**at < '0' || **at > '9') {
        return true;
    }
    if (!strata_config_number(*at, true, &number, at)) {
        return false;
    }
    *value = (uint64_t)number;
    return true;
}

static bool read_range(const char **at, uint64_t *least, uint64_t *most)
{
    const char *begin = *at;
    *least = 0;
    *most = UINT64_MAX;
    if (!read_size(at, least)) {
        return false;
    }
    bool both = **at == '-';
    if (!both) {
        *most = *least;
        return *at > begin;
    }
    *at += 1;
    return read_size(at, most) && *at > begin + 1 && *least <= *most;
}

int strata_ranges_parse(const char *text, struct strata_ranges *ranges,
                        struct strata_diagnostic *message)
{
    const char *at = text, *item = text;
    ranges->count = 0;
    while (*item) {
        int i = ranges->count;
        if (i == STRATA_MOST_RANGES) {
            ranges->count = 0;
            return strata_fail(message, STRATA_ERR_SYNTAX, "\"%.60s\" has more than %d ranges",
                               text, STRATA_MOST_RANGES);
        }
        if (!read_range(&at, &ranges->range[i].least, &ranges->range[i].most) ||
            (*at && (*at != ',' || !at[1]))) {
            ranges->count = 0;
            return strata_fail(message, STRATA_ERR_SYNTAX,
                               "\"%.*s\" is no range of bytes, such as 64-4K, -1M or 8",
                               (int)strcspn(item, ","), item);
        }
        ranges->count++;
        at += *at == ',';
        item = at;
    }
    return STRATA_OK;
}

bool strata_ranges_meet(const struct strata_ranges *ranges, uint64_t least, uint64_t most)
{
    for (int i = 0; i < ranges->count; i++) {
        if (least <= ranges->range[i].most && ranges->range[i].least <= most) {
            return true;
        }
    }
    return ranges->count == 0;
}

static bool matches(const char *pattern, size_t length, const char *name)
{
    if (length > 0 && pattern[length - 1] == '*') {
        return strncmp(pattern, name, length - 1) == 0;
    }
    return strlen(name) == length && strncmp(pattern, name, length) == 0;
}

bool strata_names_hold(const char *list, const char *name)
{
    bool asked = false; /* whether the list names what it holds, so that it holds nothing else */
    bool held = false;
    size_t length;
    for (const char *item = list; *item; item += length + (item[length] == ',')) {
        length = strcspn(item, ",");
        bool except = *item == '!';
        bool here = matches(item + except, length - except, name);
        if (except && here) {
            return false;
        }
        asked = asked || !except;
        held = held || here;
    }
    return held || !asked;
}
