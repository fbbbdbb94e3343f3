#include "api/call/expected.h"

#include <stdio.h>
#include <string.h>

#include "api/call/sizes.h"
#include "core/base/config.h"

#define MOST_BYTES (INT64_C(1) << 40)

/* A part of the text. */
struct word {
    const char *at;
    int length;
};

static bool is_word(struct word word, const char *name)
{
    return strlen(name) == (size_t)word.length && strncmp(word.at, name, strlen(name)) == 0;
}

/* Takes the text before the next separator, without the blanks around it. *text moves to the
 * separator. */
static struct word take(const char **text, const char *separators)
{
    struct word word = {*text, (int)strcspn(*text, separators)};
    *text += word.length;
    while (word.length > 0 && *word.at == ' ') {
        word.at++;
        word.length--;
    }
    while (word.length > 0 && word.at[word.length - 1] == ' ') {
        word.length--;
    }
    return word;
}

static bool is_call(struct word word, const struct strata_expected_call *call)
{
    char name[64];
    strata_expected_name(call->collective, call->form, name, sizeof name);
    return is_word(word, name);
}

static int find_call(struct word word, struct strata_expected_call *call,
                     struct strata_diagnostic *message)
{
    for (int i = 0; i < STRATA_COLLECTIVE_COUNT * (STRATA_PERSISTENT + 1); i++) {
        call->collective = (enum strata_collective)(i % STRATA_COLLECTIVE_COUNT);
        call->form = (enum strata_expected_form)(i / STRATA_COLLECTIVE_COUNT);
        if (is_call(word, call)) {
            return STRATA_OK;
        }
    }
    return strata_fail(message, STRATA_ERR_SYNTAX,
                       "\"%.*s\" is no collective; allowed are alltoallv, ialltoallv, "
                       "alltoallv_init and so on",
                       word.length, word.at);
}

static int find_value(struct word name, struct word word, int64_t most, int64_t *value,
                      struct strata_diagnostic *message)
{
    const char *end = word.at;
    bool right = strata_config_number(word.at, is_word(name, "bytes"), value, &end) &&
                 end == word.at + word.length && *value <= most;
    return right ? STRATA_OK
                 : strata_fail(message, STRATA_ERR_SYNTAX,
                               "%.*s is \"%.*s\", but allowed is 0 .. %lld", name.length, name.at,
                               word.length, word.at, (long long)most);
}

/* "bytes=8" */
static int read_parameter(const char **text, int ranks, struct strata_expected_call *call,
                          struct strata_diagnostic *message)
{
    struct word name = take(text, "=,;");
    struct word value = {*text, 0};
    bool sized = strata_sizes_known(call->collective);
    bool rooted = strata_collective_rooted(call->collective);
    if (**text == '=') {
        ++*text;
        value = take(text, ",;");
    }
    if (sized && is_word(name, "bytes")) {
        return find_value(name, value, MOST_BYTES, &call->bytes, message);
    }
    if (rooted && is_word(name, "root")) {
        return find_value(name, value, ranks - 1, &call->root, message);
    }
    return strata_fail(message, STRATA_ERR_SYNTAX, "%s has no \"%.*s\"; allowed is %s",
                       strata_collective_name(call->collective), name.length, name.at,
                       sized    ? rooted ? "bytes=SIZE,root=RANK" : "bytes=SIZE"
                       : rooted ? "root=RANK"
                                : "nothing");
}

int strata_expected_next(const char **text, int ranks, struct strata_expected_call *call,
                         bool *more, struct strata_diagnostic *message)
{
    int error;
    *call = (struct strata_expected_call){.bytes = 0};
    *text += strspn(*text, " ;");
    *more = **text != '\0';
    if (!*more) {
        return STRATA_OK;
    }
    error = find_call(take(text, ":;"), call, message);
    while (error == STRATA_OK && **text && **text != ';') {
        ++*text; /* ':' or ',' */
        error = read_parameter(text, ranks, call, message);
    }
    return error;
}
