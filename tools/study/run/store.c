/* The CSV file of a study: reads it back, appends to it point by point, and keeps it whole whatever
 * happens. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/study/run/store.h"

#include "core/base/whole_file.h"
#include "tools/study/run/machine.h"
#include "tools/study/run/points.h"
#include "tools/study/run/rows.h"
#include "tools/study/table/fields.h"
#include "tools/study/table/files.h"
#include "tools/study/table/memory.h"

static const char done_mark[] = "# done ";

static void add_comment(struct study_store *store, const char *line)
{
    char *longer = study_text("%s%s\n", store->comments, line);
    free(store->comments);
    store->comments = longer;
}

static void add_done(struct study_store *store, const char *text)
{
    store->done = study_grow(store->done, (size_t)store->dones + 1, sizeof *store->done);
    store->done[store->dones++] = study_copy(text, strlen(text));
}

/* Reads comments and finished points. A last line without an end does not count. */
static void read_comments(struct study_store *store, const char *text)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        char *line = study_copy(text, (size_t)(end - text));
        if (strncmp(line, done_mark, sizeof done_mark - 1) == 0) {
            add_done(store, line + sizeof done_mark - 1);
        } else if (*line == '#') {
            add_comment(store, line);
        }
        free(line);
    }
}

static const char *find_done(const struct study_store *store, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < store->dones; i++) {
        if (strncmp(store->done[i], name, length) == 0 && store->done[i][length] == ' ') {
            return store->done[i];
        }
    }
    return NULL;
}

static void drop_unfinished(struct study_store *store)
{
    struct study_table *table = &store->table;
    int kept = 0;
    for (int i = 0; i < table->rows; i++) {
        if (find_done(store, table->cells[i][0])) {
            table->cells[kept++] = table->cells[i];
        } else {
            study_fields_release(table->cells[i], table->width);
        }
    }
    table->rows = kept;
}

static bool has_columns(const struct study_table *table, const char *columns)
{
    struct study_table wanted;
    study_table_init(&wanted, columns);
    bool same = table->width == wanted.width;
    for (int i = 0; same && i < wanted.width; i++) {
        same = strcmp(table->columns[i], wanted.columns[i]) == 0;
    }
    study_table_fini(&wanted);
    return same;
}

bool study_store_read(struct study_store *store, const struct study *study, const char *folder,
                      char **why)
{
    *store = (struct study_store){.path = study_text("%s/%s.csv", folder, study->name),
                                  .comments = study_copy("", 0)};
    char *text = study_file_read(store->path);
    *why = NULL;
    if (!text && errno != ENOENT) {
        *why = study_text("%s cannot be read: %s", store->path, strata_whole_file_why());
    } else if (!text || !*text) {
        study_table_init(&store->table, study->columns);
    } else {
        read_comments(store, text);
        char *end = strrchr(text, '\n');
        *(end ? end : text) = '\0';
        if (study_table_parse(&store->table, text) < 0 ||
            !has_columns(&store->table, study->columns)) {
            *why = study_text("%s does not have the columns of this study (%s)", store->path,
                              study->columns);
        }
        drop_unfinished(store);
    }
    free(text);
    return !*why;
}

void study_store_fini(struct study_store *store)
{
    study_table_fini(&store->table);
    study_fields_release(store->done, store->dones);
    free(store->comments);
    free(store->path);
    *store = (struct study_store){0};
}

int study_store_has(const struct study_store *store, const struct study_point *point)
{
    const char *done = find_done(store, point->name);
    char *command = study_words_join(point->words);
    const char *kept = done ? strchr(done + strlen(point->name) + 1, ' ') : NULL;
    int has = !done ? 0 : kept && strcmp(kept + 1, command) == 0 ? 1 : -1;
    free(command);
    return has;
}

bool study_store_mixed(const struct study_store *store)
{
    static const char mark[] = "# commit: ";
    const char *first = NULL;
    bool mixed = false;
    for (const char *at = store->comments; (at = strstr(at, mark)); at++) {
        first = first ? first : at;
        size_t length = strcspn(at, "\n");
        mixed = mixed || length != strcspn(first, "\n") || strncmp(at, first, length) != 0;
    }
    return mixed;
}

static void write_point(FILE *file, const struct study_table *table, const char *done)
{
    size_t length = strcspn(done, " ");
    for (int i = 0; i < table->rows; i++) {
        const char *name = table->cells[i][0];
        if (strncmp(name, done, length) == 0 && name[length] == '\0') {
            study_row_write(file, table->cells[i], table->width);
        }
    }
    fprintf(file, "%s%s\n", done_mark, done);
}

bool study_store_rewrite(struct study_store *store, const struct study_request *request)
{
    char *machine = study_machine_describe(request), *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    char *comments = study_text("%s%s", store->comments, machine);
    free(store->comments);
    store->comments = comments;
    fputs(comments, file);
    study_row_write(file, store->table.columns, store->table.width);
    for (int i = 0; i < store->dones; i++) {
        write_point(file, &store->table, store->done[i]);
    }
    bool written = fclose(file) == 0 && study_file_replace(store->path, text, size);
    free(text);
    free(machine);
    return written;
}

int study_store_append(struct study_store *store, const struct study_point *point,
                       const struct study_table *output, double seconds)
{
    char *text = NULL, *command = study_words_join(point->words);
    size_t size = 0;
    for (int i = 0; i < output->rows; i++) {
        study_rows_take(&store->table, point, output, i);
    }
    char *done = study_text("%s %.1f %s", point->name, seconds, command);
    add_done(store, done);
    FILE *file = open_memstream(&text, &size);
    write_point(file, &store->table, done);
    bool written = fclose(file) == 0 && study_file_append(store->path, text, size);
    free(text);
    free(done);
    free(command);
    return written ? output->rows : -1;
}
