#include "core/base/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static const char *const error_text[] = {
#define STRATA_ERROR_SENTENCE(name, text) [STRATA_##name] = text,
    STRATA_ERROR_TABLE(STRATA_ERROR_SENTENCE)
#undef STRATA_ERROR_SENTENCE
};

const char *strata_error_text(int error)
{
    return error >= 0 && error < STRATA_ERROR_COUNT ? error_text[error] : "unknown error";
}

void strata_say(struct strata_diagnostic *message, const char *format, ...)
{
    if (message) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message->text, sizeof message->text, format, arguments);
        va_end(arguments);
    }
}
