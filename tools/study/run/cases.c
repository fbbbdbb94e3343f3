/* Makes a point of each case of a study of nodes. */
#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/config.h"
#include "tools/scale/platform.h"
#include "tools/study/run/backends.h"
#include "tools/study/run/points.h"
#include "tools/study/table/memory.h"

static bool is_own(const struct study_case *one)
{
    return study_app_is_own(one->app);
}

static char *program_of(const struct study_request *request, const struct study_case *one)
{
    if (is_own(one)) {
        return study_copy(one->name, strcspn(one->name, " "));
    }
    return study_path_beside(request, one->app->name ? one->app->name : "bench/strata_bench");
}

/* Why the options do not go together; NULL: they do. */
static const char *wrong_words(const struct study_case *one)
{
    if (!one->app) {
        return "--app must be is_sort, fft, a collective (`strata list` names them) or a program "
               "with its path, such as ./mine";
    }
    if (!one->backend) {
        return "--backend must be emulated, hosts, smpi or slurm";
    }
    if (!one->backend->begin && is_own(one)) {
        return "a program of your own does not run on simulated clusters; is_sort, fft and "
               "collectives do";
    }
    return study_app_wrong_size(one->app, one->size);
}

/* How a program of the user tells its time: an expression, a key, or not at all. */
static const char *find_time(const struct study_request *request, struct study_case *one)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
    const char *pattern = study_value(request, "--time-pattern");
    const char *key = study_value(request, "--time-json"),
               *unit = study_value(request, "--time-unit");
    one->format = pattern ? STUDY_PATTERN : key ? STUDY_KEY : STUDY_CLOCK;
    one->time = pattern ? pattern : key;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        one->unit = strcmp(units[i].name, unit) == 0 ? units[i].seconds : one->unit;
    }
    regex_t compiled;
    if (pattern && regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE) != 0) {
        return "--time-pattern must be an extended regular expression";
    }
    size_t groups = pattern ? compiled.re_nsub : 1;
    if (pattern) {
        regfree(&compiled);
    }
    return pattern && key ? "--time-pattern or --time-json, not both"
           : groups == 0  ? "--time-pattern needs a group, as in 'Time: ([0-9.]+)'"
           : !one->unit   ? "--time-unit must be s, ms or us"
           : one->time && !is_own(one)
               ? "--time-pattern and --time-json are for programs of your own"
               : NULL;
}

/* Why the case cannot run on this machine; NULL: it can. */
static const char *lacking(const struct study_request *request, const struct study_case *one)
{
    const char *lacks = one->backend->lacks();
    char *program = program_of(request, one);
    if (!lacks && one->backend->begin && access(program, X_OK) != 0) {
        lacks = is_own(one) ? "the program of --app cannot be run"
                            : "the program of --app was not built here";
    }
    free(program);
    return lacks;
}

static void find_platform(struct study_points *points, struct study_case *one)
{
    struct tool_platform platform;
    struct strata_diagnostic message;
    one->platform = study_value(points->request, "--platform");
    if (tool_platform_find(one->platform, &platform, &message) != STRATA_OK) {
        points->refusal =
            "--platform must be a name of `strata list platforms`, or a file NAME.xml";
        points->wrong_use = true;
    }
    one->node_cores = platform.cores;
}

const char *study_case_modes(const struct study_case *one)
{
    return one->backend->begin ? one->app->modes : "ranks,members";
}

bool study_case_find(struct study_points *points, struct study_case *one)
{
    const struct study_request *request = points->request;
    *one = (struct study_case){.name = study_value(request, "--app")};
    one->backend = study_backend_find(study_value(request, "--backend"));
    one->app = study_app_find(one->name);
    one->size = one->app && one->app->option ? study_value(request, one->app->option) : "";
    points->refusal = wrong_words(one);
    points->refusal = points->refusal ? points->refusal : find_time(request, one);
    points->wrong_use = points->refusal != NULL;
    if (!points->refusal && !request->dry) {
        points->refusal = lacking(request, one);
    }
    if (!points->refusal && one->backend->cores) {
        one->cores = one->backend->cores();
    } else if (!points->refusal) {
        find_platform(points, one);
    }
    return !points->refusal;
}

/* The threads of a rank have merged the blocks of a collective. */
static double bytes_of(const struct study_case *one)
{
    int64_t bytes = 0;
    const char *end;
    strata_config_number(one->size, true, &bytes, &end);
    return study_merged_bytes(one->name, (double)bytes, one->threads);
}

static char *simulate(const struct study_case *one, const char *methods)
{
    const char *option = one->app->name ? "--class" : "--bytes";
    char size[32], threads[32] = "";
    snprintf(size, sizeof size, "%s", one->size);
    if (one->threads > 1) {
        snprintf(threads, sizeof threads, "--threads %d ", one->threads);
    }
    if (one->threads > 1 && !one->app->name) {
        snprintf(size, sizeof size, "%.0f", bytes_of(one));
    }
    return study_text("strata simulate %s %s %s --platform %s --ranks %d --ranks-per-node %d "
                      "%s--methods %s --csv",
                      one->name, option, size, one->platform, one->nodes * one->ranks, one->ranks,
                      threads, methods);
}

