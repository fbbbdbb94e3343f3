/* The command line of strata simulate. */
#define _GNU_SOURCE /* memmem */
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/config.h"
#include "core/plan/collective.h"
#include "hier/choice.h"
#include "hier/registry.h"
#include "sim/patterns/patterns.h"
#include "tools/command/options.h"
#include "tools/command/words.h"
#include "tools/simulate/simulate.h"

const char simulate_help[] =
    "  --platform NAME     a name of `strata list platforms`, or a file NAME.xml; NAME:adapter:\n"
    "                      the ranks of a node share its adapter; NAME:adapter=S: which takes a\n"
    "                      message each S seconds\n"
    "  --ranks N           how many ranks\n"
    "  --ranks-per-node N  of them on each node (as many as its cores have room for)\n"
    "  --threads N         threads of each rank, which share its work: that of is_sort and fft, "
    "and\n"
    "                      long copies in Strata's calls; each has a core (1)\n"
    "  --mapping M         sequential: node after node; cyclic: dealt in turn (sequential)\n"
    "  --bytes B,B,...     size of each block, or of the vector of bcast, reduce, allreduce,\n"
    "                      scan (8); K, M, G are powers of 1024\n"
    "  --pattern P         of alltoallv, allgatherv, ...: uniform: each block has a random size\n"
    "                      of 1 to B; power_law: likewise, most of them short; sparse: 1 % of\n"
    "                      the blocks have B, and one more of each rank, the others none;\n"
    "                      hot_receiver: those to the rank in the middle have B, all others a\n"
    "                      sixteenth; fixed: all have B (fixed)\n"
    "  --methods M,M,...   auto, native or a name of `strata list`, with parameters; and MPI\n"
    "                      libraries as SimGrid knows them: ompi, mpich, mvapich2, impi; basic:\n"
    "                      everything is sent at once, in the order of ranks; mpi:NAME: SimGrid's\n"
    "                      algorithm NAME (auto,mpich). Semicolons part them as well. every: auto\n"
    "                      and all names of `strata list` for this collective\n"
    "  --calls N           timed calls, of which the mean is told (3; of split 1)\n"
    "  --seed N            of the random sizes (1)\n"
    "  --root R            of bcast, reduce, gather, scatter (0)\n"
    "  --verify yes|no     compare the first size of each of our methods with MPI's own, byte for\n"
    "                      byte (yes up to 128 ranks: above, MPI's takes most of the time)\n"
    "  --jobs N            simulations at a time (one for each processor)\n"
    "  --program FILE      the simulated program, of is_sort and fft itself (build/smpi/simulate,\n"
    "                      is_sort, fft, bench_split)\n"
    "  --class C           of is_sort and fft: S, W, A, B, C, D (S); their methods are strata, a\n"
    "                      name of `strata list alltoallv` (Strata, by that algorithm), mpi and\n"
    "                      the MPI libraries above, which then exchange keys, or the field\n"
    "                      (strata,mpi)\n"
    "  --cases C,C,...     of split: reorder (one group, random keys); split-many-N, split-few-N: "
    "no\n"
    "                      keys, colours of N characters (0: integers), all different or of\n"
    "                      --groups; both-many-N, both-few-N: with random keys too (reorder,\n"
    "                      split-many-5,split-few-5). Its methods are those of `strata list "
    "split`\n"
    "                      and MPI_Comm_split, which has integers (all that the paper times)\n"
    "  --groups N          of the few (16)\n"
    "  --csv               one line for each method and size\n\n"
    "Times are simulated: the same command gives the same figures on any machine.\n\n"
    "  strata simulate alltoallv --platform smoky --ranks 512 --bytes 1,8,64 --pattern uniform \\\n"
    "      --methods auto,leaders:leaders=1,sloav,mpich,mvapich2\n"
    "  strata simulate allgather --platform yahoo --ranks 128 --mapping cyclic --methods "
    "sparbit,ompi\n"
    "  strata simulate is_sort --class S --platform smoky --ranks 128 --methods strata,mpi\n"
    "  strata simulate split --platform fat_tree --ranks 256 --ranks-per-node 16 \\\n"
    "      --methods MPI_Comm_split,bitonic,hash --cases reorder,split-few-80\n";

