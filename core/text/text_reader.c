#include "core/text/text_reader.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strata_reader_begin(struct strata_reader *r, const char *text,
                         struct strata_diagnostic *message)
{
    *r = (struct strata_reader){.at = text, .line = 1, .message = message};
}

void strata_reader_fail(struct strata_reader *r, int error, const char *sentence)
{
    if (r->error == STRATA_OK) {
        r->error = strata_fail(r->message, error, "line %d: %s", r->line, sentence);
    }
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct strata_reader *r)
{
    while (blank(*r->at)) {
        r->at++;
    }
}

bool strata_reader_line_over(struct strata_reader *r)
{
    skip_blanks(r);
    return *r->at == '\0' || *r->at == '\n' || *r->at == '#';
}

void strata_reader_expected(struct strata_reader *r, const char *what)
{
    char sentence[STRATA_DIAGNOSTIC_SIZE];
    if (strata_reader_line_over(r)) {
        snprintf(sentence, sizeof sentence, "expected %s, found the end of the line", what);
    } else {
        int length = (int)strcspn(r->at, " \t\r\n");
        snprintf(sentence, sizeof sentence, "expected %s, found `%.*s`", what,
                 length < 40 ? length : 40, r->at);
    }
    strata_reader_fail(r, STRATA_ERR_SYNTAX, sentence);
}

static void next_line(struct strata_reader *r)
{
    r->at += strcspn(r->at, "\n");
    if (*r->at == '\n') {
        r->at++;
        r->line++;
    }
}

bool strata_reader_find_line(struct strata_reader *r)
{
    while (*r->at != '\0' && strata_reader_line_over(r)) {
        next_line(r);
    }
    return *r->at != '\0';
}

void strata_reader_end_line(struct strata_reader *r)
{
    if (!strata_reader_line_over(r)) {
        strata_reader_expected(r, "the end of the line");
    } else if (r->error == STRATA_OK) {
        next_line(r);
    }
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool strata_reader_accept(struct strata_reader *r, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(r);
    if (r->error != STRATA_OK || strncmp(r->at, word, length) != 0 ||
        (in_word(word[length - 1]) && in_word(r->at[length]))) {
        return false;
    }
    r->at += length;
    return true;
}

void strata_reader_expect(struct strata_reader *r, const char *word)
{
    if (!strata_reader_accept(r, word)) {
        char what[STRATA_DIAGNOSTIC_SIZE];
        snprintf(what, sizeof what, "`%s`", word);
        strata_reader_expected(r, what);
    }
}

int strata_reader_choose(struct strata_reader *r, const char *const *words, int first, int count,
                         const char *what)
{
    char expected[STRATA_DIAGNOSTIC_SIZE];
    int used = snprintf(expected, sizeof expected, "%s (", what);
    for (int i = first; i < count; i++) {
        if (strata_reader_accept(r, words[i])) {
            return i;
        }
        used += snprintf(expected + used, sizeof expected - (size_t)used, "%s%s", words[i],
                         i + 1 < count ? ", " : ")");
        used = used < (int)sizeof expected ? used : (int)sizeof expected - 1;
    }
    strata_reader_expected(r, expected);
    return first;
}

void strata_reader_token(struct strata_reader *r, char *token, size_t size, const char *what)
{
    size_t length = strata_reader_line_over(r) ? 0 : strcspn(r->at, " \t\r\n#");
    if (length == 0 || length >= size) {
        strata_reader_expected(r, what);
    }
    if (r->error == STRATA_OK) {
        memcpy(token, r->at, length);
        token[length] = '\0';
        r->at += length;
    }
}

void strata_reader_quoted(struct strata_reader *r, char *text, size_t size)
{
    size_t length = 0;
    strata_reader_expect(r, "\"");
    while (r->error == STRATA_OK && *r->at != '"') {
        r->at += *r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\');
        if (*r->at == '\0' || *r->at == '\n' || length + 1 >= size) {
            strata_reader_expected(r, "the closing `\"` of a label");
            return;
        }
        text[length++] = *r->at++;
    }
    if (r->error == STRATA_OK) {
        text[length] = '\0';
        r->at++;
    }
}

int64_t strata_reader_number(struct strata_reader *r, int64_t least, int64_t most)
{
    skip_blanks(r);
    char *end = NULL;
    errno = 0;
    int64_t number = isgraph((unsigned char)*r->at) ? strtoll(r->at, &end, 10) : 0;
    if (!end || end == r->at || errno != 0 || number < least || number > most || in_word(*end)) {
        char what[80];
        snprintf(what, sizeof what, "a number from %" PRId64 " to %" PRId64, least, most);
        strata_reader_expected(r, what);
    }
    if (r->error != STRATA_OK) {
        return least;
    }
    r->at = end;
    return number;
}

size_t strata_reader_size(struct strata_reader *r)
{
    skip_blanks(r);
    char *end = NULL;
    errno = 0;
    unsigned long long number = isdigit((unsigned char)*r->at) ? strtoull(r->at, &end, 10) : 0;
    if (!end || errno != 0 || number > SIZE_MAX || in_word(*end)) {
        strata_reader_expected(r, "a number of bytes");
    }
    if (r->error != STRATA_OK) {
        return 0;
    }
    r->at = end;
    return (size_t)number;
}
