/* The answer to a study's question: sentences and tables for the terminal and for pages. */
#ifndef STRATA_TOOLS_STUDY_REPORT_ANSWER_H
#define STRATA_TOOLS_STUDY_REPORT_ANSWER_H

#include <stdio.h>

#include "tools/study/table/table.h"

enum study_line_kind {
    STUDY_HEADING,
    STUDY_SENTENCES, /* a paragraph */
    STUDY_COLUMNS,   /* the head of a table, "nodes|ranks|time" */
    STUDY_ROW        /* a row of that table */
};

struct study_answer {
    struct {
        enum study_line_kind kind;
        char *text;
    } * lines;
    int count;
};

void study_answer_add(struct study_answer *answer, enum study_line_kind kind, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));
void study_answer_fini(struct study_answer *answer);

void study_answer_print(const struct study_answer *answer, FILE *file);
void study_answer_html(const struct study_answer *answer, FILE *file);
void study_answer_markdown(const struct study_answer *answer, FILE *file);
/* Writes text in lines of at most 120 columns. */
void study_markdown_text(FILE *file, const char *text);

#endif