static int wrong(const struct simulate_request *r, const char *name, const char *value,
                 const char *allowed)
{
    tool_complain(r->command, "%s \"%s\": allowed is %s", name, value, allowed);
    return TOOL_WRONG_USE;
}

static bool read_number(const char *text, long least, long most, long *number)
{
    int64_t value = 0;
    const char *end;
    bool right = strata_config_number(text, true, &value, &end) && !*end;
    *number = value;
    return right && value >= least && value <= most;
}

static int read_bytes(struct simulate_request *r, const char *list)
{
    char word[32];
    for (const char *at = list; r->sizes < SIMULATE_SIZES; at++) {
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (!read_number(word, 0, 1L << 30, &r->bytes[r->sizes])) {
            return wrong(r, "--bytes", list, "up to 64 sizes between commas, each at most 1G");
        }
        r->sizes++;
        at += length;
        if (!*at) {
            return TOOL_OK;
        }
    }
    return wrong(r, "--bytes", list, "up to 64 sizes between commas, each at most 1G");
}

/* The length of the first method of a list. Methods are separated by commas, as their parameters
 * are: "leaders:leaders=1,radix=2,sloav" is two methods. Where semicolons separate methods, commas
 * do not. */
static size_t method_length(const char *at, bool semicolons)
{
    if (semicolons) {
        return strcspn(at, ";");
    }
    size_t length = strcspn(at, ",");
    while (at[length]) {
        size_t next = strcspn(at + length + 1, ",");
        const char *word = at + length + 1;
        if (!memchr(word, '=', next) || memchr(word, ':', next)) {
            break;
        }
        length += 1 + next;
    }
    return length;
}

/* Whether the library accepts the method; complains where it does not. */
static int check_method(const struct simulate_request *r, const char *method)
{
    struct strata_choice choice;
    struct strata_diagnostic message;
    int collective = 0;
    if (r->split) {
        return simulate_split_method(r, method);
    }
    if (r->class) {
        return strcmp(method, "strata") == 0 || strcmp(method, "mpi") == 0 ||
                       (simulate_is_mpi(method) && strcmp(method, "basic") != 0 &&
                        strncmp(method, "mpi:", 4) != 0) ||
                       (strata_choice_parse(method, STRATA_ALLTOALLV, &choice, &message) ==
                            STRATA_OK &&
                        choice.algorithm && choice.algorithm->level != STRATA_MPI)
                   ? TOOL_OK
                   : wrong(r, "--methods", method,
                           "strata, an algorithm of alltoallv, mpi, ompi, mpich, mvapich2, impi");
    }
    while (strcmp(strata_collective_name((enum strata_collective)collective), r->collective) != 0) {
        collective++;
    }
    if (simulate_is_mpi(method) || strcmp(method, "auto") == 0 || strcmp(method, "native") == 0) {
        return TOOL_OK;
    }
    if (strata_choice_parse(method, (enum strata_collective)collective, &choice, &message) ==
        STRATA_OK) {
        return TOOL_OK;
    }
    tool_complain(r->command,
                  "--methods: %s; and allowed are auto, native, ompi, mpich, mvapich2, impi, "
                  "basic, mpi:NAME",
                  message.text);
    return TOOL_WRONG_USE;
}

/* Adds all algorithms of the collective. Cost decides about their parameters, at each size. */
static void add_every(struct simulate_request *r)
{
    const struct strata_algorithm *row;
    int collective = 0;
    while (strcmp(strata_collective_name((enum strata_collective)collective), r->collective) != 0) {
        collective++;
    }
    for (int i = 0; (row = strata_registry_at(i)) && r->methods < SIMULATE_METHODS; i++) {
        if (row->collectives >> collective & 1 && row->level != STRATA_MPI && !row->once) {
            snprintf(r->method[r->methods++], sizeof r->method[0], "%s", row->name);
        }
    }
}

static int read_methods(struct simulate_request *r, const char *list)
{
    if (strcmp(list, "every") == 0 && !r->class && !r->split) {
        snprintf(r->method[0], sizeof r->method[0], "auto");
        r->methods = 1;
        add_every(r);
        return TOOL_OK;
    }
    r->methods = 0;
    for (const char *at = list; r->methods < SIMULATE_METHODS; at++) {
        size_t length = method_length(at, strchr(list, ';') != NULL);
        char *method = r->method[r->methods++];
        if (length == 0 || length >= sizeof r->method[0]) {
            break;
        }
        snprintf(method, sizeof r->method[0], "%.*s", (int)length, at);
        int code = check_method(r, method);
        at += length;
        if (code != TOOL_OK || !*at) {
            return code;
        }
    }
    return wrong(r, "--methods", list,
                 "up to 32 methods between commas or semicolons, each of 1 to 191 characters");
}

