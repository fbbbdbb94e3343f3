/* Command line. Every rank reads the same words and comes to the same result. */
#include <stdlib.h>
#include <string.h>

#include "apps/is_sort/is.h"

static const char *set_class(struct is_options *o, const char *value)
{
    o->class = is_class_find(value);
    return o->class ? NULL : "S, W, A, B, C or D";
}

static const char *set_exchange(struct is_options *o, const char *value)
{
    o->exchanges = strcmp(value, "both") == 0 ? (1u << IS_EXCHANGES) - 1 : 0;
    for (int e = 0; e < IS_EXCHANGES; e++) {
        o->exchanges |= strcmp(value, is_exchange_name[e]) == 0 ? 1u << e : 0;
    }
    return o->exchanges ? NULL : "strata, mpi or both";
}

static const char *set_repeat(struct is_options *o, const char *value)
{
    char *end;
    long number = strtol(value, &end, 10);
    o->repeat = (int)number;
    bool right = end != value && *end == '\0' && number >= 1 && number <= IS_REPEATS;
    return right ? NULL : "a number from 1 to 1000";
}

static const char *set_threads(struct is_options *o, const char *value)
{
    char *end;
    long number = strtol(value, &end, 10);
    o->threads = (int)number;
    bool right = end != value && *end == '\0' && number >= 1 && number <= IS_THREADS;
    return right ? NULL : "a number from 1 to 1024";
}

static const char *set_json(struct is_options *o, const char *value)
{
    o->json = value;
    return *value ? NULL : "the name of a file";
}

static const char *set_help(struct is_options *o, const char *value)
{
    (void)value;
    o->help = true;
    return NULL;
}

/* set returns what is allowed when the value is wrong. */
static const struct option {
    const char *name, *value, *meaning;
    const char *(*set)(struct is_options *options, const char *value);
} table[] = {
    {"--class", "S|W|A|B|C|D", "size: 2^16, 2^20, 2^23, 2^25, 2^27, 2^31 keys; S by default",
     set_class},
    {"--exchange", "strata|mpi|both", "who exchanges the keys; strata by default", set_exchange},
    {"--repeat", "N", "runs of ten timed iterations; medians are shown; 1 by default", set_repeat},
    {"--threads", "N", "OpenMP threads of a rank; by default a share of the host", set_threads},
    {"--json", "FILE", "write the result to FILE too", set_json},
    {"--help", NULL, "this text", set_help},
};
#define OPTIONS (sizeof table / sizeof *table)

/* The option whose name is the word, or what stands before its '='. */
static const struct option *find(const char *word, const char **value)
{
    size_t length = strcspn(word, "=");
    *value = word[length] == '=' ? word + length + 1 : NULL;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (strlen(table[i].name) == length && strncmp(word, table[i].name, length) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

bool is_options_parse(struct is_options *options, int argc, char **argv, char *message, size_t size)
{
    *options =
        (struct is_options){.class = is_class_find("S"), .exchanges = 1u << IS_STRATA, .repeat = 1};
    for (int i = 1; i < argc; i++) {
        const char *value;
        const struct option *option = find(argv[i], &value);
        if (!option || (value && !option->value)) {
            snprintf(message, size, "unknown option '%s'; --help lists the options", argv[i]);
            return false;
        }
        if (option->value && !value) {
            value = i + 1 < argc ? argv[++i] : "";
        }
        const char *allowed = option->set(options, value);
        if (allowed) {
            snprintf(message, size, "%s '%s': must be %s", option->name, value, allowed);
            return false;
        }
    }
    return true;
}

void is_options_help(FILE *file)
{
    fprintf(file, "usage: mpirun -n RANKS is_sort [OPTION]...\n\n"
                  "NAS IS: ranks integer keys that are spread over all ranks, and checks the\n"
                  "result. With --exchange both, each iteration runs twice in one process, once\n"
                  "with each exchange. A rank uses OMP_NUM_THREADS threads, but no more than its\n"
                  "share of the host's processors unless --threads says so.\n\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        char words[40];
        snprintf(words, sizeof words, "%s %s", table[i].name, table[i].value ? table[i].value : "");
        fprintf(file, "  %-27s %s\n", words, table[i].meaning);
    }
    fprintf(file, "\nExit code: 0 verified, 1 not verified, 2 wrong use or not enough memory.\n");
}
