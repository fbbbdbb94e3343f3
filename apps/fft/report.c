/* Prints the report for people. */
#include "apps/fft/ft.h"

static void print_exchanges(const struct ft *ft)
{
    const char *separator = "  exchange   ";
    for (int v = 0; v < FT_VARIANTS; v++) {
        if (ft_runs(ft, v)) {
            printf("%s%s (%s)", separator, ft_variants[v].name, ft_variants[v].how);
            separator = ", ";
        }
    }
    printf("%s\n  calls      %s\n", ft->variants & (ft->variants - 1) ? ", in turn" : "",
           ft_calls_name[ft->options->calls]);
    if (ft->lacks) {
        printf("             fftw is absent: %s\n", ft->lacks);
    }
    if (!ft->options->class && ft_without_reference(ft->options)) {
        printf("             no comparison with FFTW's MPI transform: %s\n",
               ft_without_reference(ft->options));
    }
    printf("\n");
}

void ft_report_begin(const struct ft *ft)
{
    const int *n = ft->options->n, *grid = ft->grid;
    if (ft->options->class) {
        printf("NAS FT, class %c, %d iterations\n", ft->options->class->name,
               ft->options->class->iterations);
    } else {
        printf("Fourier transform of random data, forward and back\n");
    }
    printf("  elements   %d x %d x %d, complex\n", n[2], n[1], n[0]);
    app_host_print(ft->host, ft->processes);
    if (ft->options->members) {
        printf("  mode       members: %d threads have planes of their own\n", ft->ranks);
    }
    if (ft->options->team) {
        printf("  mode       team: the threads of a rank share its exchanges\n");
    }
    printf("  grid       %dx%d, %s\n", grid[0], grid[1],
           ft->ranks == 1 ? "nothing to exchange"
           : grid[1] == 1 ? "slabs: one exchange"
           : grid[0] == 1 ? "slabs of rows: one exchange"
                          : "pencils: two exchanges");
    print_exchanges(ft);
    fflush(stdout);
}

void ft_report_iteration(const struct ft *ft, int iteration, int iterations,
                         double (*seconds)[FT_PARTS])
{
    printf("  %2d of %d, ms (exchange)", iteration, iterations);
    for (int v = 0; v < FT_VARIANTS; v++) {
        if (ft_runs(ft, v)) {
            printf("   %s %s %.2f (%.2f)", ft_variants[v].name, ft_variants[v].how,
                   seconds[v][FT_TOTAL] * 1e3, seconds[v][FFT_EXCHANGE] * 1e3);
        }
    }
    printf("\n");
    fflush(stdout);
}

static void print_result(const struct ft *ft, int way)
{
    const struct ft_result *r = &ft->result[way];
    printf("  %-9s %-10s %9.4f", ft_variants[way].name, ft_variants[way].how,
           ft_seconds(r, FT_TOTAL));
    if (way == FT_REFERENCE) {
        printf("\n");
        return;
    }
    for (int part = 0; part < FFT_PARTS; part++) {
        printf(" %9.4f", ft_seconds(r, part));
    }
    printf("   %d/%d, error %.1e\n", r->passed, r->checks, r->error);
}

static void print_ratio(const struct ft *ft, const struct ft_comparison *comparison)
{
    struct app_spread ratio = ft_ratio(ft, comparison);
    printf("  %s: %.2f", comparison->title, ratio.median);
    if (ft->options->repeat > 1) {
        printf(" (median of %d runs, %.2f to %.2f)", ft->options->repeat, ratio.least, ratio.most);
    }
    printf("\n");
}

static void print_ratios(const struct ft *ft)
{
    const char *before = "\n";
    for (int c = 0; c < FT_COMPARISONS; c++) {
        if (ft_compares(ft, &ft_comparisons[c])) {
            printf("%s", before);
            print_ratio(ft, &ft_comparisons[c]);
            before = "";
        }
    }
}

static void print_errors(const struct ft *ft)
{
    if (ft->options->class) {
        return;
    }
    printf("\n  the spectrum differs from its definition, at four wave numbers, by %.1e\n",
           ft->wave_error);
    if (ft->reference) {
        printf("  the spectrum differs from FFTW MPI's, everywhere, by %.1e\n",
               ft->reference_error);
    }
}

void ft_report_end(const struct ft *ft)
{
    printf("%s  exchange  transpose    total s     fft s packing s exchange s  verification\n",
           ft->progress ? "\n" : "");
    for (int way = 0; way < FT_WAYS; way++) {
        if (ft_runs(ft, way)) {
            print_result(ft, way);
        }
    }
    if (ft->row.words[0]) {
        app_used_print("strata used in rows, at last", &ft->row);
    }
    if (ft->column.words[0]) {
        app_used_print("strata used in columns, at last", &ft->column);
    }
    print_ratios(ft);
    print_errors(ft);
    printf("\n");
    for (int v = 0; v < FT_VARIANTS; v++) {
        if (ft_runs(ft, v)) {
            printf("  VERIFICATION %s (%s, %s)\n",
                   ft_verified(&ft->result[v]) ? "SUCCESSFUL" : "FAILED", ft_variants[v].name,
                   ft_variants[v].how);
        }
    }
    fflush(stdout);
}