struct number_option {
    const char *name, *allowed;
    long least, most;
    size_t offset;
};
#define NUMBER(name, field, least, most, allowed)                                                  \
    {                                                                                              \
        name, allowed, least, most, offsetof(struct simulate_request, field)                       \
    }
static const struct number_option numbers[] = {
    NUMBER("--ranks", ranks, 1, 1 << 20, "a number from 1 to 1048576"),
    NUMBER("--ranks-per-node", per_node, 1, 1 << 16, "a number from 1 to 65536"),
    NUMBER("--threads", threads, 1, 1024, "a number from 1 to 1024"),
    NUMBER("--calls", calls, 1, 1000, "a number from 1 to 1000"),
    NUMBER("--seed", seed, 0, INT_MAX, "a number from 0 to 2147483647"),
    NUMBER("--root", root, 0, 1 << 20, "the number of a rank"),
    NUMBER("--groups", groups, 1, 1 << 20, "a number from 1 to 1048576"),
    NUMBER("--jobs", jobs, 1, 256, "a number from 1 to 256"),
};

static int take_number(void *self, const char *name, const char *value)
{
    struct simulate_request *r = self;
    const struct number_option *row = numbers;
    long number;
    while (strcmp(row->name, name) != 0) {
        row++;
    }
    if (!read_number(value, row->least, row->most, &number)) {
        return wrong(r, name, value, row->allowed);
    }
    *(int *)(void *)((char *)r + row->offset) = (int)number;
    return TOOL_OK;
}

/* Reads an option that is one of two words. */
static int word_option(const struct simulate_request *r, const char *name, const char *value,
                       const char *first, const char *second, int *which)
{
    char allowed[64];
    snprintf(allowed, sizeof allowed, "%s or %s", first, second);
    *which = strcmp(value, second) == 0;
    return *which || strcmp(value, first) == 0 ? TOOL_OK : wrong(r, name, value, allowed);
}

static int take_word(void *self, const char *name, const char *value)
{
    struct simulate_request *r = self;
    if (strcmp(name, "--mapping") == 0) {
        return word_option(r, name, value, "sequential", "cyclic", &r->cyclic);
    }
    if (strcmp(name, "--verify") == 0) {
        return word_option(r, name, value, "no", "yes", &r->verify);
    }
    const enum strata_pattern pattern = strata_pattern_find(value);
    if (pattern == STRATA_PATTERNS) {
        return wrong(r, name, value, STRATA_PATTERN_NAMES);
    }
    r->pattern = strata_pattern_name(pattern);
    return TOOL_OK;
}

static int take_list(void *self, const char *name, const char *value)
{
    struct simulate_request *r = self;
    return strcmp(name, "--bytes") == 0   ? read_bytes(r, value)
           : strcmp(name, "--cases") == 0 ? simulate_split_cases(r, value)
                                          : read_methods(r, value);
}

