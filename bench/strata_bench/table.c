/* The table on the console. */
#include "bench/strata_bench/table.h"

#include <stdio.h>
#include <string.h>

/* The head waits for the first case: where none runs, none is printed. */
static struct {
    char lines[4096];
    bool printed;
} head;

static void say(const char *key, const char *value)
{
    size_t length = strlen(head.lines);
    bench_context(key, value);
    snprintf(head.lines + length, sizeof head.lines - length, "# %s: %.1024s\n", key, value);
}

static void say_machine(void)
{
    char line[256] = "", model[160] = "unknown processor", text[200];
    int units = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            snprintf(model, sizeof model, "%s", strchr(line, ':') + 2);
            units++;
        }
    }
    if (file) {
        fclose(file);
    }
    model[strcspn(model, "\n")] = '\0';
    snprintf(text, sizeof text, "%d x %s (rank 0's)", units, model);
    say("machine", text);
}

/* Open MPI's, which decides on how fast idle ranks are and on how much they leave to others. */
static void say_waiting(void)
{
    const char *text = "as the library was built (it has no mpi_yield_when_idle)";
    unsigned char yields[8] = {0}; /* a bool, however long */
    MPI_T_cvar_handle handle;
    int index, count, provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    if (MPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        MPI_T_cvar_read(handle, yields);
        MPI_T_cvar_handle_free(&handle);
        text = yields[0] ? "yield (mpi_yield_when_idle 1)" : "spin (mpi_yield_when_idle 0)";
    }
    MPI_T_finalize();
    say("mpi's idle ranks", text);
}

void table_head(const struct measurement *m, int nodes, const char *command)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING], text[96];
    int length, ranks;
    MPI_Get_library_version(version, &length);
    MPI_Comm_size(m->comm, &ranks);
    version[strcspn(version, "\n,")] = '\0';
    say("mpi", version);
    say_waiting();
    say("strata", strata_version());
    snprintf(text, sizeof text, nodes > 0 ? "%d on %d node%s" : "%d", ranks, nodes,
             nodes == 1 ? "" : "s");
    say("ranks", text);
    say_machine();
    say("command", command);
}

static void print_head(int batches)
{
    if (head.printed) {
        return;
    }
    head.printed = true;
    printf(
        "%s# us a call of the slowest rank, medians of %d batches; ratios of neighbouring batches: "
        "median (95 %% interval)\n",
        head.lines, batches);
    printf("%-20s %-12s %9s %11s %11s %8s %16s %8s %16s %9s  %s\n", "collective", "pattern",
           "bytes", "Strata us", "MPI us", "MPI/ours", "", "MPI/MPI", "", "not ours", "ran");
}

static void print_name(const struct bench_case *one)
{
    printf("%-20s %-12s %9d ", one->collective->name, one->pattern->name, one->bytes);
}

void table_row(const struct measurement *m)
{
    char ratio[48], same[48], others[16] = "-";
    const struct bench_counter *f = m->figure;
    snprintf(ratio, sizeof ratio, "(%.2f to %.2f)", f[FIGURE_ratio_low].value,
             f[FIGURE_ratio_high].value);
    snprintf(same, sizeof same, "(%.2f to %.2f)", f[FIGURE_same_low].value,
             f[FIGURE_same_high].value);
    if (f[FIGURE_not_ours].value >= 0) {
        snprintf(others, sizeof others, "%.0f %%", 100 * f[FIGURE_not_ours].value);
    }
    print_head(m->options->batches);
    print_name(m->now);
    printf("%11.2f %11.2f %8.2f %16s %8.2f %16s %9s  %.*s\n", m->ours_us, f[FIGURE_mpi_us].value,
           f[FIGURE_ratio].value, ratio, f[FIGURE_same].value, same, others,
           (int)strcspn(m->text, " "), m->text);
    fflush(stdout);
}

void table_error(const struct measurement *m, const char *error)
{
    print_head(m->options->batches);
    print_name(m->now);
    printf("%s: %s\n", m->now->algorithm, error);
    fflush(stdout);
}
