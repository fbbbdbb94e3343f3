/* strata report: makes the page of a folder from its CSV files. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/command.h"
#include "tools/command/words.h"
#include "tools/study/report/grid.h"
#include "tools/study/report/html.h"
#include "tools/study/report/markdown.h"
#include "tools/study/report/page.h"
#include "tools/study/report/picture.h"
#include "tools/study/report/report.h"
#include "tools/study/table/files.h"
#include "tools/study/table/memory.h"

/* Rows that no judge sees: other programs took too much of the machine meanwhile. */
static void take_calm(struct study_table *calm, const struct study_table *table)
{
    *calm = *table;
    calm->rows = 0;
    calm->cells = study_allocate((size_t)table->rows + 1, sizeof *calm->cells);
    for (int row = 0; row < table->rows; row++) {
        if (!study_row_is_busy(table, row)) {
            calm->cells[calm->rows++] = table->cells[row];
        }
    }
}

/* Whether there is a row with a figure of the claim's. */
static bool has_row(const struct study_table *table, const struct study_claim *claim,
                    const char *where)
{
    int row = 0;
    while (row < table->rows && (!study_table_matches(table, row, where) ||
                                 isnan(study_grid_read(table, row, claim->axes.y).value))) {
        row++;
    }
    return row < table->rows;
}

/* The rows that the claim needs and the table lacks; NULL: none. */
static const char *lacking(const struct study *study, const struct study_claim *claim,
                           const struct study_table *table)
{
    const char *lacks = NULL;
    for (const struct study_need *need = study->needs; need && need->sentence; need++) {
        if (strcmp(need->sentence, claim->sentence) == 0 && !has_row(table, claim, need->where)) {
            lacks = need->where;
        }
    }
    return lacks;
}

static bool is_judged(const struct study_finding *finding)
{
    return finding->points > 0 && !finding->lacks;
}

const char *study_verdict(const struct study_finding *finding)
{
    return finding->points == 0 && !finding->even ? "not measured"
           : !is_judged(finding)                  ? "not judged"
           : finding->agrees                      ? "agrees"
                                                  : "disagrees";
}

void study_report_judge(struct study_report *report)
{
    struct study_table calm;
    take_calm(&calm, &report->store->table);
    report->busy = report->store->table.rows - calm.rows;
    const struct study_claim *claims = report->study->claims;
    report->claims = 0;
    while (claims && claims[report->claims].picture) {
        report->claims++;
    }
    report->findings = study_allocate((size_t)report->claims, sizeof *report->findings);
    for (int i = 0; i < report->claims; i++) {
        struct study_finding *finding = &report->findings[i];
        finding->study = report->study;
        claims[i].judge(&claims[i], &calm, finding);
        finding->lacks = lacking(report->study, &claims[i], &calm);
        report->judged += is_judged(finding);
        report->agreeing += is_judged(finding) && finding->agrees;
    }
    free(calm.cells);
}

void study_report_fini(struct study_report *report)
{
    for (int i = 0; i < report->claims; i++) {
        free(report->findings[i].details);
    }
    free(report->findings);
    study_answer_fini(&report->answer);
    study_pictures_fini(&report->pictures);
    *report = (struct study_report){0};
}

static void print_findings(const struct study_report *report)
{
    if (report->busy) {
        printf("  %d of %d rows are left out of the judging: other programs took more than a tenth "
               "of the machine\n",
               report->busy, report->store->table.rows);
    }
    for (int i = 0; i < report->claims; i++) {
        const struct study_finding *finding = &report->findings[i];
        const char *verdict = study_verdict(finding);
        printf("  %-12s %s: %s\n", strcmp(verdict, "disagrees") == 0 ? "DISAGREES" : verdict,
               report->study->claims[i].place,
               finding->points ? finding->ours : report->study->claims[i].number);
    }
}

/* Puts one study of the folder on the page. */
static void report_study(const struct study *study, const struct study_store *store,
                         const char *folder, bool drawn, FILE *page)
{
    struct study_report report = {.study = study, .folder = folder, .store = store, .drawn = drawn};
    study_pictures_expand(&report.pictures, study, &store->table);
    for (int i = 0; drawn && i < report.pictures.count; i++) {
        study_picture_draw(study, &report.pictures.pictures[i], &store->table, folder);
    }
    study_report_judge(&report);
    if (study->answer) {
        study->answer(study, &store->table, &report.answer);
    }
    study_page_write(page, &report);
    printf("%s: %d points\n", study->name, store->dones);
    study_answer_print(&report.answer, stdout);
    if (study->answer && !study_markdown_write(&report)) {
        fprintf(stderr, "strata report: %s/%s.md cannot be written: %s\n", folder, study->name,
                strerror(errno));
    }
    print_findings(&report);
    study_report_fini(&report);
}

/* Puts all studies on the page. Returns their number, or -1 where a file is wrong. */
static int report_all(const char *folder, bool drawn, FILE *page)
{
    int found = 0;
    for (int i = 0; study_rows[i] && found >= 0; i++) {
        struct study_store store;
        char *why;
        if (!study_store_read(&store, study_rows[i], folder, &why)) {
            fprintf(stderr, "strata report: %s\n", why);
            found = -1;
        } else if (store.dones > 0) {
            report_study(study_rows[i], &store, folder, drawn, page);
            found++;
        }
        free(why);
        study_store_fini(&store);
    }
    return found;
}

int study_report_write(const char *folder)
{
    char *text = NULL, *path = study_text("%s/report.html", folder);
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    bool drawn = study_picture_can();
    if (!drawn) {
        fprintf(stderr,
                "strata report: gnuplot is not there (Debian: gnuplot-nox), so no pictures\n");
    }
    study_html_head(page, "Strata: studies");
    int found = report_all(folder, drawn, page), code = TOOL_OK;
    study_html_foot(page);
    fclose(page);
    if (found == 0) {
        fprintf(stderr,
                "strata report: %s holds no results of a study; `strata study list` names them\n",
                folder);
    } else if (found > 0 && !study_file_replace(path, text, size)) {
        fprintf(stderr, "strata report: %s cannot be written: %s\n", path, strerror(errno));
        code = TOOL_FAILED;
    } else if (found > 0) {
        printf("page: %s\n", path);
    }
    free(text);
    free(path);
    return found > 0 ? code : TOOL_WRONG_USE;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    int code = argc > 1 ? TOOL_OK : TOOL_WRONG_USE;
    if (argc < 2) {
        tool_complain(command, "needs a folder that `strata study` wrote");
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            tool_complain(command, "unknown option \"%s\"; it takes folders only", argv[i]);
            return TOOL_WRONG_USE;
        }
        int one = study_report_write(argv[i]);
        code = one > code ? one : code;
    }
    return code;
}

const struct tool_command tool_report = {
    .name = "report",
    .arguments = "DIR...",
    .summary = "Draws the pictures and writes the page of a study again",
    .help = "For each folder that `strata study` wrote: every picture (gnuplot), and report.html "
            "with the\n"
            "claims of the paper judged anew, from the CSV files alone. Nothing is measured.\n",
    .run = run,
};