static int take_platform(void *self, const char *name, const char *value)
{
    struct simulate_request *r = self;
    struct strata_diagnostic message;
    if (tool_platform_find(value, &r->platform, &message) != STRATA_OK) {
        tool_complain(r->command, "%s: %s", name, message.text);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

static int take_class(void *self, const char *name, const char *value)
{
    struct simulate_request *r = self;
    r->class = value;
    return strlen(value) == 1 && strchr("SWABCD", *value)
               ? TOOL_OK
               : wrong(r, name, value, "S, W, A, B, C or D");
}

static int take_program(void *self, const char *name, const char *value)
{
    struct simulate_request *r = self;
    (void)name;
    snprintf(r->program, sizeof r->program, "%s", value);
    return TOOL_OK;
}

static int take_csv(void *self, const char *name, const char *value)
{
    (void)name;
    (void)value;
    ((struct simulate_request *)self)->csv = 1;
    return TOOL_OK;
}

/* The options of every simulation. The options of split, of applications and of collectives
 * follow. */
static const struct tool_option common[] = {{"--platform", TOOL_TEXT, take_platform, NULL},
                                            {"--ranks", TOOL_TEXT, take_number, NULL},
                                            {"--ranks-per-node", TOOL_TEXT, take_number, NULL},
                                            {"--mapping", TOOL_TEXT, take_word, NULL},
                                            {"--methods", TOOL_TEXT, take_list, NULL},
                                            {"--calls", TOOL_TEXT, take_number, NULL},
                                            {"--seed", TOOL_TEXT, take_number, NULL},
                                            {"--root", TOOL_TEXT, take_number, NULL},
                                            {"--verify", TOOL_TEXT, take_word, NULL},
                                            {"--groups", TOOL_TEXT, take_number, NULL},
                                            {"--jobs", TOOL_TEXT, take_number, NULL},
                                            {"--program", TOOL_TEXT, take_program, NULL},
                                            {"--csv", TOOL_FLAG, take_csv, NULL},
                                            {NULL, TOOL_FLAG, NULL, NULL}};
static const struct tool_option of_split[] = {{"--cases", TOOL_TEXT, take_list, NULL},
                                              {NULL, TOOL_FLAG, NULL, NULL}};
static const struct tool_option of_others[] = {{"--class", TOOL_TEXT, take_class, NULL},
                                               {"--bytes", TOOL_TEXT, take_list, NULL},
                                               {"--pattern", TOOL_TEXT, take_word, NULL},
                                               {"--threads", TOOL_TEXT, take_number, NULL},
                                               {NULL, TOOL_FLAG, NULL, NULL}};

static int read_options(struct simulate_request *r, char **argv)
{
    const struct tool_option *own = r->split ? of_split : r->class ? of_others : of_others + 1;
    const struct tool_options all = {r->command, r->collective, common, own, r};
    return tool_options_read_all(&all, argv, 2);
}

static int read_collective(struct simulate_request *r, const char *name)
{
    r->class = strcmp(name, "is_sort") == 0 || strcmp(name, "fft") == 0 ? "S" : NULL;
    r->split = strcmp(name, "split") == 0;
    if (r->class || r->split) {
        snprintf(r->collective, sizeof r->collective, "%s", name);
        return TOOL_OK;
    }
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (strcmp(name, strata_collective_name((enum strata_collective)c)) == 0) {
            snprintf(r->collective, sizeof r->collective, "%s", name);
            return TOOL_OK;
        }
    }
    tool_complain(r->command,
                  "\"%s\" is neither a collective of strata list nor is_sort, fft or split", name);
    return TOOL_WRONG_USE;
}

static int allows_lengths(const struct simulate_request *r)
{
    size_t length = strlen(r->collective);
    char last = r->collective[length - 1];
    return last == 'v' || last == 'w' || strcmp(r->collective, "reduce_scatter") == 0;
}

/* Whether each thread has a core, where ranks have several. */
static int check_threads(const struct simulate_request *r)
{
    char value[32], text[256];
    if (r->threads == 1 || (long)r->per_node * r->threads <= r->platform.cores) {
        return TOOL_OK;
    }
    snprintf(value, sizeof value, "%d", r->threads);
    snprintf(text, sizeof text, "at most %d: a node of %s has %d cores, and %d rank%s",
             r->platform.cores / r->per_node > 1 ? r->platform.cores / r->per_node : 1,
             r->platform.name, r->platform.cores, r->per_node, tool_plural(r->per_node));
    return wrong(r, "--threads", value, text);
}

static int check_ranks(struct simulate_request *r)
{
    char text[160];
    const int room = r->platform.cores / r->threads;
    r->per_node = r->per_node ? r->per_node : room > 1 ? room : 1;
    r->per_node = r->per_node < r->ranks ? r->per_node : r->ranks;
    if (r->ranks > (long)r->platform.hosts * r->per_node) {
        snprintf(text, sizeof text, "at most %ld: %s has %d hosts, with %d ranks on each",
                 (long)r->platform.hosts * r->per_node, r->platform.name, r->platform.hosts,
                 r->per_node);
        char value[32];
        snprintf(value, sizeof value, "%d", r->ranks);
        return wrong(r, "--ranks", value, text);
    }
    if (r->root >= r->ranks) {
        snprintf(text, sizeof text, "%d", r->root);
        return wrong(r, "--root", text, "a rank below --ranks");
    }
    return check_threads(r);
}

/* Fills in presets, and refuses options that do not go together. */
static int complete(struct simulate_request *r)
{
    if (!r->platform.name[0] || r->ranks == 0) {
        tool_complain(r->command, "--platform and --ranks are needed");
        return TOOL_WRONG_USE;
    }
    if (r->pattern && strcmp(r->pattern, "fixed") != 0 && !allows_lengths(r)) {
        tool_complain(r->command, "--pattern %s: all blocks of %s have one length", r->pattern,
                      r->collective);
        return TOOL_WRONG_USE;
    }
    if (r->class && (r->pattern || r->sizes > 0 || r->calls || r->seed >= 0 || r->root >= 0 ||
                     r->verify >= 0)) {
        tool_complain(r->command,
                      "--bytes, --pattern, --calls, --seed, --root and --verify are for "
                      "collectives; %s has --class",
                      r->collective);
        return TOOL_WRONG_USE;
    }
    if (r->groups && !r->split) {
        tool_complain(r->command, "--groups is for split");
        return TOOL_WRONG_USE;
    }
    if (r->split) {
        int code = simulate_split_preset(r);
        return code ? code : check_ranks(r);
    }
    r->calls = r->calls ? r->calls : 3;
    r->seed = r->seed < 0 ? 1 : r->seed;
    r->root = r->root < 0 ? 0 : r->root;
    r->pattern = r->pattern ? r->pattern : "fixed";
    r->verify = r->verify < 0 ? r->ranks <= 128 : r->verify;
    if (r->sizes == 0) {
        r->bytes[r->sizes++] = 8;
    }
    if (r->methods == 0) {
        read_methods(r, r->class ? "strata,mpi" : "auto,mpich");
    }
    return check_ranks(r);
}

/* Whether sim/smpi/adapter.cc is in the program. Another one would ignore a shared adapter. */
static bool has_adapter(const char *path)
{
    static const char variable[] = "STRATA_ADAPTER";
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool regular = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    const size_t size = regular ? (size_t)about.st_size : 0;
    void *all = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    const bool has = all != MAP_FAILED && memmem(all, size, variable, sizeof variable);
    if (all != MAP_FAILED) {
        munmap(all, size);
    }
    if (file >= 0) {
        close(file);
    }
    return has;
}

/* Finds the program in build/smpi beside this command's build, or the installed program. */
static int find_program(struct simulate_request *r)
{
    static const char *const places[] = {"../smpi", "../libexec/strata"};
    const char *name = r->split ? "bench_split" : r->class ? r->collective : "simulate";
    char folder[TOOL_PATH - 64];
    tool_program_folder(folder, sizeof folder);
    for (size_t i = 0; !r->program[0] && i < sizeof places / sizeof *places; i++) {
        snprintf(r->program, sizeof r->program, "%s/%s/%s", folder, places[i], name);
        if (access(r->program, R_OK) != 0) {
            r->program[0] = '\0';
        }
    }
    if (r->program[0] && access(r->program, R_OK) == 0) {
        if (r->platform.adapter <= 0 || has_adapter(r->program)) {
            return TOOL_OK;
        }
        tool_complain(r->command, "%s was built without shared adapters; build it again",
                      r->program);
        return TOOL_FAILED;
    }
    tool_complain(r->command,
                  "there is no program %s built with SimGrid%s%s. Install libsimgrid-dev%s, then\n"
                  "    cmake --preset smpi && cmake --build --preset smpi\n"
                  "or name one with --program",
                  name, r->program[0] ? ": " : "", r->program,
                  strcmp(name, "fft") == 0 ? " and libfftw3-dev" : "");
    return TOOL_FAILED;
}

int simulate_parse(struct simulate_request *request, int argc, char **argv)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    request->seed = request->root = request->verify = -1; /* not given */
    request->threads = 1;
    request->jobs = processors > 0 ? (int)processors : 1;
    if (argc < 2) {
        tool_complain(request->command, "a collective is needed");
        return TOOL_WRONG_USE;
    }
    int code = read_collective(request, argv[1]);
    code = code ? code : read_options(request, argv);
    code = code ? code : complete(request);
    return code ? code : find_program(request);
}
