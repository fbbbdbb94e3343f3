/* Runs the command of one point, and reads the rows that it prints. */
#define _GNU_SOURCE
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/study/run/job.h"

#include "core/base/clock.h"
#include "tools/study/run/points.h"
#include "tools/study/run/run.h"
#include "tools/study/table/fields.h"
#include "tools/study/table/files.h"
#include "tools/study/table/json.h"
#include "tools/study/table/memory.h"

/* Where "@JSON@" ends a word, the place of the mark; otherwise NULL. */
static const char *json_mark(const char *word)
{
    const char *mark = strstr(word, "@JSON@");
    return mark && !mark[6] ? mark : NULL;
}

/* Makes a file in the folder of the results, which other nodes see too. */
static char *json_file(const char *folder, char *const *words)
{
    bool wanted = false;
    for (int i = 0; words[i]; i++) {
        wanted = wanted || json_mark(words[i]);
    }
    char *full = wanted ? realpath(folder, NULL) : NULL;
    char *path = full ? study_text("%s/point.json.XXXXXX", full) : NULL;
    int file = path ? mkostemp(path, 0) : -1;
    free(full);
    if (file >= 0) {
        close(file);
        return path;
    }
    free(path);
    return NULL;
}

/* The word that the child gets for a word of the command. */
static char *real_word(const struct study_job *job, const struct study_request *request, int place)
{
    const char *word = job->point->words[place];
    const char *mark = job->json ? json_mark(word) : NULL;
    if (mark) {
        return study_text("%.*s%s", (int)(mark - word), word, job->json);
    }
    return study_text("%s", place == 0 && strcmp(word, "strata") == 0 ? request->program : word);
}

bool study_job_start(struct study_job *job, const struct study_request *request,
                     const struct study_point *point)
{
    int count = 0;
    while (point->words[count]) {
        count++;
    }
    char **words = study_allocate((size_t)count + 1, sizeof *words);
    *job = (struct study_job){.point = point,
                              .json = json_file(request->output, point->words),
                              .began = strata_seconds()};
    for (int i = 0; i < count; i++) {
        words[i] = real_word(job, request, i);
    }
    bool started = study_child_start(&job->child, (const char *const *)words);
    study_fields_release(words, count);
    if (!started) {
        study_job_release(job);
    }
    return started;
}

/* Reads the file that the program wrote, its output, or the time it took. */
static char *read_output(const struct study_job *job)
{
    if (job->point->format == STUDY_CLOCK) {
        return study_text("seconds\n%.9g\n", strata_seconds() - job->began);
    }
    return job->json ? study_file_read(job->json) : study_descriptor_read(job->child.out);
}

/* The number in the first group of the last match. */
static bool match_number(const char *text, const char *pattern, double *number, char **why)
{
    regex_t compiled;
    regmatch_t groups[2];
    bool found = false;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE) == 0) {
        for (const char *at = text; regexec(&compiled, at, 2, groups, 0) == 0;
             at += groups[0].rm_eo) {
            const char *begin = groups[1].rm_so < 0 ? "" : at + groups[1].rm_so;
            char *end;
            double value = strtod(begin, &end);
            found = found || end > begin;
            *number = end > begin ? value : *number;
            if (groups[0].rm_eo == 0) {
                break;
            }
        }
        regfree(&compiled);
    }
    *why = found ? NULL : study_text("its output has no number where \"%s\" matches", pattern);
    return found;
}

/* A table of the time that the program tells. */
static bool parse_time(const struct study_point *point, const char *text, struct study_table *table,
                       char **why)
{
    double number = 0;
    if (!(point->format == STUDY_KEY ? study_json_number : match_number)(text, point->time, &number,
                                                                         why)) {
        return false;
    }
    char *csv = study_text("seconds\n%.9g\n", number * point->unit);
    bool read = study_table_parse(table, csv) > 0;
    free(csv);
    return read;
}

static bool parse_output(const struct study_job *job, struct study_table *table, char **why)
{
    char *text = read_output(job);
    bool read = false;
    *table = (struct study_table){0};
    if (!text || !*text) {
        *why = study_text("it printed no result");
    } else if (job->point->format == STUDY_PATTERN || job->point->format == STUDY_KEY) {
        read = parse_time(job->point, text, table, why);
    } else if (job->point->format == STUDY_JSON) {
        read = study_json_parse(table, text, why);
    } else {
        read = study_table_parse(table, text) > 0;
        *why = read ? NULL : study_text("its output is no CSV with rows");
    }
    free(text);
    return read;
}

static char *failure_of(int status)
{
    if (status == -1) {
        return study_text("ended, it took too long");
    }
    return WIFSIGNALED(status) ? study_text("ended by signal %d", WTERMSIG(status))
                               : study_text("exit code %d", WEXITSTATUS(status));
}

/* Prints the point, the reason, the command, and the last lines that the command wrote. */
static void complain(const struct study_job *job, const char *why)
{
    char *command = study_words_join(job->point->words);
    char *said = job->child.err >= 0 ? study_descriptor_read(job->child.err) : NULL;
    fprintf(stderr, "strata study: %s failed (%s): %s\n", job->point->name, why, command);
    if (said && *said) {
        size_t length = strlen(said);
        fprintf(stderr, "%s%s", length > 2000 ? said + length - 2000 : said,
                said[length - 1] == '\n' ? "" : "\n");
    }
    free(said);
    free(command);
}

static bool is_busy(const struct study_table *table)
{
    bool busy = false;
    for (int row = 0; row < table->rows; row++) {
        busy = busy || study_row_is_busy(table, row);
    }
    return busy;
}

/* A point that other programs disturbed is run at most so many times more. */
enum { MOST_TRIES = 2 };

enum study_end study_job_finish(struct study_job *job, struct study_run *run, int status)
{
    struct study_table table = {0};
    char *why = status ? failure_of(status) : NULL;
    bool good = !why && parse_output(job, &table, &why);
    const bool again = good && job->point->timed && run->tries < MOST_TRIES && is_busy(&table);
    if (good && !again &&
        study_store_append(run->store, job->point, &table, strata_seconds() - job->began) < 0) {
        good = false;
        why = study_text("%s cannot be written: %s", run->store->path, strerror(errno));
    }
    if (!good) {
        complain(job, why);
    }
    free(why);
    study_table_fini(&table);
    run->tries = again ? run->tries + 1 : 0;
    return again ? STUDY_AGAIN : good ? STUDY_DONE : STUDY_FAILED;
}

void study_job_release(struct study_job *job)
{
    if (job->child.pid > 0 || job->child.out >= 0) {
        study_child_release(&job->child);
    }
    if (job->json) {
        unlink(job->json);
        free(job->json);
    }
    *job = (struct study_job){0};
}
