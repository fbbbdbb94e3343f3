/* Places to run a program: emulated nodes, hosts in namespaces, a simulated cluster, Slurm. Each
 * place is a row with the beginning of its command and with its requirements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/config.h"
#include "core/plan/collective.h"
#include "tools/scale/platform.h"
#include "tools/study/run/backends.h"
#include "tools/study/run/machine.h"
#include "tools/study/run/points.h"
#include "tools/study/table/memory.h"

#ifndef STRATA_MPI_KIND
#define STRATA_MPI_KIND "off"
#define STRATA_MPIEXEC  ""
#define STRATA_CROWDED  ""
#define STRATA_ROOMY    ""
#endif

/* The programs of a study, with their options and the labels of their results. */
struct study_app {
    const char *name;    /* NULL: any collective */
    const char *option;  /* the option of the size */
    const char *command; /* a format of the program, the size and the threads */
    const char *labels;
};

static const struct study_app apps[] = {
    {"is_sort", "--class", "'%s' --class %s --exchange both --threads %d --repeat 3 --json @JSON@",
     "method=@exchange;seconds=@total_seconds"},
    {"fft", "--class", "'%s' --class %s --exchange both --threads %d --repeat 3 --json @JSON@",
     "method=@exchange;seconds=@total_seconds"},
    {NULL, "--bytes", NULL,
     "method=strata|mpi;seconds=@real_time*1e-6|@mpi_us*1e-6;messages_between=@messages_between|;"
     "bytes_between=@bytes_between|"},
};

/* A program of the user, "./mine --size 5": a word with a path. The clock times it. */
static const struct study_app own_program = {"", NULL, NULL, NULL};

static bool is_own(const struct study_backend_case *one)
{
    return one->app == &own_program;
}

/* mpirun's words. With more ranks than cores Open MPI's ranks must yield to each other; otherwise
 * they spin, as they do for Open MPI's users (cmake/StrataMPI.cmake). */
static const char *mpirun_words(int ranks)
{
    static const char *const words[] = {STRATA_MPIEXEC " " STRATA_ROOMY,
                                        STRATA_MPIEXEC " " STRATA_CROWDED};
    return words[ranks > sysconf(_SC_NPROCESSORS_ONLN)];
}

#define ROOT "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive "

char *study_mpirun(int ranks)
{
    return *STRATA_MPIEXEC ? study_text("env " ROOT "%s -n %d", mpirun_words(ranks), ranks) : NULL;
}

static char *begin_emulated(const struct study_backend_case *one)
{
    int ranks = one->nodes * one->ranks;
    return study_text("env " ROOT "OMP_NUM_THREADS=%d STRATA_TOPO=node:%d %s -n %d", one->threads,
                      one->nodes, mpirun_words(ranks), ranks);
}

/* The script of the source tree that this command was built in; it is not installed. */
static char *hosts_script(void)
{
    char folder[TOOL_PATH];
    tool_program_folder(folder, sizeof folder);
    return study_text("%s/../../tests/hosts/hosts.sh", folder);
}

static char *begin_hosts(const struct study_backend_case *one)
{
    char *script = hosts_script();
    char *begin =
        study_text("env " ROOT
                   "OMP_NUM_THREADS=%d '%s' run --hosts %d --ranks %d --mpi " STRATA_MPI_KIND " --",
                   one->threads, script, one->nodes, one->ranks);
    free(script);
    return begin;
}

/* Begins with srun. The rank count -n is given although -N and --ntasks-per-node imply it: inside a
 * job srun takes it from the job's own number of tasks. */
static char *begin_slurm(const struct study_backend_case *one)
{
    return study_text("env OMP_NUM_THREADS=%d srun -N %d -n %d --ntasks-per-node %d -c %d",
                      one->threads, one->nodes, one->nodes * one->ranks, one->ranks, one->threads);
}

static const char *lacks_mpi(void)
{
    return strcmp(STRATA_MPI_KIND, "off") == 0
               ? "this is a build without MPI, which can run --backend smpi only"
               : NULL;
}