static char *program_words(const struct study_request *request, const struct study_case *one)
{
    char *program = program_of(request, one);
    char *words = one->app->name
                      ? study_text("'%s' --class %s %s --threads %d --repeat 3 --json @JSON@",
                                   program, one->size, one->mode->words, one->threads)
                      : study_text("'%s' --collective %s --bytes %.0f --batches 11 --seconds 0.05 "
                                   "--benchmark_out_format=json --benchmark_out=@JSON@",
                                   program, one->name, bytes_of(one));
    free(program);
    return words;
}

/* The labels of the place and of the case, which no output has. */
static char *labels_of(const struct study_case *one, const char *more)
{
    char cores[24] = "";
    if (one->cores > 0) {
        snprintf(cores, sizeof cores, "%ld", one->cores);
    }
    return study_text(
        "%s;run=%s%s%s, %d core%s %s%s%s;backend=%s;app=%s;mode=%s;split=%dx%dx%d;nodes=%d;"
        "ranks_per_node=%d;threads=%d;cores=%s;repeat=%d",
        more, one->name, *one->size ? " " : "", one->size, one->total, one->total == 1 ? "" : "s",
        one->backend->place, one->platform ? " " : "", one->platform ? one->platform : "",
        one->backend->name, one->name, one->mode->name, one->nodes, one->ranks, one->threads,
        one->nodes, one->ranks, one->threads, cores, one->repeat);
}

static void add_point(struct study_points *points, const struct study_case *one,
                      const char *kind_of, const char *more, const char *command)
{
    bool simulated = !one->backend->begin;
    char *labels = labels_of(one, more);
    char *name = study_text("%s%s%s-%s-%dx%dx%d-%s%s-%d", one->name, *one->size ? "-" : "",
                            one->size, one->backend->name, one->nodes, one->ranks, one->threads,
                            one->mode->name, kind_of, one->repeat);
    struct study_kind kind = {.labels = labels,
                              .timed = !simulated,
                              .time = one->time,
                              .unit = one->unit,
                              .format = simulated     ? STUDY_CSV
                                        : is_own(one) ? one->format
                                                      : STUDY_JSON};
    study_add(points, &kind, name, "%s", command);
    free(name);
    free(labels);
}

/* Adds "|value" to a label. */
static void alternate(char **label, const char *value)
{
    char *longer = study_text("%s|%s", *label, value);
    free(*label);
    *label = longer;
}

/* The labels of ranks, and where these have one thread also of members in every split into ranks
 * and threads. */
static char *member_labels(const struct study_case *one)
{
    char *method = study_text("method=strata"),
         *ranks = study_text("ranks_per_node=%d", one->ranks);
    char *threads = study_text("threads=%d", one->threads), *mode = study_text("mode=ranks");
    char *split = study_text("split=%dx%dx%d", one->nodes, one->ranks, one->threads);
    const bool members = one->members && one->threads == 1 &&
                         one->nodes * one->ranks <= study_app_members(one->app, one->size);
    for (int t = 2; members && t <= one->ranks; t++) {
        char text[64];
        if (one->ranks % t == 0) {
            alternate(&method, "members");
            alternate(&mode, "members");
            snprintf(text, sizeof text, "%d", one->ranks / t);
            alternate(&ranks, text);
            snprintf(text, sizeof text, "%d", t);
            alternate(&threads, text);
            snprintf(text, sizeof text, "%dx%dx%d", one->nodes, one->ranks / t, t);
            alternate(&split, text);
        }
    }
    char *labels = study_text("%s;%s;%s;%s;%s", method, mode, ranks, threads, split);
    free(method);
    free(mode);
    free(ranks);
    free(threads);
    free(split);
    return labels;
}

static void add_simulated(struct study_points *points, const struct study_case *one)
{
    const bool application = one->app->name != NULL;
    char *labels = member_labels(one);
    char *ours = simulate(one, application ? "strata" : "auto");
    char *mpis = simulate(one, application ? "mpi" : "mpich");
    add_point(points, one, "-strata", labels, ours);
    add_point(points, one, "-mpi", "method=mpi", mpis);
    free(mpis);
    free(ours);
    free(labels);
}

/* Adds the user's program twice: under Strata, and alone. */
static void add_own(struct study_points *points, const struct study_case *one)
{
    struct study_case named = *one;
    const size_t length = strcspn(one->name, " ");
    char *file = study_copy(one->name, length), *begin = one->backend->begin(one);
    char *path = realpath(file, NULL);
    char *under = study_text("%s '%s' run -- '%s'%s", begin, points->request->own_path,
                             path ? path : file, one->name + length);
    char *plain = study_text("%s '%s'%s", begin, path ? path : file, one->name + length);
    named.name = strrchr(file, '/') + 1;
    add_point(points, &named, "-strata", "method=strata", under);
    add_point(points, &named, "-mpi", "method=mpi", plain);
    free(plain);
    free(under);
    free(path);
    free(begin);
    free(file);
}

static void add_timed(struct study_points *points, const struct study_case *one)
{
    char *begin = one->backend->begin(one), *end = program_words(points->request, one);
    char *command = study_text("%s %s", begin, end);
    const char *method = one->app->name ? one->mode->labels : "method=strata|mpi";
    char *labels = study_text("%s;%s", method, one->app->labels);
    add_point(points, one, "", labels, command);
    free(labels);
    free(command);
    free(end);
    free(begin);
}

void study_case_add(struct study_points *points, const struct study_case *one)
{
    if (is_own(one)) {
        add_own(points, one);
    } else if (one->backend->begin) {
        add_timed(points, one);
    } else if (one->mode->alone && one->ranks * one->threads <= one->node_cores) {
        add_simulated(points, one);
    }
}
