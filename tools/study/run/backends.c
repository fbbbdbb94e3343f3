/* Places to run a program: emulated nodes, hosts in namespaces, a simulated cluster, Slurm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/config.h"
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

static long cores_here(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

static bool is_crowded(int threads)
{
    return threads > cores_here();
}

/* mpirun's words. With more threads of all ranks than cores Open MPI's ranks must yield to each
 * other; otherwise they spin, as they do for Open MPI's users (cmake/StrataMPI.cmake). */
static const char *mpirun_words(int threads)
{
    static const char *const words[] = {STRATA_MPIEXEC " " STRATA_ROOMY,
                                        STRATA_MPIEXEC " " STRATA_CROWDED};
    return words[is_crowded(threads)];
}

/* Threads that wait for the next parallel region must not spin on a core that others need. */
static const char *omp_words(int threads)
{
    return is_crowded(threads) ? "OMP_WAIT_POLICY=passive " : "";
}

#define ROOT "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "

char *study_mpirun(int ranks)
{
    return *STRATA_MPIEXEC
               ? study_text("env " ROOT "%s%s -n %d", omp_words(ranks), mpirun_words(ranks), ranks)
               : NULL;
}

static char *begin_emulated(const struct study_case *one)
{
    int ranks = one->nodes * one->ranks, threads = ranks * one->threads;
    return study_text("env " ROOT "%sOMP_NUM_THREADS=%d STRATA_TOPO=node:%d %s -n %d",
                      omp_words(threads), one->threads, one->nodes, mpirun_words(threads), ranks);
}

/* The script of the source tree that this command was built in; it is not installed. */
static char *hosts_script(void)
{
    char folder[TOOL_PATH];
    tool_program_folder(folder, sizeof folder);
    return study_text("%s/../../tests/hosts/hosts.sh", folder);
}

static char *begin_hosts(const struct study_case *one)
{
    char *script = hosts_script();
    char *begin = study_text(
        "env " ROOT "%sOMP_NUM_THREADS=%d '%s' run --hosts %d --ranks %d --mpi " STRATA_MPI_KIND
        "%s --",
        omp_words(one->nodes * one->ranks * one->threads), one->threads, script, one->nodes,
        one->ranks, one->cyclic ? " --order cyclic" : "");
    free(script);
    return begin;
}

/* Begins with srun. The rank count -n is given although -N and --ntasks-per-node imply it: inside a
 * job srun takes it from the job's own number of tasks. */
static char *begin_slurm(const struct study_case *one)
{
    return study_text("env OMP_NUM_THREADS=%d srun -N %d -n %d --ntasks-per-node %d -c %d",
                      one->threads, one->nodes, one->nodes * one->ranks, one->ranks, one->threads);
}

static const char *lacks_mpi(void)
{
    return strcmp(STRATA_MPI_KIND, "off") == 0
               ? "this is a build without MPI, which can run simulated points only"
               : NULL;
}

static const char *lacks_hosts(void)
{
    const char *lacks = lacks_mpi();
    char *script = hosts_script();
    if (!lacks && access(script, X_OK) != 0) {
        lacks = "hosts need tests/hosts of Strata's sources, which is not installed: take "
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

static long cores_of_job(void)
{
    return strata_config_slurm_cores();
}

static const struct study_backend backends[] = {
    {"emulated", "on emulated nodes", begin_emulated, lacks_mpi, cores_here},
    {"hosts", "on namespace hosts", begin_hosts, lacks_hosts, cores_here},
    {"smpi", "on simulated", NULL, lacks_nothing, NULL},
    {"slurm", "under Slurm", begin_slurm, lacks_srun, cores_of_job},
};
enum { BACKENDS = sizeof backends / sizeof *backends };

const struct study_backend *study_backend_find(const char *name)
{
    for (int i = 0; i < BACKENDS; i++) {
        if (strcmp(backends[i].name, name) == 0) {
            return &backends[i];
        }
    }
    return NULL;
}

char *study_path_beside(const struct study_request *request, const char *program)
{
    const char *slash = strrchr(request->own_path, '/');
    return study_text("%.*s/%s", slash ? (int)(slash - request->own_path) : 0, request->own_path,
                      program);
}
