/* Reads words and numbers from lines of text. The first error sticks, names its line, and makes
 * later reads do nothing, so that a parser reads as its grammar. Private to core. */
#ifndef STRATA_CORE_TEXT_TEXT_READER_H
#define STRATA_CORE_TEXT_TEXT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

struct strata_reader {
    const char *at;
    int line; /* from 1 */
    int error;
    struct strata_diagnostic *message; /* may be NULL */
};

void strata_reader_begin(struct strata_reader *r, const char *text,
                         struct strata_diagnostic *message);

/* To the first line from here that is not empty; false at the end of the text. */
bool strata_reader_find_line(struct strata_reader *r);
/* Whether the line has nothing more but a comment. */
bool strata_reader_line_over(struct strata_reader *r);
/* Expects that, and goes to the next line. */
void strata_reader_end_line(struct strata_reader *r);

/* Takes the word or the sign when it comes next. A word ends where no letter, digit or _ follows.
 */
bool strata_reader_accept(struct strata_reader *r, const char *word);
void strata_reader_expect(struct strata_reader *r, const char *word);
/* The index of the word that comes next in words[first .. count-1]; `what` says what they are.
 * `first` after an error. */
int strata_reader_choose(struct strata_reader *r, const char *const *words, int first, int count,
                         const char *what);
/* What stands up to the next blank; an error when that is nothing, or does not fit. */
void strata_reader_token(struct strata_reader *r, char *token, size_t size, const char *what);
/* A text in quotes, \" and \\ replaced. */
void strata_reader_quoted(struct strata_reader *r, char *text, size_t size);
/* A decimal number in least .. most; least after an error. */
int64_t strata_reader_number(struct strata_reader *r, int64_t least, int64_t most);
size_t strata_reader_size(struct strata_reader *r);

/* Fails with "line L: expected WHAT, found ...". */
void strata_reader_expected(struct strata_reader *r, const char *what);
/* Fails with "line L: SENTENCE". */
void strata_reader_fail(struct strata_reader *r, int error, const char *sentence);

#endif
