/* What all targets of fuzzing share. A target reads any bytes as the text that its parser takes,
 * and requires that the parser accepts the text or says one thing about it. */
#ifndef STRATA_TESTS_FUZZ_FUZZ_H
#define STRATA_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/error.h"

/* The entry that libFuzzer calls, and tests/fuzz/replay.c. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of the bytes as a string. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) {
        abort();
    }
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    return text;
}

/* Ends the program where the parser failed without a word, or spoke without failing. */
static inline void fuzz_require_message(int status, const struct strata_diagnostic *message)
{
    if ((status != STRATA_OK) != (message->text[0] != '\0')) {
        fprintf(stderr, "status %d, message \"%s\"\n", status, message->text);
        abort();
    }
}

#endif
