/* The error codes of all layers below api/. Only api/ translates them to MPI's classes. */
#ifndef STRATA_CORE_BASE_ERROR_H
#define STRATA_CORE_BASE_ERROR_H

/* One row declares an error: its name, and the sentence that a person reads. */
#define STRATA_ERROR_TABLE(ROW)                                                                    \
    ROW(OK, "success")                                                                             \
    ROW(ERR_MEMORY, "out of memory")                                                               \
    ROW(ERR_ARGUMENT, "invalid argument")                                                          \
    ROW(ERR_SYNTAX, "text that cannot be parsed")                                                  \
    ROW(ERR_UNSUPPORTED, "not applicable here")                                                    \
    ROW(ERR_CAPACITY, "does not fit in the staging budget")                                        \
    ROW(ERR_TRUNCATE, "a block's sent and expected lengths differ")                                \
    ROW(ERR_PLAN, "the plan is not correct")                                                       \
    ROW(ERR_TRANSPORT, "a message could not be sent or received")

enum strata_error {
#define STRATA_ERROR_NAME(name, text) STRATA_##name,
    STRATA_ERROR_TABLE(STRATA_ERROR_NAME)
#undef STRATA_ERROR_NAME
        STRATA_ERROR_COUNT
};

/* The sentence of an error code; never NULL. */
const char *strata_error_text(int error);

/* An error in words for a person. The function that decides an error fills it; it is empty when
 * there is no error. */
#define STRATA_DIAGNOSTIC_SIZE 512
struct strata_diagnostic {
    char text[STRATA_DIAGNOSTIC_SIZE];
};

/* Formats into message, which may be NULL. */
void strata_say(struct strata_diagnostic *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, with `error` as its value, so that a caller can `return strata_fail(message,
 * STRATA_ERR_SYNTAX, "...", ...)`. It is a macro so that compilers and the analyzer see that the
 * result is not STRATA_OK. */
#define strata_fail(message, error, ...) (strata_say(message, __VA_ARGS__), (error))

#endif
