/* The command line of the simulated program; `strata simulate` writes it. */
#include <stdlib.h>
#include <string.h>

#include "sim/smpi/simulate.h"

static bool number(const char *text, long least, long most, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && *value >= least && *value <= most;
}

static const char *add_size(struct options *o, const char *value)
{
    long bytes;
    if (o->sizes == SIMULATE_SIZES || !number(value, 0, 1L << 30, &bytes)) {
        return "--bytes: a number up to 1073741824, at most 64 of them";
    }
    o->bytes[o->sizes++] = bytes;
    return NULL;
}

static const char *add_method(struct options *o, const char *value)
{
    if (o->methods == SIMULATE_METHODS) {
        return "--method: at most 64 of them";
    }
    o->method[o->methods++] = value;
    return NULL;
}

static const char *set_number(struct options *o, const char *name, const char *value)
{
    long n = 0;
    if (strcmp(name, "--calls") == 0 && number(value, 1, SIMULATE_CALLS, &n)) {
        o->calls = (int)n;
    } else if (strcmp(name, "--warm") == 0 && number(value, 0, SIMULATE_CALLS, &n)) {
        o->warm = (int)n;
    } else if (strcmp(name, "--seed") == 0 && number(value, 0, 1L << 31, &n)) {
        o->seed = (unsigned)n;
    } else if (strcmp(name, "--root") == 0 && number(value, 0, 1L << 20, &n)) {
        o->root = (int)n;
    } else if (strcmp(name, "--verify") == 0 && number(value, 0, 1, &n)) {
        o->verify = n;
    } else {
        return "an option or its value is not known";
    }
    return NULL;
}

static const char *set(struct options *o, const char *name, const char *value)
{
    if (strcmp(name, "--bytes") == 0) {
        return add_size(o, value);
    }
    if (strcmp(name, "--method") == 0) {
        return add_method(o, value);
    }
    if (strcmp(name, "--pattern") == 0) {
        o->pattern = strata_pattern_find(value);
        return o->pattern == STRATA_PATTERNS ? "--pattern: there is no such one" : NULL;
    }
    return set_number(o, name, value);
}

const char *options_parse(struct options *options, int argc, char **argv)
{
    const char *wrong = NULL;
    *options = (struct options){.calls = 3, .warm = -1, .seed = 1, .verify = true};
    options->operation = argc > 1 ? operation_find(argv[1]) : NULL;
    if (!options->operation) {
        return "the first argument is a collective";
    }
    for (int i = 2; i < argc && !wrong; i += 2) {
        wrong = i + 1 < argc ? set(options, argv[i], argv[i + 1]) : "an option lacks its value";
    }
    if (options->warm < 0) { /* Strata counts as many calls before it takes them for sparse */
        options->warm = options->pattern == STRATA_PATTERN_SPARSE ? 10 : 2;
    }
    if (!wrong && (options->methods == 0 || options->sizes == 0)) {
        wrong = "--method and --bytes are needed";
    }
    return wrong;
}
