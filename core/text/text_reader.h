/* Reads words and numbers from lines of text. The first error sticks and names its line, and later
 * reads do nothing. So a parser reads as its grammar. Private to core. */
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

/* Goes to the first line from here on that is not empty; false at the end of the text. */
bool strata_reader_find_line(struct strata_reader *r);
/* Whether the rest of the line is empty or a comment. */
bool strata_reader_line_over(struct strata_reader *r);
/* Expects the end of the line, and goes to the next one. */
void strata_reader_end_line(struct strata_reader *r);

/* Takes the word or the sign if it comes next. A word ends where no letter, digit or _ follows. */
bool strata_reader_accept(struct strata_reader *r, const char *word);
void strata_reader_expect(struct strata_reader *r, const char *word);
/* Takes the next word, and returns its index in words[first .. count-1], or `first` after an error.
 * `what` says what the words are. */
int strata_reader_choose(struct strata_reader *r, const char *const *words, int first, int count,
                         const char *what);
/* Takes the text up to the next blank. It is an error if the text is empty, or does not fit. */
void strata_reader_token(struct strata_reader *r, char *token, size_t size, const char *what);
/* Takes a text in quotes, and replaces \" and \\ in it. */
void strata_reader_quoted(struct strata_reader *r, char *text, size_t size);
/* Takes a decimal number in least .. most; returns least after an error. */
int64_t strata_reader_number(struct strata_reader *r, int64_t least, int64_t most);
size_t strata_reader_size(struct strata_reader *r);

/* Fails with "line L: expected WHAT, found ...". */
void strata_reader_expected(struct strata_reader *r, const char *what);
/* Fails with "line L: SENTENCE". */
void strata_reader_fail(struct strata_reader *r, int error, const char *sentence);

#endif
