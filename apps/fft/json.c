/* Writes the result as one JSON object. */
#include "apps/fft/ft.h"

static void write_seconds(const struct ft_result *result, int part, FILE *file)
{
    static const char *const names[FT_PARTS] = {
        [FFT_COMPUTE] = "fft_seconds",
        [FFT_PACKING] = "packing_seconds",
        [FFT_EXCHANGE] = "exchange_seconds",
        [FT_TOTAL] = "total_seconds",
    };
    fprintf(file, ",\n      \"%s\": [", names[part]);
    for (int r = 0; r < result->runs; r++) {
        fprintf(file, "%s%.9g", r ? ", " : "", result->seconds[r][part]);
    }
    fprintf(file, "]");
}

static void write_result(const struct ft *ft, int way, FILE *file)
{
    const struct ft_result *r = &ft->result[way];
    fprintf(file, "    {\n      \"exchange\": \"%s\",\n      \"transpose\": \"%s\"",
            ft_variants[way].name, ft_variants[way].how);
    write_seconds(r, FT_TOTAL, file);
    if (way != FT_REFERENCE) {
        for (int part = 0; part < FFT_PARTS; part++) {
            write_seconds(r, part, file);
        }
        fprintf(file, ",\n      \"checks_passed\": %d,\n      \"checks\": %d", r->passed,
                r->checks);
        fprintf(file, ",\n      \"error\": %.3g", r->error <= 1 ? r->error : 1); /* no NaN */
        fprintf(file, ",\n      \"verified\": %s", ft_verified(r) ? "true" : "false");
    }
    fprintf(file, "\n    }");
}

static void write_head(const struct ft *ft, FILE *file)
{
    const int *n = ft->options->n;
    fprintf(file, "{\n  \"benchmark\": \"%s\",\n", ft->options->class ? "NAS FT" : "round trip");
    if (ft->options->class) {
        fprintf(file, "  \"class\": \"%c\",\n  \"iterations\": %d,\n", ft->options->class->name,
                ft->options->class->iterations);
    }
    fprintf(file, "  \"elements\": [%d, %d, %d],\n  \"grid\": [%d, %d],\n", n[2], n[1], n[0],
            ft->grid[0], ft->grid[1]);
    fprintf(file, "  \"calls\": \"%s\",\n  \"memory\": \"%s\",\n",
            ft_calls_name[ft->options->calls], ft->options->mapped ? "mapped" : "private");
    fprintf(file, "  \"runs\": %d,\n  \"ranks\": %d,\n  \"hosts\": %d,\n  \"threads\": %d,\n",
            ft->options->repeat, ft->processes, ft->host->hosts, ft->host->threads);
    fprintf(file, "  \"mode\": \"%s\",\n",
            ft->options->members ? "members"
            : ft->options->team  ? "team"
                                 : "ranks");
    app_json_mpi(file);
    fprintf(file, "  \"algorithm_rows\": ");
    app_json_string(file, ft->row.algorithm);
    fprintf(file, ",\n  \"algorithm_columns\": ");
    app_json_string(file, ft->column.algorithm);
    if (!ft->options->class) {
        fprintf(file, ",\n  \"wave_error\": %.3g", ft->wave_error <= 1 ? ft->wave_error : 1);
    }
    if (ft->reference) {
        fprintf(file, ",\n  \"fftw_error\": %.3g",
                ft->reference_error <= 1 ? ft->reference_error : 1);
    }
}

bool ft_json_write(const struct ft *ft, FILE *file)
{
    const char *separator = ",\n  \"results\": [\n";
    write_head(ft, file);
    for (int way = 0; way < FT_WAYS; way++) {
        if (ft_runs(ft, way)) {
            fputs(separator, file);
            write_result(ft, way, file);
            separator = ",\n";
        }
    }
    fprintf(file, "\n  ]");
    for (int c = 0; c < FT_COMPARISONS; c++) {
        if (ft_compares(ft, &ft_comparisons[c])) {
            fprintf(file, ",\n  \"%s\": %.6g", ft_comparisons[c].key,
                    ft_ratio(ft, &ft_comparisons[c]).median);
        }
    }
    fprintf(file, "\n}\n");
    return fflush(file) == 0 && !ferror(file);
}
