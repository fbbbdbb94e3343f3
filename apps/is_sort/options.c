/* The command line. Every rank reads the same words, with the same result. */
#include <string.h>

#include "apps/is_sort/is.h"

static const char *set_class(void *options, const char *value)
{
    struct is_options *o = options;
    o->class = is_class_find(value);
    return o->class ? NULL : "S, W, A, B, C or D";
}

static const char *set_exchange(void *options, const char *value)
{
    struct is_options *o = options;
    o->exchanges = strcmp(value, "both") == 0 ? (1u << IS_EXCHANGES) - 1 : 0;
    for (int e = 0; e < IS_EXCHANGES; e++) {
        o->exchanges |= strcmp(value, is_exchange_name[e]) == 0 ? 1u << e : 0;
    }
    return o->exchanges ? NULL : "strata, mpi or both";
}

/* The index of the name; count: it is none of them. */
static int find_name(const char *value, const char *const *names, int count)
{
    int i = 0;
    while (i < count && strcmp(value, names[i]) != 0) {
        i++;
    }
    return i;
}

static const char *set_calls(void *options, const char *value)
{
    struct is_options *o = options;
    o->calls = (enum is_calls)find_name(value, is_calls_name, IS_CALLS);
    return o->calls < IS_CALLS ? NULL : "blocking, nonblocking or persistent";
}

static const char *set_memory(void *options, const char *value)
{
    struct is_options *o = options;
    o->mapped = strcmp(value, "mapped") == 0;
    return o->mapped || strcmp(value, "private") == 0 ? NULL : "private or mapped";
}

static const char *set_mode(void *options, const char *value)
{
    struct is_options *o = options;
    o->mode = (enum is_mode)find_name(value, is_mode_name, IS_MODES);
    return o->mode < IS_MODES ? NULL : "ranks, members, parts or team";
}

static const char *set_repeat(void *options, const char *value)
{
    struct is_options *o = options;
    return app_number(value, IS_REPEATS, &o->repeat) ? NULL : "a number from 1 to 1000";
}

static const char *set_threads(void *options, const char *value)
{
    struct is_options *o = options;
    return app_number(value, APP_THREADS, &o->threads) ? NULL : "a number from 1 to 1024";
}

static const char *set_json(void *options, const char *value)
{
    struct is_options *o = options;
    o->json = value;
    return *value ? NULL : "the name of a file";
}

static const char *set_help(void *options, const char *value)
{
    struct is_options *o = options;
    (void)value;
    o->help = true;
    return NULL;
}

static const struct app_option table[] = {
    {"--class", "S|W|A|B|C|D", "size: 2^16, 2^20, 2^23, 2^25, 2^27, 2^31 keys; S by default",
     set_class},
    {"--exchange", "strata|mpi|both", "who exchanges the keys; strata by default", set_exchange},
    {"--calls", "blocking|nonblocking|persistent", "by which calls; blocking by default",
     set_calls},
    {"--memory", "private|mapped",
     "where keys are sent from: a rank's own memory, or strata_alloc's", set_memory},
    {"--mode", "ranks|members|parts|team",
     "what has buckets of its own: a rank, with all its threads; each thread, as a member of "
     "Strata's collectives; each thread, as a part of its rank's exchange; or a rank, whose "
     "threads share its exchange",
     set_mode},
    {"--repeat", "N", "runs of ten timed iterations; medians are shown; 1 by default", set_repeat},
    {"--threads", "N", "OpenMP threads of a rank; by default a share of the host", set_threads},
    {"--json", "FILE", "write the result to FILE too", set_json},
    {"--help", NULL, "this text", set_help},
    {0},
};

bool is_options_parse(struct is_options *options, char **words, char *message, size_t size)
{
    *options =
        (struct is_options){.class = is_class_find("S"), .exchanges = 1u << IS_STRATA, .repeat = 1};
    if (!app_options_parse(table, options, words, message, size)) {
        return false;
    }
    const bool any = options->mode == IS_RANKS || options->mode == IS_TEAM;
    const char *wrong = any                                              ? NULL
                        : options->exchanges != 1u << IS_STRATA          ? "--exchange strata"
                        : options->mapped && options->mode == IS_MEMBERS ? "--memory private"
                                                                         : NULL;
    if (wrong) {
        snprintf(message, size, "--mode %s takes %s: only Strata's collectives know threads",
                 is_mode_name[options->mode], wrong);
    }
    return !wrong;
}

void is_options_help(FILE *file)
{
    fprintf(file,
            "usage: mpirun -n RANKS is_sort [OPTION]...\n\n"
            "NAS IS: ranks integer keys that are spread over all ranks, and checks the\n"
            "result. With --exchange both, each iteration runs twice in one process, once\n"
            "with each exchange. Where calls are persistent MPI's do not block, for MPI-3 has\n"
            "no persistent collectives. A rank uses OMP_NUM_THREADS threads, but no more than its\n"
            "share of the host's processors unless --threads says so.\n\n");
    app_options_help(table, file);
    fprintf(file, "\nExit code: 0 verified, 1 not verified, 2 wrong use or not enough memory.\n");
}