static const char *lacks_hosts(void)
{
    const char *lacks = lacks_mpi();
    char *script = hosts_script();
    if (!lacks && access(script, X_OK) != 0) {
        lacks =
            "--backend hosts needs tests/hosts of Strata's sources, which is not installed: take "
            "the strata that lies in build/openmpi or build/mpich there";
    } else if (!lacks && !study_command_works((const char *[]){script, "check", NULL})) {
        lacks = "hosts cannot be made here; `tests/hosts/hosts.sh check` says why";
    }
    free(script);
    return lacks;
}

static const char *lacks_srun(void)
{
    const char *lacks = lacks_mpi();
    if (!lacks && !study_command_works((const char *[]){"srun", "--version", NULL})) {
        lacks =
            "srun is not there: --backend slurm runs where Slurm is, inside an allocation or on a "
            "login node";
    }
    return lacks;
}

static const char *lacks_nothing(void)
{
    return NULL;
}

struct study_backend {
    const char *name, *place; /* its name in options; its name for people */
    char *(*begin)(const struct study_backend_case *one); /* NULL: `strata simulate` runs it */
    const char *(*lacks)(void);                           /* says what is missing; NULL: nothing */
};

static const struct study_backend backends[] = {
    {"emulated", "on emulated nodes", begin_emulated, lacks_mpi},
    {"hosts", "on namespace hosts", begin_hosts, lacks_hosts},
    {"smpi", "on a simulated cluster", NULL, lacks_nothing},
    {"slurm", "under Slurm", begin_slurm, lacks_srun},
};
enum { BACKENDS = sizeof backends / sizeof *backends };

static const struct study_backend *find_backend(const char *name)
{
    for (int i = 0; i < BACKENDS; i++) {
        if (strcmp(backends[i].name, name) == 0) {
            return &backends[i];
        }
    }
    return NULL;
}

static const struct study_app *find_app(const char *name)
{
    const struct study_app *app = apps;
    if (memchr(name, '/', strcspn(name, " "))) {
        return &own_program;
    }
    while (app->name && strcmp(app->name, name) != 0) {
        app++;
    }
    return app;
}

char *study_path_beside(const struct study_request *request, const char *program)
{
    const char *slash = strrchr(request->own_path, '/');
    return study_text("%.*s/%s", slash ? (int)(slash - request->own_path) : 0, request->own_path,
                      program);
}

static char *program_of(const struct study_request *request, const struct study_backend_case *one)
{
    if (is_own(one)) {
        return study_copy(one->name, strcspn(one->name, " "));
    }
    return study_path_beside(request, one->app->name ? one->app->name : "bench/strata_bench");
}

/* Refuses more than one size: the rows of two sizes would look alike. */
static const char *wrong_size(const struct study_backend_case *one)
{
    int64_t bytes;
    const char *end;
    if (is_own(one)) {
        return NULL;
    }
    if (one->app->name) {
        return strlen(one->size) == 1 && strchr("SWABCD", *one->size)
                   ? NULL
                   : "--class must be S, W, A, B, C or D";
    }
    bool right = strata_config_number(one->size, true, &bytes, &end) && !*end;
    return right && bytes <= 1 << 30 ? NULL : "--bytes must be one number, such as 64 or 4K";
}

bool study_backend_find(struct study_points *points, struct study_backend_case *one)
{
    const struct study_request *request = points->request;
    *one = (struct study_backend_case){.name = study_value(request, "--app")};
    one->backend = find_backend(study_value(request, "--backend"));
    one->app = find_app(one->name);
    one->size = is_own(one) ? "" : study_value(request, one->app->option);
    enum strata_collective collective;
    if (!one->app->name && !strata_collective_find(one->name, &collective)) {
        points->wrong_use = true;
        points->refusal = "--app must be is_sort, fft, a collective (`strata list` names them) or "
                          "a program with its path, such as ./mine";
    } else if (!one->backend) {
        points->wrong_use = true;
        points->refusal = "--backend must be emulated, hosts, smpi or slurm";
    } else if (!one->backend->begin && (strcmp(one->name, "fft") == 0 || is_own(one))) {
        points->wrong_use = true;
        points->refusal =
            is_own(one) ? "a program of your own does not run on simulated clusters; is_sort "
                          "and collectives do"
                        : "fft does not run on simulated clusters; is_sort and collectives do";
    } else if (wrong_size(one)) {
        points->wrong_use = true;
        points->refusal = wrong_size(one);
    } else if (!request->dry) {
        points->refusal = one->backend->lacks();
    }
    char *program = program_of(request, one);
    if (!points->refusal && !request->dry && one->backend->begin && access(program, X_OK) != 0) {
        points->refusal = is_own(one) ? "the program of --app cannot be run"
                                      : "the program of --app was not built here";
    }
    free(program);
    return !points->refusal;
}

