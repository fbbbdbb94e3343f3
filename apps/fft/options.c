/* The command line of the FFT application. */
#include <stdlib.h>
#include <string.h>

#include "apps/fft/ft.h"

#define EVERY_LIBRARY (1u << FFT_STRATA | 1u << FFT_MPI | 1u << FFT_FFTW)

static const char *set_class(void *options, const char *value)
{
    struct ft_options *o = options;
    o->class = ft_class_find(value);
    return o->class ? NULL : "S, W, A, B, C or D";
}

/* Reads numbers with an x between them. */
static bool read_numbers(const char *value, int count, int *numbers)
{
    char text[64];
    snprintf(text, sizeof text, "%s", value);
    char *rest = text;
    for (int i = 0; i < count; i++) {
        char *word = rest, *end = word + strcspn(word, "x");
        rest = *end ? end + 1 : end;
        if ((*end != '\0') != (i + 1 < count)) {
            return false;
        }
        *end = '\0';
        if (!app_number(word, 1 << 24, &numbers[i])) {
            return false;
        }
    }
    return true;
}

static const char *set_size(void *options, const char *value)
{
    struct ft_options *o = options;
    int n[3];
    if (!read_numbers(value, 3, n)) {
        return "XxYxZ, the elements in each direction";
    }
    for (int axis = 0; axis < 3; axis++) {
        o->n[axis] = n[2 - axis];
    }
    return NULL;
}

static const char *set_grid(void *options, const char *value)
{
    struct ft_options *o = options;
    return read_numbers(value, 2, o->grid) ? NULL : "PxQ, the rows and columns of ranks";
}

static const char *set_exchange(void *options, const char *value)
{
    struct ft_options *o = options;
    static const struct {
        const char *name;
        unsigned libraries;
    } table[] = {{"strata", 1u << FFT_STRATA},
                 {"mpi", 1u << FFT_MPI},
                 {"fftw", 1u << FFT_FFTW},
                 {"both", 1u << FFT_STRATA | 1u << FFT_MPI},
                 {"all", EVERY_LIBRARY}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(value, table[i].name) == 0) {
            o->libraries = table[i].libraries;
            return NULL;
        }
    }
    return "strata, mpi, fftw, both (strata and mpi) or all";
}

static const char *set_transpose(void *options, const char *value)
{
    struct ft_options *o = options;
    bool both = strcmp(value, "both") == 0;
    o->transposes = 0;
    o->transposes |= both || strcmp(value, "pack") == 0 ? 1u << FFT_PACK : 0;
    o->transposes |= both || strcmp(value, "datatype") == 0 ? 1u << FFT_DATATYPE : 0;
    return o->transposes ? NULL : "pack, datatype or both";
}

const char *const ft_calls_name[FFT_CALLS] = {"blocking", "nonblocking", "persistent"};

static const char *set_calls(void *options, const char *value)
{
    struct ft_options *o = options;
    int calls = 0;
    while (calls < FFT_CALLS && strcmp(value, ft_calls_name[calls]) != 0) {
        calls++;
    }
    o->calls = (enum fft_calls)calls;
    return calls < FFT_CALLS ? NULL : "blocking, nonblocking or persistent";
}

static const char *set_memory(void *options, const char *value)
{
    struct ft_options *o = options;
    o->mapped = strcmp(value, "mapped") == 0;
    return o->mapped || strcmp(value, "private") == 0 ? NULL : "private or mapped";
}

static const char *set_mode(void *options, const char *value)
{
    struct ft_options *o = options;
    o->members = strcmp(value, "members") == 0;
    o->team = strcmp(value, "team") == 0;
    return o->members || o->team || strcmp(value, "ranks") == 0 ? NULL : "ranks, members or team";
}

static const char *set_plan(void *options, const char *value)
{
    struct ft_options *o = options;
    o->measure = strcmp(value, "measure") == 0;
    return o->measure || strcmp(value, "estimate") == 0 ? NULL : "estimate or measure";
}

