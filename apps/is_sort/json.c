/* Writes the result as one JSON object. */
#include "apps/is_sort/is.h"

static void write_seconds(const struct is_result *result, FILE *file)
{
    static const char *const names[IS_PARTS] = {
        [IS_COMPUTE] = "compute_seconds",
        [IS_ALLREDUCE] = "allreduce_seconds",
        [IS_EXCHANGE] = "exchange_seconds",
        [IS_TOTAL] = "total_seconds",
    };
    for (int p = 0; p < IS_PARTS; p++) {
        fprintf(file, "\n      \"%s\": [", names[p]);
        for (int r = 0; r < result->runs; r++) {
            fprintf(file, "%s%.9g", r ? ", " : "", result->seconds[r][p]);
        }
        fprintf(file, "],");
    }
}

/* The volume of all ranks and all calls. */
static void write_volume(const struct app_volume *v, FILE *file)
{
    fprintf(file, ",\n      \"messages_between_nodes\": %llu,\n      \"bytes_between_nodes\": %llu",
            (unsigned long long)v->messages, (unsigned long long)v->bytes);
    fprintf(file, ",\n      \"messages_inside_nodes\": %llu,\n      \"bytes_inside_nodes\": %llu",
            (unsigned long long)v->messages_node, (unsigned long long)v->bytes_node);
    fprintf(file, ",\n      \"bytes_copied\": %llu", (unsigned long long)v->copied);
}

static void write_result(const struct is_report *report, int exchange, FILE *file)
{
    const struct is_result *r = &report->results[exchange];
    fprintf(file, "    {\n      \"exchange\": \"%s\",\n      \"mops\": %.6g,",
            is_exchange_name[exchange], is_result_mops(r, report->options->class).median);
    write_seconds(r, file);
    fprintf(file, "\n      \"algorithm\": ");
    app_json_string(file, r->used.algorithm);
    if (exchange == IS_STRATA) {
        write_volume(&r->used.volume, file);
    }
    fprintf(file, ",\n      \"tests_passed\": %d,\n      \"tests\": %d,", r->tests_passed,
            r->runs * IS_ITERATIONS * IS_TESTS);
    fprintf(file, "\n      \"sorted\": %s,\n      \"verified\": %s\n    }",
            r->sorted == r->runs ? "true" : "false", is_result_verified(r) ? "true" : "false");
}

static void write_head(const struct is_report *report, FILE *file)
{
    const struct is_class *class = report->options->class;
    fprintf(file, "{\n  \"benchmark\": \"NAS IS\",\n  \"class\": \"%c\",\n", class->name);
    fprintf(file, "  \"keys\": %lld,\n  \"max_key\": %d,\n  \"buckets\": %d,\n",
            (long long)is_keys(class), 1 << class->log_max_key, is_buckets(class));
    fprintf(file, "  \"iterations\": %d,\n  \"runs\": %d,\n", IS_ITERATIONS,
            report->options->repeat);
    fprintf(file, "  \"calls\": \"%s\",\n  \"memory\": \"%s\",\n",
            is_calls_name[report->options->calls], report->options->mapped ? "mapped" : "private");
    fprintf(file, "  \"mode\": \"%s\",\n", is_mode_name[report->options->mode]);
    fprintf(file, "  \"ranks\": %d,\n  \"hosts\": %d,\n  \"threads\": %d,\n", report->processes,
            report->host->hosts, report->host->threads);
    app_json_mpi(file);
    fprintf(file, "  \"results\": [\n");
}

bool is_json_write(const struct is_report *report, FILE *file)
{
    const unsigned both = (1u << IS_EXCHANGES) - 1;
    const char *separator = "";
    write_head(report, file);
    for (int e = 0; e < IS_EXCHANGES; e++) {
        if (report->options->exchanges >> e & 1) {
            fputs(separator, file);
            write_result(report, e, file);
            separator = ",\n";
        }
    }
    fprintf(file, "\n  ]");
    if (report->options->exchanges == both) {
        fprintf(file, ",\n  \"exchange_ratio_mpi_to_strata\": %.6g",
                is_results_ratio(report->results).median);
    }
    fprintf(file, "\n}\n");
    return fflush(file) == 0 && !ferror(file);
}
