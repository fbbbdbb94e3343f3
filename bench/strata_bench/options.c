/* Reads the command line by a table of options. */
#include "bench/strata_bench/options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads a number with K, M, G, KB, KiB and so on, in letters of either case, as all of Strata reads
 * sizes. */
static bool read_number(const char *text, long least, long most, int *number)
{
    static const char letters[] = "kmg";
    char *end;
    long value = strtol(text, &end, 10);
    const char *letter = *end ? strchr(letters, tolower((unsigned char)*end)) : NULL;
    for (int i = 0; letter && i <= letter - letters; i++) {
        value = value >= 0 && value <= most ? value * 1024 : -1;
    }
    const char *rest = end + (letter != NULL);
    rest += letter && strncasecmp(rest, "ib", 2) == 0;
    rest += tolower((unsigned char)*rest) == 'b';
    *number = (int)value;
    return end != text && *rest == '\0' && value >= least && value <= most;
}

static bool read_sizes(struct options *o, const char *text)
{
    char word[32];
    o->nbytes = 0;
    while (options_word(&text, word, sizeof word)) {
        if (o->nbytes == MOST_SIZES || !read_number(word, 0, 1 << 30, &o->bytes[o->nbytes++])) {
            return false;
        }
    }
    return true;
}

static bool set_bytes(struct options *o, const char *text)
{
    o->total = false;
    return read_sizes(o, text);
}

static bool set_total(struct options *o, const char *text)
{
    o->total = true;
    return read_sizes(o, text);
}

static bool set_batches(struct options *o, const char *text)
{
    return read_number(text, 1, 10000, &o->batches);
}

static bool set_tests(struct options *o, const char *text)
{
    return read_number(text, 0, 1000, &o->tests);
}

static bool set_seed(struct options *o, const char *text)
{
    return read_number(text, 0, 1 << 30, &o->seed);
}

static bool set_seconds(struct options *o, const char *text)
{
    char *end;
    o->seconds = strtod(text, &end);
    return end != text && *end == '\0' && o->seconds > 0 && o->seconds <= 60;
}

/* cases_create looks the names up. */
static bool set_collectives(struct options *o, const char *text)
{
    o->collectives = text;
    return *text;
}

static bool set_forms(struct options *o, const char *text)
{
    o->forms = text;
    return *text;
}

static bool set_patterns(struct options *o, const char *text)
{
    o->patterns = text;
    return *text;
}

static bool set_algorithms(struct options *o, const char *text)
{
    o->algorithms = text;
    return *text;
}

static bool set_memory(struct options *o, const char *text)
{
    o->mapped = strcmp(text, "mapped") == 0;
    return o->mapped || strcmp(text, "plain") == 0;
}

const struct option option_table[] = {
    {"--collective", "NAME,...", "names, or all", "or all; alltoallv unless given",
     set_collectives},
    {"--form", "NAME,...", "names, or all",
     "of calls: blocking, nonblocking, persistent; blocking unless given", set_forms},
    {"--bytes", "N,...", "up to 32 numbers from 0 to 1024M",
     "of a block or vector, at most; 8,64,512,4K,32K unless given", set_bytes},
    {"--total", "N,...", "up to 32 numbers from 0 to 1024M",
     "instead: bytes of all blocks of a rank together, divided by the ranks", set_total},
    {"--pattern", "NAME,...", "names, or all", "of blocks that may differ; equal unless given",
     set_patterns},
    {"--algorithm", "CHOICE,...", "choices, or all",
     "as for STRATA_ALLTOALLV, such as leaders:radix=2; native: MPI's\n"
     "                          own through our call; all: each there is; auto unless given",
     set_algorithms},
    {"--memory", "KIND", "plain or mapped",
     "of the buffers; mapped: strata_alloc's, which the host's other\n"
     "                          ranks read at once; plain unless given",
     set_memory},
    {"--batches", "N", "1 to 10000", "of ours and of MPI's in turn; 20 unless given", set_batches},
    {"--seconds", "S", "more than 0, at most 60", "that a batch takes, about; 0.2 unless given",
     set_seconds},
    {"--tests", "N", "0 to 1000",
     "of a nonblocking call, within the computation beside it; 4 unless given", set_tests},
    {"--seed", "N", "0 to 2^30", "of the blocks that are drawn; 1 unless given", set_seed},
    {NULL, NULL, NULL, NULL, NULL},
};

static const struct option *find(const char *word, size_t length)
{
    const struct option *option = option_table;
    while (option->name &&
           (strlen(option->name) != length || strncmp(word, option->name, length) != 0)) {
        option++;
    }
    return option->name ? option : NULL;
}

static bool is_theirs(const char *word)
{
    return strncmp(word, "--benchmark_", 12) == 0 || strncmp(word, "--v=", 4) == 0;
}

bool options_read(struct options *o, int argc, char **argv, char *message, size_t size)
{
    *o = (struct options){.collectives = "alltoallv",
                          .forms = "blocking",
                          .patterns = "equal",
                          .algorithms = "auto",
                          .bytes = {8, 64, 512, 4096, 32768},
                          .nbytes = 5,
                          .batches = 20,
                          .seconds = 0.2,
                          .seed = 1,
                          .tests = 4};
    o->report = getenv("BENCHMARK_FORMAT") != NULL;
    for (int i = 1; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        const struct option *option = find(argv[i], length);
        o->report = o->report || strncmp(argv[i], "--benchmark_format=", 19) == 0;
        o->help = o->help || strcmp(argv[i], "--help") == 0;
        if (o->help || is_theirs(argv[i])) {
            continue;
        }
        if (!option) {
            snprintf(message, size, "unknown option '%s'; --help lists the options", argv[i]);
            return false;
        }
        const char *value = argv[i][length] ? argv[i] + length + 1 : i + 1 < argc ? argv[++i] : "";
        if (!option->set(o, value)) {
            snprintf(message, size, "%s '%s': must be %s", option->name, value, option->allowed);
            return false;
        }
    }
    return true;
}

bool options_word(const char **list, char *word, size_t size)
{
    const char *begin = *list;
    if (!begin) {
        return false;
    }
    const char *end = begin + strcspn(begin, ",");
    while (*end) {
        size_t length = strcspn(end + 1, ",");
        if (!memchr(end + 1, '=', length) || memchr(end + 1, ':', length)) {
            break;
        }
        end += 1 + length;
    }
    snprintf(word, size, "%.*s", (int)(end - begin), begin);
    *list = *end ? end + 1 : NULL;
    return true;
}
