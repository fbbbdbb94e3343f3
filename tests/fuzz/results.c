/* What studies and simulations read again. The first byte says as what: a table of CSV, results in
 * JSON, or a platform. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tools/scale/platform.h"
#include "tools/study/table/fields.h"
#include "tools/study/table/json.h"
#include "tools/study/table/table.h"

/* What was read is written, and read again. */
static void read_table(char *text)
{
    struct study_table table, again;
    char *copy = NULL;
    size_t size = 0;
    if (study_table_parse(&table, text) < 0) {
        study_table_fini(&table);
        return;
    }
    FILE *file = open_memstream(&copy, &size);
    if (!file) {
        abort();
    }
    study_row_write(file, table.columns, table.width);
    for (int row = 0; row < table.rows; row++) {
        study_row_write(file, table.cells[row], table.width);
        study_table_matches(&table, row, table.columns[0]);
        free(study_label(table.cells[row][0], table.columns[0]));
    }
    fclose(file);
    study_table_parse(&again, copy);
    study_table_fini(&again);
    study_table_fini(&table);
    free(copy);
}

static void read_json(const char *text)
{
    struct study_table table = {0};
    char *why = NULL;
    double number;
    if (study_json_parse(&table, text, &why) != !why) {
        abort();
    }
    free(why);
    why = NULL;
    if (study_json_number(text, "timing.loop", &number, &why) != !why) {
        abort();
    }
    free(why);
    study_table_fini(&table);
}

static void read_platform(const char *text)
{
    static struct tool_platform platform;
    struct strata_diagnostic message = {""};
    char path[] = "/tmp/strata-fuzz-XXXXXX.xml", host[160];
    int file = mkstemps(path, 4);
    if (file < 0 || write(file, text, strlen(text)) < 0) {
        abort();
    }
    int status = tool_platform_find(path, &platform, &message);
    fuzz_require_message(status, &message);
    if (status == STRATA_OK) {
        tool_platform_host(&platform, 0, host, sizeof host);
    }
    close(file);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    char *text = fuzz_text(data + 1, size - 1);
    switch (data[0]) {
    case 'c':
        read_table(text);
        break;
    case 'j':
        read_json(text);
        break;
    default:
        read_platform(text);
    }
    free(text);
    return 0;
}
