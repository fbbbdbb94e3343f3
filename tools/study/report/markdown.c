/* Writes a study's answer, its pictures, and how it was made, as a page for a repository. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/study/report/markdown.h"

#include "tools/study/report/picture.h"
#include "tools/study/table/files.h"
#include "tools/study/table/memory.h"

static void put_picture(FILE *file, const struct study_report *report,
                        const struct study_picture *picture)
{
    char *path = study_picture_path(report->study, picture, report->folder, "svg");
    if (access(path, R_OK) == 0) {
        fprintf(file, "\n## %s\n\n![%s](%s)\n\n", picture->title, picture->axes.y,
                strrchr(path, '/') + 1);
        study_markdown_text(file, picture->caption);
    }
    free(path);
}

/* Writes the comment lines "# key: value" as a table for each run. */
static void put_runs(FILE *file, const struct study_store *store)
{
    fputs("\n## Where and how it was made\n", file);
    if (study_store_mixed(store)) {
        fputs("\nRuns of more than one commit added points.\n", file);
    }
    for (const char *line = store->comments; *line;) {
        size_t length = strcspn(line, "\n");
        const char *mark = strstr(line, ": ");
        if (strncmp(line, "# run: ", 7) == 0) {
            fputs("\n| | |\n|---|---|\n", file);
        }
        if (strncmp(line, "# ", 2) == 0 && mark && mark < line + length) {
            fprintf(file, "| %.*s | `%.*s` |\n", (int)(mark - line - 2), line + 2,
                    (int)(line + length - mark - 2), mark + 2);
        }
        line += length + (line[length] == '\n');
    }
}

bool study_markdown_write(const struct study_report *report)
{
    const struct study *study = report->study;
    char *text = NULL, *path = study_text("%s/%s.md", report->folder, study->name);
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "# %s\n\n", study->title);
    study_markdown_text(file, study->shows);
    study_answer_markdown(&report->answer, file);
    for (int i = 0; report->drawn && i < report->pictures.count; i++) {
        put_picture(file, report, &report->pictures.pictures[i]);
    }
    put_runs(file, report->store);
    bool written = fclose(file) == 0 && study_file_replace(path, text, size);
    free(text);
    free(path);
    return written;
}