static char *simulate(const struct study_backend_case *one, const char *methods)
{
    const char *option = one->app->name ? "--class" : "--bytes";
    return study_text("strata simulate %s %s %s --platform smoky --ranks %d --ranks-per-node %d "
                      "--methods %s --csv",
                      one->name, option, one->size, one->nodes * one->ranks, one->ranks, methods);
}

static char *program_words(const struct study_request *request,
                           const struct study_backend_case *one)
{
    char *program = program_of(request, one);
    char *words = one->app->command
                      ? study_text(one->app->command, program, one->size, one->threads)
                      : study_text("'%s' --collective %s --bytes %s --benchmark_out_format=json "
                                   "--benchmark_out=@JSON@",
                                   program, one->name, one->size);
    free(program);
    return words;
}

/* The labels of the place and of the case, which no output has. */
static char *labels_of(const struct study_backend_case *one, const char *more)
{
    return study_text("run=%s%s%s %s;backend=%s;app=%s;nodes=%d;ranks_per_node=%d;threads=%d;%s",
                      one->name, *one->size ? " " : "", one->size, one->backend->place,
                      one->backend->name, one->name, one->nodes, one->ranks, one->threads, more);
}

static void add_point(struct study_points *points, const struct study_backend_case *one,
                      const char *kind_of, const char *more, const char *command)
{
    bool simulated = !one->backend->begin;
    char *labels = labels_of(one, more);
    char *name = study_text("%s%s%s-%s-%dx%dx%d%s", one->name, is_own(one) ? "" : "-", one->size,
                            one->backend->name, one->nodes, one->ranks, one->threads, kind_of);
    struct study_kind kind = {.labels = labels,
                              .timed = !simulated,
                              .format = simulated     ? STUDY_CSV
                                        : is_own(one) ? STUDY_CLOCK
                                                      : STUDY_JSON};
    study_add(points, &kind, name, "%s", command);
    free(name);
    free(labels);
}

static void add_simulated(struct study_points *points, const struct study_backend_case *one)
{
    static const struct {
        const char *name, *labels, *methods;
    } ways[] = {{"-strata", "method=strata", "auto"}, {"-mpi", "method=mpi", "mpich"}};
    for (size_t i = 0; !one->app->name && i < sizeof ways / sizeof *ways; i++) {
        char *command = simulate(one, ways[i].methods);
        add_point(points, one, ways[i].name, ways[i].labels, command);
        free(command);
    }
    if (one->app->name) {
        char *command = simulate(one, "strata,mpi");
        add_point(points, one, "", "", command);
        free(command);
    }
}

/* Adds the user's program twice: under Strata, and alone. */
static void add_own(struct study_points *points, const struct study_backend_case *one)
{
    struct study_backend_case named = *one;
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

void study_backend_add(struct study_points *points, const struct study_backend_case *one)
{
    if (is_own(one)) {
        add_own(points, one);
        return;
    }
    if (!one->backend->begin) {
        if (one->threads == 1) {
            add_simulated(points, one);
        }
        return;
    }
    char *begin = one->backend->begin(one), *end = program_words(points->request, one);
    char *command = study_text("%s %s", begin, end);
    add_point(points, one, "", one->app->labels, command);
    free(command);
    free(end);
    free(begin);
}
