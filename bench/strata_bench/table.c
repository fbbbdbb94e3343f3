/* Prints the table on the console. */
#include "bench/strata_bench/table.h"

#include <stdio.h>
#include <string.h>

#include "bench/strata_bench/mpi_settings.h"

/* The head, which is printed with the first case, and never without one. Each form has its own
 * columns, under a line with their names. */
static struct {
    char lines[4096];
    bool printed;
    enum form form; /* the last case's form */
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

void table_head(const struct measurement *m, const struct table_nodes *nodes, const char *command)
{
    struct mpi_settings settings;
    char version[MPI_MAX_LIBRARY_VERSION_STRING], text[64];
    int length, ranks;
    MPI_Get_library_version(version, &length);
    MPI_Comm_size(m->comm, &ranks);
    version[strcspn(version, "\n,")] = '\0';
    say("mpi", version);
    mpi_settings_read(&settings);
    say("mpi's collectives", settings.collectives);
    say("mpi's idle ranks", settings.waiting);
    snprintf(text, sizeof text, "%d", nodes->mpis);
    say("mpi's nodes", text);
    say("strata", strata_version());
    snprintf(text, sizeof text, nodes->ours > 0 ? "%d on %d node%s" : "%d", ranks, nodes->ours,
             nodes->ours == 1 ? "" : "s");
    say("ranks", text);
    say_machine();
    say("command", command);
}

/* A column: its title, its width, and its text for a case. */
struct column {
    const char *head;
    int width;
    void (*write)(char *text, size_t size, const struct measurement *m);
};

#define NUMBER(name, format, value)                                                                \
    static void write_##name(char *text, size_t size, const struct measurement *m)                 \
    {                                                                                              \
        snprintf(text, size, format, value);                                                       \
    }
#define INTERVAL(name)                                                                             \
    NUMBER(name, "%.2f", m->metric[METRIC_##name])                                                 \
    static void write_##name##_interval(char *text, size_t size, const struct measurement *m)      \
    {                                                                                              \
        snprintf(text, size, "(%.2f to %.2f)", m->metric[METRIC_##name##_low],                     \
                 m->metric[METRIC_##name##_high]);                                                 \
    }
#define WITH_INTERVAL(head, name)                                                                  \
    {head, sizeof(head) > 9 ? (int)sizeof(head) - 1 : 8, write_##name},                            \
    {                                                                                              \
        "", 16, write_##name##_interval                                                            \
    }

NUMBER(ours, "%.2f", m->ours_us)
NUMBER(mpi, "%.2f", m->metric[METRIC_mpi_us])
NUMBER(alone, "%.2f", m->metric[METRIC_alone_us])
NUMBER(mpi_alone, "%.2f", m->metric[METRIC_mpi_alone_us])
NUMBER(computation, "%.2f", m->metric[METRIC_computation_us])
NUMBER(copying, "%.2f", m->metric[METRIC_copy_us] / m->ours_us)
NUMBER(init, "%.2f", m->metric[METRIC_init_us])
NUMBER(paid, "%.0f", m->metric[METRIC_pays_after])
NUMBER(paid_mpi, "%.0f", m->metric[METRIC_pays_after_mpi])
INTERVAL(ratio)
INTERVAL(same)
INTERVAL(hidden)
INTERVAL(mpi_hidden)
INTERVAL(blocking_ratio)
INTERVAL(mpi_persistent_ratio)

static void write_others(char *text, size_t size, const struct measurement *m)
{
    const double share = m->metric[METRIC_not_ours];
    snprintf(text, size, share < 0 ? "-" : "%.0f %%", 100 * share);
}

enum { MOST_COLUMNS = 16 };
static const struct table {
    const char *meaning;
    struct column column[MOST_COLUMNS];
} tables[FORMS] = {
    [FORM_BLOCKING] = {"us a call",
                       {{"Strata us", 11, write_ours},
                        {"MPI us", 11, write_mpi},
                        WITH_INTERVAL("MPI/ours", ratio),
                        WITH_INTERVAL("MPI/MPI", same),
                        {"copy/ours", 9, write_copying},
                        {"not ours", 9, write_others}}},
    [FORM_NONBLOCKING] =
        {"us a call that is waited for at once, and of the computation beside it\n"
         "# hidden: the share of the call that the computation hides; MPI/ours: of "
         "both together",
         {{"Strata us", 11, write_alone},
          {"MPI us", 11, write_mpi_alone},
          {"compute us", 11, write_computation},
          WITH_INTERVAL("hidden", hidden),
          WITH_INTERVAL("MPI hid.", mpi_hidden),
          WITH_INTERVAL("MPI/ours", ratio),
          WITH_INTERVAL("MPI/MPI", same),
          {"not ours", 9, write_others}}},
    [FORM_PERSISTENT] = {"us a start and wait, and of MPI's call that blocks\n"
                         "# block/ours, MPI p./ours: our call that blocks, and MPI's persistent "
                         "one, beside ours\n"
                         "# paid: after so many starts the initialisation is, beside our call that "
                         "blocks and MPI's; -1: never",
                         {{"Strata us", 11, write_ours},
                          {"MPI us", 11, write_mpi},
                          WITH_INTERVAL("MPI/ours", ratio),
                          WITH_INTERVAL("MPI/MPI", same),
                          WITH_INTERVAL("block/ours", blocking_ratio),
                          WITH_INTERVAL("MPI p./ours", mpi_persistent_ratio),
                          {"init us", 9, write_init},
                          {"paid", 6, write_paid},
                          {"by MPI's", 8, write_paid_mpi},
                          {"not ours", 9, write_others}}},
};

/* Prints a head over each form's cases, and the machine once. */
static void print_head(const struct measurement *m)
{
    const struct table *t = &tables[m->now->form];
    if (head.printed && head.form == m->now->form) {
        return;
    }
    printf(
        "%s# %s\n# of the slowest rank, medians of %d batches; ratios and shares of neighbouring "
        "batches: median (95 %% interval)\n",
        head.printed ? "" : head.lines, t->meaning, m->options->batches);
    printf("%-20s %-12s %9s", "collective", "pattern", "bytes");
    for (const struct column *c = t->column; c->head; c++) {
        printf(" %*s", c->width, c->head);
    }
    printf("  %s\n", "ran");
    head.form = m->now->form;
    head.printed = true;
}

static void print_name(const struct bench_case *one)
{
    printf("%-20s %-12s %9d ", one->collective->name, one->pattern->name, one->bytes);
}

void table_row(const struct measurement *m)
{
    char text[48];
    print_head(m);
    print_name(m->now);
    for (const struct column *c = tables[m->now->form].column; c->head; c++) {
        c->write(text, sizeof text, m);
        printf("%*s ", c->width, text);
    }
    printf(" %.*s\n", (int)strcspn(m->text, " "), m->text);
    fflush(stdout);
}

void table_error(const struct measurement *m, const char *error)
{
    print_head(m);
    print_name(m->now);
    printf("%s: %s\n", m->now->algorithm, error);
    fflush(stdout);
}