static const char *set_repeat(void *options, const char *value)
{
    struct ft_options *o = options;
    return app_number(value, FT_REPEATS, &o->repeat) ? NULL : "a number from 1 to 1000";
}

static const char *set_threads(void *options, const char *value)
{
    struct ft_options *o = options;
    return app_number(value, APP_THREADS, &o->threads) ? NULL : "a number from 1 to 1024";
}

static const char *set_json(void *options, const char *value)
{
    struct ft_options *o = options;
    o->json = value;
    return *value ? NULL : "the name of a file";
}

static const char *set_help(void *options, const char *value)
{
    struct ft_options *o = options;
    (void)value;
    o->help = true;
    return NULL;
}

static const struct app_option table[] = {
    {"--class", "S|W|A|B|C|D", "NAS FT of that class; S by default", set_class},
    {"--size", "XxYxZ", "instead: random data of that size, forward and back", set_size},
    {"--grid", "PxQ", "rows and columns of ranks: Px1 slabs, else pencils", set_grid},
    {"--exchange", "strata|mpi|fftw|both|all", "who exchanges; strata by default", set_exchange},
    {"--transpose", "pack|datatype|both", "how; pack by default", set_transpose},
    {"--calls", "blocking|nonblocking|persistent", "by which calls; blocking by default",
     set_calls},
    {"--memory", "private|mapped", "where fields lie: in a rank's own memory, or strata_alloc's",
     set_memory},
    {"--mode", "ranks|members|team",
     "what has planes of its own: a rank, with all its threads; each thread, as a member of "
     "Strata's collectives; or a rank, whose threads share its exchanges",
     set_mode},
    {"--plan", "estimate|measure", "how FFTW finds its plans; estimate by default", set_plan},
    {"--repeat", "N", "runs; medians are shown; 1 by default", set_repeat},
    {"--threads", "N", "OpenMP threads of a rank; by default a share of the host", set_threads},
    {"--json", "FILE", "write the result to FILE too", set_json},
    {"--help", NULL, "this text", set_help},
    {0},
};

bool ft_options_parse(struct ft_options *options, char **words, char *message, size_t size)
{
    *options = (struct ft_options){
        .libraries = 1u << FFT_STRATA, .transposes = 1u << FFT_PACK, .repeat = 1};
    if (!app_options_parse(table, options, words, message, size)) {
        return false;
    }
    if (options->class && options->n[0]) {
        snprintf(message, size, "--class and --size: only one of them");
        return false;
    }
    const char *wrong = !options->members                        ? NULL
                        : options->libraries != 1u << FFT_STRATA ? "--exchange strata"
                        : options->mapped                        ? "--memory private"
                        : options->grid[1] > 1                   ? "slabs, --grid Px1"
                                                                 : NULL;
    if (wrong) {
        snprintf(message, size, "--mode members takes %s", wrong);
        return false;
    }
    if (!options->n[0]) {
        options->class = options->class ? options->class : ft_class_find("S");
        memcpy(options->n, options->class->n, sizeof options->n);
    }
    return true;
}

void ft_options_help(FILE *file)
{
    fprintf(file,
            "usage: mpirun -n RANKS fft [OPTION]...\n\n"
            "NAS FT, or a 3-D complex transform of any size, over slabs or pencils; results\n"
            "are checked. What is compared (--exchange, --transpose) takes turns, iteration\n"
            "by iteration, in one run: Strata's alltoall, MPI's, FFTW's transposition; packed\n"
            "by threads, or described by datatypes. Calls that do not block exchange a quarter\n"
            "of the planes while the next is transformed. Where calls are persistent MPI's do\n"
            "not block, for MPI-3 has no persistent collectives; FFTW's only block. Ranks that are "
            "neighbours in number share\n"
            "a row of the grid. A rank uses OMP_NUM_THREADS threads, but no more than its\n"
            "share of the host's processors unless --threads says so.\n\n");
    app_options_help(table, file);
    fprintf(file, "\nExit code: 0 verified, 1 not verified, 2 wrong use or not enough memory.\n");
}
