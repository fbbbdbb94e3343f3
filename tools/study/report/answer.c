/* Writes answers for the terminal, as HTML and as Markdown. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/answer.h"
#include "tools/study/report/html.h"
#include "tools/study/table/memory.h"

enum { MOST_COLUMNS = 16, COLUMNS_OF_TEXT = 120 };

void study_answer_add(struct study_answer *answer, enum study_line_kind kind, const char *format,
                      ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        answer->lines = study_grow(answer->lines, (size_t)answer->count + 1, sizeof *answer->lines);
        answer->lines[answer->count].kind = kind;
        answer->lines[answer->count++].text = text;
    }
}

void study_answer_fini(struct study_answer *answer)
{
    for (int i = 0; i < answer->count; i++) {
        free(answer->lines[i].text);
    }
    free(answer->lines);
    *answer = (struct study_answer){0};
}

static bool is_table(const struct study_answer *answer, int line)
{
    return line >= 0 && line < answer->count && answer->lines[line].kind >= STUDY_COLUMNS;
}

/* The widths of the table that begins at this line. */
static void find_widths(const struct study_answer *answer, int line, int widths[MOST_COLUMNS])
{
    memset(widths, 0, MOST_COLUMNS * sizeof *widths);
    for (; is_table(answer, line); line++) {
        const char *text = answer->lines[line].text;
        for (int column = 0; column < MOST_COLUMNS; column++) {
            int length = (int)strcspn(text, "|");
            widths[column] = length > widths[column] ? length : widths[column];
            text += length + (text[length] == '|');
        }
    }
}

/* Writes a cell and fills it up with spaces. Returns the text behind it; NULL: it was the last. */
static const char *print_cell(FILE *file, const char *text, int width)
{
    int length = (int)strcspn(text, "|");
    fprintf(file, "%-*.*s", width, length, text);
    return text[length] ? text + length + 1 : NULL;
}

void study_answer_print(const struct study_answer *answer, FILE *file)
{
    int widths[MOST_COLUMNS] = {0};
    for (int i = 0; i < answer->count; i++) {
        const char *text = answer->lines[i].text;
        if (!is_table(answer, i)) {
            fprintf(file, "%s%s\n", is_table(answer, i - 1) ? "\n" : "", text);
            continue;
        }
        if (answer->lines[i].kind == STUDY_COLUMNS) {
            find_widths(answer, i, widths);
        }
        for (int column = 0; text && column < MOST_COLUMNS; column++) {
            fputs("  ", file);
            text = print_cell(file, text, widths[column]);
        }
        putc('\n', file);
    }
}

static void html_row(const char *text, const char *tag, FILE *file)
{
    fputs("<tr>", file);
    for (const char *cell = text; cell;) {
        size_t length = strcspn(cell, "|");
        char *copy = study_copy(cell, length);
        fprintf(file, "<%s>", tag);
        tool_html_text(file, copy);
        fprintf(file, "</%s>", tag);
        free(copy);
        cell = cell[length] ? cell + length + 1 : NULL;
    }
    fputs("</tr>\n", file);
}

void study_answer_html(const struct study_answer *answer, FILE *file)
{
    static const char *const open[] = {"<h2>", "<p class=\"lead\">"};
    static const char *const close[] = {"</h2>\n", "</p>\n"};
    for (int i = 0; i < answer->count; i++) {
        enum study_line_kind kind = answer->lines[i].kind;
        if (kind == STUDY_COLUMNS) {
            fputs("<div class=\"scroll\"><table><thead>", file);
            html_row(answer->lines[i].text, "th", file);
            fputs("</thead><tbody>\n", file);
        } else if (kind == STUDY_ROW) {
            html_row(answer->lines[i].text, "td", file);
        } else {
            fputs(open[kind], file);
            tool_html_text(file, answer->lines[i].text);
            fputs(close[kind], file);
        }
        if (is_table(answer, i) && !is_table(answer, i + 1)) {
            fputs("</tbody></table></div>\n", file);
        }
    }
}

void study_markdown_text(FILE *file, const char *text)
{
    for (size_t at = 0; *text; text += *text == ' ') {
        size_t length = strcspn(text, " ");
        bool fits = at && at + 1 + length <= COLUMNS_OF_TEXT;
        fputs(fits ? " " : at ? "\n" : "", file);
        fwrite(text, 1, length, file);
        at = fits ? at + 1 + length : length;
        text += length;
    }
    putc('\n', file);
}

static void markdown_rule(const char *text, FILE *file)
{
    for (putc('|', file); text; text = strchr(text, '|')) {
        text += *text == '|';
        fputs("---|", file);
    }
    putc('\n', file);
}

void study_answer_markdown(const struct study_answer *answer, FILE *file)
{
    for (int i = 0; i < answer->count; i++) {
        const char *text = answer->lines[i].text;
        if (!is_table(answer, i) || !is_table(answer, i - 1)) {
            putc('\n', file);
        }
        if (answer->lines[i].kind == STUDY_HEADING) {
            fprintf(file, "## %s\n", text);
        } else if (answer->lines[i].kind == STUDY_SENTENCES) {
            study_markdown_text(file, text);
        } else {
            fprintf(file, "|%s|\n", text);
        }
        if (answer->lines[i].kind == STUDY_COLUMNS) {
            markdown_rule(text, file);
        }
    }
}
