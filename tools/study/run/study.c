/* strata study: runs the points of a study, draws its pictures, and judges the paper's claims. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/command/command.h"
#include "tools/command/words.h"
#include "tools/study/report/report.h"
#include "tools/study/run/options.h"
#include "tools/study/run/points.h"
#include "tools/study/run/run.h"
#include "tools/study/table/columns.h"
#include "tools/study/table/files.h"
#include "tools/study/table/memory.h"

/* Whether an earlier study has the column, too. */
static bool is_earlier(int study, const char *column)
{
    bool found = false;
    for (int i = 0; i < study && !found; i++) {
        struct study_table table;
        study_table_init(&table, study_rows[i]->columns);
        found = study_table_column(&table, column) >= 0;
        study_table_fini(&table);
    }
    return found;
}

static void list_columns(void)
{
    printf("columns of the CSV files\n");
    for (int i = 0; study_rows[i]; i++) {
        struct study_table table;
        study_table_init(&table, study_rows[i]->columns);
        for (int j = 0; j < table.width; j++) {
            const char *text = study_column_text(table.columns[j]);
            if (!is_earlier(i, table.columns[j])) {
                printf("    %-16s %s\n", table.columns[j], text ? text : "no description");
            }
        }
        study_table_fini(&table);
    }
}

static int list_studies(void)
{
    for (int i = 0; study_rows[i]; i++) {
        const struct study *study = study_rows[i];
        printf("%s\n  %s\n  %s\n", study->name, study->title, study->paper);
        for (int j = 0; study->pictures[j].name; j++) {
            printf("    %-12s %s\n", study->pictures[j].name, study->pictures[j].title);
        }
        for (int j = 0; study->options && study->options[j].name; j++) {
            const struct study_option *option = &study->options[j];
            printf("    %s %s  %s%s%s%s\n", option->name, option->value, option->help,
                   option->preset ? " (" : "", option->preset ? option->preset : "",
                   option->preset ? ")" : "");
        }
    }
    list_columns();
    return TOOL_OK;
}

static int print_points(const struct study_points *points)
{
    for (int i = 0; i < points->count; i++) {
        char *command = study_words_join(points->points[i].words);
        printf("%s: %s\n", points->points[i].name, command);
        free(command);
    }
    return TOOL_OK;
}

/* Results that the store has must belong to these points, and must not be complete. */
static int check_store(const struct tool_command *command, const struct study_store *store,
                       const struct study_points *points)
{
    int there = 0;
    for (int i = 0; i < points->count; i++) {
        int has = study_store_has(store, &points->points[i]);
        if (has < 0) {
            tool_complain(command,
                          "%s holds point %s of another command; choose another --output, or "
                          "--force to measure everything anew",
                          store->path, points->points[i].name);
            return TOOL_WRONG_USE;
        }
        there += has;
    }
    if (there == points->count) {
        tool_complain(command,
                      "%s is finished: it holds all %d points. --force measures them anew; "
                      "`strata report` draws them again",
                      store->path, there);
        return TOOL_WRONG_USE;
    }
    if (there > 0) {
        fprintf(stderr, "%s holds %d of %d points; going on with the others\n", store->path, there,
                points->count);
    }
    return TOOL_OK;
}

static void forget(struct study_store *store, const struct study *study)
{
    char *path = study_text("%s", store->path);
    study_store_fini(store);
    *store = (struct study_store){.path = path, .comments = study_copy("", 0)};
    study_table_init(&store->table, study->columns);
}

static int open_store(const struct tool_command *command, const struct study_request *request,
                      const struct study_points *points, struct study_store *store)
{
    char *why = NULL;
    bool read = study_store_read(store, request->study, request->output, &why);
    int code = TOOL_OK;
    if (request->force) {
        forget(store, request->study);
    } else if (!read) {
        tool_complain(command, "%s; --force replaces it", why);
        code = TOOL_WRONG_USE;
    } else {
        code = check_store(command, store, points);
    }
    free(why);
    if (code == TOOL_OK && !study_store_rewrite(store, request)) {
        tool_complain(command, "%s cannot be written: %s", store->path, strerror(errno));
        code = TOOL_FAILED;
    } else if (code == TOOL_OK && study_store_mixed(store)) {
        tool_complain(command,
                      "%s has points of another commit too, as its head says; --force measures "
                      "them all with this one",
                      store->path);
    }
    return code;
}

static int run_study(const struct tool_command *command, const struct study_request *request,
                     const struct study_points *points)
{
    struct study_store store;
    if (!study_folder_make(request->output)) {
        tool_complain(command, "--output %s: no folder can be made there: %s", request->output,
                      strerror(errno));
        return TOOL_FAILED;
    }
    int code = open_store(command, request, points, &store);
    if (code == TOOL_OK) {
        code = study_run_points(request, points, &store);
        int drawn = store.dones ? study_report_write(request->output) : TOOL_FAILED;
        code = code == TOOL_OK ? drawn : code;
    }
    study_store_fini(&store);
    return code;
}

static int make_points(const struct tool_command *command, const struct study_request *request)
{
    struct study_points points = {.request = request};
    int code = TOOL_OK;
    request->study->points(&points);
    study_points_order(&points);
    if (points.refusal) {
        tool_complain(command, "%s: %s", request->study->name, points.refusal);
        code = points.wrong_use ? TOOL_WRONG_USE : TOOL_FAILED;
    } else if (points.count == 0) {
        tool_complain(command, "%s: there is no point with these options", request->study->name);
        code = TOOL_WRONG_USE;
    } else {
        code = request->dry ? print_points(&points) : run_study(command, request, &points);
    }
    study_points_fini(&points);
    return code;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct study_request request;
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        return list_studies();
    }
    int code = study_options_parse(command, argc, argv, &request);
    if (code == TOOL_OK) {
        code = make_points(command, &request);
    }
    study_options_fini(&request);
    return code;
}

const struct tool_command tool_study = {
    .name = "study",
    .arguments = "NAME [OPTION]... | list",
    .summary = "Reproduces the figures of a paper: runs, draws, judges",
    .help = study_options_help,
    .run = run,
};
